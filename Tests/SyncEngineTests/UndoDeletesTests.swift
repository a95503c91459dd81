import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// An undo without a named operation doesn't delete a whole folder of todos.
@Suite struct UndoDeletesTests {
    /// The number of todos that the newest operation brought, and the number before.
    @Test(arguments: [(1, 0), (3, 0), (12, 0), (12, 5)])
    func `a bare undo does not undo what added the todos`(_ brought: Int, _ before: Int) async throws {
        let world = World()
        let there = try world.machine(todos(brought, "there"))
        try await there.push()
        let here = try world.machine(todos(before, "here"))
        try await here.pull()
        let files = here.files
        #expect(files.count == brought + before)
        #expect(try here.workspace.undo(nil).operation == nil)
        #expect(here.files == files)
        #expect(try here.status.pending.count == before)
        // An operation that is named is undone, and the next push guards its deletes.
        let operation = try here.workspace.log(nil)[0].operation
        #expect(try here.workspace.undo(operation).undone.count == brought)
        #expect(here.files.count == before)
        #expect(try await here.push().withheld?.count == (brought > 10 ? brought : nil))
    }

    @Test func `a bare undo removes a todo that was added, and asks before it deletes many`() throws {
        let world = World()
        let many = try world.machine(
            Dictionary(uniqueKeysWithValues: (0..<12).map { ("\($0).yaml", "text: n\n") }))
        _ = try many.workspace.track((0..<12).map { "\($0).yaml" })
        let error = #expect(throws: EngineError.self) { try many.workspace.undo(nil) }
        guard case .undoDeletes(12, of: 12, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
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
