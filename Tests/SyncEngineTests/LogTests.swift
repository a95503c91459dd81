import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import Values
import WorkingCopy

/// What the operation log shows, and what can be restored from it.
@Suite struct LogTests {
    private let world = World()

    @Test func `the log lists what each command did to which todo, the newest first`() async throws {
        let machine = try world.machine()
        _ = try machine.workspace.add(NewTodo(text: "Milk", fields: [:], path: nil))
        try await machine.push()
        try machine.set("milk.yaml", "priority", "high")
        try await machine.sync()
        _ = try machine.workspace.remove(["milk.yaml"])
        try await machine.sync()
        #expect(
            try machine.logLines == [
                "delete milk.yaml pushed", "delete milk.yaml pending", "update milk.yaml pushed",
                "update milk.yaml pending", "insert milk.yaml pushed", "insert milk.yaml pending",
            ])
    }

    @Test func `pulls, merges, conflicts and their end are in the log`() async throws {
        let machines = try await world.machines(
            2,
            [
                "a.yaml": "id: a\ntext: A\ntags: [x]\n", "b.yaml": "id: b\ntext: B\n",
                "c.yaml": "id: c\ntext: C\n",
            ])
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "[x]", "[x, y]")
        there.edit("b.yaml", "B", "there")
        there["c.yaml"] = nil
        try await there.push()
        here.edit("a.yaml", "[x]", "[x, z]")
        here.edit("b.yaml", "B", "here")
        try await here.pull()
        #expect(
            Set(try here.logLines.prefix(3)) == [
                "update a.yaml merged", "update b.yaml conflict", "delete c.yaml pulled",
            ])
        try here.resolve(by: .abort)
        #expect(try here.logLines.first == "update b.yaml cancelled")
        try await here.pull()
        try here.resolve(by: .use(.remote))
        #expect(try here.logLines.first == "update b.yaml resolved")
    }

    @Test func `what the user cancelled at a question is in the log as such`() async throws {
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1].edit("a.yaml", "A", "there")
        try await machines[1].push()
        machines[0].edit("a.yaml", "A", "here")
        try await machines[0].pull(User { _, _ in .cancel }.policy)
        #expect(try machines[0].logLines.first == "update a.yaml cancelled")
        #expect(machines[0]["a.yaml"] == "id: a\ntext: here\n")
    }

    @Test func `a command that was interrupted is in the log with what it did`() async throws {
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n"])
        // Stops the command at each call, until it runs to its end.
        var number = 0
        var explained = 0
        var isDone = false
        while !isDone {
            number += 1
            let folder = try TemporaryFolder(copyOf: machine.folder)
            let failing = FailingFileSystem(failingAt: number, andAfter: true, code: 5)
            let stopped = world.workspace(at: folder, failing)
            _ = try? stopped.change(["a"], set: [("n", .string("x"))], unset: [])
            isDone = failing.calls < number
            let entries = try world.workspace(at: folder, FailingFileSystem()).log(nil)
            guard let entry = entries.first, !isDone else { continue }
            #expect(entry.isInterrupted || entry.todos.map(\.state) == [.pending], "at call \(number)")
            explained += entry.isInterrupted ? 1 : 0
        }
        #expect(explained > 5)
    }

    @Test func `a command that did nothing to a todo is not in the log`() async throws {
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n"])
        try await machine.sync()
        let lines = try machine.logLines
        try await machine.sync()
        try await machine.pull()
        #expect(try machine.logLines == lines)
    }

    @Test func `the log of one todo is found by path, id and beginning, also when it is gone`() async throws {
        let machine = try world.machine([
            "a.yaml": "id: abcd\ntext: A\n", "b.yaml": "id: bcde\ntext: B\n",
        ])
        try await machine.push()
        _ = try machine.workspace.remove(["a.yaml"])
        try await machine.push()
        for name in ["a.yaml", "abcd", "ab"] {
            let entries = try machine.workspace.log(name)
            #expect(entries.flatMap(\.todos).map(\.change) == [.delete, .delete, .insert], "\(name)")
        }
        #expect(throws: EngineError.self) { try machine.workspace.log("zzz") }
    }

    @Test func `a todo is shown as it was after and before an operation, by the id's beginning`() throws {
        let machine = try world.machine(["a.yaml": "id: a\ntext: A # one\n"])
        try machine.set("a.yaml", "priority", "low")
        machine.edit("a.yaml", "one", "two")
        try machine.set("a.yaml", "priority", "high")
        let operations = try machine.workspace.log(nil).map(\.operation)
        let short = String(operations[1].prefix(9))
        #expect(try machine.text("a.yaml", at: short) == "id: a\ntext: A # one\npriority: low\n")
        #expect(try machine.text("a.yaml", at: operations[0]) == "id: a\ntext: A # two\npriority: high\n")
        // This is the editor's text between the two commands.
        #expect(try machine.text("a", at: operations[0] + "^") == "id: a\ntext: A # two\npriority: low\n")
        #expect(try machine.text("a", at: operations[1] + "^") == "id: a\ntext: A # one\n")
    }

    @Test func `an operation that is not there, or a beginning of several, is named`() throws {
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n"])
        for number in 0..<3 { try machine.set("a.yaml", "n", "v\(number)") }
        for operation in ["abcd1", "abcd2", "abc"] {
            // An operation without changes isn't listed.
            let transaction = try machine.workspace.directory.begin(
                operation: operation, time: "", command: "", timeout: .seconds(10))
            try transaction.record([.withheld])
            try transaction.end(operation, [])
        }
        let error = #expect(throws: EngineError.self) { try machine.text("a", at: "abcd") }
        guard case .ambiguousOperation("abcd", ["abcd1", "abcd2"])? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        for name in ["abcd2", "abc", "@1"] {
            #expect(try machine.text("a", at: name).hasSuffix("n: v2\n"), "\(name)")
        }
        #expect(try machine.text("a", at: "@1^").hasSuffix("n: v1\n"))
        #expect(try machine.text("a", at: "@3").hasSuffix("n: v0\n"))
        #expect(try machine.workspace.undo("@2").undone.isEmpty)
        // A number that was meant as a count of operations is the prefix of some id.
        let last = try machine.workspace.log(nil)[0].operation
        for name in (1...3).map({ String(last.prefix($0)) }) + [
            "@0", "@-1", "@9", "@x", "@", "xyzw", "", "^",
        ] {
            let error = #expect(throws: EngineError.self) { try machine.text("a", at: name) }
            guard case .noSuchOperation? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test func `a todo that the log does not have at a time has no text then`() throws {
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n"])
        try machine.set("a.yaml", "n", "1")
        let first = try machine.workspace.log(nil)[0].operation
        machine["b.yaml"] = "id: b\ntext: B\n"
        try machine.set("b.yaml", "n", "1")
        let error = #expect(throws: EngineError.self) { try machine.text("b", at: first) }
        guard case .noTextAt? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    // MARK: Restore

    @Test func `restore brings a changed todo's text back, and keeps what is there in the log`() async throws
    {
        let machine = try world.machine(["a.yaml": "id: a\ntext: A # note\n"])
        try await machine.push()
        let first = try machine.workspace.log(nil)[0].operation
        machine.edit("a.yaml", "A # note", "edited # otherwise")
        #expect(try machine.workspace.restore("a.yaml", to: first).1 == .update)
        #expect(machine["a.yaml"] == "id: a\ntext: A # note\n")
        #expect(try machine.isClean)
        let restoring = try machine.workspace.log(nil)[0].operation
        _ = try machine.workspace.restore("a", to: restoring + "^")
        #expect(machine["a.yaml"] == "id: a\ntext: edited # otherwise\n")
    }

    @Test func `restore brings a deleted todo back with its id, also after the delete was pushed`()
        async throws
    {
        let content = "id: a\ntext: A # note\n"
        let machine = try world.machine(["folder/a.yaml": content])
        try await machine.push()
        let first = try machine.workspace.log(nil)[0].operation
        machine["folder/a.yaml"] = nil
        try await machine.push()
        #expect(try machine.workspace.restore("folder/a.yaml", to: first).1 == .insert)
        #expect(machine.files == ["folder/a.yaml": content])
        try await machine.push()
        #expect(await world.remote.liveRecords().map(\.id) == ["a"])
    }

    @Test func `restore to a time without the todo deletes it, and its text stays in the log`() throws {
        let machine = try world.machine()
        let path = try machine.workspace.add(NewTodo(text: "Milk", fields: [:], path: nil))
        _ = try machine.workspace.remove([path])
        let removal = try machine.workspace.log(nil)[0].operation
        _ = try machine.workspace.restore(path, to: removal + "^")
        let content = machine[path]
        #expect(try machine.workspace.restore(path, to: removal).1 == .delete)
        #expect(machine.files == [:])
        _ = try machine.workspace.restore(path, to: try machine.workspace.log(nil)[0].operation + "^")
        #expect(machine[path] == content)
    }

    @Test(arguments: [Resolution.use(.remote), .abort])
    func `what a resolve or a pull replaced comes back`(_ resolution: Resolution) async throws {
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "A", "there")
        try await there.push()
        here.edit("a.yaml", "A", "here # with a comment")
        try await here.pull()
        let pull = try here.workspace.log(nil)[0].operation
        here.edit("a.yaml", "here # with", "here, later # with")
        let conflicted = here["a.yaml"]
        try here.resolve(by: resolution)
        let resolve = try here.workspace.log(nil)[0].operation
        #expect(try here.text("a", at: resolve + "^") == conflicted)
        // Restoring a text with markers gives its local side.
        _ = try here.workspace.restore("a", to: resolve + "^")
        #expect(here["a.yaml"] == "id: a\ntext: here, later # with a comment\n")
        _ = try here.workspace.restore("a", to: pull + "^")
        #expect(here["a.yaml"] == "id: a\ntext: here # with a comment\n")
    }

    @Test func `a conflicted todo is not restored`() async throws {
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1].edit("a.yaml", "A", "there")
        try await machines[1].push()
        machines[0].edit("a.yaml", "A", "here")
        try await machines[0].pull()
        let first = try #require(try machines[0].workspace.log(nil).last).operation
        #expect(throws: EngineError.self) { try machines[0].workspace.restore("a", to: first) }
    }

    // MARK: Explain

    @Test func `explain shows base, local and remote of each field, the rule and the result`() async throws {
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: A\ntags: [x]\npriority: low\ndue: 2026-12-01\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "text: A", "text: there")
        there.edit("a.yaml", "[x]", "[x, y]")
        there.edit("a.yaml", "low", "high")
        try await there.push()
        here.edit("a.yaml", "text: A", "text: here")
        here.edit("a.yaml", "[x]", "[z]")
        here.edit("a.yaml", "2026-12-01", "2026-12-02")
        try await here.pull()
        let explanation = try here.workspace.explain("a.yaml")
        #expect(explanation.outcome == .conflict)
        #expect(explanation.operation?.operation == (try here.workspace.log(nil)[0].operation))
        let lines = explanation.fields.map { field in
            let decision = field.decision
            let values = [decision.base, decision.local, decision.remote, field.result].map { value in
                value.map { String(decoding: JSON.write($0), as: UTF8.self) } ?? "–"
            }
            return "\(decision.field) \(decision.rule) \(values.joined(separator: " "))"
        }
        #expect(
            lines == [
                #"text conflict "A" "here" "there" "here""#, #"tags set ["x"] ["z"] ["x","y"] ["z","y"]"#,
                #"priority changedRemotely "low" "low" "high" "high""#,
                #"due changedLocally "2026-12-01" "2026-12-02" "2026-12-01" "2026-12-02""#,
            ])
    }

    @Test func `both sides' comments are merged, sent and explained`() async throws {
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A # old\ndue: d\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "due", "# there: never throw this away\ndue")
        there.edit("a.yaml", " # old", "")
        try await there.push()
        here.edit("a.yaml", "due", "# here\ndue")
        let report = try await here.pull()
        let merged = "id: a\ntext: A\n# here\n# there: never throw this away\ndue: d\n"
        #expect(here["a.yaml"] == merged)
        #expect(report.merged.map(\.fields) == [[]])
        #expect(report.merged.map(\.notes) == [[.commentsOfBoth]])
        let comments = try here.workspace.explain("a.yaml").comments
        #expect(
            comments.map { "\($0.change.comment) \($0.change.kind) \($0.isKept)" } == [
                "# old removedRemotely false", "# here addedLocally true",
                "# there: never throw this away addedRemotely true",
            ])
        try await here.push()
        try await there.pull()
        #expect(there["a.yaml"] == merged)
    }

    @Test func `an edit follows a renamed field, is sent and explained`() async throws {
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\nwhere: at the old mill\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "old mill", "new mill # mind the dog")
        try await there.push()
        here.edit("a.yaml", "where", "place")
        let report = try await here.pull()
        #expect(here["a.yaml"] == "id: a\ntext: A\nplace: at the new mill # mind the dog\n")
        #expect(report.merged.map(\.fields) == [["place"]])
        let explanation = try here.workspace.explain("a.yaml")
        #expect(explanation.relocations == [Relocation(side: .local, from: ["where"], to: ["place"])])
        #expect(explanation.fields.map(\.result) == [.string("at the new mill")])
        try await here.push()
        try await there.pull()
        #expect(there["a.yaml"] == here["a.yaml"])
        #expect(try here.workspace.status().pending.isEmpty)
    }

    @Test func `explain shows the result where a side was chosen`() async throws {
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "A", "there")
        try await there.push()
        here.edit("a.yaml", "A", "here")
        try await here.pull(.use(.remote))
        let explanation = try here.workspace.explain("a")
        #expect(explanation.outcome == .merged)
        #expect(explanation.fields.map(\.result) == [.string("there")])
        #expect(explanation.fields.map(\.decision.rule) == [.conflict])
        #expect(try there.workspace.explain("a").operation != nil, "it came with a clone")
    }

    @Test func `explain shows any past merge, and an operation that didn't merge names those that did`()
        async throws
    {
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: A\nn: \"1\"\n"])
        let (here, there) = (machines[0], machines[1])
        var pulls: [String] = []
        for (old, new) in [("A", "B"), ("B", "C")] {
            there.edit("a.yaml", "text: \(old)", "text: \(new)")
            try await there.push()
            try await here.pull()
            pulls.append(try here.workspace.log(nil)[0].operation)
        }
        #expect(try here.workspace.explain("a").operation?.operation == pulls[1])
        let first = try here.workspace.explain("a", at: String(pulls[0].prefix(6)))
        #expect(first.operation?.operation == pulls[0] && first.fields.map(\.result) == [.string("B")])
        // An open conflict belongs only to the last merge.
        there.edit("a.yaml", "text: C", "text: there")
        try await there.push()
        here.edit("a.yaml", "text: C", "text: here")
        try await here.pull()
        #expect(try here.workspace.explain("a").isOpen)
        #expect(try !here.workspace.explain("a", at: pulls[0]).isOpen)
        let push = try #require(try here.workspace.log(nil).last).operation
        do {
            _ = try here.workspace.explain("a", at: push)
            Issue.record("the operation merged nothing")
        } catch EngineError.noMergeAt(let path, let operation, let merges) {
            #expect(path == "a.yaml" && operation == push && merges.suffix(2) == [pulls[1], pulls[0]])
            #expect(merges.count == 3)
        }
        #expect(throws: EngineError.self) { try here.workspace.explain("a", at: "none") }
    }

    @Test func `explain shows which side deleted the todo, and names no field as merged`() async throws {
        let files = [
            "a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n", "c.yaml": "id: c\ntext: C\n",
        ]
        let machines = try await world.machines(2, files)
        let (here, there) = (machines[0], machines[1])
        there["a.yaml"] = nil
        there.edit("b.yaml", "B", "there")
        there["c.yaml"] = nil
        there["new.yaml"] = "id: new\ntext: new\n"
        try await there.push()
        here.edit("a.yaml", "A", "here")
        here["b.yaml"] = nil
        try await here.pull()
        let explained = try ["a", "b", "c", "new"].map { try here.workspace.explain($0) }
        #expect(explained.map(\.deletingSide) == [.remote, .local, .remote, nil])
        #expect(explained.map(\.outcome) == [.conflict, .conflict, .deleted, .pulled])
        #expect(explained.map(\.fields.isEmpty) == [true, true, true, false])
    }

    @Test func `a todo that never met a change of the remote has no merge`() throws {
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n"])
        try machine.set("a.yaml", "n", "1")
        #expect(try machine.workspace.explain("a").operation == nil)
    }
}

extension Machine {
    /// The log's todos in the form `update a.yaml pending`, newest first.
    var logLines: [String] {
        get throws {
            try workspace.log(nil).flatMap(\.todos).map { "\($0.change) \($0.path) \($0.state)" }
        }
    }

    func set(_ path: String, _ field: String, _ value: String) throws {
        _ = try workspace.change([path], set: [(field, .string(value))], unset: [])
    }

    func text(_ name: String, at operation: String) throws -> String {
        String(decoding: try workspace.show(name, at: operation).bytes, as: UTF8.self)
    }
}
