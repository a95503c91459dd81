internal import Git
package import LosslessYAML
package import ThreeWayMerge
package import TodoModel
package import WorkingCopy

/// A working directory from the point of view of a command.
///
/// Its verbs are in the folder `Verbs`, one verb per file. Each verb reads the directory again, so callers
/// can keep the value.
package struct Workspace: Sendable {
    package let directory: WorkingDirectory
    package let surroundings: Surroundings

    package var root: String { directory.root }

    /// The remote's URL; nil if there isn't one.
    package var remoteURL: String? { get throws { try directory.configuration().remote } }

    /// The command in `merge.handler`; nil if there isn't one.
    package var handler: String? { get throws { try configuration().handler } }

    /// The words of the configuration's saved filters, by name.
    package var filters: [ByteKey: String] { get throws { try configuration().filters } }

    /// The names of the fields that the words of a new todo can set, besides the usual ones.
    package var capturedFields: [String] { get throws { try configuration().capturedFields } }

    package init(directory: WorkingDirectory, surroundings: Surroundings) {
        var directory = directory
        directory.isAskedToEnd = surroundings.isAskedToEnd
        directory.progress = surroundings.progress
        directory.logger = surroundings.logger
        self.directory = directory
        self.surroundings = surroundings
    }

    /// Opens the working directory that contains a folder.
    package static func open(from directory: String, _ surroundings: Surroundings) throws -> Workspace {
        guard let root = try findRoot(from: directory) else {
            let isStashed = isStashed(around: directory, surroundings)
            throw EngineError.noWorkingDirectory(from: directory, isStashed: isStashed)
        }
        let workspace = Workspace(directory: WorkingDirectory(root: root), surroundings: surroundings)
        if let nested = Repository.outermost(around: directory, below: root),
            try !workspace.directory.state().todos.hasTodos(in: nested)
        {
            throw EngineError.inNestedRepository(root + "/" + nested, root: root)
        }
        return workspace
    }

    /// Returns whether the latest stash in git has a working directory's state, as after `git stash --all`.
    private static func isStashed(around directory: String, _ surroundings: Surroundings) -> Bool {
        guard let repository = Repository(containing: directory), repository.stash != nil else {
            return false
        }
        let git = GitProcess(
            repository, environment: surroundings.environment, logger: surroundings.logger)
        return (try? git.hasStashed(".todosync")) ?? false
    }

    /// Turns an existing folder into a working directory.
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
    /// Returns the same error, with an absolute path if it is about a file in a working directory other than
    /// the user's current one.
    func below(_ root: String) -> any Error {
        switch self as any Error {
        case let error as FileError: error.below(root)
        case LockError.file(let error): error.below(root)
        default: self
        }
    }
}

/// A version of a todo to show.
package enum ShownVersion: Sendable {
    /// The current file.
    case file
    case base, local, remote
}

/// A todo to create.
package struct NewTodo: Sendable {
    package var text: String
    /// The fields other than `id` and `text`, in the order to write them.
    package var fields: Mapping
    /// The file's path in the working directory; nil to derive it from the text.
    package var path: String?

    package init(text: String, fields: Mapping, path: String?) {
        self.text = text
        self.fields = fields
        self.path = path
    }
}

/// A todo with the path of its file.
package struct LocatedTodo: Sendable, Hashable {
    package var id: TodoID?
    package var path: String
    package var absolutePath: String
    package var isConflicted: Bool
    /// Whether git rolled the file back to an older version.
    package var isOlder = false
    /// Whether the file was an older version until it was opened.
    package var wasOlder = false
    /// The file's bytes.
    package var bytes: [UInt8]
}

/// The options of a push, a pull or a sync.
package struct SyncOptions: Sendable {
    /// The todos to push, as the user named them; empty for all todos.
    package var todos: [String]
    package var policy: ConflictPolicy
    /// Resolves conflicts before the policy does, except in a dry run; nil for no handler.
    package var handler: ConflictHandler?
    package var isDryRun: Bool
    /// The number of withheld deletes that the user allows.
    package var allowedDeletes: Int?
    /// Whether conflict markers may be written into most of many files.
    package var allowsManyMarkers = false
    /// The number of withheld edits that the user allows.
    package var allowedEdits: Int?
    /// Whether todos that git rolled back to an older version or removed become the newest version.
    package var forwards = false
    /// Whether files are changed and sent even during a git operation.
    package var isDuringGit = false
    /// Asks the user what to do with held todos; nil to leave them.
    package var askAboutHeld: (@Sendable ([HeldTodo]) throws -> HeldAnswer)?
    /// Asks, before the first push of a working directory, whether to write ids into the files at some paths.
    ///
    /// It throws an error if the user declines. Nil writes the ids without asking.
    package var askAboutAdoption: (@Sendable ([String]) throws -> Void)?
    /// Whether to compute ``SyncReport/pending``.
    ///
    /// Without it, a pull reads only the files that it changes.
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

    /// The same options, except that neither the user nor a handler is asked: their conflicts stay open.
    var withoutQuestions: SyncOptions {
        var options = self
        if options.policy.asks { options.policy = .markers }
        (options.handler, options.askAboutHeld, options.askAboutAdoption) = (nil, nil, nil)
        return options
    }
}

/// How to resolve conflicts.
package enum Resolution: Sendable {
    /// With the files as the user left them.
    case file
    /// With one side's lines in the remaining blocks.
    case use(Side)
    /// With an answer for each named field.
    case fields([ByteKey: FieldAnswer])
    /// With the lists and notes of both sides; other fields stay in conflict.
    case union
    /// With the local files as they were before the merge.
    case abort
    /// With the remembered resolutions of the same conflicts.
    case again
    /// With the user's answer to each conflict.
    case ask(@Sendable (ConflictQuestion) throws -> ConflictAnswer)
    /// With a merge tool's output for each conflicted file; nil if the tool resolved nothing.
    case merge(@Sendable (FileToMerge) throws -> [UInt8]?)
}

/// Returns the working directory that contains a folder.
///
/// Nil if there isn't one, or if the folder is in a git repository that the working directory ignores.
package func enclosingWorkspace(of folder: String, _ surroundings: Surroundings) throws -> Workspace? {
    do {
        return try Workspace.open(from: folder, surroundings)
    } catch EngineError.noWorkingDirectory, EngineError.inNestedRepository {
        return nil
    }
}
