internal import LosslessYAML
internal import TodoModel
internal import Values

/// Applies writes to one table inside the store's write transaction.
///
/// Each write is decided before it changes anything. So only successful writes leave a trace, and no
/// savepoints are needed: a later error (disk, database) fails the whole transaction.
struct WriteTransaction {
    private let name: TableName
    private let writer: any StoreWriter
    private let quota: TableQuota
    private let now: Int64
    private var random: ArraySlice<UInt8>
    /// The table's row; nil until a write needs it.
    private var table: TableRow?
    /// The table as it was before the first write; nil until a write changes it.
    private var previous: TableRow?
    /// Whether any id of the table has uppercase letters.
    ///
    /// Most tables don't have such ids, which saves lookups.
    private var hasFoldedIDs = false
    /// The remaining size in bytes of the outcomes' records.
    private var answerSize: Int

    /// The table's last sequence; 0 before the table's first write.
    var sequence: Int64 { table?.sequence ?? 0 }

    /// Returns the number of random bytes that a number of writes need: three for each version, eight for the
    /// history's mark.
    static func randomBytes(for writeCount: Int) -> Int { 8 + 3 * writeCount }

    init(
        table name: TableName, writer: any StoreWriter, quota: TableQuota, now: Int64, randomBytes: [UInt8],
        answerSize: Int
    ) throws {
        self.name = name
        self.quota = quota
        self.answerSize = answerSize
        self.writer = writer
        self.now = now
        random = randomBytes[...]
        table = try writer.table(named: name)
        hasFoldedIDs = try table.map(writer.hasFoldedIDs) ?? false
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
        let row = try table.flatMap { try writer.record(id: prepared.write.id, in: $0) }
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
        guard let previous, let table else { return }
        try writer.update(table, after: DayEnd(of: previous, before: table.updatedAt))
        let random = takeRandomBytes(8).reduce(0) { $0 << 8 | Int64($1) }
        try writer.insert(HistoryMark(sequence: table.sequence, random: random), in: table)
    }

    private mutating func takeRandomBytes(_ count: Int) -> ArraySlice<UInt8> {
        precondition(random.count >= count, "randomBytes returns the requested number of bytes")
        defer { random = random.dropFirst(count) }
        return random.prefix(count)
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
        guard let applied = try writer.operation(id: operationID, in: table) else { return nil }
        return applied.digest == prepared.digest ? .repeated(applied.version, row) : Self.usedForAnother
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
    /// The record stays unchanged, so a retry would not help.
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
            return try writer.record(foldedID: folded, in: table) ?? writer.record(id: folded, in: table)
        }
        guard hasFoldedIDs else { return nil }
        return try writer.record(foldedID: prepared.write.id, in: table)
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
        var row = RecordRow(
            id: prepared.write.id, foldedID: prepared.foldedID, version: RecordVersion(bits: 0),
            isDeleted: false, createdAt: 0, updatedAt: 0, fields: prepared.fields, layout: prepared.layout)
        if let refusal = quota.refusal(of: row.usage, to: usage) { return .refused(refusal) }
        guard let (table, version) = try begin(prepared, row.usage) else { return Self.usedForAnother }
        if prepared.foldedID != nil { hasFoldedIDs = true }
        (row.version, row.createdAt, row.updatedAt) = (version, table.updatedAt, table.updatedAt)
        try writer.insert(row, in: table)
        return .done(row, fields: fields, layout: prepared.write.change.layout)
    }

    private mutating func update(
        _ row: RecordRow, to state: RecordState, by prepared: PreparedWrite
    ) throws -> WriteOutcome {
        var written = row
        (written.isDeleted, written.fields, written.layout) = (state.isDeleted, state.fields, state.layout)
        let change = written.usage - row.usage
        if let refusal = quota.refusal(of: change, to: usage) { return .refused(refusal) }
        guard let (table, version) = try begin(prepared, change) else { return Self.usedForAnother }
        (written.version, written.updatedAt) = (version, table.updatedAt)
        try writer.update(written, in: table)
        return .done(written, fields: state.mapping, layout: prepared.write.change.layout)
    }

    private var usage: TableUsage { table?.usage ?? TableUsage() }

    /// Assigns a write its position in the table's history and records its operation; nil if the operation id
    /// belongs to a different record.
    ///
    /// - Parameter change: The change to the table's usage.
    private mutating func begin(
        _ prepared: PreparedWrite, _ change: TableUsage
    ) throws -> (table: TableRow, version: RecordVersion)? {
        var table = try self.table ?? writer.insertTable(named: name)
        self.table = table
        table.sequence += 1
        table.updatedAt = max(now, table.updatedAt + 1)
        table.usage = table.usage + change
        let version = RecordVersion(sequence: table.sequence, random: takeRandomBytes(3))
        guard try remember(prepared, version: version, in: table) else { return nil }
        previous = previous ?? self.table
        self.table = table
        return (table, version)
    }

    /// Records a write's operation and the version that it created; returns false if the operation id belongs
    /// to a different record.
    private func remember(
        _ prepared: PreparedWrite, version: RecordVersion, in table: TableRow
    ) throws -> Bool {
        guard let operationID = prepared.write.operationID, let digest = prepared.digest else { return true }
        // This record has no such operation, or the operation would have been found.
        return try writer.insert(
            AppliedOperation(digest: digest, version: version), id: operationID, in: table)
    }
}

// MARK: - Outcomes

/// The result of a write inside a transaction.
///
/// The outcome becomes a ``WriteAnswer`` or ``PushAnswer`` after the transaction, when other writers no
/// longer wait.
enum WriteOutcome {
    /// Applied: the record as this write left it, with its fields and layout if they are available as values.
    case done(RecordRow, fields: Mapping?, layout: Layout?)
    /// Applied earlier: the current record.
    case repeated(RecordVersion, RecordRow)
    case exists(RecordRow)
    case conditionFailed(RecordRow)
    case notFound(tombstone: RecordRow?)
    case refused(Refusal)

    /// The size of the outcome's record in bytes.
    var size: Int {
        switch self {
        case .done(let row, _, _), .repeated(_, let row), .exists(let row), .conditionFailed(let row),
            .notFound(let row?):
            row.size
        case .notFound(nil), .refused: 0
        }
    }
}

extension WriteAnswer {
    init(_ outcome: WriteOutcome) {
        switch outcome {
        case .done(let row, let fields, let layout):
            self = .done(StoredRecord(row, fields: fields, layout: layout))
        case .repeated(let version, let row): self = .repeated(version.version, StoredRecord(row))
        case .exists(let row): self = .exists(StoredRecord(row))
        case .conditionFailed(let row): self = .conditionFailed(StoredRecord(row))
        case .notFound: self = .notFound
        case .refused(let refusal): self = .refused(status: refusal.status, message: refusal.message)
        }
    }
}

extension PushAnswer {
    /// Creates the answer to an operation on the record with an id.
    init(_ outcome: WriteOutcome, id: String) {
        switch outcome {
        case .done(let row, _, _): self = .accepted(row.version.version)
        case .repeated(let version, _): self = .accepted(version.version)
        case .exists(let row) where !row.id.isSameBytes(as: id):
            self = .refused(status: 409, message: "the id \(row.id) differs from this one only in case")
        case .exists(let row), .conditionFailed(let row): self = .movedOn(row.record())
        case .notFound(let tombstone): self = .movedOn(tombstone?.record())
        case .refused(let refusal): self = .refused(status: refusal.status, message: refusal.message)
        }
    }
}

extension RecordWrite {
    /// Creates the write for an operation.
    init(_ operation: PushOperation) {
        let change: Change
        let condition: Condition
        switch operation.change {
        case .insert(let fields, let layout):
            change = .insert(fields: fields, layout: layout)
            condition = .none
        case .update(let fields, let layout, let base):
            change = .merge(fields: fields, layout: layout)
            condition = .version(base)
        case .delete(let base):
            change = .delete
            condition = .version(base)
        case .recreate(let fields, let layout, let base):
            change = .replace(fields: fields, layout: layout)
            condition = .version(base)
        }
        self.init(id: operation.id, change: change, condition: condition, operationID: operation.operationID)
    }
}
