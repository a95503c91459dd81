import LosslessYAML
import SyncEngine
import Synchronization
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// How often a command waits for the disk, which doesn't depend on the number of todos.
@Suite struct SynchronizationCountTests {
    /// A command that changes many files at once.
    enum Command: String, CaseIterable {
        case set, remove, undo, resolve, abort
    }

    @Test(arguments: Command.allCases)
    func `a command waits for the disk as often for many todos as for some`(_ command: Command) async throws {
        let few = try await synchronizations(of: command, todos: 10)
        let many = try await synchronizations(of: command, todos: 60)
        #expect(few == many)
        #expect(few > 0)
    }

    /// Returns how often a command synchronizes a file, a folder or a file system.
    private func synchronizations(of command: Command, todos count: Int) async throws -> Int {
        let world = World()
        let names = (0..<count).map { "t\($0).yaml" }
        let texts = { (side: String) in
            Dictionary(uniqueKeysWithValues: names.map { ($0, "id: \($0)\ntext: \($0) \(side)\n") })
        }
        let machines = try await world.machines(2, texts("base"))
        let (here, there) = (machines[0], machines[1])
        switch command {
        case .resolve, .abort:
            for (name, text) in texts("remote") { there[name] = text }
            try await there.push()
            for (name, text) in texts("local") { here[name] = text }
            try await here.push()
        case .undo: _ = try here.workspace.remove(names)
        case .set, .remove: break
        }
        let calls = Atomic(0)
        let counting = FailingFileSystem { call in
            if call.operation == .synchronize { calls.add(1, ordering: .relaxed) }
        }
        let workspace = world.workspace(at: here.folder, counting)
        switch command {
        case .set: _ = try workspace.change(names, set: [("complete", .bool(true))], unset: [])
        case .remove: _ = try workspace.remove(names)
        case .undo: _ = try workspace.undo(nil)
        case .resolve: _ = try workspace.resolve([], .use(.local))
        case .abort: _ = try workspace.resolve([], .abort)
        }
        return calls.load(ordering: .relaxed)
    }
}
