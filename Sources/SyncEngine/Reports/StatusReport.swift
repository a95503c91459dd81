package import ThreeWayMerge
package import TodoModel
package import WorkingCopy

/// The differences between a working directory and its remote, and what needs the user's attention.
package struct StatusReport: Sendable {
    /// The remote's URL.
    package var remote: String?
    /// When a push, a pull or a sync last succeeded; nil if that isn't known.
    package var lastSync: String?
    /// Whether a clone's first pull was interrupted.
    package var isCloneIncomplete = false
    package var pending: [ReportRow] = []
    package var conflicts: [ConflictedTodo] = []
    package var invalid: [InvalidFile] = []
    package var duplicates: [DuplicateFile] = []
    /// Copies of todos' files that other tools made.
    package var copies: [CopiedFile] = []
    package var ignored: [IgnoredFile] = []
    /// Todos' files with several names (hard links), which don't stay the same file when todosync changes
    /// one.
    package var hardLinks: [String] = []
    /// The todos that the next sync won't send or change, and why, except for a git operation in progress.
    package var held: [HeldTodo] = []
    /// Whether todos held because of git need no action from the user (`git.forward: never`).
    package var leavesHeld = false
    /// The git operation in progress; nil if there isn't one.
    package var gitProgress: GitProgress?
    /// Whether git's attributes name todosync as the merge driver but this clone doesn't have the driver;
    /// false if that wasn't checked.
    package var lacksMergeDriver = false
    /// Conventional fields with a value of the wrong kind.
    package var oddities: [Oddity] = []
    /// Keys that differ only in their Unicode form.
    package var lookalikes: [Lookalike] = []
    /// The names that people use for the todos.
    package var names = TodoNames()

    package var isClean: Bool {
        pending.isEmpty && conflicts.isEmpty && invalid.isEmpty && duplicates.isEmpty && copies.isEmpty
            && !held.needUser(leavesHeld)
            && gitProgress?.unmerged.isEmpty ?? true
    }
}

/// A todo in conflict: both sides changed it, and the user has to choose.
package struct ConflictedTodo: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    package var fields: [String]
    package var kind: ConflictKind
    /// Whether the file still has conflict markers.
    package var hasMarkers: Bool
    /// Why the file has no markers but stays the local one, in words; nil if it got markers.
    package var obstacle: String?
    /// The labels of the markers; only for a conflict that is recorded nowhere else.
    package var labels: SideLabels?
    /// The side that deleted the todo; only for a conflict that is recorded nowhere else.
    package var deletingSide: Side?
    /// The conflicting values, such as `text` or `place.city`, that remembered resolutions can resolve.
    package var remembered: [String] = []
    /// Why the handler failed to decide the conflict; only in the report of a push, pull or sync that asked
    /// it.
    package var handlerProblem: HandlerProblem?
    /// Whether a dry run predicts the conflict; it doesn't exist yet.
    package var isExpected = false
    /// Whether the file is gone; if the user confirms this, the conflict is resolved by deleting the todo.
    package var isFileGone = false
    /// Whether the file wasn't found but might exist: it is ignored, hidden, behind a link or unreadable.
    package var isFileUnseen = false
    /// Whether the remote changed nothing, and the local values are older ones that git might have brought
    /// back.
    package var hasOlderValues = false
    /// Whether the remote has changed the todo since the conflict was found; this change is applied once the
    /// conflict is resolved.
    package var hasMovedOn = false
    /// Whether git might have brought the file back to a version from before the conflict, without markers.
    package var isRolledBack = false
}

/// The labels of the two sides in conflict markers, such as `HEAD` and `abc1234 (subject)`.
package struct SideLabels: Sendable, Hashable {
    package var local: String
    package var remote: String
    /// Whether git waits for `git add`, because its index has the file as unmerged.
    package var isUnmergedInGit: Bool

    package init(local: String, remote: String, isUnmergedInGit: Bool = false) {
        self.local = local
        self.remote = remote
        self.isUnmergedInGit = isUnmergedInGit
    }

    /// Whether todosync wrote the markers; it begins each label with the side's name.
    package var areOfTodosync: Bool { local.prefix { $0 != " " } == "local" }
}

/// A file that is meant to be a todo but can't be read as one.
package struct InvalidFile: Sendable, Hashable {
    package var path: String
    package var problem: TodoProblem
}

/// A file with the same id as another file.
package struct DuplicateFile: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    /// The file that keeps the id.
    package var keptBy: String
    /// Whether another tool made it as a copy of that file.
    package var isCopy = false
    /// Whether git has the todo at this path, too: an earlier one, or one of another branch.
    package var comesFromGit = false
}

/// Keys of one mapping in a todo's file that look alike but aren't the same.
package struct Lookalike: Sendable, Hashable {
    package var id: TodoID?
    package var path: String
    package var keys: [LookalikeKeys.Key]
}

/// A conventional field with a value of the wrong kind.
package struct Oddity: Sendable, Hashable {
    package var path: String
    package var field: String
    /// The expected value, in words.
    package var expectation: String
}
