internal import GRDB
internal import LosslessYAML
internal import TodoModel
internal import Values

/// Applies writes to one table inside the store's write transaction.
///
/// Each write is decided before it changes anything. So only successful writes leave a trace, and no
/// savepoints are needed: a later error (disk, database) fails the whole transaction.
struct WriteTransaction {
    private let name: TableName
    private let database: Database
    private let now: Int64
    private var random: ArraySlice<UInt8>
    /// The table's row; nil until a write needs it.
    private var table: TableRow?
    private var hasWritten = false
    /// Whether any id of the table has uppercase letters.
    ///
    /// Most tables don't have such ids, which saves lookups.
    private var hasFoldedIDs = false
    private let statements: Statements
    /// The remaining size in bytes of the outcomes' records.
    private var answerSize: Int

    /// The table's last sequence; 0 before the table's first write.
    var sequence: Int64 { table?.sequence ?? 0 }

    /// Returns the number of random bytes that a number of writes need: three for each version, eight for the
    /// history's mark.
    static func randomBytes(for writeCount: Int) -> Int { 8 + 3 * writeCount }

    init(
        table name: TableName, database: Database, now: Int64, randomBytes: [UInt8], answerSize: Int
    ) throws {
        self.name = name
        self.answerSize = answerSize
        self.database = database
        self.now = now
        random = randomBytes[...]
        table = try TableRow.find(name, in: database)
        statements = try Statements(in: database)
        guard let table else { return }
        hasFoldedIDs =
            try SQLStatement(
                "SELECT 1 FROM record WHERE todo_table = ? AND folded_id IS NOT NULL LIMIT 1", in: database
            ).first(.integer(table.key)) { _ in true } ?? false
    }

    /// Applies a write if its condition holds.
    ///
    /// Each outcome contains a record, and a thousand small writes can all return the same large record. So
    /// writes are refused once the size limit for outcomes is reached.
    mutating func outcome(of prepared: PreparedWrite) throws -> WriteOutcome {
        guard answerSize > 0 else { return .refused(.answersTooLarge) }
        let outcome = try applied(prepared)
        answerSize -= outcome.size
        return outcome
    }

    private mutating func applied(_ prepared: PreparedWrite) throws -> WriteOutcome {
        let row = try table.flatMap { try find(id: prepared.write.id, in: $0) }
        // If the id has no row, none of its operations was applied, so a new todo's operation need not be
        // looked up.
        if let row, let outcome = try rememberedOutcome(of: prepared, row: row) { return outcome }
        if let refusal = prepared.refusal { return .refused(refusal) }
        guard let row else { return try insert(prepared) }
        switch try decision(on: prepared, row: row) {
        case .outcome(let outcome): return outcome
        case .update(let state): return try update(row, to: state, by: prepared)
        }
    }

    /// Records the sequences that were used, and the mark of this transaction.
    mutating func finish() throws {
        guard hasWritten, let table else { return }
        try table.save(in: database)
        let mark = takeRandomBytes(8).reduce(0) { $0 << 8 | Int64($1) }
        try statements.insertMark.run(.integer(table.key), .integer(table.sequence), .integer(mark))
    }

    private mutating func takeRandomBytes(_ count: Int) -> ArraySlice<UInt8> {
        precondition(random.count >= count, "randomBytes returns the requested number of bytes")
        defer { random = random.dropFirst(count) }
        return random.prefix(count)
    }

    private func find(id: String, in table: TableRow) throws -> RecordRow? {
        try statements.find.first(.integer(table.key), .string(id), read: RecordRow.init)
    }
}

// MARK: - Deciding

extension WriteTransaction {
    /// The decision on a write to a record or tombstone.
    private enum Decision {
        case outcome(WriteOutcome)
        case update(RecordState)
    }

    /// The new state of a record.
    private struct RecordState {
        var isDeleted: Bool
        var fields: [UInt8]
        /// The fields as values, if they are available.
        var mapping: Mapping?
        var layout: [UInt8]?
    }

    /// The maximum size in bytes of fields that a merge keeps as values.
    private static let smallSize = 4096

    private static let usedForAnother = WriteOutcome.refused(
        Refusal(status: 422, message: "the operation id was already used for a different operation"))

    /// Returns the outcome of a write that was already applied; nil for a new write.
    private func rememberedOutcome(of prepared: PreparedWrite, row: RecordRow) throws -> WriteOutcome? {
        guard let table, let operationID = prepared.write.operationID else { return nil }
        return try statements.findOperation.first(.integer(table.key), .string(operationID)) { operation in
            guard operation.bytes(0) == prepared.digest else {
                return Self.usedForAnother
            }
            return .repeated(RecordVersion(bits: operation.integer(1)), row)
        }
    }

    private func decision(on prepared: PreparedWrite, row: RecordRow) throws -> Decision {
        let holds = row.fulfils(prepared.write.condition)
        let layout = prepared.write.change.layout == nil ? row.layout : prepared.layout
        switch prepared.write.change {
        case .insert: return .outcome(.exists(row))
        case _ where !holds: return .outcome(.conditionFailed(row))
        case .undelete:
            return .update(RecordState(isDeleted: false, fields: row.fields, layout: row.layout))
        case .replace(let fields, _):
            if row.isDeleted, !prepared.write.condition.namesVersion {
                return .outcome(.conditionFailed(row))
            }
            if let refusal = refusal(of: prepared.fields, layout, in: row) { return .outcome(refusal) }
            return .update(
                RecordState(isDeleted: false, fields: prepared.fields, mapping: fields, layout: layout))
        case .merge, .delete:
            if row.isDeleted { return .outcome(.notFound(tombstone: row)) }
        }
        guard case .merge(let changed, let newLayout) = prepared.write.change else {
            return .update(RecordState(isDeleted: true, fields: row.fields, layout: row.layout))
        }
        if changed.isEmpty, newLayout == nil {
            let isNew = try table.map { try remember(prepared, version: row.version, in: $0) } ?? true
            return .outcome(isNew ? .done(row, fields: nil, layout: nil) : Self.usedForAnother)
        }
        guard var fields = row.mapping() else { return .outcome(Self.unreadable(row)) }
        for (key, value) in changed.entries { fields[key] = value }
        let json = JSON.write(.mapping(fields))
        if let refusal = refusal(of: json, layout, in: row) { return .outcome(refusal) }
        // Values can take many times more memory than text.
        let mapping = json.count <= Self.smallSize ? fields : nil
        return .update(RecordState(isDeleted: false, fields: json, mapping: mapping, layout: layout))
    }

    /// Returns the outcome of a write to a damaged record, which doesn't affect other writes.
    ///
    /// The record stays as it is, so a retry would not help.
    private static func unreadable(_ row: RecordRow) -> WriteOutcome {
        .refused(Refusal(status: 422, message: "the stored record \(row.id) can't be read"))
    }

    private func refusal(of fields: [UInt8], _ layout: [UInt8]?, in row: RecordRow) -> WriteOutcome? {
        RecordRules.refusal(ofSize: row.id.utf8.count, fields.count, layout?.count ?? 0)
            .map(WriteOutcome.refused)
    }

    private func recordDifferingInCase(from prepared: PreparedWrite) throws -> RecordRow? {
        guard let table else { return nil }
        if let folded = prepared.foldedID {
            return try statements.findFoldedID.first(
                .integer(table.key), .string(folded), read: RecordRow.init)
                ?? find(id: folded, in: table)
        }
        guard hasFoldedIDs else { return nil }
        return try statements.findFoldedID.first(
            .integer(table.key), .string(prepared.write.id), read: RecordRow.init)
    }
}

extension RecordRow {
    fileprivate func fulfils(_ condition: RecordWrite.Condition) -> Bool {
        switch condition {
        case .none, .exists: true
        case .version(let version): RecordVersion(version) == self.version
        }
    }
}

extension RecordWrite.Condition {
    fileprivate var namesVersion: Bool { if case .version = self { true } else { false } }
}

// MARK: - Writing

extension WriteTransaction {
    /// Applies a write to a record that doesn't exist.
    private mutating func insert(_ prepared: PreparedWrite) throws -> WriteOutcome {
        guard case .insert(let fields, _) = prepared.write.change else { return .notFound(tombstone: nil) }
        if let other = try recordDifferingInCase(from: prepared) { return .exists(other) }
        guard let (table, version) = try begin(prepared) else { return Self.usedForAnother }
        if prepared.foldedID != nil { hasFoldedIDs = true }
        try statements.insert.run(
            .integer(table.key), .string(prepared.write.id),
            prepared.foldedID.map { .string($0) } ?? .null, .integer(version.bits),
            .integer(table.updatedAt), .integer(table.updatedAt), .text(prepared.fields),
            prepared.layout.map { .text($0) } ?? .null)
        let row = RecordRow(
            key: database.lastInsertedRowID, id: prepared.write.id, version: version, isDeleted: false,
            createdAt: table.updatedAt, updatedAt: table.updatedAt, fields: prepared.fields,
            layout: prepared.layout)
        return .done(row, fields: fields, layout: prepared.write.change.layout)
    }

    private mutating func update(
        _ row: RecordRow, to state: RecordState, by prepared: PreparedWrite
    ) throws -> WriteOutcome {
        guard let (table, version) = try begin(prepared) else { return Self.usedForAnother }
        try statements.update.run(
            .integer(version.bits), .integer(state.isDeleted ? 1 : 0), .integer(table.updatedAt),
            .text(state.fields), state.layout.map { .text($0) } ?? .null, .integer(row.key))
        let written = RecordRow(
            key: row.key, id: row.id, version: version, isDeleted: state.isDeleted, createdAt: row.createdAt,
            updatedAt: table.updatedAt, fields: state.fields, layout: state.layout)
        return .done(written, fields: state.mapping, layout: prepared.write.change.layout)
    }

    /// Assigns a write its position in the table's history and records its operation; nil if the operation id
    /// belongs to a different record.
    private mutating func begin(
        _ prepared: PreparedWrite
    ) throws -> (table: TableRow, version: RecordVersion)? {
        var table = try self.table ?? TableRow.insert(name, in: database)
        self.table = table
        table.sequence += 1
        table.updatedAt = max(now, table.updatedAt + 1)
        let version = RecordVersion(sequence: table.sequence, random: takeRandomBytes(3))
        guard try remember(prepared, version: version, in: table) else { return nil }
        self.table = table
        hasWritten = true
        return (table, version)
    }

    /// Records a write's operation and the version that it created; returns false if the operation id belongs
    /// to a different record.
    private func remember(
        _ prepared: PreparedWrite, version: RecordVersion, in table: TableRow
    ) throws -> Bool {
        guard let operationID = prepared.write.operationID, let digest = prepared.digest else { return true }
        try statements.insertOperation.run(
            .integer(table.key), .string(operationID), .blob(digest), .integer(version.bits))
        // This record has no such operation, or the operation would have been found.
        return database.changesCount == 1
    }

    /// The statements that all writes use, prepared once.
    private struct Statements {
        let find: SQLStatement
        let findFoldedID: SQLStatement
        let findOperation: SQLStatement
        let insert: SQLStatement
        let update: SQLStatement
        let insertOperation: SQLStatement
        let insertMark: SQLStatement

        init(in database: Database) throws {
            find = try SQLStatement(RecordRow.findSQL, in: database)
            findFoldedID = try SQLStatement(
                "SELECT \(RecordRow.columns) FROM record WHERE todo_table = ? AND folded_id = ?", in: database
            )
            findOperation = try SQLStatement(
                "SELECT digest, version FROM operation WHERE todo_table = ? AND id = ?", in: database)
            insert = try SQLStatement(
                """
                INSERT INTO record
                (todo_table, id, folded_id, version, deleted, created_at, updated_at, fields, layout)
                VALUES (?, ?, ?, ?, 0, ?, ?, ?, ?)
                """, in: database)
            update = try SQLStatement(
                "UPDATE record SET version = ?, deleted = ?, updated_at = ?, fields = ?, layout = ? WHERE key = ?",
                in: database)
            insertOperation = try SQLStatement(
                """
                INSERT INTO operation (todo_table, id, digest, version) VALUES (?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """, in: database)
            insertMark = try SQLStatement(
                "INSERT INTO history (todo_table, sequence, mark) VALUES (?, ?, ?)", in: database)
        }
    }
}
