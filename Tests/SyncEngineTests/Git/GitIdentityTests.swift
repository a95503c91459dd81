import Foundation
import SyncEngine
import TestSupport
import Testing
import TodoModel

/// Git's files belong to todos by id, wherever the files are, and even if they were committed without an id.
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
        #expect(try ann.workspace.status().held.absent.compactMap(\.id?.string) == ["milk2"])
        #expect(await folders.remote("milk2", "text") == "milk")
        // A delete counts where the commit has the todo at its own path.
        try ann.git("checkout", "-q", "main")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.folder.remove("milk.yaml")
        #expect(try await ann.workspace.sync(SyncOptions()).pushedLines == ["delete milk.yaml"])
    }

    @Test func `a todo that git put back at its former path and then removed is not deleted`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        try ann.git("branch", "empty")
        try ann.folder.write(Self.text("t3", "a"), to: "t3.yaml")
        try ann.git("add", "-A")
        try ann.git("commit", "-q", "-m", "t3")
        _ = try await ann.workspace.sync(SyncOptions())
        // The user renames the file, and git brings the former one back.
        try FileManager.default.moveItem(
            atPath: ann.folder.path(of: "t3.yaml"), toPath: ann.folder.path(of: "n3.yaml"))
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("checkout", "-q", ".")
        try ann.folder.remove("n3.yaml")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("checkout", "-q", "empty")
        #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
        #expect(await folders.remote("t3", "text") == "a")
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
        #expect(try ann.workspace.status().held.absent.map(\.path) == ["t3.yaml"])
        #expect(await folders.remote("t3", "text") == "a")
    }

    // MARK: Files that were committed before they had an id

    /// Makes folders with a todo that was committed without an id, and then synced; returns its id, too.
    private func foldersWithoutID() async throws -> (folders: GitFolders, id: String) {
        let folders = try await GitFolders()
        let ann = folders.ann
        try ann.folder.write("text: old\n", to: "new.yaml")
        try ann.git("add", "-A")
        try ann.git("commit", "-q", "-m", "without an id")
        _ = try await ann.workspace.sync(SyncOptions())
        let id = try #require(StoryMachine.id(in: ann.folder.read("new.yaml") ?? ""))
        return (folders, id)
    }

    @Test func `a text that was committed without an id is an older version`() async throws {
        let (folders, id) = try await foldersWithoutID()
        let ann = folders.ann
        try ann.folder.write(Self.text(id, "new"), to: "new.yaml")
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("checkout", "-q", ".")
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(report.held.map(\.path) == ["new.yaml"])
        #expect(await folders.remote(id, "text") == "new")
        _ = try await ann.workspace.sync(.forwarding)
        try ann.git("commit", "-q", "-a", "-m", "with an id")
        try ann.git("checkout", "-q", "HEAD~1")
        #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
        #expect(try ann.workspace.status().held.behind.map(\.path) == ["new.yaml"])
        #expect(try ann.git("checkout", "-q", "main").status == 0)
        #expect(try ann.workspace.status().isClean)
    }

    @Test func `no id is written into a file that git has without one`() async throws {
        let (folders, _) = try await foldersWithoutID()
        let ann = folders.ann
        try ann.git("commit", "-q", "-a", "-m", "with an id")
        try ann.git("checkout", "-q", "HEAD~1")
        #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
        #expect(ann.folder.read("new.yaml") == "text: old\n")
        #expect(try ann.git("checkout", "-q", "main").status == 0)
    }

    @Test(arguments: ["moved", "moved and edited", "deleted"])
    func `a file that git has without an id is no new todo`(_ change: String) async throws {
        let (folders, id) = try await foldersWithoutID()
        let ann = folders.ann
        try ann.folder.remove("new.yaml")
        if change != "deleted" {
            try ann.folder.write(Self.text(id, change == "moved" ? "old" : "edited"), to: "moved.yaml")
        }
        _ = try await ann.workspace.sync(SyncOptions())
        try ann.git("add", "-A")
        try ann.git("commit", "-q", "-m", change)
        try ann.git("checkout", "-q", "HEAD~1")
        #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
        #expect(try ann.workspace.status().held.behind.map(\.id?.string) == [id])
        #expect(ann.folder.read("new.yaml") == "text: old\n")
        #expect(try ann.git("checkout", "-q", "main").status == 0)
        #expect(try ann.workspace.status().isClean)
        // On the home branch, where the newest versions belong, such a file is held for the user.
        try ann.git("checkout", "-q", "-B", "main", "HEAD~1")
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(report.held.map(\.path) == ["new.yaml"])
        #expect(report.pushed == [])
    }

    @Test func `a new file with the text of another todo is a new todo`() async throws {
        let (folders, id) = try await foldersWithoutID()
        let ann = folders.ann
        try ann.folder.write("text: old\n", to: "again.yaml")
        try ann.git("add", "-A")
        try ann.git("commit", "-q", "-m", "again")
        #expect(try await ann.workspace.sync(SyncOptions()).pushedLines == ["insert again.yaml"])
        #expect(StoryMachine.id(in: ann.folder.read("again.yaml") ?? "") != id)
    }
}
