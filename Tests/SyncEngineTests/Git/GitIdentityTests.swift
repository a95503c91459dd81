import SyncEngine
import TestSupport
import Testing
import TodoModel

/// Git's files belong to todos by their ids, wherever they are, and even if they were committed without one.
@Suite(.ownThreads) struct GitIdentityTests {
    private static func text(_ id: String, _ text: String) -> String { "id: \(id)\ntext: \(text)\n" }

    @Test func `a todo is absent where an older commit has another todo at its path`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        for (commit, id) in ["milk1", "milk2"].enumerated() {
            try ann.folder.write(Self.text(id, "milk"), to: "milk.yaml")
            _ = try await ann.workspace.sync(SyncOptions())
            try ann.git("add", "-A")
            try ann.git("commit", "-q", "-m", id)
            guard commit == 0 else { continue }
            _ = try ann.workspace.remove(["milk.yaml"])
            _ = try await ann.workspace.sync(SyncOptions())
        }
        try ann.git("checkout", "-q", "HEAD~1")
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(report.pushed == [])
        #expect(try ann.workspace.status().absent.map(\.id.string) == ["milk2"])
        #expect(await folders.remote("milk2", "text") == "milk")
        // Who deletes it means it, where its own path is the committed one.
        try ann.git("checkout", "-q", "main")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.folder.remove("milk.yaml")
        #expect(try await ann.workspace.sync(SyncOptions()).pushedLines == ["delete milk.yaml"])
    }

    @Test(arguments: ["--mixed", "--soft"])
    func `an absent todo stays absent after a reset to the other branch`(_ kind: String) async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try ann.folder.write(Self.text("t3", "a"), to: "t3.yaml")
        try ann.git("add", "-A")
        try ann.git("commit", "-q", "-m", "t3")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("checkout", "-q", "HEAD~1")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("reset", "-q", kind, "main")
        #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
        #expect(try ann.workspace.status().absent.map(\.path) == ["t3.yaml"])
        #expect(await folders.remote("t3", "text") == "a")
    }
}
