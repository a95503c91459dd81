internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A working directory while a command has it locked: the only way to change it.
///
/// ``perform(_:_:)`` locks it, recovers what an interrupted command left, and ends the operation, whatever
/// the work comes to. The work takes a ``snapshot``, plans edits by it, and has them applied by
/// ``apply(_:recording:)``.
final class LockedWorkspace {
    let workspace: Workspace
    let configuration: Configuration
    let operation: String
    let transaction: Transaction
    var folder: Folder
    /// Whether a guard withholds deletes.
    var isWithholding = false
    /// What the operation log will say.
    var changes: [TodoChange] = []
    /// The texts of the records that are being brought in, where they came with them.
    var checkedTexts: [TodoID: CheckedText] = [:]
    /// Paths that turned out to be taken by something that a scan does not show.
    var occupied: Set<ByteKey> = []
    let memory: ResolutionMemory
    lazy var operationIDs = OperationIDs(surroundings)

    var tracked: State { transaction.state }
    var snapshot: Snapshot {
        Snapshot(configuration: configuration, tracked: tracked, folder: folder)
    }
    var surroundings: Surroundings { workspace.surroundings }
    var conflictStyle: ConflictStyle { ConflictStyle(configuration) }
    var mergeRules: FieldRules { FieldRules(configuration) }

    /// - Parameter places: where the files are that the work is about; nil for looking at all.
    private init(_ opening: Opening, places: [String]? = nil) throws {
        workspace = opening.workspace
        configuration = opening.configuration
        operation = opening.operation
        transaction = opening.transaction
        memory = ResolutionMemory(workspace, operation: operation)
        let narrow = try places.flatMap { try LockedWorkspace.look(opening, only: $0) }
        folder = try narrow ?? LockedWorkspace.look(workspace, configuration, transaction)
    }

    /// Locks the working directory, finishes what a crash cut off, does the work, and ends the operation.
    ///
    /// The operation is ended also if the work stops with an error: what was done until then is done.
    static func perform<Result>(
        _ workspace: Workspace, _ work: (LockedWorkspace) async throws -> Result
    ) async throws -> Result {
        try await begin(workspace).perform(work)
    }

    /// Does the same for work with the remote, which is met while the folder is looked at.
    ///
    /// - Parameters:
    ///   - wantsNews: whether the remote's changes are read next.
    ///   - looksAtAll: false where it is enough to look at the files that these changes are of; then the
    ///     remote is waited for first.
    static func perform<Result>(
        _ workspace: Workspace, wantsNews: Bool, looksAtAll: Bool = true,
        _ work: (LockedWorkspace, Handshake) async throws -> Result
    ) async throws -> Result {
        let configuration = try workspace.configuration()
        // What it takes to make a client need not wait for what is remembered.
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
            // The first error is the one to tell; what can't be ended now is finished by the next command.
            try? end(after: error)
            throw error
        }
    }

    /// Does the same for work that never waits for a remote.
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

    /// A working directory that is locked, and whose files were not looked at yet.
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
        return locked
    }

    /// Ends the operation: the files are on the disk, and the journal says what was done.
    private func end() throws {
        // An end says that all that was announced was carried out.
        if tracked.hasUnfinished {
            try lookAgain()
            try CrashRecovery(self).settleUnfinished()
        }
        let stragglers = try LateEdits(locked: self).bringStragglersIn()
        // The guard stays until it was answered, also where a crash had divided what it stands for.
        if isWithholding, !tracked.deletes.isEmpty { try transaction.record([.withheld]) }
        try transaction.end(operation, changes)
        for straggler in stragglers { try transaction.discard(straggler) }
        memory.save(by: transaction)
        // A journal that stays large for now does no harm.
        if !surroundings.isAskedToEnd(), let retention = Retention.standard(surroundings.now()) {
            try? transaction.compactIfLarge(retention) {
                try lookAgain()
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

    /// Looks at the folder's files again.
    ///
    /// - Parameter usingCache: false for reading all of them.
    func lookAgain(usingCache: Bool = true) throws {
        transaction.expectEdits()
        folder = try LockedWorkspace.look(workspace, configuration, transaction, usingCache: usingCache)
        for path in occupied { folder.occupy(path) }
    }

    /// Matches the files that were found with the todos once more, by what is known of them now.
    func matchAgain() {
        folder = LockedWorkspace.match(folder.scan, workspace, transaction)
        for path in occupied { folder.occupy(path) }
    }

    private static func look(
        _ workspace: Workspace, _ configuration: Configuration, _ transaction: Transaction,
        usingCache: Bool = true
    ) throws -> Folder {
        match(
            try workspace.directory.scan(configuration, usingCache ? transaction.state : nil), workspace,
            transaction)
    }

    /// Looks at the files at some paths, and takes what the cache has of all others for true.
    ///
    /// Nil where that is not enough, as a todo is not where it was.
    private static func look(_ opening: Opening, only paths: [String]) throws -> Folder? {
        guard
            let scan = try opening.workspace.directory.scan(
                opening.configuration, opening.transaction.state, only: paths)
        else { return nil }
        let folder = match(scan, opening.workspace, opening.transaction)
        let isComplete = opening.transaction.state.todos.loaded.allSatisfy { id, todo in
            // A file without an id is a new one where another file has the id that it would have.
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
        folder.lookAside(in: workspace.directory, transaction.state)
        return folder
    }

    /// Notes for the operation log what happened to a todo.
    func log(_ id: TodoID, _ path: String, _ change: OperationKind, _ state: TodoChange.State) {
        changes.append(TodoChange(id: id, path: path, change: change, state: state))
    }
}

extension Surroundings {
    /// Tells the user what was found damaged in the journal.
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

    /// Runs something and tells the working copy's errors in the engine's words.
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
