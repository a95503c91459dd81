internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A working directory that is locked by a command.
///
/// All changes to a working directory go through it. In a rehearsal, nothing is locked, and the changes are
/// made only in memory.
///
/// ``perform(_:_:)`` locks it, recovers from an interrupted command, runs a closure, and ends the operation,
/// whatever the outcome. The closure takes a ``snapshot``, plans edits, and applies them with
/// ``apply(_:recording:finishingIn:cancelling:)``.
final class LockedWorkspace {
    let workspace: Workspace
    let configuration: Configuration
    let operation: String
    let transaction: Transaction
    var folder: Folder
    /// The git repository around the folder; nil if there isn't one.
    let survey: GitSurvey?
    /// How to treat changed and missing files that git might have changed.
    var standings: [TodoID: Standing] = [:]
    /// The lines about todos' states that were logged last.
    var loggedStates: Set<String> = []
    /// Whether this command is a push, pull or sync of all todos.
    var hasJudgedAll = false
    /// See ``Snapshot/rolledBack``.
    var rolledBack: Set<TodoID> = []
    /// Whether a guard withholds deletes.
    var isWithholding = false
    /// The changes to record in the operation log.
    var changes: [TodoChange] = []
    /// The checked texts of the records that are being applied.
    var checkedTexts: [TodoID: CheckedText] = [:]
    /// The paths that turned out to be taken, although the scan doesn't show a file there.
    var occupied: Set<ByteKey> = []
    let memory: ResolutionMemory
    lazy var operationIDs = OperationIDs(surroundings)

    var tracked: State { transaction.state }
    var snapshot: Snapshot {
        Snapshot(
            configuration: configuration, tracked: tracked, folder: folder, standings: standings,
            rolledBack: rolledBack, head: survey?.head,
            searchesTexts: surroundings.searchesTexts, deviceName: surroundings.deviceName,
            zone: surroundings.zone)
    }
    var surroundings: Surroundings { workspace.surroundings }
    var conflictStyle: ConflictStyle { ConflictStyle(configuration) }
    var mergeRules: FieldRules { FieldRules(configuration) }

    /// Creates a locked workspace.
    ///
    /// - Parameter paths: The paths of the files that the work is about; nil to scan the whole folder.
    private init(_ opening: Opening, paths: [String]? = nil) throws {
        workspace = opening.workspace
        configuration = opening.configuration
        operation = opening.operation
        transaction = opening.transaction
        memory = ResolutionMemory(workspace, operation: operation)
        survey = GitSurvey(opening.workspace)
        folder =
            try paths.flatMap { try LockedWorkspace.look(opening, only: $0) }
            ?? LockedWorkspace.look(workspace, configuration, transaction)
    }

    /// Locks the working directory, recovers from an interrupted command, runs a closure, and ends the
    /// operation.
    ///
    /// The operation also ends if the closure throws an error. Its changes up to that point stay.
    static func perform<Result>(
        _ workspace: Workspace, _ work: (LockedWorkspace) async throws -> Result
    ) async throws -> Result {
        try await begin(workspace).perform(work)
    }

    /// Runs a closure that needs the remote, and connects to the remote while the folder is scanned.
    ///
    /// - Parameters:
    ///   - wantsNews: Whether the closure reads the remote's changes next.
    ///   - looksAtAll: Whether to scan all files. If false, the method waits for the remote, and reads only
    ///     the files that the remote's changes affect, unless it needs the others.
    ///   - isRehearsal: Whether nothing is written.
    static func perform<Result>(
        _ workspace: Workspace, wantsNews: Bool, looksAtAll: Bool, isRehearsal: Bool,
        _ work: (LockedWorkspace, Handshake) async throws -> Result
    ) async throws -> Result {
        let configuration = try workspace.configuration()
        // The client can be created before the state is read.
        let remote = Handshake.open(configuration, workspace.surroundings)
        let opening = try open(workspace, configuration, isRehearsal: isRehearsal)
        // A rehearsal sends nothing, so it finds out from the changes what the remote would accept.
        let handshake = Handshake(
            remote, opening.transaction.state, wantsNews: wantsNews || isRehearsal, readsAhead: wantsNews)
        do {
            let paths = looksAtAll ? nil : await handshake.pathsOfNews(opening.transaction.state)
            return try await begin(opening, paths: paths).perform { try await work($0, handshake) }
        } catch {
            await handshake.end()
            throw error
        }
    }

    private func perform<Result>(_ work: (LockedWorkspace) async throws -> Result) async throws -> Result {
        do {
            let result = try await work(self)
            try end()
            return result
        } catch {
            // Report the first error. The next command recovers whatever can't be ended now.
            try? end(after: error)
            throw error
        }
    }

    /// Runs a closure that never waits for a remote.
    static func perform<Result>(_ workspace: Workspace, _ work: (LockedWorkspace) throws -> Result) throws
        -> Result
    {
        let locked = try begin(workspace)
        do {
            let result = try work(locked)
            try locked.end()
            return result
        } catch {
            try? locked.end(after: error)
            throw error
        }
    }

    private static func begin(_ workspace: Workspace) throws -> LockedWorkspace {
        let opening = try open(workspace, try workspace.configuration())
        workspace.surroundings.warnOfLoss(of: opening.configuration, opening.transaction.state)
        return try begin(opening)
    }

    /// A locked working directory that hasn't been scanned yet.
    fileprivate struct Opening {
        let workspace: Workspace
        let configuration: Configuration
        let operation: String
        let transaction: Transaction
    }

    private static func open(
        _ workspace: Workspace, _ configuration: Configuration, isRehearsal: Bool = false
    ) throws -> Opening {
        let surroundings = workspace.surroundings
        let operation = String(surroundings.newIdentifier().prefix(12))
        let transaction = try workspace.translatingErrors {
            if isRehearsal {
                try workspace.directory.rehearse(
                    operation: operation, time: surroundings.now(), command: surroundings.commandLine)
            } else {
                try workspace.directory.begin(
                    operation: operation, time: surroundings.now(), command: surroundings.commandLine,
                    timeout: surroundings.lockTimeout)
            }
        }
        return Opening(
            workspace: workspace, configuration: configuration, operation: operation, transaction: transaction
        )
    }

    private static func begin(_ opening: Opening, paths: [String]? = nil) throws -> LockedWorkspace {
        let staged = try StagedTexts.left(in: opening.workspace.directory, opening.transaction.state)
        let locked = try LockedWorkspace(opening, paths: paths)
        opening.workspace.surroundings.warn(of: opening.transaction.damage)
        try CrashRecovery(locked).recover(by: staged)
        try locked.judge()
        try Purging(locked: locked).keepAgain()
        return locked
    }

    /// Ends the operation: synchronizes the files, and records the changes in the journal.
    private func end() throws {
        // Without this check, an unreadable text would count as missing.
        if transaction.isRehearsal { return try tracked.todos.check() }
        // The end of an operation means that all its announced edits were applied.
        if tracked.hasUnfinished {
            try rescan()
            try CrashRecovery(self).decideUnfinished()
        }
        let lateWrites = try LateEdits(locked: self).mergeLateWrites()
        if hasJudgedAll { try Origins(locked: self).recordJudgement() }
        // Deletes that an interrupted command applied count toward the guard until the user answers.
        if isWithholding, !tracked.deletes.isEmpty { try transaction.record([.withheld]) }
        try transaction.end(operation, changes)
        for lateWrite in lateWrites { try transaction.discard(lateWrite) }
        memory.save(by: transaction)
        // A journal that stays large for now is harmless.
        if !surroundings.isAskedToEnd(), let retention = Retention.standard(surroundings.now()) {
            try? transaction.compactIfLarge(retention) {
                try rescan()
                return snapshot.pendingOrUnreadable()
            }
        }
        transaction.saveCache(folder.stampedFile)
    }

    /// Ends the operation after an error.
    private func end(after error: any Error) throws {
        try giveUpAnnounced(after: error)
        try end()
    }

    /// Scans the folder again.
    ///
    /// - Parameter usingCache: Whether to skip the files that match the cache.
    func rescan(usingCache: Bool = true) throws {
        transaction.expectEdits()
        folder = try LockedWorkspace.look(workspace, configuration, transaction, usingCache: usingCache)
        for path in occupied { folder.occupy(path) }
        try judge()
    }

    /// Matches the scanned files with the todos again, according to the current state.
    func rematch() {
        let gitMerge = folder.gitMerge
        folder = LockedWorkspace.match(folder.scan, workspace, transaction)
        folder.gitMerge = gitMerge
        for path in occupied { folder.occupy(path) }
    }

    private static func look(
        _ workspace: Workspace, _ configuration: Configuration, _ transaction: Transaction,
        usingCache: Bool = true
    ) throws -> Folder {
        let scan = try workspace.directory.scan(configuration, transaction.state, usingCache: usingCache)
        let folder = match(transaction.rehearse(scan), workspace, transaction)
        if !transaction.isRehearsal { folder.copyMemory.remember(folder.copies) }
        return folder
    }

    /// Reads the files at some paths, and relies on the cache for all others.
    ///
    /// Returns nil if that isn't enough, because a todo isn't at its recorded path.
    private static func look(_ opening: Opening, only paths: [String]) throws -> Folder? {
        guard
            let scan = try opening.workspace.directory.scan(
                opening.configuration, opening.transaction.state, only: paths)
        else { return nil }
        let folder = match(scan, opening.workspace, opening.transaction)
        let isComplete = opening.transaction.state.todos.loaded.allSatisfy { id, todo in
            // A file without an id is a new todo if another file has the id that is recorded for its path.
            todo.localPath == nil
                || folder.todos.loaded[id].map { !$0.lacksID } ?? folder.todos.contains(id)
        }
        return isComplete ? folder : nil
    }

    private static func match(
        _ scan: FileScan, _ workspace: Workspace, _ transaction: Transaction
    ) -> Folder {
        transaction.load(besides: scan.unchanged)
        transaction.mountPoints = scan.mountPoints
        var folder = Folder(
            scan: scan, state: transaction.state, CopyMemory(directory: workspace.directory),
            progress: workspace.surroundings.progress)
        folder.inspectMissing(in: workspace.directory, transaction.state)
        return folder
    }

    /// Adds a todo's change to the operation log.
    func log(_ id: TodoID, _ path: String, _ change: OperationKind, _ state: TodoChange.State) {
        changes.append(TodoChange(id: id, path: path, change: change, state: state))
    }
}

extension Surroundings {
    /// Reports damage to the journal.
    func warn(of damage: JournalDamage?) {
        guard let damage else { return }
        let kept = damage.folder.map { " (a copy is in .todosync/\($0))" } ?? ""
        notice(
            damage.isLoss
                ? ".todosync/journal is damaged or truncated from line \(damage.line) on\(kept); "
                    + "the next pull links todos by id"
                : ".todosync/journal had lines that no command wrote, from line \(damage.line) on\(kept); "
                    + "nothing is lost")
    }
}

extension ConflictStyle {
    init(_ configuration: Configuration) {
        switch configuration.conflictStyle {
        case "diff3": self = .diff3
        case "zdiff3": self = .zdiff3
        default: self = .merge
        }
    }
}

extension Workspace {
    func configuration() throws -> Configuration {
        try translatingErrors {
            let configuration = try directory.configuration()
            if let problem = configuration.gitDirectoryProblem, repository == nil {
                throw WorkingDirectoryError.configuration(problem)
            }
            return configuration
        }
    }

    /// Runs a closure, and translates errors of the working copy into errors of the engine.
    func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch WorkingDirectoryError.configuration(let problem) {
            throw EngineError.configuration(
                path: ".todosync/config.yaml", line: problem.line, column: problem.column,
                reason: problem.reason)
        } catch WorkingDirectoryError.unsupportedFormat(let root, let found, let supported) {
            throw EngineError.unsupportedFormat(root: root, found: found, supported: supported)
        } catch let error as FileError where error.isNotRegularFile && error.path == ".todosync/journal" {
            throw EngineError.damaged(path: error.path, reason: "it is not a regular file")
        } catch WorkingDirectoryError.exists(let path) {
            throw EngineError.isWorkingDirectory(path)
        } catch LockError.cancelled {
            throw CancellationError()
        }
    }
}

// Ends a command that is asked to end, for example with Ctrl-C.
extension LockedWorkspace {
    /// Abandons announced edits that the command hadn't begun to apply when it was asked to end.
    func giveUpAnnounced(after error: any Error) throws {
        guard error is CancellationError else { return }
        let announced = tracked.todos.loaded.compactMap { $0.value.unfinished?.id }
        try transaction.record(announced.sorted().map { .abandoned(id: $0) })
    }
}

extension Surroundings {
    /// Returns the error to report.
    ///
    /// A wait for the remote that the user cancelled is a cancellation, not a failure.
    func reporting(_ error: any Error) -> any Error {
        if isAskedToEnd(), let error = error as? RemoteError, error.isUnavailable {
            return CancellationError()
        }
        return error
    }
}
