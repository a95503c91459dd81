import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Conflicts that are resolved field by field, and with the values of both sides.
@Suite struct ResolveFieldsTests {
    /// Makes a machine with a conflict between two texts.
    private static func conflicted(
        _ base: String, here: String, there: String
    ) async throws -> Machine {
        let machines = try await World().machines(2, ["a.yaml": base])
        machines[1]["a.yaml"] = there
        try await machines[1].push()
        machines[0]["a.yaml"] = here
        try await machines[0].pull()
        #expect(try machines[0].status.conflicts.count == 1)
        return machines[0]
    }

    private static func simple() async throws -> Machine {
        try await conflicted(
            "id: a\ntext: A\nowner: x\n", here: "id: a\ntext: here\nowner: me\n",
            there: "id: a\ntext: there\nowner: you\n")
    }

    @Test func `one field takes a side, and then the other one the other side`() async throws {
        let machine = try await Self.simple()
        let first = try machine.resolve("a", by: .fields([ByteKey("text"): .take(.remote)]))
        #expect(first.unresolved.map(\.reason) == ["text is resolved, and owner is still in conflict"])
        #expect(first.unresolved.map(\.notes) == [[.partlyResolved]])
        #expect(
            machine["a.yaml"]
                == "id: a\ntext: there\n<<<<<<< local\nowner: me\n=======\nowner: you\n>>>>>>> remote\n")
        let second = try machine.resolve("a", by: .fields([ByteKey("owner"): .take(.local)]))
        #expect(second.resolved.map(\.used) == [.local])
        #expect(machine["a.yaml"] == "id: a\ntext: there\nowner: me\n")
    }

    @Test func `a field that is not in conflict is refused by name`() async throws {
        let machine = try await Self.simple()
        let before = machine.files
        let report = try machine.resolve("a", by: .fields([ByteKey("place"): .take(.remote)]))
        #expect(
            report.unresolved.map(\.reason) == ["place is not in conflict; text, owner can be resolved"])
        #expect(machine.files == before)
    }

    @Test func `a field takes a side with its comments and its layout`() async throws {
        let machine = try await Self.conflicted(
            "id: a\ntext: A\nm: {x: 1}\nowner: x\n", here: "id: a\ntext: A\nm: {x: 2}\nowner: me\n",
            there: "id: a\ntext: A\n# why\nm: { 'x': 0x3 }   # three\nowner: you\n")
        let whole = machine["a.yaml"]
        try machine.resolve("a", by: .fields([ByteKey("m"): .take(.remote)]))
        try machine.resolve("a", by: .fields([ByteKey("owner"): .take(.remote)]))
        let byFields = machine["a.yaml"]
        machine["a.yaml"] = whole
        #expect(byFields == "id: a\ntext: A\n# why\nm: { 'x': 0x3 }   # three\nowner: you\n")
    }

    @Test func `a field of a block that the user edited takes the edited lines`() async throws {
        let machine = try await Self.simple()
        machine.edit("a.yaml", "text: there", "text: there and here")
        try machine.resolve("a", by: .fields([ByteKey("text"): .take(.remote)]))
        try machine.resolve("a", by: .fields([ByteKey("owner"): .take(.local)]))
        #expect(machine["a.yaml"] == "id: a\ntext: there and here\nowner: me\n")
    }

    @Test(arguments: ["merge", "diff3", "zdiff3"])
    func `the markers that are left show the same as before`(_ style: String) async throws {
        for resolution in [Resolution.fields([ByteKey("notes"): .take(.local)]), .union] {
            let world = World()
            let base = "id: a\ntext: A\nnotes: one\n"
            let here = try world.machine(["a.yaml": base], device: "ann-pc", hasPlainLabels: false)
            let there = try world.machine(device: "bob-pc", hasPlainLabels: false)
            try here.configure("merge.conflictStyle: \(style)")
            try await here.sync()
            try await there.sync()
            there["a.yaml"] = base.replacing("A", with: "there").replacing("one", with: "two")
            try await there.sync()
            here["a.yaml"] = base.replacing("A", with: "here").replacing("one", with: "three")
            try await here.pull()
            let block = try #require(here["a.yaml"]?.firstMatch(of: /<<<<<<<[^>]*>>>>>>>.*\n/)).output
            #expect(block.contains("local (ann-pc)") && block.contains("remote (bob-pc, version "))
            #expect(try here.resolve(by: resolution).unresolved.map(\.notes) == [[.partlyResolved]])
            let notes =
                if case .union = resolution { "notes: |-\n  three\n  two\n" } else { "notes: three\n" }
            #expect(here["a.yaml"] == "id: a\n\(block)\(notes)")
        }
    }

    @Test(arguments: ["merge", "diff3", "zdiff3"])
    func `the base is the recorded one, whatever the markers show`(_ style: String) async throws {
        let rows = [
            ("note: one\n  two", "note: ONE\n  two", "note: Uno\n  two"),
            ("n: 1", "n: [1,\n  3]", "n: [2,\n  3]"),
            ("note: |\n  a\n  b\n  c", "note: |\n  a\n  x\n  y\n  c", "note: |\n  a\n  x\n  z\n  c"),
            ("l:\n- a\n- a", "l:\n- b\n- c\n- a", "l:\n- b\n- d\n- a"),
        ]
        for (base, local, remote) in rows {
            let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n\(base)\nz: 1\n"])
            let (here, there) = (machines[0], machines[1])
            try here.configure("merge.conflictStyle: \(style)")
            there["a.yaml"] = "id: a\ntext: A\n\(remote)\nz: 1\n"
            try await there.push()
            here["a.yaml"] = "id: a\ntext: A\n\(local)\nz: 1\n"
            #expect(try await here.pull().conflicts.count == 1, "\(base)")
            #expect(try here.resolve(by: .use(.base)).unresolved == [], "\(base)")
            #expect(here["a.yaml"] == "id: a\ntext: A\n\(base)\nz: 1\n")
        }
    }

    @Test func `a union has the lines of both sides, and other fields stay in conflict`() async throws {
        let machine = try await Self.conflicted(
            "id: a\ntext: A\nnotes: |\n  one\n  two\n  three\n",
            here: "id: a\ntext: here\nnotes: |\n  one\n  mine\n  three\n",
            there: "id: a\ntext: there\nnotes: |\n  zero\n  one\n  yours\n  three\n")
        let report = try machine.resolve(by: .union)
        #expect(
            report.unresolved.map(\.reason) == ["notes is resolved, and text is still in conflict"])
        #expect(
            machine["a.yaml"] == """
                id: a
                <<<<<<< local
                text: here
                =======
                text: there
                >>>>>>> remote
                notes: |
                  zero
                  one
                  mine
                  yours
                  three

                """)
    }

    @Test func `a union joins notes of one line, and lists that are not merged as sets`() async throws {
        let machine = try await Self.conflicted(
            "id: a\ntext: A\nnotes: old\nrooms: none\n",
            here: "id: a\ntext: A\nnotes: mine\nrooms: [1, 2]\n",
            there: "id: a\ntext: A\nnotes: yours\nrooms: [2, 3]\n")
        let report = try machine.resolve(by: .union)
        #expect(report.resolved.map(\.used) == [.union])
        let todo = try Todo(parsing: Array(try #require(machine["a.yaml"]).utf8))
        #expect(todo.fields["notes"] == .string("mine\nyours"))
        #expect(todo.fields["rooms"] == .list([1, 2, 3].map { .number(Number($0)) }))
    }

    @Test func `a union of fields that can't have both is refused`() async throws {
        let machine = try await Self.simple()
        let before = machine.files
        #expect(
            try machine.resolve(by: .union).unresolved.map(\.reason) == [
                "--union can't combine any of its conflicting fields"
            ])
        #expect(machine.files == before)
    }

    @Test(arguments: [true, false])
    func `at a question, both are a union of notes or lists, but not of other values`(isPull: Bool)
        async throws
    {
        let machines = try await World().machines(
            2, ["a.yaml": "id: a\ntext: A\nnotes: old   # old\nrooms: none\n"])
        machines[1]["a.yaml"] = "id: a\ntext: there\nnotes: yours\nrooms: [2, 3]\n"
        try await machines[1].push()
        machines[0]["a.yaml"] = "id: a\ntext: here\nnotes: mine\nrooms: [1, 2]\n"
        let ask: @Sendable (ConflictQuestion) -> ConflictAnswer = { $0.allowsBoth ? .both : .take(.local) }
        if isPull {
            try await machines[0].pull(.ask(ask))
        } else {
            try await machines[0].pull()
            #expect(try machines[0].resolve(by: .ask(ask)).resolved.count == 1)
        }
        let todo = try Todo(parsing: Array(try #require(machines[0]["a.yaml"]).utf8))
        #expect(todo.fields["text"] == .string("here"))
        #expect(todo.fields["notes"] == .string("mine\nyours"))
        #expect(todo.fields["rooms"] == .list([1, 2, 3].map { .number(Number($0)) }))
    }

    @Test(arguments: [(ConflictAnswer.take(.local), ReportRow.Answer.local), (.take(.remote), .remote)])
    func `the side that the user chose is named`(
        _ answer: ConflictAnswer, _ used: ReportRow.Answer
    ) async throws {
        let machine = try await Self.simple()
        #expect(try machine.resolve(by: .ask { _ in answer }).resolved.map(\.used) == [used])
    }

    @Test func `a mix of both sides is named as what is in the file`() async throws {
        let machine = try await Self.simple()
        let report = try machine.resolve(by: .ask { $0.number == 1 ? .take(.local) : .take(.remote) })
        #expect(report.resolved.map(\.used) == [.file])
        #expect(machine["a.yaml"] == "id: a\ntext: here\nowner: you\n")
    }

    @Test func `the open conflicts have the values of all versions`() async throws {
        let machine = try await Self.simple()
        machine["b.yaml"] = "id: b\n<<<<<<< HEAD\ntext: L\n=======\ntext: R\n>>>>>>> topic\n"
        let conflicts = try machine.workspace.conflicts()
        #expect(conflicts.map(\.path) == ["a.yaml", "b.yaml"])
        #expect(conflicts.map(\.fields) == [["text", "owner"], ["text"]])
        #expect(conflicts.map { $0.base?.fields["text"] } == [.string("A"), nil])
        #expect(conflicts.map { $0.remote?.fields["text"] } == [.string("there"), .string("R")])
        #expect(try machine.workspace.conflicts(["b"]).map(\.path) == ["b.yaml"])
        try machine.resolve("a", by: .use(.local))
        #expect(throws: EngineError.self) { try machine.workspace.conflicts(["a"]) }
    }
}
