internal import TodoModel
internal import WorkingCopy

extension Run {
    /// Forgets base versions that may be older than their files: by an older one an edit could look like
    /// none.
    ///
    /// That is only where nothing tells how long the journal should be. A base version that has the version
    /// of the remote's record is right all the same. Where the remote has another one, file and record are
    /// compared by id. What was deleted here is still in conflict with an edit there.
    func forgetDoubtful(_ changes: [TodoID: RemoteState]) throws {
        guard !transaction.isProven else { return }
        let doubtful = changes.filter { id, remote in
            guard let known = state.todos[id], let base = known.base, known.conflict == nil else {
                return false
            }
            return base.version != remote.version && inventory.hasFile(of: id)
        }.keys.sorted()
        guard !doubtful.isEmpty else { return }
        try transaction.record([.distrusted(doubtful)])
        surroundings.notice(
            ".todosync/journal.length is missing or damaged, so that the journal may be an older one; what "
                + "the remote has new is compared with the files by id")
        try lookAgain()
    }
}
