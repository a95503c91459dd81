package import LosslessYAML
package import ThreeWayMerge
package import TodoModel
package import WorkingCopy

/// A working directory as a command sees it.
///
/// Its verbs are in the folder `Verbs`, one a file. Each opens the directory anew, so that a value can be
/// kept.
package struct Workspace: Sendable {
    package let directory: WorkingDirectory
    package let surroundings: Surroundings

    package var root: String { directory.root }

    /// The remote's URL; nil if there is none.
    package var remoteURL: String? { get throws { try directory.configuration().remote } }

    package init(directory: WorkingDirectory, surroundings: Surroundings) {
        var directory = directory
        directory.isAskedToEnd = surroundings.isAskedToEnd
        self.directory = directory
        self.surroundings = surroundings
    }

    /// Opens the working directory that a folder is in.
    package static func open(from directory: String, _ surroundings: Surroundings) throws -> Workspace {
        guard let root = try findRoot(from: directory) else {
            throw EngineError.noWorkingDirectory(from: directory)
        }
        return Workspace(directory: WorkingDirectory(root: root), surroundings: surroundings)
    }

    /// Makes a working directory of an existing folder.
    package static func create(
        at directory: String, remote: String?, include: [String], _ surroundings: Surroundings
    ) throws -> Workspace {
        let workspace = Workspace(directory: WorkingDirectory(root: directory), surroundings: surroundings)
        do {
            try workspace.directory.create(Configuration(remote: remote, include: include))
        } catch WorkingDirectoryError.exists {
            throw EngineError.isWorkingDirectory(directory)
        } catch {
            throw error.below(directory)
        }
        return workspace
    }
}

extension Error {
    /// Returns the same error, with the whole path where it is one of a file of a working directory in which
    /// the user is not.
    func below(_ root: String) -> any Error {
        switch self as any Error {
        case let error as FileError: error.below(root)
        case LockError.file(let error): error.below(root)
        default: self
        }
    }
}

/// Which version of a todo is meant.
package enum ShownVersion: Sendable {
    /// The file as it is.
    case file
    case base, local, remote
}

/// A todo that is to be written.
package struct NewTodo: Sendable {
    package var text: String
    /// The fields besides `id` and `text`, in the order in which they are written.
    package var fields: Mapping
    /// The file's path relative to the working directory; nil for one made from the text.
    package var path: String?

    package init(text: String, fields: Mapping, path: String?) {
        self.text = text
        self.fields = fields
        self.path = path
    }
}

/// Where a todo's file is.
package struct LocatedTodo: Sendable, Hashable {
    package var id: TodoID?
    package var path: String
    package var absolutePath: String
    package var isConflicted: Bool
    /// The file's bytes.
    package var bytes: [UInt8]
}

/// What a push, a pull or a sync is asked for.
package struct SyncOptions: Sendable {
    /// The todos to push, as the user named them; all if there are none.
    package var todos: [String]
    package var policy: ConflictPolicy
    package var isDryRun: Bool
    /// The number of deletes that the user allows though a guard withholds them.
    package var allowedDeletes: Int?
    /// Whether ``SyncReport/pending`` is wanted; without it, a pull looks only at files that it changes.
    package var countsPending: Bool

    package init(
        todos: [String] = [], policy: ConflictPolicy = .markers, isDryRun: Bool = false,
        allowedDeletes: Int? = nil, countsPending: Bool = true
    ) {
        self.todos = todos
        self.policy = policy
        self.isDryRun = isDryRun
        self.allowedDeletes = allowedDeletes
        self.countsPending = countsPending
    }
}

/// How conflicts are to be settled.
package enum Resolution: Sendable {
    /// The files as the user left them.
    case file
    /// One side's lines for the blocks that are still there.
    case use(Side)
    /// The local files as they were before the merge.
    case abort
    /// What settled the same conflicts before.
    case again
    /// What the user answers to each conflict.
    case ask(@Sendable (ConflictQuestion) throws -> ConflictAnswer)
    /// What a merge tool makes of each conflicted file; nil where it settles nothing.
    case merge(@Sendable (FileToMerge) throws -> [UInt8]?)
}
