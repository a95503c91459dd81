package import TodoModel

/// A problem in `.todosync`.
package enum StateProblem: Sendable, Hashable {
    /// The journal is missing or empty.
    case noJournal
    /// The journal isn't a regular file.
    case wrongJournal
    /// The journal can't be read from this line on; `isTorn` if that is only an unfinished line at its end.
    case damagedJournal(line: Int, isTorn: Bool)
    /// From this line on, the journal has lines that no command wrote. No record is missing.
    case strayLines(line: Int)
    /// A record can't follow the records before it.
    case unexpectedRecord(line: Int, kind: String)
    /// A command was interrupted.
    case interrupted(command: String)
    /// A todo's recorded text isn't a valid todo with its id.
    case invalidText(TodoID, version: String, reason: String)
    /// A todo is recorded at a path that todos can't have.
    case invalidPath(TodoID, path: String)
    /// A todo's file differs from its base version, and no pending operation explains the difference.
    case unexplained(TodoID, path: String)
    /// The journal's expected length isn't known, so the journal might be an older copy.
    case noJournalLength
    /// The file `journal.length` doesn't contain a valid length.
    case wrongJournalLength
    /// An interrupted command left files in `.todosync/tmp`.
    case leftovers(count: Int)
    /// The cache can't be read, or contradicts the journal or a file.
    case wrongCache
    /// The remembered resolutions can't be read.
    case wrongResolutions
    case configuration(Configuration.Problem)
    /// The journal records a remote, but the configuration doesn't.
    case lostConfiguration(url: String)
}

/// Finds problems in `.todosync`, and moves damaged files away.
package struct StateCheck {
    private let directory: WorkingDirectory
    private let timeout: Duration
    private var root: String { directory.root }
    private var fileSystem: any FileSystem { directory.fileSystem }

    /// Creates a check of a working directory.
    ///
    /// - Parameter timeout: The maximum time to wait for a running command.
    package init(_ directory: WorkingDirectory, timeout: Duration) {
        self.directory = directory
        self.timeout = timeout
    }

    /// Returns all problems in `.todosync`.
    ///
    /// This waits for a running command, because half-written data would look like damage.
    package func problems() throws -> [StateProblem] {
        let lock = try directory.lock(timeout: timeout)
        defer { withExtendedLifetime(lock) {} }
        let stateFolder = try StateFolder(root: root, fileSystem: fileSystem)
        if try hasWrongJournal(stateFolder) { return [.wrongJournal] }
        var problems: [StateProblem] = []
        let bytes = try Journal.bytes(in: stateFolder.folder, fileSystem)
        let state = Journal.contents(of: bytes).state
        do {
            if try directory.configuration().isMissing, let remote = state.remote {
                problems.append(.lostConfiguration(url: remote.url))
            }
        } catch WorkingDirectoryError.configuration(let problem) {
            problems.append(.configuration(problem))
        }
        let endedAt = try JournalLength.read(in: stateFolder)
        problems += try journalProblems(bytes, endedAt)
        if try JournalLength.reading(in: stateFolder) == .wrong {
            problems.append(.wrongJournalLength)
        } else if endedAt == nil, state.remote != nil {
            problems.append(.noJournalLength)
        }
        if try hasWrongCache(stateFolder, state) { problems.append(.wrongCache) }
        if try Resolutions.read(in: stateFolder) == nil { problems.append(.wrongResolutions) }
        let count = try countLeftovers(in: stateFolder, bytes)
        if count > 0 { problems.append(.leftovers(count: count)) }
        return problems
    }

    /// Moves the damaged files in a list of problems to folders `damaged-N`, and deletes a wrong cache.
    ///
    /// The next command creates new files.
    package func moveDamagedFiles(_ problems: [StateProblem]) throws {
        let lock = try directory.lock(timeout: timeout)
        defer { withExtendedLifetime(lock) {} }
        let stateFolder = try StateFolder(root: root, fileSystem: fileSystem)
        // Another command might have repaired a file since.
        if problems.contains(.wrongJournal), try hasWrongJournal(stateFolder) {
            try stateFolder.moveDamaged(Journal.name)
        }
        if problems.contains(.wrongCache) {
            _ = try fileSystem.remove(Cache.fileName, in: stateFolder.folder)
        }
        if problems.contains(.wrongResolutions) { try Resolutions.moveDamaged(in: stateFolder) }
        if problems.contains(.wrongJournalLength), try JournalLength.reading(in: stateFolder) == .wrong {
            try stateFolder.moveDamaged(JournalLength.name)
        }
    }

    /// Counts the files in `.todosync/tmp`, except the files that ended operations kept for the next
    /// operation to check.
    ///
    /// - Parameter journal: The journal's bytes.
    private func countLeftovers(in stateFolder: StateFolder, _ journal: [UInt8]) throws(FileError) -> Int {
        do throws(FileError) {
            let folder = try fileSystem.openFolder(TemporaryFiles.folderName, in: stateFolder.folder)
            guard let folder else { return 0 }
            let count = try fileSystem.list(folder).count
            if count == 0 { return 0 }
            let ended = JournalLines(journal).compactMap { line -> String? in
                if case .end(let operation, _) = line.record { operation } else { nil }
            }
            let kept = try LeftoverFiles(in: directory).find(in: []).count { leftover in
                leftover.isReplacedText || leftover.mark != nil && ended.contains(leftover.operation)
            }
            return count - kept
        } catch {
            throw error.at(TemporaryFiles.folderPath)
        }
    }

    /// Returns whether the cache is damaged, or belongs to this journal and contradicts it.
    ///
    /// A cache of a different journal, such as the journal before a compaction, isn't wrong, only unusable.
    private func hasWrongCache(_ stateFolder: StateFolder, _ state: State) throws -> Bool {
        guard let file = try? fileSystem.open(Cache.fileName, in: stateFolder.folder, for: .reading),
            let status = try fileSystem.status(of: Journal.name, in: stateFolder.folder)
        else { return false }
        let content = try? CacheContent.read(file, journalSize: status.stamp.size, fileSystem)
        if content == nil { return true }
        let cached = try Journal.read(
            in: stateFolder.folder, root: root, usingCache: true, fileSystem
        ).state
        guard let cache = cached.todos.cache else { return false }
        if !cached.remembersSame(as: state) || cache.isWrong { return true }
        let unchanged = try directory.scan(directory.configuration(), cached).unchanged
        let paths = unchanged.paths
        return try zip(paths, lookAtFiles(paths, root: root, fileSystem: fileSystem)).contains { path, file in
            guard case .read(let bytes)? = file?.content else { return false }
            return unchanged.id(at: path).flatMap { unchanged.bytes(of: $0) } != bytes
        }
    }

    private func hasWrongJournal(_ stateFolder: StateFolder) throws -> Bool {
        let status = try fileSystem.status(of: Journal.name, in: stateFolder.folder)
        return status.map { $0.kind != .file } ?? false
    }

    private func journalProblems(_ bytes: [UInt8], _ endedAt: JournalLength?) throws -> [StateProblem] {
        guard !bytes.isEmpty else { return [.noJournal] }
        var problems: [StateProblem] = []
        var state = State()
        var number = 0
        var end = 0
        let counter = directory.progress.map { ProgressCounter(.checking, .bytes, total: bytes.count, $0) }
        for line in JournalLines(bytes) {
            counter?.add(line.range.count)
            number += 1
            if let kind = state.unexpected(line.record, isFirst: number == 1) {
                problems.append(.unexpectedRecord(line: number, kind: kind))
            }
            state.apply(line.record)
            end = line.range.upperBound
        }
        try directory.check(state)
        if let damage = JournalDamage(in: bytes, behind: end, endedAt) {
            problems.append(
                damage.isLoss
                    ? .damagedJournal(line: number + 1, isTorn: false) : .strayLines(line: number + 1))
        } else if end < bytes.count {
            problems.append(.damagedJournal(line: number + 1, isTorn: true))
        }
        if let open = state.openOperation { problems.append(.interrupted(command: open.command)) }
        return problems + state.problems
    }
}

extension State {
    /// Returns the kind of a record that can't come next; nil if the record can.
    fileprivate func unexpected(_ record: JournalRecord, isFirst: Bool) -> String? {
        if isFirst {
            if case .format = record { return nil }
            return "the first one"
        }
        switch record {
        case .end(let operation, _): return openOperation?.operation == operation ? nil : "end"
        case .accepted(let id, _): return todos[id]?.sent == nil ? "accepted" : nil
        case .rejected(let id): return todos[id]?.sent == nil ? "rejected" : nil
        case .undoes: return openOperation == nil ? "undoes" : nil
        case .announced: return openOperation == nil ? "announced" : nil
        default: return nil
        }
    }

    /// The problems with parts of the state that no command can have recorded.
    fileprivate var problems: [StateProblem] {
        var problems: [StateProblem] = []
        for (id, todo) in todos.loaded.sorted(by: { $0.key < $1.key }) {
            let texts = [
                ("base", todo.base?.todo?.bytes), ("held", todo.held?.todo?.bytes),
                ("remote", todo.conflict?.remote.todo?.bytes),
            ]
            for case (let version, let bytes?) in texts {
                if let reason = Self.problem(with: bytes, id) {
                    problems.append(.invalidText(id, version: version, reason: reason))
                }
            }
            if let localPath = todo.localPath, PathRules.problem(with: localPath) != nil {
                problems.append(.invalidPath(id, path: localPath))
            }
        }
        return problems
    }

    private static func problem(with bytes: [UInt8], _ id: TodoID) -> String? {
        do {
            // A text that was sent before it had its id belongs to the todo, too.
            let found = try Todo(parsing: bytes).id
            return found == nil || found == id ? nil : "it has a different id"
        } catch {
            return error.message
        }
    }
}
