import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// Undoing edits that were made with an editor or a shell, once they were pushed.
@Suite struct UndoEditsTests {
    private let files = [
        "a.yaml": "id: a\ntext: A\ntags: [x]\n", "b.yaml": "id: b\ntext: B\n", "c.yaml": "id: c\ntext: C\n",
    ]

    @Test func `an edit made with an editor is undone once a push sent it`() async throws {
        let machine = try await World().machines(2, files)[1]
        machine.edit("a.yaml", "text: A", "text: edited # by hand")
        #expect(try machine.workspace.undo(nil).operation == nil, "nothing was sent yet")
        try await machine.push()
        let report = try machine.workspace.undo(nil)
        #expect(report.undone.map(\.path) == ["a.yaml"] && report.undone.map(\.fields) == [["text"]])
        #expect(machine.files == files)
        #expect(try machine.status.pendingLines == ["update a.yaml: text"])
        try await machine.push()
        #expect(try machine.workspace.undo(nil).operation == nil, "an undo is not undone by the next")
        #expect(machine.files == files)
    }

    @Test func `a file that was deleted in a shell comes back, with its id and its bytes`() async throws {
        let world = World()
        let machine = try await world.machines(2, files)[1]
        machine["b.yaml"] = nil
        machine.rename("c.yaml", to: "d/c.yaml")
        try await machine.push()
        #expect(await world.remote.liveRecords().count == 2)
        let report = try machine.workspace.undo(nil)
        #expect(report.undone.map(\.operation) == [.insert, .update])
        #expect(report.undone.map(\.previousPath) == [nil, "d/c.yaml"])
        #expect(machine.files == files)
        try await machine.push()
        #expect(await world.remote.liveRecords().count == 3)
    }

    @Test func `an edit sent in the run of a pull is undone alone`() async throws {
        let machines = try await World().machines(2, files)
        let (here, there) = (machines[1], machines[0])
        there.edit("a.yaml", "[x]", "[x, there]")
        there.edit("b.yaml", "B", "there")
        there["new.yaml"] = "id: new\ntext: new\n"
        try await there.push()
        here.edit("a.yaml", "text: A\ntags: [x]", "text: here\ntags: [x, here]")
        try await here.sync()
        #expect(here["a.yaml"] == "id: a\ntext: here\ntags: [x, here, there]\n")
        let report = try here.workspace.undo(nil)
        #expect(report.undone.map(\.path) == ["a.yaml"])
        #expect(
            here.files == [
                "a.yaml": "id: a\ntext: A\ntags: [x, there]\n", "b.yaml": "id: b\ntext: there\n",
                "c.yaml": files["c.yaml"], "new.yaml": "id: new\ntext: new\n",
            ])
        #expect(try here.workspace.redo().undone.map(\.path) == ["a.yaml"])
        #expect(here["a.yaml"] == "id: a\ntext: here\ntags: [x, here, there]\n")
    }

    @Test func `an edit that a pull merged is undone once a push sent it`() async throws {
        let machines = try await World().machines(2, files)
        let (here, there) = (machines[1], machines[0])
        there.edit("a.yaml", "text: A", "text: there")
        try await there.push()
        here.edit("a.yaml", "[x]", "[x, here]")
        try await here.pull()
        #expect(try here.workspace.undo(nil).operation == nil)
        try await here.push()
        _ = try here.workspace.undo(nil)
        #expect(here["a.yaml"] == "id: a\ntext: there\ntags: [x]\n")
    }

    @Test func `a command's change and an editor's are undone one after the other`() async throws {
        let machine = try await World().machines(2, files)[1]
        machine.edit("a.yaml", "text: A", "text: one")
        try machine.set("a.yaml", "due", "2026-12-01")
        machine.edit("a.yaml", "[x]", "[x, two]")
        try await machine.push()
        // Undoing the push takes back both of the editor's edits, but not the command's.
        #expect(try machine.workspace.undo(nil).undone.map(\.fields) == [["text", "tags"]])
        #expect(machine["a.yaml"] == "id: a\ntext: A\ntags: [x]\ndue: 2026-12-01\n")
        _ = try machine.workspace.undo(nil)
        #expect(machine.files == files)
    }

    @Test func `an edit that a command replaced isn't part of what was sent`() async throws {
        let machine = try await World().machines(2, files)[1]
        try machine.set("b.yaml", "n", "1")
        machine.edit("a.yaml", "text: A", "text: one")
        try machine.set("a.yaml", "text", "two")
        try await machine.push()
        #expect(try machine.workspace.undo(nil).undone.map(\.path) == ["a.yaml"])
        #expect(machine["a.yaml"] == "id: a\ntext: one\ntags: [x]\n")
        #expect(try machine.workspace.undo(nil).undone.map(\.path) == ["b.yaml"])
    }

    @Test func `what others changed in the same way is not undone`() async throws {
        let machines = try await World().machines(2, files)
        let (here, there) = (machines[1], machines[0])
        there.edit("a.yaml", "text: A", "complete: true\ntext: A")
        there["b.yaml"] = nil
        try await there.push()
        _ = try here.workspace.change(
            ["a"], set: [("complete", .bool(true)), ("n", .string("1"))], unset: [])
        _ = try here.workspace.remove(["b"])
        try await here.sync()
        // Both deleted b.yaml, so there is nothing to undo about it.
        #expect(try here.workspace.undo(nil).undone.map(\.fields) == [["n"]])
        #expect(here["a.yaml"]?.contains("complete: true") == true)
        #expect(here["b.yaml"] == nil)
        #expect(try here.workspace.undo(nil).undone == [])
        // The same applies to an editor's edit.
        there.edit("c.yaml", "C", "same")
        try await there.push()
        here.edit("c.yaml", "text: C", "text: same\nn: 2")
        try await here.sync()
        _ = try here.workspace.undo(nil)
        #expect(here["c.yaml"] == "id: c\ntext: same\n")
    }

    @Test func `a field that others changed since is left, and so is its todo`() async throws {
        let machines = try await World().machines(2, files)
        let (here, there) = (machines[1], machines[0])
        here.edit("a.yaml", "text: A", "text: here")
        here.edit("b.yaml", "text: B", "text: here")
        try await here.push()
        try await there.pull()
        there.edit("a.yaml", "text: here", "text: there")
        try await there.push()
        try await here.pull()
        let report = try here.workspace.undo(nil)
        #expect(report.refused.map(\.path) == ["a.yaml"] && report.undone.map(\.path) == ["b.yaml"])
        #expect(here["a.yaml"] == "id: a\ntext: there\ntags: [x]\n")
    }

    @Test func `an edit that a todosync of another folder sent isn't the user's here`() async throws {
        let machines = try await World().machines(2, files)
        let (here, there) = (machines[1], machines[0])
        there.edit("a.yaml", "text: A", "text: there")
        try await there.push()
        try await here.sync()
        #expect(try here.workspace.undo(nil).operation == nil)
        let pull = try here.workspace.log(nil)[0].operation
        _ = try here.workspace.undo(pull)
        #expect(here["a.yaml"] == files["a.yaml"], "who names a pull means it")
    }

    @Test func `the undo of a named push covers what it sent and what it pulled`() async throws {
        let machines = try await World().machines(2, files)
        let (here, there) = (machines[1], machines[0])
        there.edit("b.yaml", "B", "there")
        try await there.push()
        here.edit("a.yaml", "text: A", "text: here")
        try await here.sync()
        let report = try here.workspace.undo(try here.workspace.log(nil)[0].operation)
        #expect(report.undone.map(\.path) == ["a.yaml", "b.yaml"])
        #expect(here.files == files)
    }

    @Test func `what a push sent is undone after the next run if its answer was lost`() async throws {
        let world = World()
        let machine = try await world.machines(2, files)[1]
        world.put(
            InterposedRemote(world.remote) { number, operations, remote in
                let answers = await remote.push(operations).answers
                return number == 1 ? answers.map { _ in .unknown(message: "lost") } : answers
            })
        machine.edit("a.yaml", "text: A", "text: sent")
        try await machine.push()
        machine.edit("a.yaml", "text: sent", "text: later")
        try await machine.push()
        _ = try machine.workspace.undo(nil)
        #expect(machine["a.yaml"] == files["a.yaml"])
    }

    // MARK: New todos

    @Test(arguments: ["", "id: new\n"])
    func `a todo that an editor created stays, and is named`(_ id: String) async throws {
        let machine = try await World().machines(2, files)[1]
        try machine.set("a.yaml", "n", "1")
        machine["new one.yaml"] = id + "text: new\n"
        #expect(try machine.workspace.undo(nil).created == [], "nothing was sent yet")
        _ = try machine.workspace.redo()
        try await machine.push()
        let push = try machine.workspace.log(nil)[0].operation
        // If the push is named, it has nothing else to take back.
        #expect(
            try machine.workspace.undo(push).refused.map(\.reason)
                == ["it was created with an editor; run \"todosync rm 'new one.yaml'\" to delete it"])
        let report = try machine.workspace.undo(nil)
        #expect(report.undone.map(\.path) == ["a.yaml"] && report.refused == [])
        #expect(report.created.map(\.path) == ["new one.yaml"])
        #expect(machine["a.yaml"]?.contains("n:") == false && machine["new one.yaml"] != nil)
        let last = try machine.workspace.undo(nil)
        #expect(last.operation == nil && last.created.map(\.path) == ["new one.yaml"])
        _ = try machine.workspace.remove(["new one.yaml"])
        #expect(try machine.workspace.undo(nil).undone.map(\.operation) == [.insert], "that was the rm")
    }

    @Test func `a todo that an editor created and a push sent leaves the redo in force`() async throws {
        let machine = try await World().machines(2, files)[1]
        try machine.set("a.yaml", "n", "1")
        _ = try machine.workspace.undo(nil)
        machine["new.yaml"] = "id: new\ntext: new\n"
        try await machine.push()
        #expect(try machine.workspace.redo().undone.map(\.path) == ["a.yaml"])
        #expect(machine["a.yaml"]?.contains("n:") == true)
    }

    @Test func `edits that were sent with a new todo are undone, and it is named`() async throws {
        let machine = try await World().machines(2, files)[1]
        machine.edit("a.yaml", "text: A", "text: edited")
        machine["new.yaml"] = "id: new\ntext: new\n"
        try await machine.sync()
        let report = try machine.workspace.undo(nil)
        #expect(report.undone.map(\.path) == ["a.yaml"] && report.refused == [])
        #expect(report.created.map(\.path) == ["new.yaml"])
        #expect(machine["a.yaml"] == files["a.yaml"] && machine["new.yaml"] != nil)
    }

    @Test func `what changed a new todo is undone`() async throws {
        let machine = try await World().machines(2, files)[1]
        machine["new.yaml"] = "id: new\ntext: new\n"
        try machine.set("new.yaml", "n", "1")
        try await machine.push()
        #expect(try machine.workspace.undo(nil).undone.map(\.fields) == [["n"]])
        #expect(machine["new.yaml"] == "id: new\ntext: new\n")
        #expect(try machine.workspace.undo(nil).operation == nil)
        try await machine.push()
        machine.edit("new.yaml", "text: new", "text: edited")
        try await machine.push()
        #expect(try machine.workspace.undo(nil).undone.map(\.fields) == [["text"]])
        #expect(try machine.workspace.undo(nil).operation == nil)
    }

    @Test func `todos that a command or a pull added are none of an editor's`() async throws {
        let machines = try await World().machines(2, files)
        let (here, there) = (machines[1], machines[0])
        let added = try here.workspace.add(NewTodo(text: "added", fields: [:], path: nil))
        here.edit(added, "added", "edited")
        try await here.push()
        #expect(try here.workspace.undo(nil).undone.map(\.operation) == [.update])
        #expect(try here.workspace.undo(nil).undone.map(\.operation) == [.delete])
        #expect(here[added] == nil)
        there["new.yaml"] = "id: new\ntext: new\n"
        try await there.push()
        try await here.sync()
        here.edit("new.yaml", "text: new", "text: edited")
        try await here.push()
        #expect(try here.workspace.undo(nil).undone.map(\.fields) == [["text"]])
        #expect(here["new.yaml"] == "id: new\ntext: new\n")
    }

    @Test func `a new todo that others deleted since is nothing to undo`() async throws {
        let machines = try await World().machines(2, files)
        let (here, there) = (machines[1], machines[0])
        here["new.yaml"] = "id: new\ntext: new\n"
        try await here.push()
        try await there.pull()
        there["new.yaml"] = nil
        try await there.push()
        try await here.pull()
        let report = try here.workspace.undo(nil)
        #expect(report.operation == nil && report.created == [])
    }

    @Test func `a discarded edit comes back, and what the remote had comes with it`() async throws {
        let machine = try await World().machines(2, files)[1]
        machine.edit("a.yaml", "text: A", "text: edited")
        _ = try machine.workspace.discard(["a"])
        #expect(machine.files == files)
        #expect(try machine.workspace.undo(nil).undone.map(\.path) == ["a.yaml"])
        #expect(machine["a.yaml"] == "id: a\ntext: edited\ntags: [x]\n")
    }

    @Test func `after the log was truncated, only what it shows is undone`() async throws {
        let machine = try await World().machines(2, files)[1]
        machine.edit("a.yaml", "text: A", "text: edited")
        try await machine.push()
        machine.edit("b.yaml", "B", "pending")
        _ = try machine.workspace.compact(keeping: 0)
        #expect(try machine.workspace.undo(nil).operation == nil)
        try await machine.push()
        _ = try machine.workspace.undo(nil)
        #expect(machine["b.yaml"] == files["b.yaml"])
    }

    @Test func `a dry run reports what would be undone, and changes nothing`() async throws {
        let machine = try await World().machines(2, files)[1]
        machine.edit("a.yaml", "text: A", "text: edited")
        try await machine.push()
        let (before, log) = (machine.files, try machine.workspace.log(nil))
        let journal = machine[".todosync/journal"]
        let report = try machine.workspace.undo(nil, ReversalOptions(isDryRun: true))
        #expect(report.undone.map(\.path) == ["a.yaml"])
        #expect(machine.files == before)
        #expect(try machine.workspace.log(nil) == log && machine[".todosync/journal"] == journal)
        #expect(try machine.workspace.undo(nil).undone == report.undone)
    }

    @Test func `declining changes nothing`() async throws {
        let machine = try await World().machines(2, files)[1]
        try machine.set("a.yaml", "n", "1")
        let before = machine.files
        let report = try machine.workspace.undo(nil, ReversalOptions { report in report.undone.isEmpty })
        #expect(report.isCancelled && report.undone == [])
        #expect(machine.files == before)
        #expect(try machine.workspace.log(nil).count == 2)
    }
}

/// Redoing what was undone.
@Suite struct RedoTests {
    @Test func `redo after redo goes forward step by step, after undo after undo`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        var contents: [String?] = []
        for number in 0..<4 {
            contents.append(machine["a.yaml"])
            try machine.set("a.yaml", "n\(number)", "x")
        }
        contents.append(machine["a.yaml"])
        #expect(try machine.workspace.redo().operation == nil)
        for content in contents.dropLast().reversed() {
            _ = try machine.workspace.undo(nil)
            #expect(machine["a.yaml"] == content)
        }
        for content in contents.dropFirst() {
            let report = try machine.workspace.redo()
            #expect(report.operation?.command == "todosync" && report.undone.count == 1)
            #expect(machine["a.yaml"] == content)
        }
        #expect(try machine.workspace.redo().operation == nil)
        _ = try machine.workspace.undo(nil)
        #expect(machine["a.yaml"] == contents[3])
        _ = try machine.workspace.undo(nil)
        _ = try machine.workspace.redo()
        #expect(machine["a.yaml"] == contents[3])
    }

    @Test func `a new command ends what can be redone, and is named`() throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: A\n"])
        try machine.set("a.yaml", "n", "1")
        _ = try machine.workspace.undo(nil)
        let undo = try machine.workspace.log(nil)[0].operation
        try machine.set("a.yaml", "m", "2")
        let newer = try machine.workspace.log(nil)[0].operation
        #expect(try machine.workspace.redo().newer?.operation == newer)
        // This also holds after the newer command is undone and redone.
        _ = try machine.workspace.undo(nil)
        _ = try machine.workspace.redo()
        #expect(machine["a.yaml"] == "id: a\ntext: A\nm: \"2\"\n")
        #expect(try machine.workspace.redo().newer?.operation == newer)
        // An undo that is named is undone.
        _ = try machine.workspace.undo(undo)
        #expect(machine["a.yaml"] == "id: a\ntext: A\nm: \"2\"\nn: \"1\"\n")
    }

    @Test func `a push and a pull in between end nothing, and what was changed since stays`() async throws {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n"])
        let (here, there) = (machines[1], machines[0])
        try here.set("a.yaml", "n", "1")
        _ = try here.workspace.undo(nil)
        there.edit("a.yaml", "text: A", "text: there")
        try await there.push()
        try await here.sync()
        let report = try here.workspace.redo()
        #expect(report.undone.map(\.fields) == [["n"]])
        #expect(here["a.yaml"] == "id: a\ntext: there\nn: \"1\"\n")
        #expect(try here.status.pendingLines == ["update a.yaml: n"])
    }

    @Test func `an undo that was named is redone, whatever it undid`() async throws {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n"])
        let (here, there) = (machines[1], machines[0])
        there.edit("a.yaml", "text: A", "text: there")
        try await there.push()
        try await here.pull()
        let pull = try here.workspace.log(nil)[0].operation
        _ = try here.workspace.undo(pull)
        #expect(try here.workspace.redo(ReversalOptions(isDryRun: true)).undone.count == 1)
        let report = try here.workspace.redo()
        #expect(report.operation?.operation == pull)
        #expect(here["a.yaml"] == "id: a\ntext: there\n")
        #expect(try here.isClean)
    }

    @Test func `a restoration and an editor's edit that was sent end what can be redone`() async throws {
        let machine = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n"])[1]
        try machine.set("a.yaml", "n", "1")
        _ = try machine.workspace.undo(nil)
        machine.edit("a.yaml", "text: A", "text: edited")
        #expect(try machine.workspace.redo(ReversalOptions(isDryRun: true)).undone.count == 1)
        try await machine.push()
        #expect(try machine.workspace.redo().newer?.operation == machine.workspace.log(nil)[0].operation)
    }
}
