/// Where a todo's file comes from, if it isn't known to be an edit of the newest base version.
package enum FileOrigin: Sendable, Hashable {
    /// A todosync command wrote the text with this mark: it is the user's edit, whatever git has.
    case command(ContentMark)
    /// A todosync command removed the file.
    case removedByCommand
    /// Git checked out an older version, with this text: the file is that version or an edit of it.
    case version([UInt8])
    /// Git removed the file, which was this version or an edit of it; without a version, a commit that stops
    /// tracking ignored files removed it.
    case removedByGit(was: [UInt8]?)
    /// The user purged the todo: it isn't kept in this folder, and its file isn't missed.
    case notKept
}

/// What was checked out when the last writing command ended.
package struct RecordedHead: Sendable, Hashable {
    /// The branch's full name; nil if HEAD was detached.
    package var branch: String?
    /// The commit's id; nil on a branch without commits.
    package var commit: String?
    /// The branch on which the folder was first synced inside a repository; nil if that was a detached HEAD.
    package var home: String?

    package init(branch: String?, commit: String?, home: String?) {
        self.branch = branch
        self.commit = commit
        self.home = home
    }
}
