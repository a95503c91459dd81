import SyncEngine
import TestSupport
import Testing
import TodoModel

/// What `diff` prints or reports for named todos.
@Suite struct DiffTests {
    @Test func `a todo that is not valid can't be compared`() async throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        try await machine.push()
        machine["a.yaml"] = "id: a\ntext: [\n"
        machine["b.yaml"] = "text: [\n"
        for name in ["a.yaml", "a", "b.yaml"] {
            #expect(throws: EngineError.self) { try machine.workspace.diff([name]) }
        }
        #expect(try machine.workspace.diff([]).isEmpty)
    }

    @Test func `a pure rename reports where it ends`() async throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        try await machine.push()
        machine.edit("b.yaml", "B", "new")
        let edit = "--- a/b.yaml\n+++ b/b.yaml\n@@ -1,2 +1,2 @@\n id: b\n-text: B\n+text: new\n"
        #expect(String(decoding: try machine.workspace.diff([]), as: UTF8.self) == edit)
        machine.rename("a.yaml", to: "a2.yaml")
        #expect(
            String(decoding: try machine.workspace.diff([]), as: UTF8.self)
                == "diff --git a/a.yaml b/a2.yaml\nrename from a.yaml\nrename to a2.yaml\n"
                + "diff --git a/b.yaml b/b.yaml\n" + edit)
    }
}
