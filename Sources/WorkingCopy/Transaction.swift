public import TodoModel

/// The right to change a working directory, with the journal and the files to change.
///
/// One command's changes are one operation. Nothing is written to the journal until the first change.
public final class Transaction {
    public private(set) var state: State
    private let lock: WorkingDirectoryLock
    private let journal: Journal
    private let writer: FileWriter
    private let beginning: JournalRecord
    private var hasBegun = false
    private var needsSynchronization = false
    /// Why the journal can't be written; a line may be half-written, and what followed it would not be read.
    private var failure: FileError?

    init(
        lock: WorkingDirectoryLock, journal: Journal, state: State, writer: FileWriter, begin: JournalRecord
    ) {
        self.lock = lock
        self.journal = journal
        self.state = state
        self.writer = writer
        beginning = begin
    }

    /// Adds records to the journal and to the state.
    ///
    /// They are durable after ``synchronize()``.
    public func record(_ records: [JournalRecord]) throws {
        guard !records.isEmpty else { return }
        if let failure { throw failure }
        let all = hasBegun ? records : [beginning] + records
        do throws(FileError) {
            try journal.append(all)
        } catch {
            failure = error
            throw error
        }
        hasBegun = true
        needsSynchronization = true
        for record in all { state.apply(record) }
    }

    /// Takes what was announced for a todo as carried out.
    ///
    /// The journal knows it with its next record about the todo, or with the operation's end; after a crash
    /// the file tells.
    public func finish(_ id: TodoID) {
        state.apply(.finished(id: id))
    }

    /// Returns when all that was recorded is on the disk.
    public func synchronize() throws {
        guard needsSynchronization else { return }
        try journal.synchronize()
        needsSynchronization = false
    }

    /// Changes files that were announced in the journal; the outcomes are in the changes' order.
    public func apply(_ changes: [FileChange]) throws -> [FileChangeOutcome] {
        guard !changes.isEmpty else { return [] }
        try synchronize()
        return try writer.apply(changes)
    }

    /// Returns what somebody wrote into files while they were being replaced, and ends the careful watch.
    public func stragglers() throws -> [Straggler] { try writer.finish() }

    /// Says that a straggler's bytes are safe elsewhere.
    public func discard(_ straggler: Straggler) throws { try writer.discard(straggler) }

    /// The files that an operation cut off by a crash left behind.
    public func leftovers() throws -> [Leftover] { try writer.leftovers() }

    public func discard(_ leftover: Leftover) throws { try writer.discard(leftover) }

    /// Ends the operation: the files are on the disk, then the journal says so.
    public func end(_ operation: String, _ changes: [TodoChange]) throws {
        guard hasBegun else { return }
        try writer.sync()
        try record([.end(operation: operation, changes: changes)])
        try synchronize()
    }
}
