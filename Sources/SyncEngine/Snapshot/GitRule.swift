/// The rule by which ``GitJudge`` decided about a changed or missing file; see the table in SyncEngine.md.
///
/// A commit is its id, or ``GitHistory/index`` for the index.
enum GitRule: Sendable, Hashable {
    // An older file.
    case isConverted
    case hasOlderText(commit: String)
    case hasOlderPath(commit: String)
    case isBackWithOlderText
    case isBeforeSynced(commit: String)
    case areManyOlder
    // A file that is held for another reason.
    case isUnchangedSinceHeld
    case isCheckedOut(commit: String)
    case hasNoAnswer
    // An edit, by what it is based on.
    case isDecided
    case isNew
    case isOfDeletedTodo
    case isMoveOnly
    case isSetBack
    case isOnCheckout(commit: String)
    case isChangedSinceHeld
    case isHeadsOlderEdit
    case hasOlderValues(of: [String])
    case isOnNewest
    // A delete of the user's.
    case isDeletedBy(commit: String)
    case isDeletedSince(commit: String?)
    case isInGit
    case isNowhere
    // A removal of git's.
    case isSparse
    case isStillRemoved
    case isMissingInVisited
    case wasCommitted
    case canBeRemoved
    case hasObject
    case areManyGone

    /// Returns the rule as a clause.
    ///
    /// - Parameter head: The commit that is checked out.
    func words(head: String?) -> String {
        func name(_ commit: String?) -> String {
            guard let commit else { return "the beginning" }
            if commit == GitHistory.index { return "the index" }
            return (commit == head ? "HEAD " : "commit ") + commit.prefix(10)
        }
        return switch self {
        case .isConverted: "git converts the file, so an older version counts as git's"
        case .hasOlderText(let commit): "\(name(commit)) has this synced text, which isn't the newest"
        case .hasOlderPath(let commit): "\(name(commit)) has the newest text at this earlier path"
        case .isBackWithOlderText: "git had removed the file, and it is back with an older text"
        case .isBeforeSynced(let commit):
            "HEAD has this text, which was never synced, and is an ancestor of \(name(commit)), whose was"
        case .areManyOlder: "the texts of at least \(GitJudge.manyOlder) files are all exactly older ones"
        case .isUnchangedSinceHeld: "the file was held, and hasn't changed since"
        case .isCheckedOut(let commit):
            "the checkout of \(name(commit)) wrote this text, which was never synced"
        case .hasNoAnswer: "git gave no answer, and the text might be git's"
        case .isDecided: "an earlier command decided so, and the file hasn't changed since"
        case .isNew: "no version was ever synced, and no checkout wrote it"
        case .isOfDeletedTodo: "the todo was deleted, so the file is an edit of an older version"
        case .isMoveOnly: "only the path differs, and git has the file nowhere there"
        case .isSetBack: "a commit made here set it back, so it is an edit of what it was before"
        case .isOnCheckout(let commit):
            "it is an edit of the version that the checkout of \(name(commit)) led to"
        case .isChangedSinceHeld: "the file was held, and is an edit of the version that it had then"
        case .isHeadsOlderEdit: "HEAD has this text, with no value of the newest version"
        case .hasOlderValues(let fields):
            "git has an older version with the same "
                + (fields.isEmpty ? "comments or path" : fields.joined(separator: ", "))
        case .isOnNewest: "it is an edit of the newest version, and has no older value of git's"
        case .isDeletedBy(let commit): "\(name(commit)), made here, deletes it"
        case .isDeletedSince(let commit): "a commit since \(name(commit)) deletes it"
        case .isInGit: "git still has it, and so had every commit where HEAD has been"
        case .isNowhere: "no commit has it, and git can't have removed it"
        case .isSparse: "a sparse checkout leaves it out"
        case .isStillRemoved: "git had removed it, and hasn't brought it back"
        case .isMissingInVisited: "a commit where HEAD has been since the last command lacks it"
        case .wasCommitted: "HEAD lacks it, and no commit made here deletes it"
        case .canBeRemoved: "no commit has it, and a reset or a stash can have removed it"
        case .hasObject: "git has a synced text of it as an object"
        case .areManyGone: "several todos that were never committed are gone at once"
        }
    }
}
