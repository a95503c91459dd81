import LosslessYAML
import SyncEngine
import Synchronization
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// A program that resolves conflicts.
@Suite(.serialized) struct HandlerTests {
    typealias Kind = ResolveTests.Kind

    /// A handler that records the conflicts.
    final class Handler: Sendable {
        private let decide: @Sendable (Conflict) async throws -> ConflictAnswer
        private let seen = Mutex<[Conflict]>([])

        init(_ decide: @escaping @Sendable (Conflict) async throws -> ConflictAnswer) {
            self.decide = decide
        }

        /// The conflicts that it was asked about.
        var conflicts: [Conflict] { seen.withLock(\.self) }

        var asProgram: ConflictHandler {
            .program { [self] conflict in
                seen.withLock { $0.append(conflict) }
                return try await decide(conflict)
            }
        }
    }

    private func conflict(_ kind: Kind, _ world: World = World()) async throws -> (Machine, Machine) {
        let machines = try await world.machines(2, kind.base)
        kind.remote(machines[1])
        try await machines[1].push()
        kind.local(machines[0])
        return (machines[0], machines[1])
    }

    @discardableResult
    private func run(
        _ verb: Verb, on machine: Machine, _ handler: ConflictHandler, _ policy: ConflictPolicy = .markers,
        isDryRun: Bool = false
    ) async throws -> SyncReport {
        var options = SyncOptions(policy: policy, isDryRun: isDryRun)
        options.handler = handler
        return switch verb {
        case .push: try await machine.workspace.push(options)
        case .pull: try await machine.workspace.pull(options)
        case .sync: try await machine.workspace.sync(options)
        }
    }

    // MARK: Decisions

    @Test(arguments: Verb.allCases, Kind.all)
    func `a side is taken, and the others agree`(_ verb: Verb, _ kind: Kind) async throws {
        for side in [Side.local, .remote] {
            let (here, there) = try await conflict(kind)
            let expected = side == .local ? here.files : there.files
            let handler = Handler { _ in .take(side) }
            let report = try await run(verb, on: here, handler.asProgram)
            #expect(handler.conflicts.map(\.kind.rawValue) == [kind.name])
            #expect(report.conflicts.isEmpty)
            #expect(!report.needsUser)
            #expect(report.handled.map(\.path) == ["a.yaml"])
            #expect(report.handled.map(\.fields) == [["text"]])
            #expect(here.files == expected, "\(side)")
            #expect(report.merged.allSatisfy { $0.isDelete == (expected["a.yaml"] == nil) })
            try await here.sync()
            try await there.sync()
            #expect(there.files == expected, "\(side)")
            #expect(try here.isClean)
        }
    }

    @Test(arguments: Kind.all) func `the base is taken where there is one`(_ kind: Kind) async throws {
        let world = World()
        let (here, there) = try await conflict(kind, world)
        let report = try await run(.sync, on: here, Handler { _ in .take(.base) }.asProgram)
        guard !kind.base.isEmpty else {
            #expect(report.conflictKinds == ["insert/insert"])
            #expect(
                world.notices == [
                    "warning: a.yaml: the handler chose the base version, which does not exist; "
                        + "the conflict is left to you"
                ])
            return
        }
        #expect(here.files == kind.base)
        try await here.sync()
        try await there.sync()
        #expect(there.files == kind.base)
    }

    @Test(arguments: Verb.allCases, Kind.all)
    func `what it leaves is in the file, as without it`(_ verb: Verb, _ kind: Kind) async throws {
        let (here, _) = try await conflict(kind)
        let (plain, _) = try await conflict(kind)
        let report = try await run(verb, on: here, Handler { _ in .leave }.asProgram)
        try await plain.run(verb)
        #expect(report.conflictKinds == [kind.name])
        #expect(report.handled == [])
        #expect(here.files == plain.files)
    }

    @Test(arguments: Verb.allCases, Kind.all)
    func `what it cancels stays as it is`(_ verb: Verb, _ kind: Kind) async throws {
        let (here, there) = try await conflict(kind)
        let (files, pending) = (here.files, try here.status.pendingLines)
        for _ in 0..<2 {
            let handler = Handler { _ in .cancel }
            let report = try await run(verb, on: here, handler.asProgram)
            #expect(handler.conflicts.count == 1)
            #expect(report.needsUser)
            #expect(report.pushed.isEmpty)
            #expect(here.files == files)
            #expect(try here.status.pendingLines == pending)
        }
        #expect(try await there.sync().pulled.isEmpty)
    }

    private static let base = """
        # head
        id: a
        text: t
        owner: A   # who
        size: 1
        place: {city: A, zip: 1, floor: 1}
        notes: |
          one
          -
          two
          -
          three

        """
    private static func edited(_ name: String, _ size: Int) -> String {
        base.replacing("owner: A", with: "owner: \(name)").replacing("size: 1", with: "size: \(size)")
            .replacing("city: A", with: "city: \(name)").replacing("two", with: "two \(name)")
    }

    /// Makes two machines that changed four fields differently, and other parts that merge.
    private func fieldConflict(_ world: World = World()) async throws -> (Machine, Machine) {
        let machines = try await world.machines(2, ["a.yaml": Self.base])
        machines[1]["a.yaml"] = Self.edited("C", 3).replacing("floor: 1", with: "floor: 3")
            .replacing("one", with: "ONE")
        try await machines[1].push()
        machines[0]["a.yaml"] = Self.edited("B", 2).replacing("zip: 1", with: "zip: 2")
            .replacing("three", with: "THREE")
        return (machines[0], machines[1])
    }

    @Test func `each field has its answer, and what merged stays merged`() async throws {
        let (here, there) = try await fieldConflict()
        let handler = Handler { conflict in
            #expect(conflict.fields == ["owner", "size", "place", "notes"])
            #expect(conflict.attempt == 1)
            #expect(conflict.base?.fields["size"] == .number(Number(1)))
            #expect(conflict.local?.fields["size"] == .number(Number(2)))
            #expect(conflict.remote?.fields["size"] == .number(Number(3)))
            #expect(conflict.local?.version == nil)
            #expect(conflict.base?.version != nil)
            #expect(conflict.remote?.version != nil)
            #expect(conflict.remote?.version != conflict.base?.version)
            return .fields([
                ByteKey("owner"): .take(.remote), ByteKey("size"): .value(.number(Number(5))),
                ByteKey("place"): .take(.local), ByteKey("notes"): .take(.remote),
            ])
        }
        let report = try await run(.sync, on: here, handler.asProgram)
        #expect(report.conflicts == [])
        #expect(report.handled.map(\.fields) == [["owner", "size", "place", "notes"]])
        let expected = """
            # head
            id: a
            text: t
            owner: C   # who
            size: 5
            place: {city: B, zip: 2, floor: 3}
            notes: |
              ONE
              -
              two C
              -
              THREE

            """
        #expect(here["a.yaml"] == expected)
        try await there.sync()
        #expect(there["a.yaml"] == expected)
    }

    @Test(arguments: [Side.local, .remote], [ConflictPolicy.markers, .use(.remote)])
    func `a field that merged in part and was answered is reported once`(
        _ side: Side, _ policy: ConflictPolicy
    ) async throws {
        let answers: [ByteKey: FieldAnswer] = [ByteKey("place"): .take(side), ByteKey("notes"): .take(side)]
        for decision in [ConflictAnswer.take(side), .fields(answers)] {
            let (here, there) = try await fieldConflict()
            let handler = Handler { conflict in
                if conflict.attempt == 1 {
                    there.edit("a.yaml", "zip: 1", "zip: 3")
                    try await there.sync()
                }
                return decision
            }
            let report = try await run(.sync, on: here, handler.asProgram, policy)
            for todo in report.merged {
                #expect(Set(todo.fields).count == todo.fields.count, "\(todo.fields)")
            }
        }
    }

    @Test func `a mapping can be answered as a whole, and a field can be removed`() async throws {
        let (here, there) = try await fieldConflict()
        let handler = Handler { _ in
            .fields([
                ByteKey("owner"): .value(nil), ByteKey("size"): .value(.null),
                ByteKey("place"): .value(.mapping(["room": .string("D")])),
                ByteKey("notes"): .take(.base),
            ])
        }
        #expect(try await run(.sync, on: here, handler.asProgram).conflicts == [])
        try await there.sync()
        let fields = try Todo(parsing: Array(try #require(there["a.yaml"]).utf8)).fields
        #expect(fields.keys == ["text", "place", "notes"])
        #expect(fields["place"] == .mapping(["room": .string("D")]))
        #expect(fields["notes"] == .string("ONE\n-\ntwo\n-\nTHREE\n"))
    }

    @Test func `what is not answered stays in conflict`() async throws {
        let (here, _) = try await fieldConflict()
        let handler = Handler { _ in
            .fields([ByteKey("owner"): .take(.local), ByteKey("place"): .take(.remote)])
        }
        let report = try await run(.sync, on: here, handler.asProgram)
        #expect(report.conflicts.map(\.fields) == [["size", "notes"]])
        #expect(report.handled.map(\.fields) == [["owner", "place"]])
        let text = try #require(here["a.yaml"])
        #expect(
            text.contains("\nowner: B   # who\n<<<<<<< local\nsize: 2\n=======\nsize: 3\n>>>>>>> remote\n"))
        #expect(text.contains("\nplace: {city: C, zip: 2, floor: 3}\n"))
    }

    // MARK: Answers that can't be used

    @Test(arguments: [
        (
            [ByteKey("owner"): FieldAnswer.take(.local), ByteKey("text"): .take(.local)],
            "gave an answer for the field text, which is not in conflict"
        ),
        (
            [ByteKey("due"): .value(.string("2026-12-01"))],
            "gave an answer for the field due, which is not in conflict"
        ),
    ])
    func `a field that is not in conflict is no answer`(
        _ answers: [ByteKey: FieldAnswer], _ reason: String
    ) async throws {
        let world = World()
        let (here, _) = try await fieldConflict(world)
        let report = try await run(.sync, on: here, Handler { _ in .fields(answers) }.asProgram)
        #expect(report.handled == [])
        #expect(report.conflicts.map(\.fields) == [["owner", "size", "place", "notes"]])
        #expect(world.notices == ["warning: a.yaml: the handler \(reason); the conflict is left to you"])
    }

    @Test(arguments: [
        FieldAnswer.value(nil), .value(.number(Number(1))), .value(.list([])),
    ])
    func `an answer that makes the todo invalid is not used`(_ answer: FieldAnswer) async throws {
        let world = World()
        let (here, _) = try await conflict(.editEdit, world)
        let handler = Handler { _ in .fields([ByteKey("text"): answer]) }
        #expect(try await run(.sync, on: here, handler.asProgram).conflictKinds == ["edit/edit"])
        #expect(world.notices.count == 1)
        let words = "warning: a.yaml: the handler gave an answer that is not a valid todo"
        #expect(world.notices.first?.hasPrefix(words) == true)
    }

    @Test(arguments: [FieldAnswer.value(nil), .value(.number(Number(1)))])
    func `an answer for a part of the conflict that makes the todo invalid is not used`(
        _ answer: FieldAnswer
    ) async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: t\nn: 1\n"])
        machines[1]["a.yaml"] = "id: a\ntext: there\nn: 2\n"
        try await machines[1].push()
        machines[0]["a.yaml"] = "id: a\ntext: here\nn: 3\n"
        let handler = Handler { _ in .fields([ByteKey("text"): answer]) }
        let report = try await run(.sync, on: machines[0], handler.asProgram)
        #expect(report.conflicts.map(\.fields) == [["text", "n"]])
        #expect(world.notices.count == 1)
    }

    @Test func `a conventional field gets its kind of value only`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: t\ndue: 2026-12-01\n"])
        machines[1].edit("a.yaml", "12-01", "12-02")
        try await machines[1].push()
        machines[0].edit("a.yaml", "12-01", "12-03")
        let handler = Handler { _ in .fields([ByteKey("due"): .value(.string("soon"))]) }
        #expect(try await run(.sync, on: machines[0], handler.asProgram).conflicts.count == 1)
        #expect(
            world.notices == [
                "warning: a.yaml: the handler gave due a different kind of value: due must be a date (2026-12-01) or a "
                    + "time (2026-12-01T09:30:00Z); the conflict is left to you"
            ])
    }

    @Test(arguments: [Kind.editDelete, .deleteEdit])
    func `a deleted todo has no single fields to answer`(_ kind: Kind) async throws {
        let world = World()
        let (here, _) = try await conflict(kind, world)
        let handler = Handler { _ in .fields([ByteKey("text"): .take(.local)]) }
        #expect(try await run(.sync, on: here, handler.asProgram).conflictKinds == [kind.name])
        #expect(world.notices.first?.contains("it can only choose a side") == true)
    }

    @Test func `an error of the program stops the sync, and the next one goes on`() async throws {
        struct Failed: Error {}
        let (here, there) = try await conflict(.editEdit)
        let files = here.files
        await #expect(throws: Failed.self) {
            try await run(.sync, on: here, Handler { _ in throw Failed() }.asProgram)
        }
        #expect(here.files == files)
        try await run(.sync, on: here, Handler { _ in .take(.local) }.asProgram)
        try await there.sync()
        #expect(there.files == files)
    }

    // MARK: Together with other rules

    @Test func `a command is run only if the configuration names one`() async throws {
        for handler in [nil, "resolve --all"] {
            let (here, _) = try await conflict(.editEdit)
            if let handler {
                here.edit(
                    ".todosync/config.yaml", "merge.labels: plain",
                    "merge: {labels: plain, handler: \(handler)}")
            }
            let report = try await run(
                .sync, on: here,
                .command { command, _ in
                    #expect(command == handler)
                    return .take(.local)
                })
            #expect(report.conflicts.count == (handler == nil ? 1 : 0))
        }
    }

    @Test func `a command that fails leaves its conflict, and the others are decided`() async throws {
        let world = World()
        let paths = ["a.yaml", "b.yaml", "c.yaml"]
        let texts = Dictionary(uniqueKeysWithValues: paths.map { ($0, "id: \($0)\ntext: base\n") })
        let machines = try await world.machines(2, texts)
        for path in paths { machines[1].edit(path, "base", "there") }
        try await machines[1].push()
        for path in paths { machines[0].edit(path, "base", "here") }
        machines[0].edit(".todosync/config.yaml", "merge.labels", "merge.handler: x\nmerge.labels")
        let report = try await run(
            .sync, on: machines[0],
            .command { _, conflict in
                if conflict.path == "b.yaml" { throw HandlerProblem("exited with status 3") }
                return .take(.remote)
            })
        #expect(report.conflicts.map(\.path) == ["b.yaml"])
        #expect(report.handled.map(\.path) == ["a.yaml", "c.yaml"])
        #expect(
            world.notices == [
                "warning: b.yaml: merge.handler exited with status 3; the conflict is left to you"
            ])
    }

    @Test func `the fields' rules and remembered resolutions come first, then the handler, then the policy`()
        async throws
    {
        let base = "id: a\ntext: t\none: A\ntwo: A\nthree: A\nfour: A\n"
        let machines = try await World().machines(2, ["a.yaml": base])
        let (here, there) = (machines[0], machines[1])
        func conflict(_ fields: Int) async throws {
            func changed(to name: String) -> String {
                var text = base
                for field in ["one", "two", "three", "four"].prefix(fields) {
                    text = text.replacing("\(field): A", with: "\(field): \(name)")
                }
                return text
            }
            there["a.yaml"] = changed(to: "C")
            try await there.push()
            here["a.yaml"] = changed(to: "B")
        }
        // The user resolves the first field, which is remembered.
        try await conflict(1)
        try await here.pull()
        try here.resolve(by: .use(.remote))
        here["a.yaml"] = base
        try await here.sync()
        try await there.sync()
        here.edit(
            ".todosync/config.yaml", "merge.labels: plain",
            "merge: {labels: plain, remember: true, fields: {two: remote}}")
        try await conflict(4)
        let handler = Handler { conflict in
            #expect(conflict.fields == ["three", "four"])
            return .fields([ByteKey("three"): .value(.string("D"))])
        }
        let user = User { _, _ in .take(.local) }
        let report = try await run(.pull, on: here, handler.asProgram, user.policy)
        #expect(report.recalled.map(\.fields) == [["one"]])
        #expect(report.handled.map(\.fields) == [["three"]])
        #expect(user.questions == 1)
        #expect(report.conflicts == [])
        #expect(here["a.yaml"] == "id: a\ntext: t\none: C\ntwo: C\nthree: D\nfour: B\n")
        let remembered = try here.workspace.resolutions(of: []).map(\.resolution.path)
        #expect(Set(remembered) == [["one"], ["four"]])
    }

    @Test func `nothing that it answers is remembered`() async throws {
        let (here, _) = try await conflict(.editEdit)
        try await run(.sync, on: here, Handler { _ in .take(.local) }.asProgram)
        #expect(try here.workspace.resolutions(of: []).isEmpty)
    }

    @Test func `a dry run does not ask it`() async throws {
        let (here, _) = try await conflict(.editEdit)
        let handler = Handler { _ in .take(.local) }
        let report = try await run(.sync, on: here, handler.asProgram, isDryRun: true)
        #expect(report.conflictKinds == ["edit/edit"])
        #expect(handler.conflicts.isEmpty)
    }

    // MARK: A third writer

    @Test(arguments: [Verb.push, .sync])
    func `it is asked again until the remote accepts its answer`(_ verb: Verb) async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: base\ncount: 0\n"])
        machines[0].edit("a.yaml", "base", "here")
        world.put(
            InterposedRemote(world.remote) { number, operations, remote in
                // Another writer is faster four times.
                if number <= 4 {
                    let fields: Mapping = [
                        "text": .string("there\(number)"), "count": .number(Number(number)),
                    ]
                    await remote.put(id: "a", fields: fields)
                }
                return await remote.push(operations).answers
            })
        let handler = Handler { conflict in
            #expect(conflict.fields == ["text"])
            #expect(conflict.remote?.fields["text"] == .string("there\(conflict.attempt)"))
            return .take(.local)
        }
        let report = try await run(verb, on: machines[0], handler.asProgram)
        #expect(handler.conflicts.map(\.attempt) == [1, 2, 3, 4])
        #expect(report.pushedLines == ["update a.yaml"])
        #expect(report.conflicts == [])
        try await machines[1].sync()
        #expect(machines[1]["a.yaml"] == "id: a\ntext: here\ncount: 4\n")
    }

    @Test func `a writer that is always faster is not waited for`() async throws {
        let world = World()
        let machines = try await world.machines(1, ["a.yaml": "id: a\ntext: base\n"])
        machines[0].edit("a.yaml", "base", "here")
        world.put(
            InterposedRemote(world.remote) { number, operations, remote in
                await remote.put(id: "a", fields: ["text": .string("there\(number)")])
                return await remote.push(operations).answers
            })
        let handler = Handler { _ in .take(.local) }
        let report = try await run(.push, on: machines[0], handler.asProgram)
        #expect(handler.conflicts.count == 10)
        #expect(report.held.waiting.map(\.path) == ["a.yaml"])
        #expect(machines[0]["a.yaml"] == "id: a\ntext: here\n")
        #expect(try machines[0].status.pendingLines == ["update a.yaml: text"])
    }

    @Test(
        .covers([
            "a newer version while it decides": 50, "asked again": 40,
            "a value that the handler had to choose": 10,
        ]), arguments: PropertySeeds.range(default: 20))
    func `nothing of a third writer's is lost`(seed: UInt64) async throws {
        let names = ["text", "owner", "place", "size"]
        let text = "id: a\n" + names.map { "\($0): base\n" }.joined()
        let world = World(seed: seed)
        let machines = try await world.machines(3, ["a.yaml": text])
        let random = Mutex(SplitMix64(seed: seed))
        @Sendable func change(_ machine: Machine, _ value: String) {
            for name in names where random.withLock({ $0.chance(0.7) }) {
                let old = machine["a.yaml"]?.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
                machine.edit("a.yaml", String(old), "\(name): \(value)")
            }
        }
        let (here, third) = (machines[0], machines[2])
        change(machines[1], "second")
        try await machines[1].push()
        change(here, "here")
        // The versions that the third writer has pushed, in order.
        let written = Mutex<[Mapping]>([])
        let handler = Handler { conflict in
            // The decision is sent only if the remote still has the version that the handler saw.
            let mayWrite = random.withLock { $0.chance(0.8) }
            if mayWrite, conflict.attempt < 6 {
                try await third.pull(.use(.remote))
                change(third, "third\(conflict.attempt)")
                if try await !third.push(.use(.local)).pushed.isEmpty,
                    let bytes = third["a.yaml"].map({ Array($0.utf8) })
                {
                    let fields = try Todo(parsing: bytes).fields
                    written.withLock { $0.append(fields) }
                }
            }
            let answers = conflict.fields.map { name -> (ByteKey, FieldAnswer) in
                (ByteKey(name), random.withLock { $0.chance(0.5) } ? .take(.remote) : .take(.local))
            }
            return .fields(Dictionary(uniqueKeysWithValues: answers))
        }
        var options = SyncOptions()
        options.handler = handler.asProgram
        let report = try await here.workspace.sync(options)
        #expect(report.conflicts == [])
        try await here.sync()
        for machine in machines { try await machine.sync(.use(.remote)) }
        #expect(Set(machines.map { $0["a.yaml"] }).count == 1)
        let result = try Todo(parsing: Array(try #require(here["a.yaml"]).utf8)).fields
        cover("asked again", handler.conflicts.contains { $0.attempt > 1 })
        cover("a newer version while it decides", !written.withLock(\.isEmpty))
        guard let newest = written.withLock(\.last) else { return }
        // Each value of the third writer's newest version is in the result, or the handler has seen it in
        // conflict and could have taken it.
        let seen = handler.conflicts.flatMap { conflict in
            conflict.fields.compactMap { name in conflict.remote?.fields[name].map { "\(name): \($0)" } }
        }
        for (name, value) in newest.entries where result[name] != value {
            guard case .string(let text) = value, text.hasPrefix("third") else { continue }
            cover("a value that the handler had to choose")
            #expect(seen.contains("\(name): \(value)"), "\(name): \(value) is lost")
        }
    }
}
