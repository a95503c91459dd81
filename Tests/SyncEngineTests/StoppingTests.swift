import SyncEngine
import Synchronization
import TestSupport
import Testing
import WorkingCopy

/// Commands that are asked to end, for example by Ctrl-C.
@Suite struct StoppingTests {
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

    @Test func `what was done before the end is told`() async throws {
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
}
