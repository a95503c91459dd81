import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Records by other clients: some support only fields, some write invalid todos, and some are malicious.
@Suite struct RecordTests {
    @Test func `fields that a phone changed are worked into the text`() async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "# why\nid: a\ntext: A # what\ntags: [x]\nowner: me\n"])
        try await machine.sync()
        await world.remote.put(
            id: "a",
            fields: [
                "text": .string("A"), "complete": .bool(true), "tags": .list([.string("x"), .string("z")]),
            ])
        try await machine.sync()
        #expect(machine["a.yaml"] == "# why\nid: a\ntext: A # what\ntags: [x, z]\ncomplete: true\n")
        #expect(try machine.isClean)
    }

    @Test func `a phone's change merges with one made here, or conflicts with it`() async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\npriority: low\n"])
        try await machine.sync()
        await world.remote.put(id: "a", fields: ["text": .string("phone"), "priority": .string("low")])
        machine.edit("a.yaml", "low", "high")
        try await machine.sync()
        #expect(machine["a.yaml"] == "id: a\ntext: phone\npriority: high\n")
        await world.remote.put(id: "a", fields: ["text": .string("again"), "priority": .string("high")])
        machine.edit("a.yaml", "phone", "here")
        #expect(try await machine.sync().conflictKinds == ["edit/edit"])
        try machine.resolve(by: .use(.remote))
        try await machine.sync()
        #expect(machine["a.yaml"] == "id: a\ntext: again\npriority: high\n")
    }

    @Test func `what only the remote adds of its own accord is no change`() async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n"])
        try await machine.sync()
        // For example, an app that lists incomplete todos needs `complete: false`.
        await world.remote.put(
            id: "a", fields: ["text": .string("A"), "complete": .bool(false), "due": .null])
        let report = try await machine.sync()
        #expect(report.pushed.isEmpty && report.conflicts.isEmpty)
        #expect(machine["a.yaml"] == "id: a\ntext: A\n")
    }

    @Test func `a todo without complete is as open as one with false, and is not changed to add it`() throws {
        let text = "id: a\ntext: A\n"
        let machine = try World().machine(["a.yaml": text])
        _ = try machine.workspace.change(["a"], set: [("complete", .bool(false))], unset: [])
        #expect(machine["a.yaml"] == text)
        _ = try machine.workspace.change(["a"], set: [("complete", .bool(true))], unset: [])
        _ = try machine.workspace.change(["a"], set: [("complete", .bool(false))], unset: [])
        #expect(machine["a.yaml"] == text + "complete: false\n")
    }

    @Test(arguments: [
        ("12345678901234567891", "12345678901234567000", "12345678901234567891"),
        ("0.1000000000000000055511", "0.1", "0.1000000000000000055511"), ("1.10", "1.1", "1.10"),
        // These are different numbers, not rounded ones.
        ("12345678901234567891", "12345678901234567890", "12345678901234567890"), ("1.5", "1.25", "1.25"),
    ])
    func `a number that somebody's floating point has rounded is unchanged`(
        old: String, new: String, expected: String
    ) async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\nsizes: [1, {x: \(old)}]\nsize: \(old)\n"])
        try await machine.sync()
        let number = Value.number(try #require(Number(json: new)))
        let sizes = Value.list([.number(Number(1)), .mapping(["x": number])])
        await world.remote.put(id: "a", fields: ["text": .string("B"), "size": number, "sizes": sizes])
        try await machine.sync()
        #expect(machine["a.yaml"] == "id: a\ntext: B\nsizes: [1, {x: \(expected)}]\nsize: \(expected)\n")
        #expect(try machine.isClean)
    }

    @Test(arguments: BadRecord.all)
    func `a record that is no valid todo is one warning, and comes when it is valid`(_ bad: BadRecord)
        async throws
    {
        let world = World()
        let machine = try world.machine(["other.yaml": "id: o\ntext: O\n"])
        try await machine.sync()
        await world.remote.put(bad.record)

        let report = try await machine.sync()

        #expect(report.unusableRecords.map(\.id) == [bad.record.id])
        #expect(!report.needsUser)
        #expect(machine.files.count == 1)
        #expect(try await machine.sync().unusableRecords.isEmpty, "it is told once")
        guard TodoID(bad.record.id) != nil else { return }
        await world.remote.put(
            RemoteRecord(id: bad.record.id, version: Version(""), fields: ["text": .string("fine")]))
        try await machine.sync()
        #expect(machine["fine.yaml"] == "id: \(bad.record.id)\ntext: fine\n")
    }

    @Test(arguments: [
        "", "not: [yaml", "- a list\n", "id: other\ntext: A\n", "id: r\n", "id: r\ntext: A\n<<<<<<< local\n",
        "text: A\n", "id: r\ntext: A\nversion: 3\n", "a: &a [*a]\n", "id: r\ntext: !!python/object A\n",
        "id: r\ntext: A\0\n",
    ])
    func `a text that is no valid todo of the record's id is not used`(_ yaml: String) async throws {
        let world = World()
        let machine = try world.machine()
        await world.remote.put(
            RemoteRecord(
                id: "r", version: Version(""), fields: ["text": .string("A")],
                layout: Layout(path: "r.yaml", yaml: yaml)))
        try await machine.sync()
        #expect(machine.files == ["r.yaml": "id: r\ntext: A\n"])
    }

    @Test func `a todo whose record becomes invalid stays as it is, and its edits wait`() async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n"])
        try await machine.sync()
        await world.remote.put(id: "a", fields: ["complete": .bool(true)])
        #expect(try await machine.sync().unusableRecords.count == 1)
        machine.edit("a.yaml", "A", "B")
        let report = try await machine.sync()
        #expect(report.pushed.isEmpty)
        #expect(report.needsUser)
        #expect(machine["a.yaml"] == "id: a\ntext: B\n")
        await world.remote.put(id: "a", fields: ["text": .string("A"), "complete": .bool(true)])
        try await machine.sync()
        #expect(machine["a.yaml"] == "id: a\ntext: B\ncomplete: true\n")
        #expect(try machine.isClean)
    }

    @Test(arguments: UInt64(0)..<10)
    func `whatever a remote sends, nothing is written outside and all good todos come`(_ seed: UInt64)
        async throws
    {
        let world = World(seed: seed)
        let other = try world.machine(["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        try await other.sync()
        world.put(MisbehavingRemote(world.remote, behaviors: [.addsGarbage], seed: seed))
        let machine = try world.machine()
        let report = try await machine.pull()
        #expect(!report.unusableRecords.isEmpty)
        #expect(machine["a.yaml"] == "id: a\ntext: A\n")
        #expect(machine["b.yaml"] == "id: b\ntext: B\n")
        for (path, text) in machine.files {
            #expect(PathRules.problem(with: path) == nil)
            _ = try Todo(parsing: Array(text.utf8))
        }
        #expect(try machine.status.invalid.isEmpty)
    }
}

extension RecordTests {
    struct BadRecord: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var record: RemoteRecord

        init(_ testDescription: String, id: String = "bad", _ fields: Mapping) {
            self.testDescription = testDescription
            record = RemoteRecord(id: id, version: Version(""), fields: fields)
        }

        static let all = [
            BadRecord("no text", ["complete": .bool(true)]),
            BadRecord("text is null", ["text": .null]),
            BadRecord("text is a number", ["text": .number(Number(1))]),
            BadRecord("a reserved name", ["text": .string("t"), "Version": .string("1")]),
            BadRecord("a reserved prefix", ["text": .string("t"), "__proto__": .null]),
            BadRecord("another id", ["text": .string("t"), "id": .string("x")]),
            BadRecord("an id in other case", ["text": .string("t"), "ID": .string("x")]),
            BadRecord("an empty key", ["text": .string("t"), "": .string("x")]),
            BadRecord("a control character in a key", ["text": .string("t"), "a\u{1B}": .string("x")]),
            BadRecord(
                "too deep",
                ["text": .string("t"), "deep": (0..<80).reduce(.string("")) { deep, _ in .list([deep]) }]),
            BadRecord("too large", ["text": .string(String(repeating: "x", count: 2_000_000))]),
            BadRecord("an empty id", id: "", ["text": .string("t")]),
            BadRecord("an id that is a path", id: "../x", ["text": .string("t")]),
            BadRecord("an id with a control character", id: "a\u{1B}b", ["text": .string("t")]),
        ]
    }
}
