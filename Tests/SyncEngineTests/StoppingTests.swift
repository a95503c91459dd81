import LosslessYAML
import SyncEngine
import Synchronization
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Commands that are asked to end, for example by Ctrl-C.
@Suite(.serialized) struct StoppingTests {
    /// Returns a machine's workspace whose command is asked to end from its n-th check on.
    private func workspace(_ machine: Machine, stoppingAt number: Int) -> Workspace {
        let count = Mutex(0)
        var surroundings = machine.workspace.surroundings
        surroundings.isAskedToEnd = {
            count.withLock { count in
                count += 1
                return count >= number
            }
        }
        return Workspace(directory: machine.workspace.directory, surroundings: surroundings)
    }

    private func run(_ verb: Verb, _ workspace: Workspace) async throws -> SyncReport {
        var options = SyncOptions()
        options.allowedEdits = Self.count
        return switch verb {
        case .push: try await workspace.push(options)
        case .pull: try await workspace.pull(options)
        case .sync: try await workspace.sync(options)
        }
    }

    /// Enough files for a large batch, which is cancelled if the command is asked to end.
    private static let count = 520

    /// Makes two machines, each with its own changes in all todos, and with new todos.
    private func machines() async throws -> (World, [Machine]) {
        let world = World(pageSize: 700)
        let names = 0..<Self.count
        let files = Dictionary(
            uniqueKeysWithValues: names.map { ("\($0).yaml", "id: t\($0)\ntext: old\nnotes: old\n") })
        let machines = try await world.machines(2, files)
        for (number, machine) in machines.enumerated() {
            let field = number == 0 ? "text" : "notes"
            for name in names { machine.edit("\(name).yaml", "\(field): old", "\(field): new") }
            for name in names where name < 400 { machine["\(number)-\(name).yaml"] = "text: new\n" }
        }
        try await machines[0].push()
        return (world, machines)
    }

    @Test(
        arguments: Verb.allCases,
        [1, 2, 3, 4, 5, 6, 8, 11, 15, 100, 700, 1100, 1500])
    func `wherever a command stops that is to end, it has ended well, and the next one does the rest`(
        _ verb: Verb, _ number: Int
    ) async throws {
        let (world, machines) = try await machines()
        do {
            let report = try await run(verb, workspace(machines[1], stoppingAt: number))
            if let stop = report.stop { #expect(stop is CancellationError) }
            #expect(number > 6 || report.stop != nil)
        } catch is CancellationError {
            #expect(number <= 2)
        }
        // A cancelled batch leaves no staged texts, and changes no files.
        #expect(try machines[1].workspace.check(repairs: false).isHealthy)
        try await machines[1].sync()
        #expect(world.notices == [])
        try await machines[0].sync()
        #expect(machines[1].files == machines[0].files)
        #expect(machines[0].files.count == Self.count + 800)
        #expect(machines[0]["7.yaml"] == "id: t7\ntext: new\nnotes: new\n")
        for machine in machines { #expect(try machine.isClean) }
    }

    @Test func `what was done before the end is reported`() async throws {
        let world = World(pageSize: 10)
        let names = (0..<40).map { "\($0).yaml" }
        let files = Dictionary(uniqueKeysWithValues: names.map { ($0, "id: t\($0.dropLast(5))\ntext: t\n") })
        _ = try await world.machines(1, files)
        for number in 1...5 {
            let machine = try world.machine()
            let report = try await workspace(machine, stoppingAt: number).pull(SyncOptions())
            #expect(report.stop is CancellationError)
            #expect(report.pulled.count == machine.files.count)
            #expect(report.hasDoneNothing == machine.files.isEmpty)
            #expect(report.pulled.count < 40)
        }
    }

    /// A command that removes files, and isn't meant to be stopped between them.
    struct Removal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var prepare: @Sendable (Machine) async throws -> Void
        var command: @Sendable (Workspace) throws -> Void

        static let names = ["a", "b", "c"]

        static let all = [
            Removal(
                testDescription: "discard",
                prepare: { machine in
                    let files = machine.files
                    for name in names { machine["\(name).yaml"] = nil }
                    try await machine.push(allowing: names.count)
                    for (path, text) in files { machine[path] = text }
                },
                command: { _ = try $0.discard(names.map { "\($0).yaml" }) }),
            Removal(
                testDescription: "undo",
                prepare: { _ = try $0.workspace.add(NewTodo(text: "new", fields: [:], path: nil)) },
                command: { _ = try $0.undo(nil) }),
            Removal(
                testDescription: "resolve --adopt",
                prepare: { machine in
                    for name in names {
                        machine["\(name) 2.yaml"] = "id: \(name)\ntext: \(name)\nmine: 1\n"
                    }
                },
                command: { _ = try $0.adopt([]) }),
            Removal(
                testDescription: "reopen",
                prepare: { machine in
                    for name in names { machine.edit("\(name).yaml", "text:", "every: day\ntext:") }
                    _ = try machine.workspace.change(names) { fields throws(FieldChangeProblem) in
                        fields["complete"] = .bool(true)
                    }
                },
                command: { workspace in
                    _ = try workspace.change(names) { fields throws(FieldChangeProblem) in
                        fields["complete"] = .bool(false)
                    }
                }),
        ]
    }

    @Test(arguments: Removal.all, [1, 2, 3, 5, 8])
    func `a command that only makes sense as a whole is done as a whole or not at all`(
        _ removal: Removal, _ number: Int
    ) async throws {
        let files = Dictionary(
            uniqueKeysWithValues: Removal.names.map { ("\($0).yaml", "id: \($0)\ntext: \($0)\n") })
        var outcomes: [[String: String]] = []
        for stop in [Int.max, number] {
            let machine = try await World().machines(1, files)[0]
            try await removal.prepare(machine)
            let before = machine.files
            do {
                try removal.command(workspace(machine, stoppingAt: stop))
                outcomes.append(machine.files)
                #expect(machine.files != before)
            } catch is CancellationError {
                #expect(machine.files == before)
                return
            }
        }
        #expect(outcomes[0] == outcomes[1])
    }
}
