import LosslessYAML
import Remotes
import TestSupport
import Testing
import TodoModel

@Suite(.oneStoreAtATime) struct `A write to a store's table` {
    private enum State: String, CaseIterable { case absent, live, deleted }
    private enum Kind: String, CaseIterable { case insert, merge, replace, delete, undelete }
    private enum Condition: String, CaseIterable { case none, exists, current, stale }

    /// The tables protocol's outcome for each state, change and condition, in the order of the conditions.
    private static let decisions: [State: [Kind: [String]]] = [
        .absent: [
            .insert: ["done", "done", "done", "done"],
            .merge: ["not found", "not found", "not found", "not found"],
            .replace: ["not found", "not found", "not found", "not found"],
            .delete: ["not found", "not found", "not found", "not found"],
            .undelete: ["not found", "not found", "not found", "not found"],
        ],
        .live: [
            .insert: ["exists", "exists", "exists", "exists"],
            .merge: ["done", "done", "done", "failed"],
            .replace: ["done", "done", "done", "failed"],
            .delete: ["done", "done", "done", "failed"],
            .undelete: ["done", "done", "done", "failed"],
        ],
        .deleted: [
            .insert: ["exists", "exists", "exists", "exists"],
            .merge: ["not found", "not found", "not found", "failed"],
            .replace: ["failed", "failed", "done", "failed"],
            .delete: ["not found", "not found", "not found", "failed"],
            .undelete: ["done", "done", "done", "failed"],
        ],
    ]

    private static let cases: [(State, Kind, Condition, String)] = State.allCases.flatMap { state in
        Kind.allCases.flatMap { kind in
            Condition.allCases.enumerated().map { number, condition in
                (state, kind, condition, decisions[state]?[kind]?[number] ?? "")
            }
        }
    }

    @Test func `every combination of state, change and condition is decided as the tables protocol requires`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let stale = try await store.table(.standard).inserted("other").record.version
            for (number, (state, kind, condition, expected)) in Self.cases.enumerated() {
                let table = store.table(try #require(TableName("t\(number)")))
                var before: StoredRecord?
                if state != .absent { before = try await table.inserted("one", notes: "n") }
                if state == .deleted {
                    before = try await table.done(RecordWrite(id: "one", change: .delete))
                }
                let write = RecordWrite(
                    id: "one", change: change(kind),
                    condition: self.condition(condition, current: before?.record.version ?? stale, stale))
                let answer = try #require(try await table.write([write]).first)
                let now = try await table.record(id: "one")
                let name = "\(kind) of what is \(state), condition \(condition)"
                #expect(Self.word(answer) == expected, "\(name)")
                switch answer {
                case .done(let record):
                    #expect(record == now, "\(name)")
                    #expect(record.record.version != before?.record.version, "\(name)")
                    #expect(record.createdAt == before?.createdAt ?? record.createdAt, "\(name)")
                    #expect(record.updatedAt > before?.updatedAt ?? 0, "\(name)")
                    #expect(record.record.fields == Self.fields(after: kind), "\(name)")
                    #expect(record.record.isDeleted == (kind == .delete), "\(name)")
                case .exists(let record), .conditionFailed(let record):
                    #expect(record == before, "\(name)")
                    #expect(now == before, "\(name)")
                default: #expect(now == before, "\(name)")
                }
            }
        }
    }

    private func change(_ kind: Kind) -> RecordWrite.Change {
        switch kind {
        case .insert: .insert(fields: ["text": .string("new")], layout: nil)
        case .merge: .merge(fields: ["text": .string("new"), "due": .null], layout: nil)
        case .replace: .replace(fields: ["text": .string("new")], layout: nil)
        case .delete: .delete
        case .undelete: .undelete
        }
    }

    private func condition(
        _ condition: Condition, current: Version, _ stale: Version
    ) -> RecordWrite.Condition {
        switch condition {
        case .none: .none
        case .exists: .exists
        case .current: .version(current)
        case .stale: .version(stale)
        }
    }

    private static func fields(after kind: Kind) -> Mapping {
        switch kind {
        case .insert, .replace: ["text": .string("new")]
        case .merge: ["text": .string("new"), "notes": .string("n"), "due": .null]
        case .delete, .undelete: ["text": .string("Hello one"), "notes": .string("n")]
        }
    }

    fileprivate static func word(_ answer: WriteAnswer) -> String {
        switch answer {
        case .done: "done"
        case .repeated: "repeated"
        case .exists: "exists"
        case .conditionFailed: "failed"
        case .notFound: "not found"
        case .refused(let status, _): "\(status)"
        }
    }

    @Test func `a write without a layout keeps the stored one, and an empty layout removes it`() async throws
    {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            let layout = Layout(path: "one.yaml", yaml: "text: a\n")
            let fields: Mapping = ["text": .string("b")]
            _ = try await table.done(RecordWrite(id: "one", change: .insert(fields: fields, layout: layout)))
            let keeping: [RecordWrite.Change] = [
                .merge(fields: fields, layout: nil), .replace(fields: fields, layout: nil), .delete,
                .undelete,
            ]
            for change in keeping {
                let record = try await table.done(RecordWrite(id: "one", change: change))
                #expect(record.record.layout == layout, "\(change)")
            }
            let other = Layout(path: "two.yaml", yaml: nil)
            let moved = try await table.done(
                RecordWrite(id: "one", change: .merge(fields: [:], layout: other)))
            #expect(moved.record.layout == other)
            let nothing = Layout(path: nil, yaml: nil)
            let bare = try await table.done(
                RecordWrite(id: "one", change: .merge(fields: [:], layout: nothing)))
            #expect(bare.record.layout == nil)
        }
    }

    @Test func `a merge without fields changes nothing`() async throws {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            let before = try await table.inserted("one")
            let write = RecordWrite(id: "one", change: .merge(fields: [:], layout: nil))
            #expect(try await table.write([write]) == [.done(before)])
            #expect(try await table.record(id: "one") == before)
        }
    }

    @Test func `an insert whose id differs only in case finds the existing record`() async throws {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            for (id, other) in [("lower", "Lower"), ("UPPER", "upper"), ("Mixed", "mIXED")] {
                let record = try await table.inserted(id)
                let insert = RecordWrite(id: other, change: .insert(fields: [:], layout: nil))
                #expect(try await table.write([insert]) == [.exists(record)])
            }
        }
    }

    @Test
    func `a repeated write is answered with its version and the current record`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            var writes: [(RecordWrite, Version)] = []
            let changes: [RecordWrite.Change] = [
                .insert(fields: ["text": .string("a")], layout: nil),
                .merge(fields: ["text": .string("b")], layout: nil),
                .replace(fields: ["text": .string("c")], layout: Layout(path: "c.yaml", yaml: nil)),
                .delete, .undelete,
            ]
            for (number, change) in changes.enumerated() {
                let write = RecordWrite(id: "one", change: change, operationID: "operation \(number)")
                writes.append((write, try await table.done(write).record.version))
            }
            let now = try #require(try await table.record(id: "one"))
            #expect(try await table.write(writes.map(\.0)) == writes.map { .repeated($0.1, now) })
            for (write, version) in writes {
                var other = write
                other.condition = .version(version)
                #expect(Self.word(try await table.write([other])[0]) == "422", "\(write)")
                other = write
                other.condition = .exists
                #expect(Self.word(try await table.write([other])[0]) == "422", "\(write)")
                other = write
                other.id = "two"
                let expected = if case .insert = write.change { "422" } else { "not found" }
                #expect(Self.word(try await table.write([other])[0]) == expected, "\(write)")
            }
            #expect(try await table.record(id: "one") == now)
        }
    }

    @Test func `a merge without a layout differs from one with an empty layout`() async throws {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            _ = try await table.inserted("one")
            let fields: Mapping = ["text": .string("b")]
            var write = RecordWrite(id: "one", change: .merge(fields: fields, layout: nil), operationID: "x")
            _ = try await table.done(write)
            write.change = .merge(fields: fields, layout: Layout(path: nil, yaml: nil))
            #expect(Self.word(try await table.write([write])[0]) == "422")
        }
    }

    @Test func `writes without an operation id are all applied, and record no operation`()
        async throws
    {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            let first = try await table.inserted("one")
            let merge = RecordWrite(id: "one", change: .merge(fields: ["n": .bool(true)], layout: nil))
            let second = try await table.done(merge)
            let third = try await table.done(merge)
            #expect(Set([first, second, third].map(\.record.version)).count == 3)
            #expect(Set([first, second, third].map(\.updatedAt)).count == 3)
        }
    }

    @Test func `an operation id has 1 to 255 bytes`() async throws {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            for (length, word) in [(0, "400"), (1, "done"), (255, "done"), (256, "400")] {
                let write = RecordWrite(
                    id: "\(length)", change: .insert(fields: [:], layout: nil),
                    operationID: String(repeating: "x", count: length))
                #expect(Self.word(try await table.write([write])[0]) == word, "\(length)")
            }
        }
    }

    @Test func `a failed write doesn't affect others in the same call`() async throws {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            let answers = try await table.write([
                RecordWrite(id: "a", change: .insert(fields: ["text": .string("a")], layout: nil)),
                RecordWrite(id: "b/c", change: .insert(fields: [:], layout: nil)),
                RecordWrite(id: "a", change: .delete, condition: .version(Version("x"))),
                RecordWrite(id: "d", change: .delete),
                RecordWrite(id: "a", change: .insert(fields: [:], layout: nil)),
                RecordWrite(id: "a", change: .delete),
            ])
            #expect(answers.map(Self.word) == ["done", "400", "failed", "not found", "exists", "done"])
            #expect(try await table.write([]).isEmpty)
        }
    }
}

extension StoreTable {
    /// Applies a write that must succeed, and returns the record as the write left it.
    func done(_ write: RecordWrite) async throws -> StoredRecord {
        let answer = try await self.write([write]).first
        guard case .done(let record)? = answer else {
            throw NotDone(answer: "\(String(describing: answer))")
        }
        return record
    }

    /// Inserts a small record.
    @discardableResult
    func inserted(_ id: String, notes: String? = nil) async throws -> StoredRecord {
        var fields: Mapping = ["text": .string("Hello \(id)")]
        if let notes { fields["notes"] = .string(notes) }
        return try await done(RecordWrite(id: id, change: .insert(fields: fields, layout: nil)))
    }
}

private struct NotDone: Error {
    let answer: String
}
