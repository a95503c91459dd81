import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// A command on a todo whose file git took back to an older version changes the newest version.
@Suite(.ownThreads) struct GitCommandedTests {
    /// Where git put the older version: on the home branch, or on a different commit.
    enum Origin: String, CaseIterable { case home, elsewhere }

    /// Makes folders where the newest version of t1 differs from its file in the text and the owner.
    private func folders(_ origin: Origin) async throws -> GitFolders {
        let folders = try await GitFolders()
        let ann = folders.ann
        try await folders.edit(ann, "t1", "text", "b")
        try await folders.edit(ann, "t1", "owner", "b")
        switch origin {
        case .home: try ann.git("checkout", "-q", ".")
        case .elsewhere:
            try ann.git("commit", "-q", "-a", "-m", "newest")
            _ = try await ann.workspace.sync(SyncOptions())
            try ann.git("checkout", "-q", "HEAD~1")
        }
        #expect(ann.fields["t1"] == ["text": "a", "owner": "a", "place": "a"])
        return folders
    }

    private func values(_ folders: GitFolders) async -> [String?] {
        [
            await folders.remote("t1", "text"), await folders.remote("t1", "owner"),
            await folders.remote("t1", "place"),
        ]
    }

    @Test(arguments: Origin.allCases)
    func `a field gets a value that the older version has already`(origin: Origin) async throws {
        let folders = try await folders(origin)
        let ann = folders.ann
        let changed = try ann.workspace.change(["t1"], set: [("text", .string("a"))], unset: [])
        #expect(changed.map(\.operation) == [.update])
        #expect(changed.map(\.fields) == [["text"]])
        #expect(ann.fields["t1"] == ["text": "a", "owner": "b", "place": "a"])
        #expect(try await ann.workspace.sync(SyncOptions()).pushedLines == ["update t1.yaml"])
        #expect(await values(folders) == ["a", "b", "a"])
        // Only the change is undone.
        #expect(try ann.workspace.undo(nil).undone.map(\.fields) == [["text"]])
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(await values(folders) == ["b", "b", "a"])
    }

    @Test(arguments: Origin.allCases)
    func `a field that has its value in the newest version stays`(origin: Origin) async throws {
        let folders = try await folders(origin)
        let ann = folders.ann
        let changed = try ann.workspace.change(["t1"], set: [("text", .string("b"))], unset: [])
        #expect(changed.map(\.operation) == [nil])
        // The file is unchanged, so git can switch back.
        #expect(ann.fields["t1"]?["text"] == "a")
        #expect(try await ann.workspace.sync(SyncOptions()).pushed == [])
    }

    @Test(arguments: Origin.allCases)
    func `a field is removed that the older version lacks`(origin: Origin) async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        let text = ann.files["t1"]?.text ?? ""
        try ann.folder.write(text + "tags: [x, y]\n", to: "t1.yaml")
        _ = try await ann.workspace.sync(SyncOptions())
        if origin == .home {
            try ann.git("checkout", "-q", ".")
        } else {
            try ann.git("commit", "-q", "-a", "-m", "tags")
            _ = try await ann.workspace.sync(SyncOptions())
            try ann.git("checkout", "-q", "HEAD~1")
        }
        _ = try ann.workspace.change(["t1"], set: [], unset: ["tags"])
        #expect(try await ann.workspace.sync(SyncOptions()).pushedLines == ["update t1.yaml"])
        _ = try await folders.bob.workspace.sync(SyncOptions())
        #expect(folders.bob.files["t1"]?.text == text)
    }

    @Test(arguments: Origin.allCases)
    func `an older version is restored by name where it is in the file already`(origin: Origin) async throws {
        let folders = try await folders(origin)
        let ann = folders.ann
        let operation = try #require(
            ann.workspace.log("t1").last { entry in entry.todos.contains { $0.id.string == "t1" } })
        let (restored, change) = try ann.workspace.restore("t1", to: operation.operation)
        #expect(restored.path == "t1.yaml")
        #expect(change == .update)
        #expect(try ann.workspace.status().pending.map(\.path) == ["t1.yaml"])
        #expect(try await ann.workspace.sync(SyncOptions()).pushedLines == ["update t1.yaml"])
        #expect(await values(folders) == ["a", "a", "a"])
        // An undo brings back the newest version.
        _ = try ann.workspace.undo(nil)
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(await values(folders) == ["b", "b", "a"])
    }

    @Test(arguments: Origin.allCases)
    func `an undo has nothing to undo in an older version, and reports it`(origin: Origin) async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        _ = try ann.workspace.change(["t1"], set: [("text", .string("b"))], unset: [])
        _ = try await ann.workspace.sync(SyncOptions())
        if origin == .home {
            try ann.git("checkout", "-q", ".")
        } else {
            try ann.git("commit", "-q", "-a", "-m", "newest")
            _ = try await ann.workspace.sync(SyncOptions())
            try ann.git("checkout", "-q", "HEAD~1")
        }
        let report = try ann.workspace.undo(nil)
        #expect(report.undone == [])
        #expect(
            report.refused.map(\.reason)
                == ["git put an older version in its file; run \"todosync discard\" on it first"])
        _ = try ann.workspace.discard(["t1"])
        #expect(try ann.workspace.undo(nil).undone.map(\.path) == ["t1.yaml"])
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(await folders.remote("t1", "text") == "a")
    }

    @Test(arguments: Origin.allCases) func `a move is sent, with the newest text`(origin: Origin) async throws
    {
        let folders = try await folders(origin)
        let ann = folders.ann
        #expect(try ann.workspace.move("t1.yaml", to: "moved.yaml").path == "moved.yaml")
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(report.pushedLines == ["update moved.yaml"])
        #expect(report.held == [])
        #expect(await values(folders) == ["b", "b", "a"])
        _ = try await folders.bob.workspace.sync(SyncOptions())
        #expect(folders.bob.files["t1"]?.path == "moved.yaml")
    }

    @Test(arguments: Origin.allCases)
    func `an editor opens the newest version`(origin: Origin) async throws {
        let folders = try await folders(origin)
        let ann = folders.ann
        let located = try ann.workspace.open("t1")
        #expect(located.wasOlder)
        #expect(ann.fields["t1"] == ["text": "b", "owner": "b", "place": "a"])
        try ann.write("t1", ["text": "a", "owner": "b", "place": "edited"])
        try ann.workspace.logEdit(of: located)
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(await values(folders) == ["a", "b", "edited"])
        #expect(try !ann.workspace.open("t2").wasOlder)
    }

    @Test func `an edit of an older version is merged with the newest one first`() async throws {
        let folders = try await folders(.elsewhere)
        let ann = folders.ann
        try ann.write("t1", ["text": "a", "owner": "a", "place": "edited"])
        _ = try ann.workspace.change(["t1"], set: [("owner", .string("c"))], unset: [])
        #expect(ann.fields["t1"] == ["text": "b", "owner": "c", "place": "edited"])
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(await values(folders) == ["b", "c", "edited"])
    }

    @Test func `values that may be git's become a conflict before a command changes the file`() async throws {
        let folders = try await folders(.home)
        let ann = folders.ann
        try ann.write("t1", ["text": "a", "owner": "a", "place": "edited"])
        #expect(throws: EngineError.self) {
            try ann.workspace.change(["t1"], set: [("place", .string("c"))], unset: [])
        }
        #expect(try ann.workspace.status().conflicts.map(\.fields) == [["text", "owner"]])
        _ = try ann.workspace.resolve(["t1"], .use(.remote))
        _ = try ann.workspace.change(["t1"], set: [("owner", .string("c"))], unset: [])
        _ = try await ann.workspace.sync(SyncOptions())
        #expect(await values(folders) == ["b", "c", "edited"])
    }

    // MARK: Paths

    @Test func `a todo that a command moves back to its committed path is sent there`() async throws {
        let folders = try await GitFolders()
        let ann = folders.ann
        _ = try ann.workspace.move("t1", to: "moved.yaml")
        _ = try await ann.workspace.sync(SyncOptions())
        _ = try ann.workspace.move("moved.yaml", to: "t1.yaml")
        let report = try await ann.workspace.sync(SyncOptions())
        #expect(report.held == [])
        #expect(report.pushedLines == ["update t1.yaml"])
        #expect(try ann.workspace.status().isClean)
    }

    @Test func `a discard and a change bring the newest path back, too`() async throws {
        for command in ["discard", "set"] {
            let folders = try await GitFolders()
            let ann = folders.ann
            try ann.git("mv", "t1.yaml", "moved.yaml")
            var fields = ann.fields["t1"] ?? [:]
            fields["text"] = "b"
            try ann.folder.write(StoryMachine.text("t1", fields), to: "moved.yaml")
            _ = try await ann.workspace.sync(SyncOptions())
            try ann.git("commit", "-q", "-a", "-m", "moved")
            try ann.git("checkout", "-q", "HEAD~1")
            #expect(try ann.workspace.status().held.behind.map(\.path) == ["t1.yaml"])
            if command == "discard" {
                _ = try ann.workspace.discard(["t1.yaml"])
                #expect(try ann.workspace.status().isClean)
            } else {
                _ = try ann.workspace.change(["t1.yaml"], set: [("owner", .string("b"))], unset: [])
                #expect(try await ann.workspace.sync(SyncOptions()).pushedLines == ["update moved.yaml"])
            }
            #expect(ann.files["t1"]?.path == "moved.yaml")
            #expect(await folders.remote("t1", "text") == "b")
        }
    }
}
