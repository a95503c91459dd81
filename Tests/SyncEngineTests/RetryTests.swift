import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Operations that were lost, or whose answers were: they are applied once, and never conflict with
/// themselves.
@Suite(.serialized) struct RetryTests {
    private static let problem = KeyProblem.insufficient(
        url: "u", needed: .write(table: "t"), message: "no")

    struct Row: Sendable, CustomTestStringConvertible {
        var behavior: MisbehavingRemote.Behavior
        var first: Edit
        var second: Edit
        var verb: Verb
        /// Whether the retry is lost, too.
        var isLostAgain: Bool

        var testDescription: String {
            "\(behavior), \(first) then \(second), \(verb)\(isLostAgain ? ", lost again" : "")"
        }

        static let all: [Row] = [MisbehavingRemote.Behavior.losesAnswers, .losesRequests, .throwsUnavailable]
            .flatMap { behavior in
                [
                    (Edit.insert, Edit.text), (.insert, .delete), (.text, .otherText), (.text, .delete),
                    (.delete, .none),
                    (.text, .none), (.rename, .text), (.delete, .insert),
                ]
                .flatMap { first, second in
                    Verb.allCases.flatMap { verb in
                        [false, true].map {
                            Row(behavior: behavior, first: first, second: second, verb: verb, isLostAgain: $0)
                        }
                    }
                }
            }
    }

    enum Edit {
        case none, insert, text, otherText, rename, delete

        func make(on machine: Machine) {
            let path = machine.files.keys.first ?? "a.yaml"
            switch self {
            case .none: break
            case .insert: machine["a.yaml"] = "id: a\ntext: inserted\n"
            case .text: machine[path] = "id: a\ntext: one\n"
            case .otherText: machine[path] = "id: a\ntext: two\n"
            case .rename: machine.rename(path, to: "renamed.yaml")
            case .delete: machine[path] = nil
            }
        }
    }

    @Test(arguments: Row.all)
    func `what was edited after a lost answer is sent on top of it`(_ row: Row) async throws {
        let world = World()
        let base = row.first == .insert ? [:] : ["a.yaml": "id: a\ntext: base\n"]
        let machines = try await world.machines(2, base)
        let machine = machines[0]
        let remote = MisbehavingRemote(world.remote, behaviors: [row.behavior])
        world.put(remote)
        row.first.make(on: machine)
        // Chance decides how much of a push arrives, and which answers are lost.
        _ = try? await machine.push()
        row.second.make(on: machine)
        let files = machine.files
        if row.isLostAgain {
            let report = try? await machine.run(row.verb)
            #expect(report?.conflicts.isEmpty != false)
            #expect(machine.files == files)
        }
        await remote.setBehaviors([])

        let report = try await machine.run(row.verb)
        #expect(report.conflicts.isEmpty)
        #expect(machine.files == files)
        try await machine.sync()
        #expect(machine.files == files)
        #expect(try machine.isClean)
        try await machines[1].sync()
        #expect(machines[1].files == files)
    }

    @Test(arguments: Verb.allCases)
    func `a dry run foresees no conflict with what was sent and never answered`(_ verb: Verb) async throws {
        let world = World()
        let machine = try await world.machines(1, [:])[0]
        world.put(
            InterposedRemote(world.remote) { _, operations, remote in
                try await remote.answers(to: operations).map { _ in .unknown(message: "lost") }
            })
        machine["a.yaml"] = "id: a\ntext: first\n"
        #expect(try await machine.push().held.waiting.count == 1)
        world.put(world.remote)
        machine["a.yaml"] = "id: a\ntext: second\n"
        let foreseen = try await machine.workspace.perform(verb, SyncOptions(isDryRun: true))
        #expect(foreseen.conflicts.isEmpty)
        #expect(try await machine.run(verb).pushedLines == foreseen.pushedLines)
        // The operation without an answer was an insert, and the file has changed since.
        #expect(foreseen.pushedLines == ["insert a.yaml"] + (verb == .pull ? [] : ["update a.yaml"]))
    }

    @Test func `a third writer's change on top of a lost one is merged, not overwritten`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: base\npriority: low\n"])
        world.put(
            InterposedRemote(world.remote) { _, operations, remote in
                try await remote.answers(to: operations).map { _ in .unknown(message: "lost") }
            })
        machines[0].edit("a.yaml", "base", "here")
        #expect(try await machines[0].push().held.waiting.count == 1)
        world.put(world.remote)
        machines[1].edit("a.yaml", "low", "high")
        try await machines[1].sync()
        #expect(machines[1]["a.yaml"] == "id: a\ntext: here\npriority: high\n")
        machines[0].edit("a.yaml", "here", "again")
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(
            machines.map { $0["a.yaml"] }
                == Array(repeating: "id: a\ntext: again\npriority: high\n", count: 2))
    }

    @Test func `a key that allows one write and not the next ends the push as not allowed`() async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "id: a\ntext: a\n", "b.yaml": "id: b\ntext: b\n"])
        let denied = PushAnswer.notAllowed(Self.problem)
        world.put(
            InterposedRemote(world.remote) { _, operations, remote in
                try await remote.answers(to: Array(operations.prefix(1)))
                    + operations.dropFirst().map { _ in denied }
            })
        let report = try await machine.push()
        #expect(report.pushed.map(\.path) == ["a.yaml"])
        #expect(report.held.waiting.map(\.path) == ["b.yaml"])
        #expect(report.stop as? RemoteError == .notAllowed(Self.problem))
        // The operation wasn't applied, so the todo can be edited before it is sent again.
        world.put(world.remote)
        machine.edit("b.yaml", "text: b", "text: edited")
        #expect(try await machine.push().pushed.map(\.path) == ["b.yaml"])
        #expect(try machine.isClean)
    }

    @Test func `what a key may not send is not sent later, when the user has undone it`() async throws {
        let world = World()
        let machine = try await world.machines(1, ["a.yaml": "id: a\ntext: before\n"])[0]
        world.put(
            InterposedRemote(world.remote) { _, _, _ in throw RemoteError.notAllowed(Self.problem) })
        machine.edit("a.yaml", "before", "secret")
        await #expect(throws: RemoteError.self) { try await machine.push() }
        world.put(world.remote)
        machine.edit("a.yaml", "secret", "before")
        let version = await world.remote.liveRecords().first?.version
        let report = try await machine.sync()
        #expect(report.pushed.isEmpty)
        #expect(await world.remote.liveRecords().first?.version == version)
    }

    @Test func `a remote that always moves on leaves the operation pending, and reports it`() async throws {
        let world = World()
        let machines = try await world.machines(1, ["a.yaml": "id: a\ntext: base\n"])
        world.put(
            InterposedRemote(world.remote) { number, operations, remote in
                await remote.put(
                    id: "a", fields: ["text": .string("base"), "count": .number(Number(number))])
                return try await remote.answers(to: operations)
            })
        machines[0].edit("a.yaml", "base", "here")
        let report = try await machines[0].push()
        #expect(report.pushed.isEmpty)
        #expect(report.pending == 1)
        #expect(report.needsUser)
        #expect(report.held.waiting.count == 1)
        world.put(world.remote)
        #expect(try await machines[0].push().pushedLines == ["update a.yaml"])
    }

    @Test func `one todo that is refused holds up no other`() async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: Other\ntext: B\n"])
        await world.remote.put(id: "other", fields: ["text": .string("in the way")])
        let report = try await machine.push()
        #expect(report.pushedLines == ["insert a.yaml"])
        #expect(report.refused.map(\.path) == ["b.yaml"])
        #expect(report.needsUser)
        #expect(report.pending == 1)
    }

    @Test func `a command that is interrupted midway reports what it did`() async throws {
        let world = World()
        let files = Dictionary(
            uniqueKeysWithValues: (0..<700).map { ("\($0).yaml", "id: i\($0)\ntext: t\n") })
        let machine = try world.machine(files)
        world.put(
            InterposedRemote(world.remote) { number, operations, remote in
                guard number == 1 else { throw RemoteError.unreachable(url: "u", reason: "gone") }
                return try await remote.answers(to: operations)
            })
        let report = try await machine.push()
        #expect(report.stop is RemoteError)
        #expect(report.pushed.count == 500)
        world.put(world.remote)
        #expect(try await machine.push().pushed.count == 200)
        #expect(try machine.isClean)
        #expect(await world.remote.liveRecords().count == 700)
    }

    @Test func `a conflict that came before the stop is in the report`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1].edit("a.yaml", "A", "there")
        try await machines[1].push()
        machines[0].edit("a.yaml", "A", "here")
        machines[0]["b.yaml"] = "id: b\ntext: B\n"
        world.put(
            InterposedRemote(world.remote) { _, _, _ in
                throw RemoteError.unreachable(url: "u", reason: "gone")
            })
        let report = try await machines[0].workspace.sync(SyncOptions())
        #expect(report.stop is RemoteError && !report.hasDoneNothing)
        #expect(report.conflicts.map(\.path) == ["a.yaml"] && report.pending == 2)
    }

    @Test func `a remote that can't be met changes nothing, and what is pending is reported`() async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "text: A\n"], url: "/nowhere")
        let before = machine.folder.contentsBesidesCache()
        for isDryRun in [false, true] {
            let report = try await machine.workspace.sync(SyncOptions(isDryRun: isDryRun))
            #expect(report.stop is RemoteError && report.hasDoneNothing && report.pending == 1)
        }
        #expect(machine.folder.contents()["a.yaml"] == before["a.yaml"])
    }
}
