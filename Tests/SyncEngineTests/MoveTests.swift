import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Files that `mv` moves.
@Suite struct MoveTests {
    private static let text = "id: a\ntext: A # c\n"

    struct Row: Sendable, CustomTestStringConvertible {
        var target: String
        var path: String
        var testDescription: String { target }

        init(_ target: String, _ path: String) { (self.target, self.path) = (target, path) }
    }

    @Test(arguments: [
        Row("b.yaml", "b.yaml"), Row("b.yml", "b.yml"), Row("x/y/b.yaml", "x/y/b.yaml"),
        Row("x/", "x/milk.yaml"), Row("", "milk.yaml"), Row("home/other.yaml", "home/other.yaml"),
    ])
    func `a file moves with all of its bytes, and its empty folder goes`(row: Row) async throws {
        let world = World()
        let machines = try await world.machines(2, ["home/milk.yaml": Self.text])
        let moved = try machines[0].workspace.move("a", to: row.target)
        #expect(moved.id?.string == "a" && moved.path == row.path && moved.previousPath == "home/milk.yaml")
        #expect(machines[0].files == [row.path: Self.text])
        let pending = try machines[0].status.pending
        #expect(pending.map(\.path) == [row.path] && pending.first?.previousPath == "home/milk.yaml")
        _ = try await machines[0].push()
        _ = try await machines[1].pull()
        #expect(machines[1].files == [row.path: Self.text])
    }

    @Test func `an undo moves the file back`() throws {
        let machine = try World().machine(["milk.yaml": Self.text])
        _ = try machine.workspace.move("milk.yaml", to: "home/b.yaml")
        let report = try machine.workspace.undo(nil)
        #expect(report.undone.map(\.previousPath) == ["home/b.yaml"])
        #expect(machine.files == ["milk.yaml": Self.text])
    }

    @Test func `a file that is where it should be stays, and nothing is logged`() throws {
        let machine = try World().machine(["home/milk.yaml": Self.text])
        let before = try machine.workspace.log(nil).count
        let moved = try machine.workspace.move("a", to: "home/")
        #expect(moved.path == moved.previousPath)
        #expect(try machine.workspace.log(nil).count == before)
    }

    @Test func `a file without an id moves, too`() throws {
        let machine = try World().machine(["milk.yaml": "text: A\n"])
        #expect(try machine.workspace.move("milk.yaml", to: "b.yaml").id == nil)
        #expect(machine.files == ["b.yaml": "text: A\n"])
    }

    @Test(arguments: ["../b.yaml", "b.txt", ".b.yaml", "x/../b.yaml", "ignored.yaml", "/b.yaml"])
    func `a path that a todo can't have is refused`(target: String) throws {
        let machine = try World().machine(["milk.yaml": Self.text])
        machine[".todosyncignore"] = "ignored.yaml\n"
        let error = #expect(throws: EngineError.self) { try machine.workspace.move("a", to: target) }
        guard case .badPath? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(machine["milk.yaml"] == Self.text)
    }

    @Test(arguments: ["text: B\n", "id: b\ntext: B\n", "services: {}\n", "text: [half\n", ""])
    func `no file is overwritten`(other: String) throws {
        let machine = try World().machine(["milk.yaml": Self.text])
        machine["b.yaml"] = other
        let error = #expect(throws: EngineError.self) { try machine.workspace.move("a", to: "b.yaml") }
        guard case .fileExists("b.yaml")? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(machine["milk.yaml"] == Self.text && machine["b.yaml"] == other)
    }

    @Test func `an invalid file and one with another file's id are refused`() throws {
        let machine = try World().machine(["milk.yaml": Self.text])
        machine["z.yaml"] = Self.text
        machine["half.yaml"] = "text: [half\n"
        for path in ["z.yaml", "half.yaml", "gone.yaml"] {
            #expect(throws: EngineError.self) { try machine.workspace.move(path, to: "b.yaml") }
        }
        #expect(machine["b.yaml"] == nil)
    }
}
