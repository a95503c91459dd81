internal import TodoModel
package import WorkingCopy

extension Workspace {
    /// Sets the remote of a working directory without one.
    package func addRemote(_ url: String) async throws {
        if let url = try remoteURL { throw EngineError.remoteExists(url: url) }
        try await useRemote(url)
    }

    /// Changes the remote's URL.
    ///
    /// If the URL leads to a different store, nothing recorded about the previous one applies: no todo counts
    /// as deleted, and all files are pending inserts. If the remote can't be reached, the next push or pull
    /// checks this. A lost configuration is created again.
    ///
    /// - Returns: The number of purged todos that are forgotten with the previous store.
    @discardableResult package func setRemote(_ url: String) async throws -> Int {
        guard try remoteURL != nil || lostRemote != nil else { throw EngineError.noRemote }
        return try await useRemote(url)
    }

    /// Removes the remote's URL.
    ///
    /// The state recorded for the remote stays, in case the same URL is set again.
    package func removeRemote() throws {
        guard try remoteURL != nil else { throw EngineError.noRemote }
        try LockedWorkspace.perform(self) { _ in try translatingErrors { try directory.setRemote(nil) } }
    }

    /// The URL of the remote in a lost configuration; nil if no configuration was lost.
    private var lostRemote: String? {
        get throws {
            try translatingErrors { try directory.configuration().lostRemote(directory.state()) }
        }
    }

    /// Returns the number of purged todos that are forgotten.
    @discardableResult private func useRemote(_ url: String) async throws -> Int {
        try await LockedWorkspace.perform(self) { locked in
            var forgotten = 0
            switch try await locked.recognizes(url) {
            case true?: break
            case false?:
                forgotten = Selection(locked.snapshot).purgedIDs.count
                try locked.forgetRemote()
            case nil: try NamedRemotes(directory: directory).add(url)
            }
            try translatingErrors { try directory.setRemote(url) }
            return forgotten
        }
    }

    /// Creates a working directory with a remote and pulls, or continues an interrupted clone.
    ///
    /// - Parameters:
    ///   - directory: The folder's path.
    ///   - prepare: Creates the folder if it is missing, and returns whether it is empty. It is called after
    ///     the remote has answered, so that an unreachable remote leaves no folder behind.
    ///   - made: Called once the folder is a working directory with the remote, before the pull.
    package static func clone(
        _ url: String, into directory: String, _ surroundings: Surroundings,
        fileSystem: any FileSystem = POSIXFileSystem(), preparing prepare: () throws -> Bool,
        made: () throws -> Void = {}
    ) async throws -> SyncReport {
        do {
            _ = try await surroundings.connect(url).meet(nil)
        } catch let error where error.isRemoteFailure || error is CancellationError {
            var report = SyncReport()
            report.stop = surroundings.isAskedToEnd() ? CancellationError() : error
            report.hasDoneNothing = true
            return report
        }
        var workingDirectory = WorkingDirectory(root: directory, fileSystem: fileSystem)
        do {
            let isMissing = (try? fileSystem.openFolder(at: directory) == nil) ?? false
            let isEmpty = try prepare()
            workingDirectory.isNew = isMissing && isEmpty
            let workspace = Workspace(directory: workingDirectory, surroundings: surroundings)
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

    /// Returns whether the folder is a working directory whose first pull was interrupted.
    private func isInterruptedClone(of url: String) -> Bool {
        guard (try? remoteURL) == url, let state = try? directory.state() else { return false }
        return state.cursor == nil || state.isCursorMidway || state.openOperation != nil
    }
}

/// The URLs that the user set with a command while their remotes couldn't be reached.
///
/// The next command that reaches such a remote may switch to it.
struct NamedRemotes {
    let directory: WorkingDirectory

    func contains(_ url: String) throws -> Bool { try directory.wasReported(line(url)) }

    fileprivate func add(_ url: String) throws { try directory.noteReported(line(url)) }

    private func line(_ url: String) -> String { "a command set the remote \(url)" }
}

extension LockedWorkspace {
    /// Returns whether the remote at a URL is the recorded one, with the recorded history or a longer one.
    ///
    /// Returns nil if the remote can't be reached, and true if none is recorded.
    fileprivate func recognizes(_ url: String) async throws -> Bool? {
        guard let history = tracked.recordedHistory else { return true }
        do {
            return try await surroundings.connect(url).meet(history) == history.identity
        } catch RemoteError.otherHistory {
            return false
        } catch {
            try surroundings.checkGoesOn()
            return nil
        }
    }
}
