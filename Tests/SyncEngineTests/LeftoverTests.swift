import Foundation
import SyncEngine
import TestSupport
import Testing
import WorkingCopy

/// Which leftovers recovery removes, and which files it leaves alone.
@Suite struct LeftoverTests {
    @Test func `no folder or file of the user's is removed because of its name`() async throws {
        var number = 1
        var isDone = false
        while !isDone {
            number += 3
            let world = World()
            let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
            let here = machines[0]
            let files = [
                "archive.2024.12.old/sub/photo.txt": "p", "photos.1.2.old": Self.large, "a.1.2.new": "n",
                "note.1.2.folder": "f", ".todosync-mine.1.2.old/b.txt": "b", ".todosync-1.2.old": "c",
                ".todosync-mine.1.2.new": Self.large, ".todosync-mine.1.2.folder/d.txt": "d",
            ]
            for (path, content) in files { try here.folder.write(content, to: path) }
            machines[1].edit("a.yaml", "A", "there")
            try await machines[1].push()
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: EIO)
            _ = try? await world.workspace(at: here.folder, failing).pull(SyncOptions())
            isDone = failing.calls < number
            try await here.pull()
            #expect(here["a.yaml"] == "id: a\ntext: there\n")
            let seen = here.folder.contents().filter { !$0.key.hasPrefix(".todosync/") && $0.key != "a.yaml" }
            #expect(seen == files, "at call \(number)")
        }
        #expect(number > 50)
    }

    @Test func `what a command took away and nothing else has in full stays, and is named`() async throws {
        let world = World()
        let machine = try await world.machines(1, ["a.yaml": "id: a\ntext: A\n"])[0]
        let files = [
            ".todosync/tmp/o.0.0.old": Self.large, ".todosync/tmp/o.0.1.new/sub/photo.txt": "p",
            ".todosync/tmp/o.0.2.old/photo.txt": "p",
        ]
        for (path, content) in files { try machine.folder.write(content, to: path) }
        try machine.folder.write("half", to: ".todosync/tmp/o.0.3.folder/list/b.yaml")
        for _ in 0..<3 { try await machine.pull() }
        #expect(machine.folder.contents().filter { $0.key.hasPrefix(".todosync/tmp/") } == files)
        #expect(!machine.folder.exists(".todosync/tmp/o.0.3.folder"), "nobody but the command wrote there")
        for name in ["o.0.0.old", "o.0.1.new", "o.0.2.old"] {
            #expect(world.notices.count { $0.contains(".todosync/tmp/\(name)") } == 1)
        }
    }

    /// A text in `.todosync/tmp`, and whether it exists only there.
    @Test(arguments: [
        ("", false), ("id: a\ntext: base\n", false), ("id: a\ntext: here\n", false),
        ("id: a\ntext: saved\n", true), ("id: z\ntext: of no todo\n", true),
        ("id: c\ntext: here\n", false), ("id: c\ntext: later\n", false),
        ("text: new\n", false), ("text: here\n", false), ("text: base\n", true),
        ("text: saved\n", true), ("- saved\n", true),
    ])
    func `a text that nothing else has is put into the log`(text: String, isLost: Bool) async throws {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: base\n", "c.yaml": "id: c\ntext: base\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("c.yaml", "base", "there")
        try await there.push()
        here.edit("c.yaml", "base", "here")
        try await here.pull()
        // This version is held until the conflict is resolved.
        there.edit("c.yaml", "there", "later")
        try await there.push()
        try await here.pull()
        here.edit("a.yaml", "base", "here")
        here["new.yaml"] = "text: new\n"
        let before = try here.texts()
        let name = ".todosync/tmp/o.0.0.old"
        try here.folder.write(text, to: name)
        #expect(throws: EngineError.self) { try here.workspace.undo("no operation") }
        #expect(!here.folder.exists(name))
        #expect(try here.texts() == (isLost ? before.union([text]) : before))
        // A lost text without an id needs a notice, because the user wouldn't know how to find it in the log.
        guard isLost, !text.hasPrefix("id") else {
            #expect(world.notices == [])
            return
        }
        #expect(world.notices.count == 1)
        let notice = try #require(world.notices.first)
        if text.hasPrefix("text") {
            let command = try #require(notice.firstMatch(of: #/restore (\S+) --to ([^\s"]+)" to bring/#))
            _ = try here.workspace.restore(String(command.1), to: String(command.2))
            #expect(here.files.values.contains { $0.hasSuffix(text) })
        } else {
            let command = try #require(notice.firstMatch(of: #/show (\S+) --at ([^\s"]+)" to print/#))
            let shown = try here.workspace.show(String(command.1), at: String(command.2))
            #expect(shown.bytes == Array(text.utf8))
        }
    }

    private static let large = String(repeating: "x", count: TodoFile.maximumSize + 1)
}
