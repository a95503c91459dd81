/// What can happen in a history with git; in long runs, each kind except the excused ones must happen.
enum StoryEvent: String, CaseIterable, Sendable {
    // What people do to files.
    case edit, toggle, delete, create
    // What they do with git.
    case commit, amend, branch, checkout, checkoutCommit, checkoutDot, stash, stashUntracked, pop
    case resetHard, resetSoft, merge, mergeConflict, autostash, rebase, rebaseStop, rebaseConflict, cherryPick
    case revert, bisect, worktree, clean, gitRemove, removeCached, move, restoreFile, renameBranch,
        deleteBranch
    case pullMerge, pullFastForward, pullRebase, colleague
    case excursion, excursionBack
    // What they do with todosync.
    case sync, push, pull, set, remove, undo, restoreTodo, discard, moveTodo,
        resolve
    // What results from it.
    case held, behind, absent, duringGit, forwarded, conflict, pushedEdit, pushedDelete, withheld
    /// A conflict of two values of which one supersedes the other.
    case falseConflict
    /// A value replaced one that git had taken out of the writer's file: a limit that SyncEngine.md names.
    case replacedByGit
    /// `git clean` deleted a single todo that was never committed: another limit.
    case cleanedTodo
    /// Git refused to return over a file for an excusable reason, such as the remote's change to it.
    case excusedReturn
}

/// How often each kind of event happened.
struct StoryEvents: Sendable {
    private(set) var counts: [StoryEvent: Int] = [:]
    var (histories, syncs, askedSyncs) = (0, 0, 0)

    mutating func note(_ event: StoryEvent?, _ count: Int = 1) {
        if let event, count > 0 { counts[event, default: 0] += count }
    }

    mutating func add(_ other: StoryEvents) {
        counts.merge(other.counts, uniquingKeysWith: +)
        histories += other.histories
        syncs += other.syncs
        askedSyncs += other.askedSyncs
    }
}

/// A property that didn't hold in a history.
struct StoryFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
