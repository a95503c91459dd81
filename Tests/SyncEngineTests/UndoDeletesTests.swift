import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// An undo that was not told what to undo deletes no folder full of todos.
@Suite struct UndoDeletesTests {
    /// How many todos the newest operation brought, and how many were there before.
    @Test(arguments: [(1, 0), (3, 0), (12, 0), (12, 5)])
    func `a bare undo does not take back what brought the todos`(_ brought: Int, _ before: Int) async throws {
        let world = World()
        let there = try world.machine(todos(brought, "there"))
        try await there.push()
        let here = try world.machine(todos(before, "here"))
        try await here.pull()
        let files = here.files
        #expect(files.count == brought + before)
        let error = #expect(throws: EngineError.self) { try here.workspace.undo(nil) }
        guard case .undoDeletes(brought, of: brought + before, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(here.files == files)
        #expect(try here.status.pending.count == before)
        // Who names the operation means it; what it deletes is guarded by the next push.
        let operation = try here.workspace.log(nil)[0].operation
        #expect(try here.workspace.undo(operation).undone.count == brought)
        #expect(here.files.count == before)
        #expect(try await here.push().withheld?.count == (brought > 10 ? brought : nil))
    }

    @Test func `a bare undo takes back a pull that brought some of the todos, and a todo that was added`()
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, todos(3, "both"))
        for (path, content) in todos(2, "new") { machines[0][path] = content }
        try await machines[0].push()
        try await machines[1].pull()
        #expect(try machines[1].workspace.undo(nil).undone.count == 2)
        let alone = try world.machine()
        _ = try alone.workspace.add(NewTodo(text: "only", fields: [:], path: nil))
        #expect(try alone.workspace.undo(nil).undone.count == 1)
        #expect(alone.files == [:])
    }

    private func todos(_ count: Int, _ name: String) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: (0..<count).map { ("\(name)\($0).yaml", "id: \(name)\($0)\ntext: t\n") })
    }
}
