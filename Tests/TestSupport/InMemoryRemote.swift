package import LosslessYAML
package import TodoModel

/// An in-memory remote for tests of code that uses remotes.
///
/// It is written to be obviously correct, not fast, and shares no code with the store: the conformance suite
/// compares the two.
package actor InMemoryRemote: Remote {
    /// The records and tombstones by id; ``StoredRecord/sequence`` is a record's position in the feed.
    private var records: [ByteKey: StoredRecord] = [:]
    private var answers: [String: (operation: PushOperation, version: Version)] = [:]
    /// The ids of records that were deleted, even if they exist again.
    private var deleted: Set<String> = []
    private var sequence = 0
    /// The mark of each assigned sequence; a cursor with a different one belongs to another history.
    private var marks: [Int: UInt64] = [:]
    private var generator: SplitMix64
    private let name: String
    private let pageSize: Int

    /// Creates an empty remote.
    ///
    /// - Parameters:
    ///   - seed: The seed for its identity and versions; two remotes with the same seed look like the same
    ///     remote.
    ///   - pageSize: The maximum number of records in a page of changes.
    package init(seed: UInt64 = 0, pageSize: Int = 1000) {
        precondition(pageSize > 0, "a page has room for a record")
        generator = SplitMix64(seed: seed)
        name = "memory-\(String(generator.next(), radix: 16))"
        self.pageSize = pageSize
    }

    package func meet(_ recorded: RecordedHistory?, wantsNews: Bool) throws -> RemoteIdentity {
        let identity = RemoteIdentity(name)
        guard let recorded, recorded.identity == identity else { return identity }
        if let cursor = recorded.cursor { _ = try sequence(of: cursor) }
        if let accepted = recorded.accepted, answers[accepted.operationID]?.version != accepted.version {
            throw RemoteError.otherHistory
        }
        return identity
    }
}

/// A record or tombstone with its position in the feed.
private struct StoredRecord {
    var record: RemoteRecord
    var sequence: Int
}

// MARK: - Access for tests

extension InMemoryRemote {
    /// The whole state of a remote, which can be restored like an old backup.
    package struct Backup: Sendable {
        fileprivate let records: [ByteKey: StoredRecord]
        fileprivate let answers: [String: (operation: PushOperation, version: Version)]
        fileprivate let sequence: Int
        fileprivate let marks: [Int: UInt64]
    }

    package func backup() -> Backup {
        Backup(records: records, answers: answers, sequence: sequence, marks: marks)
    }

    /// Restores an old state; later writes are lost, and new ones get new marks.
    package func restore(_ backup: Backup) {
        records = backup.records
        answers = backup.answers
        sequence = backup.sequence
        marks = backup.marks
    }

    /// Returns the records that are not deleted, sorted by the bytes of their ids.
    package func liveRecords() -> [RemoteRecord] {
        records.values.map(\.record).filter { !$0.isDeleted }
            .sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }

    /// Returns whether a record was ever deleted, even if it exists again.
    package func wasDeleted(id: String) -> Bool { deleted.contains(id) }

    /// Returns a record or tombstone.
    package func record(id: String) -> RemoteRecord? { records[ByteKey(id)]?.record }

    /// Writes a record like a client that supports only fields: unconditionally, keeping the layout.
    @discardableResult
    package func put(id: String, fields: Mapping) -> Version {
        write(id: id, isDeleted: false, fields: fields, layout: records[ByteKey(id)]?.record.layout)
    }

    /// Writes any record, even if no rule allows it.
    @discardableResult
    package func put(_ record: RemoteRecord) -> Version {
        write(id: record.id, isDeleted: record.isDeleted, fields: record.fields, layout: record.layout)
    }
}

// MARK: - Changes

extension InMemoryRemote {
    package func changes(after cursor: Cursor?) throws -> ChangePage {
        let start = try sequence(of: cursor)
        let later = records.values.filter { $0.sequence > start }.sorted { $0.sequence < $1.sequence }
        let page = later.prefix(pageSize)
        let end = page.last?.sequence ?? start
        return ChangePage(
            records: page.map(\.record), next: self.cursor(at: end), isLast: page.count == later.count)
    }

    private func cursor(at sequence: Int) -> Cursor {
        Cursor("\(sequence)/\(marks[sequence] ?? 0)")
    }

    private func sequence(of cursor: Cursor?) throws -> Int {
        guard let cursor else { return 0 }
        let parts = cursor.string.split(separator: "/")
        guard parts.count == 2, let sequence = Int(parts[0]), (0...self.sequence).contains(sequence),
            self.cursor(at: sequence) == cursor
        else { throw RemoteError.otherHistory }
        return sequence
    }
}

// MARK: - Push

extension InMemoryRemote {
    package func push(_ operations: [PushOperation]) -> PushReply {
        let start = sequence
        let answers = operations.map(answer)
        guard sequence > start else { return PushReply(answers: answers) }
        let part = HistoryPart(start: cursor(at: start), end: cursor(at: sequence), isFirst: start == 0)
        return PushReply(answers: answers, parts: [part])
    }

    private func answer(to operation: PushOperation) -> PushAnswer {
        if let (recorded, version) = answers[operation.operationID] {
            return recorded == operation
                ? .accepted(version)
                : .refused(status: 422, message: "the operation id was used for another one")
        }
        if let refusal = Self.refusal(of: operation) { return refusal }
        let current = records[ByteKey(operation.id)]?.record
        let answer = perform(operation, on: current)
        if case .accepted(let version) = answer { answers[operation.operationID] = (operation, version) }
        return answer
    }

    private func perform(_ operation: PushOperation, on current: RemoteRecord?) -> PushAnswer {
        switch (operation.change, current) {
        case (.insert(let fields, let layout), nil):
            let folded = operation.id.lowercased()
            if let other = records.keys.first(where: { $0.string.lowercased().isSameBytes(as: folded) }) {
                return .refused(status: 409, message: "the id \(other.string) differs only in case")
            }
            return .accepted(write(id: operation.id, isDeleted: false, fields: fields, layout: layout))
        case (.update(let changed, let layout, let base), let current?)
        where !current.isDeleted && current.version == base:
            var fields = current.fields
            for (key, value) in changed.entries { fields[key] = value }
            if Self.isTooLarge(fields: fields, layout: layout) { return Self.tooLarge }
            return .accepted(write(id: operation.id, isDeleted: false, fields: fields, layout: layout))
        case (.delete(let base), let current?) where !current.isDeleted && current.version == base:
            return .accepted(
                write(id: operation.id, isDeleted: true, fields: current.fields, layout: current.layout))
        case (.recreate(let fields, let layout, let base), let current?)
        where current.isDeleted && current.version == base:
            return .accepted(write(id: operation.id, isDeleted: false, fields: fields, layout: layout))
        default:
            return .movedOn(current)
        }
    }

    private func write(id: String, isDeleted: Bool, fields: Mapping, layout: Layout?) -> Version {
        if isDeleted { deleted.insert(id) }
        sequence += 1
        marks[sequence] = generator.next()
        let version = Version("\(sequence)-\(String(generator.next() >> 40, radix: 16))")
        let record = RemoteRecord(
            id: id, version: version, isDeleted: isDeleted, fields: fields, layout: layout)
        records[ByteKey(id)] = StoredRecord(record: record, sequence: sequence)
        return version
    }
}
