internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A working directory while a command holds its lock: the only way to change it.
///
/// ``perform(_:_:)`` locks it, recovers from an interrupted command, and ends the operation, whatever the
/// outcome of the work. The work takes a ``snapshot``, plans edits, and applies them with
/// ``apply(_:recording:)``.
final class LockedWorkspace {
    let workspace: Workspace
    let configuration: Configuration
    let operation: String
    let transaction: Transaction
    var folder: Folder
    /// The git repository around the folder; nil if there is none.
    let survey: GitSurvey?
    /// What changed and absent files count as, where git may have changed them.
    var standings: [TodoID: Standing] = [:]
    /// See ``Snapshot/takenBack``.
    var takenBack: Set<TodoID> = []
    /// See ``Snapshot/indexed`` and ``Snapshot/hasHeadMoved``.
    var (indexed, hasHeadMoved): (Set<String>?, Bool) = (nil, false)
    /// Whether only the files that a pull changes were looked at.
    private(set) var hasLookedAtSomeOnly: Bool
    /// Whether a guard withholds deletes.
    var isWithholding = false
    /// The changes to record in the operation log.
    var changes: [TodoChange] = []
    /// The texts that came with the records being applied.
    var checkedTexts: [TodoID: CheckedText] = [:]
    /// Paths that turned out to be taken by something that a scan doesn't show.
    var occupied: Set<ByteKey> = []
    let memory: ResolutionMemory
    lazy var operationIDs = OperationIDs(surroundings)

    var tracked: State { transaction.state }
    var snapshot: Snapshot {
        Snapshot(
            configuration: configuration, tracked: tracked, folder: folder, standings: standings,
            takenBack: takenBack, indexed: indexed, hasHeadMoved: hasHeadMoved)
    }
    var surroundings: Surroundings { workspace.surroundings }
    var conflictStyle: ConflictStyle { ConflictStyle(configuration) }
    var mergeRules: FieldRules { FieldRules(configuration) }

    /// - Parameter places: the paths of the files that the work is about; nil to scan the whole folder.
    private init(_ opening: Opening, places: [String]? = nil) throws {
        workspace = opening.workspace
        configuration = opening.configuration
        operation = opening.operation
        transaction = opening.transaction
        memory = ResolutionMemory(workspace, operation: operation)
        survey = GitSurvey(opening.workspace)
        let narrow = try places.flatMap { try LockedWorkspace.look(opening, only: $0) }
        hasLookedAtSomeOnly = narrow != nil
        folder = try narrow ?? LockedWorkspace.look(workspace, configuration, transaction)
    }

    /// Locks the working directory, recovers from an interrupted command, does the work, and ends the
    /// operation.
    ///
    /// The operation also ends if the work fails: what was done until then stays.
    static func perform<Result>(
        _ workspace: Workspace, _ work: (LockedWorkspace) async throws -> Result
    ) async throws -> Result {
        try await begin(workspace).perform(work)
    }

    /// Performs work that needs the remote, and connects to it while the folder is scanned.
    ///
    /// - Parameters:
    ///   - wantsNews: whether the remote's changes are read next.
    ///   - looksAtAll: false if it is enough to look at the files that these changes affect; then the remote
    ///     is waited for first.
    static func perform<Result>(
        _ workspace: Workspace, wantsNews: Bool, looksAtAll: Bool = true,
        _ work: (LockedWorkspace, Handshake) async throws -> Result
    ) async throws -> Result {
        let configuration = try workspace.configuration()
        // The client can be created before the state is read.
        let remote = Handshake.open(configuration, workspace.surroundings)
        let opening = try open(workspace, configuration)
        let handshake = Handshake(remote, opening.transaction.state, wantsNews: wantsNews)
        do {
            let places = looksAtAll ? nil : await handshake.placesOfNews(opening.transaction.state)
            return try await begin(opening, places: places).perform { try await work($0, handshake) }
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
            // The first error is the one to report; the next command finishes what can't be ended now.
            try? end(after: error)
            throw error
        }
    }

    /// Performs work that never waits for a remote.
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
        workspace.surroundings.tellLoss(of: opening.configuration, opening.transaction.state)
        return try begin(opening)
    }

    /// A locked working directory whose files haven't been scanned yet.
    fileprivate struct Opening {
        let workspace: Workspace
        let configuration: Configuration
        let operation: String
        let transaction: Transaction
    }

    private static func open(_ workspace: Workspace, _ configuration: Configuration) throws -> Opening {
        let surroundings = workspace.surroundings
        let operation = String(surroundings.newIdentifier().prefix(12))
        let transaction = try workspace.translatingErrors {
            try workspace.directory.begin(
                operation: operation, time: surroundings.now(), command: surroundings.commandLine,
                timeout: surroundings.lockTimeout)
        }
        return Opening(
            workspace: workspace, configuration: configuration, operation: operation, transaction: transaction
        )
    }

    private static func begin(_ opening: Opening, places: [String]? = nil) throws -> LockedWorkspace {
        let locked = try LockedWorkspace(opening, places: places)
        opening.workspace.surroundings.tell(opening.transaction.damage)
        try CrashRecovery(locked).recover()
        try locked.judge()
        try Purging(locked: locked).keepAgain()
        try Origins(locked: locked).record()
        return locked
    }

    /// Ends the operation: synchronizes the files, and records in the journal what was done.
    private func end() throws {
        // The end of an operation means that all announced edits were applied.
        if tracked.hasUnfinished {
            try rescan()
            try CrashRecovery(self).settleUnfinished()
        }
        let lateWrites = try LateEdits(locked: self).mergeLateWrites()
        try Origins(locked: self).recordHead()
        // The guard stays until the user answers it, even if a crash split the deletes that it withholds.
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
        transaction.saveCache(folder.knownFile)
    }

    /// Ends the operation after the work stopped with an error.
    private func end(after error: any Error) throws {
        try giveUpAnnounced(after: error)
        try end()
    }

    /// Scans the folder's files again.
    ///
    /// - Parameter usingCache: false to read all of them.
    func rescan(usingCache: Bool = true) throws {
        transaction.expectEdits()
        hasLookedAtSomeOnly = false
        folder = try LockedWorkspace.look(workspace, configuration, transaction, usingCache: usingCache)
        for path in occupied { folder.occupy(path) }
        try judge()
    }

    /// Matches the scanned files with the todos again, based on the current state.
    func rematch() {
        folder = LockedWorkspace.match(folder.scan, workspace, transaction)
        for path in occupied { folder.occupy(path) }
    }

    private static func look(
        _ workspace: Workspace, _ configuration: Configuration, _ transaction: Transaction,
        usingCache: Bool = true
    ) throws -> Folder {
        match(
            try workspace.directory.scan(configuration, transaction.state, usingCache: usingCache), workspace,
            transaction)
    }

    /// Reads the files at some paths, and trusts the cache for all others.
    ///
    /// Returns nil if that isn't enough because a todo isn't in its recorded path.
    private static func look(_ opening: Opening, only paths: [String]) throws -> Folder? {
        guard
            let scan = try opening.workspace.directory.scan(
                opening.configuration, opening.transaction.state, only: paths)
        else { return nil }
        let folder = match(scan, opening.workspace, opening.transaction)
        let isComplete = opening.transaction.state.todos.loaded.allSatisfy { id, todo in
            // A file without an id is a new todo if another file has the id that its path would give it.
            todo.place == nil
                || folder.todos.loaded[id].map { !$0.lacksID } ?? folder.todos.contains(id)
        }
        return isComplete ? folder : nil
    }

    private static func match(
        _ scan: FileScan, _ workspace: Workspace, _ transaction: Transaction
    ) -> Folder {
        transaction.load(besides: scan.unchanged)
        transaction.mountPoints = scan.mountPoints
        var folder = Folder(scan: scan, state: transaction.state)
        folder.inspectMissing(in: workspace.directory, transaction.state)
        folder.readMergedCommits(in: workspace.directory)
        return folder
    }

    /// Adds a todo's change to the operation log.
    func log(_ id: TodoID, _ path: String, _ change: OperationKind, _ state: TodoChange.State) {
        changes.append(TodoChange(id: id, path: path, change: change, state: state))
    }
}

extension Surroundings {
    /// Reports damage that was found in the journal.
    func tell(_ damage: JournalDamage?) {
        guard let damage else { return }
        let kept = damage.folder.map { " (a copy of it is in .todosync/\($0))" } ?? ""
        notice(
            damage.isLoss
                ? ".todosync/journal is damaged or cut short from line \(damage.line) on\(kept); "
                    + "the next pull links todos by id"
                : ".todosync/journal had something at its end, from line \(damage.line) on, that no command "
                    + "wrote\(kept); nothing else is lost")
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
        try translatingErrors { try directory.configuration() }
    }

    /// Runs a closure, and translates the working copy's errors into the engine's.
    func translatingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch WorkingDirectoryError.configuration(let problem) {
            throw EngineError.configuration(
                path: ".todosync/config.yaml", line: problem.line, column: problem.column,
                reason: problem.reason)
        } catch WorkingDirectoryError.newerFormat(let format) {
            throw EngineError.newerFormat(format)
        } catch let error as FileError where error.isNoRegularFile && error.path == ".todosync/journal" {
            throw EngineError.damaged(path: error.path, reason: "it is not a regular file")
        } catch WorkingDirectoryError.exists(let path) {
            throw EngineError.isWorkingDirectory(path)
        } catch LockError.cancelled {
            throw CancellationError()
        }
    }
}
