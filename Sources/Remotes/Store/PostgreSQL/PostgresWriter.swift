#if PostgreSQL
    internal import LosslessYAML
    internal import TodoModel

    /// Writes a store's rows to PostgreSQL, in two round trips for any number of writes.
    ///
    /// The first round trip locks the tables and reads the rows that the writes need. Then the changes are
    /// collected, and the second round trip writes and commits them.
    final class PostgresWriter: StoreWriter {
        /// The marks of this transaction, which show whether it was committed.
        private(set) var marks: [TableMark] = []

        private let reader: PostgresReader
        private var cachedState: StoreState?
        /// The tables that this transaction has locked.
        private var tables: [Int64: LockedTable] = [:]
        /// The keys of tables that didn't exist when the transaction tried to lock them.
        private var absentTables: Set<Int64> = []
        private var records: [RowKey: CachedRecord] = [:]
        private var operations: [RowKey: AppliedOperation?] = [:]
        private var foldedIDs: [RowKey: ByteKey] = [:]
        private var inserted: [RowKey: RecordRow] = [:]
        private var updated: [RowKey: RecordRow] = [:]
        private var newOperations: [(key: RowKey, operation: AppliedOperation)] = []
        private var dayEnds: [(table: Int64, end: DayEnd)] = []

        /// The approximate maximum size in bytes of the records that are read before they are needed.
        private static let readByteSize: Int64 = 16 << 20
        /// The approximate maximum size in bytes of the records that one command writes.
        private static let writeByteSize = 16 << 20

        private enum CachedRecord {
            case absent
            /// The record is read when it is needed, because there were too many bytes.
            case unread
            case row(RecordRow)
        }

        init(connection: PostgresConnection) { reader = PostgresReader(connection: connection) }

        private func run(_ sql: String, _ parameters: PostgresParameter...) throws -> PostgresResult {
            try reader.connection.run(PostgresCommand(sql: sql, parameters: parameters))
        }
    }

    /// The mark of a transaction in a table.
    struct TableMark: Sendable {
        var table: Int64
        var mark: HistoryMark
    }

    // MARK: - Locking

    extension PostgresWriter {
        func lock(_ jobs: [WriteJob], waits: Bool) throws -> Set<TableName> {
            if jobs.isEmpty { return [] }
            var names: [Int64: TableName] = [:]
            var (ids, operationIDs): (Set<RowKey>, Set<RowKey>) = ([], [])
            for job in jobs {
                let table = job.table.databaseKey
                names[table] = job.table
                for write in job.writes {
                    ids.formUnion(
                        [write.write.id, write.foldedID].compactMap(\.self).map { RowKey(table, $0) })
                    if let id = write.write.operationID { operationIDs.insert(RowKey(table, id)) }
                }
            }
            let keys = names.keys.sorted()
            // After the lock is taken, each command sees everything that was committed before.
            var commands = [
                PostgresCommand.lock(keys, waits: waits),
                .readRecords(Array(ids), byteSize: Self.readByteSize),
            ]
            if !operationIDs.isEmpty { commands.append(.readOperations(Array(operationIDs))) }
            let readsMarks = !waits || jobs.contains(where: \.asksForPart)
            if readsMarks { commands.append(.readMarks(of: keys)) }
            commands.append(.readState)
            let results = try reader.connection.run(commands)
            cachedState = results.last.map { StoreState($0) }
            try takeTables(results[0], names)
            let skipped = readsMarks ? takeMarks(results[results.count - 2]) : []
            absentTables.formUnion(keys.filter { tables[$0] == nil && !skipped.contains($0) })
            for key in ids { records[key] = .absent }
            results[1].forEach(takeRecord)
            for key in operationIDs { operations[key] = .some(nil) }
            if !operationIDs.isEmpty { results[2].forEach(takeOperation) }
            return Set(names.filter { !skipped.contains($0.key) }.values)
        }

        private func takeTables(_ result: PostgresResult, _ names: [Int64: TableName]) throws {
            for row in result {
                let table = TableRow(
                    key: row.integer(0), sequence: row.integer(1), updatedAt: row.integer(2),
                    usage: TableUsage(records: row.integer(5), bytes: row.integer(6)),
                    forgottenSequence: row.integer(7))
                if let name = names[table.key], TableName(row.string(4)) != name {
                    throw PostgresError.sameKey(name, row.string(4))
                }
                tables[table.key] = LockedTable(row: table, hasFoldedIDs: row.bool(3))
            }
        }

        /// Takes the last marks of tables, and returns the keys of the tables that are locked by others.
        private func takeMarks(_ result: PostgresResult) -> Set<Int64> {
            var skipped: Set<Int64> = []
            for row in result {
                let key = row.integer(0)
                if tables[key] == nil { skipped.insert(key) }
                if row.isNull(1) { continue }
                tables[key]?.lastMark = HistoryMark(sequence: row.integer(1), random: row.integer(2))
            }
            return skipped
        }

        private func takeRecord(_ row: PostgresRow) {
            let key = RowKey(row.integer(9), row.string(.id))
            records[key] = row.isNull(.fields) ? .unread : .row(RecordRow(row))
        }

        private func takeOperation(_ row: PostgresRow) {
            operations[RowKey(row.integer(0), row.string(1))] = AppliedOperation(
                digest: row.bytes(2), version: RecordVersion(bits: row.integer(3)))
        }

        /// Returns whether the transaction with the given marks was committed.
        func has(_ marks: [TableMark]) throws -> Bool {
            guard let first = marks.first else { return false }
            let results = try reader.connection.run([
                .lock(Set(marks.map(\.table)).sorted(), waits: true),
                PostgresCommand(
                    sql:
                        "SELECT 1::bigint FROM history WHERE todo_table = $1 AND sequence = $2 AND mark = $3",
                    parameters: [
                        .integer(first.table), .integer(first.mark.sequence), .integer(first.mark.random),
                    ]),
            ])
            return !results[1].isEmpty
        }
    }

    // MARK: - Reading

    extension PostgresWriter {
        func state() throws -> StoreState { try cachedState ?? reader.state() }

        func table(named name: TableName) throws -> TableRow? {
            let key = name.databaseKey
            // A table that was created meanwhile isn't locked.
            if absentTables.contains(key) { return nil }
            return try tables[key]?.row ?? reader.table(named: name)
        }

        func record(id: String, in table: TableRow) throws -> RecordRow? {
            let key = RowKey(table.key, id)
            switch records[key] {
            case .row(let row): return row
            case .absent: return nil
            case .unread, nil:
                let row = try reader.record(id: id, in: table)
                records[key] = row.map(CachedRecord.row) ?? .absent
                return row
            }
        }

        func record(foldedID: String, in table: TableRow) throws -> RecordRow? {
            if let id = foldedIDs[RowKey(table.key, foldedID)] { return try record(id: id.string, in: table) }
            // The record might have been changed in this transaction.
            return try reader.record(foldedID: foldedID, in: table).flatMap {
                try record(id: $0.id, in: table)
            }
        }

        func hasFoldedIDs(in table: TableRow) throws -> Bool {
            try tables[table.key]?.hasFoldedIDs ?? reader.hasFoldedIDs(in: table)
        }

        func operation(id: String, in table: TableRow) throws -> AppliedOperation? {
            let key = RowKey(table.key, id)
            if let cached = operations[key] { return cached }
            let operation = try reader.operation(id: id, in: table)
            operations[key] = .some(operation)
            return operation
        }

        func mark(at sequence: Int64, in table: TableRow) throws -> HistoryMark? {
            if let mark = tables[table.key]?.lastMark, mark.sequence == sequence { return mark }
            // The marks of this transaction come after all others.
            return try reader.mark(at: sequence, in: table)
                ?? marks.first { $0.table == table.key && $0.mark.sequence >= sequence }?.mark
        }

        func markRows(from sequence: Int64, limit: Int, in table: TableRow) throws -> [HistoryMark] {
            try reader.markRows(from: sequence, limit: limit, in: table)
        }

        func packs(from sequence: Int64, limit: Int, in table: TableRow) throws -> [MarkPack] {
            try reader.packs(from: sequence, limit: limit, in: table)
        }
    }

    // MARK: - Writing

    extension PostgresWriter {
        func insertTable(named name: TableName) throws -> TableRow {
            let key = name.databaseKey
            let result = try run(
                """
                INSERT INTO todo_table
                (key, name, sequence, updated_at, records, bytes, has_folded_ids, forgotten_sequence)
                VALUES ($1, $2, 0, 0, 0, 0, false, 0) ON CONFLICT DO NOTHING
                """, .integer(key), .text(name.string))
            guard result.changedCount == 1 else {
                let other = try run("SELECT name FROM todo_table WHERE key = $1", .integer(key)).first?
                    .string(0)
                if let other, TableName(other) != name { throw PostgresError.sameKey(name, other) }
                throw PostgresError.tableAppeared
            }
            let row = TableRow(key: key)
            tables[key] = LockedTable(row: row, hasFoldedIDs: false)
            absentTables.remove(key)
            return row
        }

        var retention: any StoreRetention { PostgresRetention(connection: reader.connection) }

        func update(_ table: TableRow, after end: DayEnd?) {
            if let end { dayEnds.append((table.key, end)) }
            tables[table.key]?.row = table
            tables[table.key]?.isChanged = true
        }

        func insert(_ record: RecordRow, in table: TableRow) {
            let key = RowKey(table.key, record.id)
            inserted[key] = record
            records[key] = .row(record)
            guard let foldedID = record.foldedID else { return }
            foldedIDs[RowKey(table.key, foldedID)] = key.id
            tables[table.key]?.hasFoldedIDs = true
        }

        func update(_ record: RecordRow, in table: TableRow) {
            let key = RowKey(table.key, record.id)
            records[key] = .row(record)
            if inserted[key] == nil { updated[key] = record } else { inserted[key] = record }
        }

        func insert(_ operation: AppliedOperation, id: String, in table: TableRow) throws -> Bool {
            guard try self.operation(id: id, in: table) == nil else { return false }
            let key = RowKey(table.key, id)
            operations[key] = operation
            newOperations.append((key, operation))
            return true
        }

        func insert(_ mark: HistoryMark, in table: TableRow) {
            tables[table.key]?.lastMark = mark
            marks.append(TableMark(table: table.key, mark: mark))
        }

        func insert(_ key: KeyRow) throws -> Bool {
            let result = try run(
                """
                INSERT INTO access_key (name, digest, table_name, access, created_at)
                VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
                """, .text(key.name), .bytes(key.digest), .text(key.table), .text(key.access),
                .integer(key.createdAt))
            if result.changedCount == 1 { return true }
            // The answer to the first try's commit might have been lost.
            guard let digest = key.digest else { return false }
            return try reader.keys(withDigests: [digest]).rows.contains { $0.digest == digest }
        }

        func deleteKey(named name: String) throws -> Bool {
            try run("DELETE FROM access_key WHERE name = $1", .text(name)).changedCount == 1
        }
    }

    // MARK: - Committing

    extension PostgresWriter {
        /// Writes the changes, and commits them.
        func commit() throws {
            var commands = Self.chunks(of: inserted).map { PostgresCommand.insert($0) }
            commands += Self.chunks(of: updated).map { .update($0) }
            if !newOperations.isEmpty { commands.append(.insert(newOperations)) }
            if !marks.isEmpty { commands.append(.insert(marks)) }
            if !dayEnds.isEmpty { commands.append(.insert(dayEnds)) }
            let changed = tables.values.filter(\.isChanged)
            if !changed.isEmpty { commands.append(.update(changed)) }
            try reader.connection.commit(commands)
        }

        /// Returns the changes in parts of limited size, in any order.
        private static func chunks(of changes: [RowKey: RecordRow]) -> [[RecordChange]] {
            var chunks: [[RecordChange]] = []
            var size = Int.max
            for (key, row) in changes {
                if size >= writeByteSize {
                    chunks.append([])
                    size = 0
                }
                chunks[chunks.count - 1].append((key, row))
                size += row.size
            }
            return chunks
        }
    }

    /// Removes old rows of a table in a transaction of PostgreSQL.
    struct PostgresRetention: StoreRetention {
        let connection: PostgresConnection

        private func run(_ sql: String, _ parameters: PostgresParameter...) throws -> PostgresResult {
            try connection.run(PostgresCommand(sql: sql, parameters: parameters))
        }
    }

    extension PostgresRetention {
        func lastEnd(before day: Int64, in table: TableRow) throws -> DayEnd? {
            try run(
                "SELECT day, sequence FROM day_end WHERE todo_table = $1 AND day < $2 ORDER BY day DESC LIMIT 1",
                .integer(table.key), .integer(day)
            ).first.map { DayEnd(day: $0.integer(0), sequence: $0.integer(1)) }
        }

        func forget(through sequence: Int64, in table: TableRow) throws {
            _ = try run(
                "UPDATE todo_table SET forgotten_sequence = greatest(forgotten_sequence, $2) WHERE key = $1",
                .integer(table.key), .integer(sequence))
        }

        func deleteEnds(through sequence: Int64, in table: TableRow) throws {
            _ = try run(
                "DELETE FROM day_end WHERE todo_table = $1 AND sequence <= $2", .integer(table.key),
                .integer(sequence))
        }

        func insert(_ pack: MarkPack, in table: TableRow) throws {
            _ = try run(
                "INSERT INTO mark_pack (todo_table, sequence, marks) VALUES ($1, $2, $3)",
                .integer(table.key), .integer(pack.sequence), .bytes(pack.content))
            _ = try run(
                "DELETE FROM history WHERE todo_table = $1 AND sequence <= $2", .integer(table.key),
                .integer(pack.sequence))
        }

        func deleteOperations(_ ids: [ByteKey], in table: TableRow) throws {
            _ = try run(
                "DELETE FROM operation WHERE todo_table = $1 AND id = ANY($2)", .integer(table.key),
                .byteStrings(ids.map { Array($0.string.utf8) }))
        }

        func deleteOperations(through sequence: Int64, in table: TableRow) throws {
            _ = try run(
                "DELETE FROM operation WHERE todo_table = $1 AND version <= $2", .integer(table.key),
                .integer(RecordVersion.last(ofSequence: sequence).bits))
        }
    }
#endif
