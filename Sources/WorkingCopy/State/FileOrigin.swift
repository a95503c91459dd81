/// The origin of a todo's file, if the file isn't known to be the newest base version or an edit of it.
package enum FileOrigin: Sendable, Hashable {
    /// A todosync command wrote the text with this mark, so the text is the user's edit whatever git did.
    case command(ContentMark)
    /// A todosync command removed the file.
    case removedByCommand
    /// A commit removed the file, which still counts as the user's delete when git moves on to other commits.
    case removedByCommit
    /// Git checked out an older version with this text, and the file is that version or an edit of it.
    case version([UInt8])
    /// Git removed the file, which was this version or an edit of it. Without a version, a commit that
    /// stopped tracking ignored files removed it.
    case removedByGit(was: [UInt8]?)
    /// The user purged the todo: the folder doesn't keep it, and its missing file isn't a delete.
    case notKept
}

/// The branch and commit that git had checked out when the last writing command ended.
package struct RecordedHead: Sendable, Hashable {
    /// The branch's full name; nil if HEAD was detached.
    package var branch: String?
    /// The commit's id; nil on a branch without commits.
    package var commit: String?
    /// The branch that was checked out at the folder's first sync in a repository; nil if HEAD was detached.
    package var home: String?

    package init(branch: String?, commit: String?, home: String?) {
        self.branch = branch
        self.commit = commit
        self.home = home
    }
}
