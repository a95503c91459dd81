internal import TodoModel
package import WorkingCopy

extension Workspace {
    /// Sets the remote if there is none.
    package func addRemote(_ url: String) async throws {
        if let url = try remoteURL { throw EngineError.remoteExists(url: url) }
        try await useRemote(url)
    }

    /// Sets the URL of another remote.
    ///
    /// If it leads to another store, everything starts anew: no todo counts as deleted, and all files are
    /// pending inserts. If the remote can't be reached now, the next push or pull finds out. A configuration
    /// that was lost is created anew.
    package func setRemote(_ url: String) async throws {
        guard try remoteURL != nil || lostRemote != nil else { throw EngineError.noRemote }
        try await useRemote(url)
    }

    /// Removes the remote's URL.
    ///
    /// The state recorded for the remote stays, in case it is set again.
    package func removeRemote() throws {
        guard try remoteURL != nil else { throw EngineError.noRemote }
        try LockedWorkspace.perform(self) { _ in try translatingErrors { try directory.setRemote(nil) } }
    }

    /// The URL of the remote that a lost configuration named; nil if no configuration was lost.
    private var lostRemote: String? {
        get throws {
            try translatingErrors { try directory.configuration().lostRemote(directory.state()) }
        }
    }

    private func useRemote(_ url: String) async throws {
        try await LockedWorkspace.perform(self) { locked in
            if let remote = try? surroundings.connect(url), try await !locked.knows(remote) {
                try locked.forgetRemote()
            }
            try translatingErrors { try directory.setRemote(url) }
        }
    }

    /// Creates a working directory with a remote and pulls, or continues an interrupted clone.
    ///
    /// - Parameters:
    ///   - directory: the folder's path.
    ///   - prepare: creates the folder if necessary, and returns whether it is empty. It is called after the
    ///     remote has answered, so that an unreachable remote leaves no folder behind.
    ///   - made: called when the folder is a working directory with the remote, before anything is pulled.
    package static func clone(
        _ url: String, into directory: String, _ surroundings: Surroundings,
        fileSystem: any FileSystem = POSIXFileSystem(), preparing prepare: () throws -> Bool,
        made: () throws -> Void = {}
    ) async throws -> SyncReport {
        do {
            _ = try await surroundings.connect(url).meet(nil)
        } catch let error where error.isAtRemote || error is CancellationError {
            var report = SyncReport()
            report.stop = surroundings.isAskedToEnd() ? CancellationError() : error
            report.hasDoneNothing = true
            return report
        }
        let workspace = Workspace(
            directory: WorkingDirectory(root: directory, fileSystem: fileSystem), surroundings: surroundings)
        do {
            let isEmpty = try prepare()
            if try isEmpty || workspace.directory.isHalfMade() {
                try workspace.directory.create(Configuration(remote: url), continuing: !isEmpty)
            } else {
                guard workspace.isInterruptedClone(of: url) else {
                    throw EngineError.folderNotEmpty(directory)
                }
            }
            try made()
            var report = try await workspace.pull(SyncOptions())
            report.stop = report.stop.map { $0.below(directory) }
            return report
        } catch {
            throw error.below(directory)
        }
    }

    /// Whether the folder is a working directory whose first pull was interrupted.
    private func isInterruptedClone(of url: String) -> Bool {
        guard (try? remoteURL) == url, let state = try? directory.state() else { return false }
        return state.cursor == nil || state.isCursorMidway || state.openOperation != nil
    }
}

extension LockedWorkspace {
    /// Returns whether a remote is the recorded one, in the recorded state or a newer one; also true if it
    /// can't be reached, or none is recorded.
    fileprivate func knows(_ remote: any Remote) async throws -> Bool {
        guard let known = tracked.knownHistory else { return true }
        do {
            return try await remote.meet(known) == known.identity
        } catch RemoteError.otherHistory {
            return false
        } catch {
            try surroundings.checkGoesOn()
            return true
        }
    }
}
