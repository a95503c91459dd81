internal import LosslessYAML

/// Keeps the rows of a ``Store`` in a database, and reads and writes them in transactions.
///
/// An engine makes no decisions. ``WriteTransaction`` decides about conditions, versions, sequences and
/// repeated operations, and ``RecordSearch`` about filters, in the same way for every engine.
///
/// The functions throw `StoreError` for problems with the database, and rethrow the errors of their bodies.
protocol StoreEngine: Sendable {
    /// The folder of the store; the URL of its database, without the user and the parameters.
    var path: String { get }
    /// The store's identity: 32 hexadecimal digits.
    var identity: String { get }
    /// The name of the database's program, for messages.
    var name: String { get }
    /// The state that the store had when it was opened.
    var stateAtOpening: StoreState { get }

    /// Returns the current state, without the retries of other reads.
    func stateAtOnce() async throws -> StoreState

    /// Runs a read that sees a single state of the store.
    func read<Result: Sendable>(
        _ kind: ReadKind, _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result

    /// Runs a read that sees a single state of one table, including all writes that ended before.
    ///
    /// - Parameter body: The work. It can run several times, but only its last run has an effect.
    func read<Result: Sendable>(
        _ kind: ReadKind, of name: TableName, _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result

    /// Returns the keys whose secrets have one of the given digests, and the anonymous keys, without waiting
    /// for other reads.
    func keys(withDigests digests: [[UInt8]]) async throws -> FoundKeys

    /// Runs a write, and returns when it is durable; if `body` throws, nothing is written.
    ///
    /// - Parameter body: The work. It can run several times, but only its last run has an effect.
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreWriter) throws -> Result
    ) async throws -> Result

    /// Runs a write of rows from another store, and returns when it is durable.
    ///
    /// - Parameter body: The work. It can run several times.
    func importing<Result: Sendable>(
        _ body: @escaping @Sendable (any StoreImporter) throws -> Result
    ) async throws -> Result

    /// Waits until other processes have written to the store, for half a second at most.
    ///
    /// - Parameter names: Returns the tables to check.
    /// - Returns: The last sequences of those tables that other processes might have written to.
    func otherWrites(to names: @Sendable () -> [TableName]) async throws -> [TableName: Int64]

    /// Warnings about the connection to the database, which might not be safe.
    var warnings: [String] { get }
    /// The numbers of connections to the database; zeros if the engine has no pool of connections.
    var connections: ConnectionCounts { get }
    /// The numbers of reads of replicas.
    var replicaReads: ReplicaReads { get }
    /// The number of writes that can run at the same time.
    var writerCount: Int { get }

    /// Removes the whole store, and closes the connections.
    func remove() async throws

    /// Closes the connections; the engine can't be used afterward.
    func close() async throws
}

extension StoreEngine {
    func stateAtOnce() async throws -> StoreState { try await read(.lookup) { try $0.state() } }

    func read<Result: Sendable>(
        _ kind: ReadKind, of _: TableName, _ body: @escaping @Sendable (any StoreReader) throws -> Result
    ) async throws -> Result { try await read(kind, body) }
}

/// The numbers of an engine's connections to its database.
package struct ConnectionCounts: Sendable, Hashable {
    /// The number of connections that can be in use at the same time.
    package var total = 0
    /// The number of connections that are in use.
    package var busy = 0
    /// The number of reads and transactions that wait for a connection.
    package var waiting = 0

    static func + (one: ConnectionCounts, other: ConnectionCounts) -> ConnectionCounts {
        ConnectionCounts(
            total: one.total + other.total, busy: one.busy + other.busy, waiting: one.waiting + other.waiting)
    }
}

/// The numbers of reads of a database's replicas.
package struct ReplicaReads: Sendable, Hashable {
    /// The number of reads that a replica answered.
    package var answered = 0
    /// The number of reads that the primary answered because no replica was up to date.
    package var refused = 0
}

/// Finds single rows of a store in a transaction.
protocol StoreLookup {
    func state() throws -> StoreState
    func table(named name: TableName) throws -> TableRow?

    func record(id: String, in table: TableRow) throws -> RecordRow?
    /// Returns the record whose id contains uppercase letters and, in lowercase, equals the given id.
    func record(foldedID: String, in table: TableRow) throws -> RecordRow?
    /// Returns whether any id of a table has uppercase letters.
    func hasFoldedIDs(in table: TableRow) throws -> Bool

    func operation(id: String, in table: TableRow) throws -> AppliedOperation?
    /// Returns the mark of the transaction that a sequence belongs to: the first mark at or after it.
    func mark(at sequence: Int64, in table: TableRow) throws -> HistoryMark?
    /// Returns marks that aren't in packs, from a sequence on, in order.
    func markRows(from sequence: Int64, limit: Int, in table: TableRow) throws -> [HistoryMark]
    /// Returns packs of marks that end at or after a sequence, in order.
    func packs(from sequence: Int64, limit: Int, in table: TableRow) throws -> [MarkPack]
}

/// Reads the rows of a store in a transaction.
protocol StoreReader: StoreLookup {
    /// Returns the names of all tables, in any order.
    func tableNames() throws -> [TableName]
    /// Returns a table, and the mark of the transaction that a sequence belongs to.
    func table(
        named name: TableName, markAt sequence: Int64
    ) throws -> (table: TableRow, mark: HistoryMark?)?
    /// Returns the last sequences of the tables that exist.
    func sequences(of names: [TableName]) throws -> [TableName: Int64]

    /// Calls `body` with each record within bounds, until `body` returns false.
    ///
    /// - Parameters:
    ///   - order: The order of the records; nil for any.
    ///   - count: The number of records that the caller probably reads; nil for all.
    func forEachRecord(
        in table: TableRow, within bounds: ColumnBounds, by order: RowOrder?, expecting count: Int?,
        _ body: (any RecordColumns) throws -> Bool
    ) throws
    func recordCount(in table: TableRow, within bounds: ColumnBounds) throws -> Int

    /// Returns operations of a table in the order of their ids: those after an id, or the first ones.
    func operations(after id: ByteKey?, limit: Int, in table: TableRow) throws -> [OperationRow]
    /// Returns the number of operations that aren't forgotten.
    func operationCount(in table: TableRow) throws -> Int

    /// Returns all keys in any order, including those that this version of todosync doesn't understand.
    func keys() throws -> [KeyRow]
    /// Returns keys in the database's own order: those after a name, or the first ones.
    func keys(after name: String?, limit: Int) throws -> [KeyRow]
    func keys(named names: [String]) throws -> [KeyRow]
    /// Returns descriptions of the problems that the database detects; the rows themselves are not examined.
    func problems() throws -> [String]
}

extension StoreReader {
    func table(
        named name: TableName, markAt sequence: Int64
    ) throws -> (table: TableRow, mark: HistoryMark?)? {
        try table(named: name).map { ($0, try mark(at: sequence, in: $0)) }
    }
}

/// Writes the rows of a store in a transaction.
protocol StoreWriter: StoreLookup {
    /// Locks the tables of jobs until the end of the transaction, and reads the rows that the writes need.
    ///
    /// - Parameter waits: Whether to wait for tables that other transactions have locked.
    /// - Returns: The tables that are locked or don't exist.
    func lock(_ jobs: [WriteJob], waits: Bool) throws -> Set<TableName>

    /// Adds a table that doesn't exist yet, without records.
    func insertTable(named name: TableName) throws -> TableRow
    /// Saves the sequence, the time and the usage of a table.
    ///
    /// - Parameter end: The end of the day of the table's previous write, if this is a later day.
    func update(_ table: TableRow, after end: DayEnd?) throws

    func insert(_ record: RecordRow, in table: TableRow) throws
    func update(_ record: RecordRow, in table: TableRow) throws
    /// Records an operation; returns false if an operation with this id is already recorded.
    func insert(_ operation: AppliedOperation, id: String, in table: TableRow) throws -> Bool
    func insert(_ mark: HistoryMark, in table: TableRow) throws

    /// Removes old rows of a locked table.
    var retention: any StoreRetention { get }

    /// Adds a key; returns false if another key has its name.
    func insert(_ key: KeyRow) throws -> Bool
    /// Removes a key; returns false if there is no such key.
    func deleteKey(named name: String) throws -> Bool
}

/// Removes old rows of a table in a transaction.
protocol StoreRetention {
    /// Returns the end of the latest day before `day` with writes to the table.
    func lastEnd(before day: Int64, in table: TableRow) throws -> DayEnd?
    /// Records that operations up to a sequence are forgotten.
    func forget(through sequence: Int64, in table: TableRow) throws
    /// Removes the ends of days up to a sequence.
    func deleteEnds(through sequence: Int64, in table: TableRow) throws
    /// Adds a pack, and removes the marks that it contains.
    func insert(_ pack: MarkPack, in table: TableRow) throws
    func deleteOperations(_ ids: [ByteKey], in table: TableRow) throws
    /// Removes all operations up to a sequence.
    func deleteOperations(through sequence: Int64, in table: TableRow) throws
}

/// Writes rows of another store, in a transaction.
///
/// Each function is safe to repeat.
protocol StoreImporter {
    /// Returns the state, which then stays the same until the end of the transaction.
    func state() throws -> StoreState
    /// Waits until all earlier writes have ended, then changes the state; returns the previous state.
    func exchange(_ state: StoreState) throws -> StoreState
    /// Adds a table, or replaces its sequence, time and usage; returns it with this database's key.
    func put(_ table: TableRow, named name: TableName) throws -> TableRow
    /// Adds records, or replaces those with the same ids.
    func put(_ records: [RecordRow], in table: TableRow) throws
    /// Adds the operations that don't exist yet.
    func put(_ operations: [OperationRow], in table: TableRow) throws
    /// Adds the marks that don't exist yet.
    func put(_ marks: [HistoryMark], in table: TableRow) throws
    /// Records that operations up to a sequence are forgotten, and removes them.
    func forget(through sequence: Int64, in table: TableRow) throws
    /// Adds keys, or replaces those with the same names.
    func put(_ keys: [KeyRow]) throws
    func deleteKeys(named names: [String]) throws
}

/// An operation that was applied.
struct AppliedOperation: Sendable, Hashable {
    /// The digest of the operation's content.
    var digest: [UInt8]
    /// The version that the operation created.
    var version: RecordVersion
}

/// An operation's row.
struct OperationRow: Sendable, Hashable {
    var id: ByteKey
    var operation: AppliedOperation
}

/// A key's row.
struct KeyRow: Sendable, Hashable {
    var name: String
    /// The name of the key's table; nil for all tables.
    var table: String?
    var access: String
    /// The digest of the key's secret; nil for an anonymous key.
    var digest: [UInt8]?
    var createdAt: Int64

    /// The key; nil if this version of todosync doesn't understand it.
    var key: AccessKey? {
        let tableName = table.flatMap(TableName.init)
        guard let access = AccessKey.Access(rawValue: access), (table == nil) == (tableName == nil) else {
            return nil
        }
        return AccessKey(
            name: name, table: tableName, access: access, isAnonymous: digest == nil, createdAt: createdAt)
    }
}

extension KeyRow {
    init(_ key: AccessKey, digest: [UInt8]?) {
        self.init(
            name: key.name, table: key.table?.string, access: key.access.rawValue, digest: digest,
            createdAt: key.createdAt)
    }
}

/// The keys that apply to a request.
struct FoundKeys: Sendable {
    /// The keys with the requested digests, and the anonymous keys.
    var rows: [KeyRow]
    /// Whether the store has any keys.
    var storeHasKeys: Bool
    var state: StoreState
}

/// The columns of a record's row, valid only until the next row is read.
protocol RecordColumns {
    func integer(_ column: RecordColumn) -> Int64
    func isNull(_ column: RecordColumn) -> Bool
    /// Calls `body` with the bytes of a text value, which are valid only during the call.
    func withBytes<Result>(_ column: RecordColumn, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result
}

/// A column of a record's row.
enum RecordColumn: Int32, CaseIterable {
    case key, id, version, deleted, createdAt, updatedAt, fields, layout, foldedID

    // Interpolating the case's name would take a millisecond: Swift's runtime searches all conformances.
    var name: String {
        switch self {
        case .key: "key"
        case .id: "id"
        case .version: "version"
        case .deleted: "deleted"
        case .createdAt: "created_at"
        case .updatedAt: "updated_at"
        case .fields: "fields"
        case .layout: "layout"
        case .foldedID: "folded_id"
        }
    }

    /// The names of all columns, in the order of their numbers.
    static let list = allCases.map(\.name).joined(separator: ", ")
}

extension RecordColumns {
    func bytes(_ column: RecordColumn) -> [UInt8] { withBytes(column) { Array($0) } }
    func string(_ column: RecordColumn) -> String {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }
}
