internal import TodoModel
package import WorkingCopy

extension Workspace {
    /// Sets the remote where there is none.
    package func addRemote(_ url: String) async throws {
        if let url = try remoteURL { throw EngineError.remoteExists(url: url) }
        try await useRemote(url)
    }

    /// Sets another remote's URL.
    ///
    /// Another store there means to begin anew: nothing is taken for deleted, all files are pending inserts.
    /// If the remote can't be asked now, the next push or pull finds out.
    /// A configuration that was lost is made anew.
    package func setRemote(_ url: String) async throws {
        guard try remoteURL != nil || lostRemote != nil else { throw EngineError.noRemote }
        try await useRemote(url)
    }

    /// Takes the remote's URL away.
    ///
    /// What is known of the remote stays, in case it comes back.
    package func removeRemote() throws {
        guard try remoteURL != nil else { throw EngineError.noRemote }
        try LockedWorkspace.perform(self) { _ in try translatingErrors { try directory.setRemote(nil) } }
    }

    /// The URL of the remote that a lost configuration named; nil if none is lost.
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

    /// Makes a working directory with a remote and pulls; or continues where an earlier clone was
    /// interrupted.
    ///
    /// - Parameters:
    ///   - directory: the folder's path.
    ///   - prepare: makes the folder if need be, and returns whether it is empty. It is called when the
    ///     remote was met, so that one that can't be reached leaves no folder behind.
    ///   - made: is called when the folder is a working directory with that remote, before anything is
    ///     brought in.
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

    /// Whether the folder is a working directory whose first pull did not end.
    private func isInterruptedClone(of url: String) -> Bool {
        guard (try? remoteURL) == url, let state = try? directory.state() else { return false }
        return state.cursor == nil || state.isCursorMidway || state.openOperation != nil
    }
}

extension LockedWorkspace {
    /// Whether a remote is the one that this working directory knows, in the state it knows or a newer one;
    /// also if it can't be asked, or none is known.
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
