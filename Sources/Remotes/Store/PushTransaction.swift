internal import GRDB
internal import LosslessYAML
internal import TodoModel

/// Carries out the operations of one push, inside the store's write transaction.
///
/// Each operation is decided on before it writes anything, so that an answer other than "accepted" leaves
/// nothing behind and no savepoints are needed: what can fail after that (disk, database) fails for all.
struct PushTransaction {
    private let name: TableName
    private let database: Database
    private let now: Int64
    private var random: ArraySlice<UInt8>
    /// Nil until the table is needed for a write.
    private var table: TableRow?
    private var hasWritten = false
    /// Whether any id of the table has letters in upper case; mostly none has, and there is nothing to look
    /// up.
    private var hasFoldedIDs = false
    private let statements: Statements

    /// Returns how many random bytes a push needs: three for each version, eight for the history's mark.
    static func randomBytes(for operationCount: Int) -> Int { 8 + 3 * operationCount }

    init(table name: TableName, database: Database, now: Int64, randomBytes: [UInt8]) throws {
        self.name = name
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

    /// Decides on an operation and carries it out if its condition holds.
    mutating func answer(to operation: PreparedOperation) throws -> PushAnswer {
        let row = try table.flatMap { table in
            try statements.find.first(
                .integer(table.key), .string(operation.operation.id), read: RecordRow.init)
        }
        // Without a row nothing was carried out for this id; that saves looking at a new todo's operation.
        if row != nil, let answer = try rememberedAnswer(to: operation) { return answer }
        if let refusal = operation.refusal { return refusal }
        switch try decision(on: operation, row: row) {
        case .answer(let answer): return answer
        case .write(let state): return try write(state, of: operation, over: row)
        }
    }

    /// Records the sequences that were given, and the mark of this transaction.
    mutating func finish() throws {
        guard hasWritten, let table else { return }
        try table.save(in: database)
        let mark = takeRandomBytes(8).reduce(0) { $0 << 8 | Int64($1) }
        try statements.insertMark.run(.integer(table.key), .integer(table.sequence), .integer(mark))
    }

    private mutating func takeRandomBytes(_ count: Int) -> ArraySlice<UInt8> {
        precondition(random.count >= count, "randomBytes gives as many bytes as asked for")
        defer { random = random.dropFirst(count) }
        return random.prefix(count)
    }
}

// MARK: - Deciding

extension PushTransaction {
    /// What an operation comes to.
    private enum Decision {
        case answer(PushAnswer)
        case write(State)
    }

    /// What a record becomes.
    private struct State {
        var isDeleted: Bool
        var fields: [UInt8]
        var layout: [UInt8]?
    }

    private static let usedForAnother = PushAnswer.refused(
        status: 422, message: "the operation id was used for another operation")

    /// Returns what an operation was answered that has been carried out already, nil for a new one.
    private func rememberedAnswer(to operation: PreparedOperation) throws -> PushAnswer? {
        guard let table else { return nil }
        return try statements.findOperation.first(
            .integer(table.key), .string(operation.operation.operationID)
        ) { row in
            guard row.bytes(0) == operation.digest else { return Self.usedForAnother }
            return .accepted(RecordVersion(bits: row.integer(1)).version)
        }
    }

    private func decision(on operation: PreparedOperation, row: RecordRow?) throws -> Decision {
        let new = State(isDeleted: false, fields: operation.fields, layout: operation.layout)
        switch (operation.operation.change, row) {
        case (.insert, nil):
            if let other = try idDifferingInCase(from: operation) {
                return .answer(
                    .refused(status: 409, message: "the id \(other) differs from this one only in case"))
            }
            return .write(new)
        case (.update(let changed, _, let base), let row?) where !row.isDeleted && row.hasVersion(base):
            let fields = try merged(changed, into: row)
            if let refusal = RecordRules.refusal(
                ofSize: row.id.utf8.count, fields.count, operation.layout?.count ?? 0)
            {
                return .answer(refusal)
            }
            return .write(State(isDeleted: false, fields: fields, layout: operation.layout))
        case (.delete(let base), let row?) where !row.isDeleted && row.hasVersion(base):
            return .write(State(isDeleted: true, fields: row.fields, layout: row.layout))
        case (.recreate(_, _, let base), let row?) where row.isDeleted && row.hasVersion(base):
            return .write(new)
        default:
            return .answer(.movedOn(row?.record()))
        }
    }

    private func idDifferingInCase(from operation: PreparedOperation) throws -> String? {
        guard let table else { return nil }
        if let folded = operation.foldedID {
            return try statements.findFoldedID.first(.integer(table.key), .string(folded)) { $0.string(0) }
                ?? statements.find.first(.integer(table.key), .string(folded)) { $0.string(1) }
        }
        guard hasFoldedIDs else { return nil }
        return try statements.findFoldedID.first(
            .integer(table.key), .string(operation.operation.id)
        ) { $0.string(0) }
    }

    private func merged(_ changed: Mapping, into row: RecordRow) throws -> [UInt8] {
        var fields = try row.mapping()
        for (key, value) in changed.entries { fields[key] = value == .null ? nil : value }
        return JSON.write(.mapping(fields))
    }
}

extension RecordRow {
    fileprivate func hasVersion(_ version: Version) -> Bool { RecordVersion(version) == self.version }
}

// MARK: - Writing

extension PushTransaction {
    private mutating func write(
        _ state: State, of operation: PreparedOperation, over row: RecordRow?
    ) throws -> PushAnswer {
        var table = try self.table ?? TableRow.insert(name, in: database)
        self.table = table
        table.sequence += 1
        table.updatedAt = max(now, table.updatedAt + 1)
        let version = RecordVersion(sequence: table.sequence, random: takeRandomBytes(3))

        try statements.insertOperation.run(
            .integer(table.key), .string(operation.operation.operationID), .blob(operation.digest),
            .integer(version.bits))
        // Another todo's operation has the id: this one is new to its todo, or it would have been remembered.
        guard database.changesCount == 1 else { return Self.usedForAnother }
        self.table = table
        hasWritten = true

        let layout: SQLParameter = state.layout.map { .text($0) } ?? .null
        if let row {
            try statements.update.run(
                .integer(version.bits), .integer(state.isDeleted ? 1 : 0), .integer(table.updatedAt),
                .text(state.fields), layout, .integer(row.key))
        } else {
            if operation.foldedID != nil { hasFoldedIDs = true }
            try statements.insert.run(
                .integer(table.key), .string(operation.operation.id),
                operation.foldedID.map { .string($0) } ?? .null, .integer(version.bits),
                .integer(table.updatedAt), .integer(table.updatedAt), .text(state.fields), layout)
        }
        return .accepted(version.version)
    }

    /// The statements that operations have in common, prepared once.
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
                "SELECT id FROM record WHERE todo_table = ? AND folded_id = ?", in: database)
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
