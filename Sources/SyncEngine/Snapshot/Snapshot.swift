internal import Git
internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

/// A working directory at one moment: the tracked state, and the files in the folder.
///
/// It answers every question about the two together, and changes nothing. A command that only reads needs
/// nothing else; one that writes plans its edits from it.
struct Snapshot: Sendable {
    let configuration: Configuration
    /// The tracked state of each todo.
    var tracked: State
    var folder: Folder
    /// The standings of changed and absent files that git might have changed; any other file is the newest
    /// base version or the user's edit of it.
    var standings: [TodoID: Standing] = [:]
    /// The rules that gave the standings, including those of the user's edits and deletes; for the log.
    var gitRules: [TodoID: GitRule] = [:]
    /// Conflicted todos whose files git might have brought back to a version from before the conflict.
    var rolledBack: Set<TodoID> = []
    /// What git has checked out; nil outside of a repository.
    var head: Head?
    /// Whether names can also be prefixes of files' names, and words from texts.
    var searchesTexts = false
    /// The name of this device; nil if it has none.
    var deviceName: String?
    /// The user's time zone.
    var zone = LocalZone.utc

    /// Whether HEAD has moved since the last command that judged all todos.
    var hasHeadMoved: Bool {
        guard let head, let last = tracked.head else { return false }
        return head.branch != last.branch || head.commit != last.commit
    }

    var rules: FieldRules { FieldRules(configuration) }
    var conflictStyle: ConflictStyle { ConflictStyle(configuration) }
}

extension Snapshot {
    /// Reads a working directory without locking it.
    ///
    /// - Parameter usingCache: False to read every file.
    init(of workspace: Workspace, usingCache: Bool = true) throws {
        let tracked = try workspace.translatingErrors {
            try workspace.directory.state(usingCache: usingCache)
        }
        self = try Snapshot.recovered(workspace, workspace.configuration(), tracked).snapshot
    }

    /// Reads the files of a working directory as if an interrupted command had been recovered.
    ///
    /// - Returns: The snapshot, and the records that a recovery would write.
    static func recovered(
        _ workspace: Workspace, _ configuration: Configuration, _ tracked: State, usingCache: Bool = true
    ) throws -> (snapshot: Snapshot, records: [JournalRecord]) {
        var tracked = tracked
        let staged = try StagedTexts.left(in: workspace.directory, tracked)
        let scan = try workspace.directory.scan(configuration, tracked, usingCache: usingCache)
        tracked.load(besides: scan.unchanged)
        var snapshot = Snapshot(
            configuration: configuration, tracked: tracked,
            folder: Folder(
                scan: scan, state: tracked, CopyMemory(directory: workspace.directory),
                progress: workspace.surroundings.progress),
            searchesTexts: workspace.surroundings.searchesTexts,
            deviceName: workspace.surroundings.deviceName, zone: workspace.surroundings.zone)
        var records: [JournalRecord] = []
        let logger = workspace.surroundings.logger
        if let staged {
            let recovery = recovery(from: snapshot, staged)
            snapshot.logRecovery(recovery.records, to: logger)
            (snapshot, records) = (recovery.snapshot, recovery.records)
        }
        snapshot.folder.inspectMissing(in: workspace.directory, snapshot.tracked)
        try snapshot.judge(by: GitSurvey(workspace), in: workspace.directory)
        snapshot.logStates(to: logger)
        return (snapshot, records)
    }
}

// MARK: Files

extension Snapshot {
    /// The reason reported for a todo whose file wasn't found and isn't certain to be gone.
    static let unseen = "its file can't be seen (ignored, hidden, behind a link or unreadable)"

    /// Returns the disk error that prevents reading a todo's file or a folder above it; nil if there isn't
    /// one.
    func diskError(of id: TodoID) -> FileError? {
        guard let localPath = tracked.todos[id]?.localPath,
            case .unreadable(let error)? = folder.scan.exclusionReason(for: localPath), error.isDiskFailure
        else { return nil }
        return error
    }

    /// Returns the errors of unreadable files and folders that todos were recorded in, in the order of their
    /// paths.
    func unreadableFiles() -> [FileError] {
        guard folder.scan.ignored.contains(where: \.reason.isUnreadable) else { return [] }
        let errors = tracked.todos.loaded.compactMap { id, todo -> FileError? in
            guard !folder.hasFile(of: id), let localPath = todo.localPath,
                case .unreadable(let error)? = folder.scan.exclusionReason(for: localPath)
            else { return nil }
            return error
        }
        return Set(errors).sorted(byBytesOf: \.path)
    }

    /// Returns whether this folder can hold a todo at a path.
    func isUsable(_ path: String) -> Bool { folder.scan.wouldSee(path) }
}

extension IgnoredFile.Reason {
    fileprivate var isUnreadable: Bool { if case .unreadable = self { true } else { false } }
}
