import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Files with conflict markers but without a recorded conflict, as git leaves them.
@Suite(.serialized) struct MarkedFileTests {
    struct Form: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var labels = SideLabels(local: "HEAD", remote: "topic")
        var hasBase = true
        /// Why the file can't be read; nil if the test doesn't check it.
        var reason: String?

        static let readable = [
            Form(
                testDescription: "two-way",
                text: "id: a\n<<<<<<< HEAD\ntext: L\n=======\ntext: R\n>>>>>>> topic\n", hasBase: false),
            Form(
                testDescription: "diff3",
                text: "id: a\n<<<<<<< HEAD\ntext: L\n||||||| abc1234\ntext: A\n=======\ntext: R\n"
                    + ">>>>>>> topic\n"),
            Form(
                testDescription: "a label with a colon",
                text: "id: a\n<<<<<<< HEAD\ntext: L\n||||||| parent of abc1234 (fix: it)\ntext: A\n=======\n"
                    + "text: R\n>>>>>>> abc1234 (fix: it)\n",
                labels: SideLabels(local: "HEAD", remote: "abc1234 (fix: it)")),
            Form(
                testDescription: "the whole file",
                text: "<<<<<<< HEAD\nid: a\ntext: L\n||||||| abc1234\nid: a\ntext: A\n=======\n"
                    + "id: a\ntext: R\n>>>>>>> topic\n"),
            Form(
                testDescription: "no id, at the path of the todo",
                text: "<<<<<<< HEAD\ntext: L\n||||||| abc1234\ntext: A\n=======\ntext: R\n>>>>>>> topic\n"),
            Form(
                testDescription: "jj's form of git's markers",
                text: "id: a\n<<<<<<< rtsqusxu 2768b0b9 \"commit A\"\ntext: L\n"
                    + "||||||| vpxusssl 38d49363 \"merge base\"\ntext: A\n=======\ntext: R\n"
                    + ">>>>>>> ysrnknol 7a20f389 \"commit B\"\n",
                labels: SideLabels(
                    local: "rtsqusxu 2768b0b9 \"commit A\"", remote: "ysrnknol 7a20f389 \"commit B\"")),
            Form(
                testDescription: "CRLF",
                text: "id: a\r\n<<<<<<< HEAD\r\ntext: L\r\n||||||| b\r\ntext: A\r\n=======\r\ntext: R\r\n"
                    + ">>>>>>> topic\r\n"),
        ]

        private static let jujutsu =
            "conflict markers in jj's own style; set ui.conflict-marker-style = \"git\" in jj, "
            + "and check out the file again"

        static let unreadable = [
            Form(
                testDescription: "jj's diff",
                text: "id: a\n<<<<<<< conflict 1 of 1\n%%%%%%% diff from: vpxusssl 38d49363 \"merge base\"\n"
                    + "\\\\\\\\\\\\\\        to: rtsqusxu 2768b0b9 \"commit A\"\n-text: A\n+text: L\n"
                    + "+++++++ ysrnknol 7a20f389 \"commit B\"\ntext: R\n>>>>>>> conflict 1 of 1 ends\n",
                reason: jujutsu),
            Form(
                testDescription: "jj's snapshots",
                text: "id: a\n<<<<<<< conflict 1 of 1\n+++++++ rtsqusxu 2768b0b9 \"commit A\"\ntext: L\n"
                    + "------- vpxusssl 38d49363 \"merge base\"\ntext: A\n"
                    + "+++++++ ysrnknol 7a20f389 \"commit B\"\ntext: R\n>>>>>>> conflict 1 of 1 ends\n",
                reason: jujutsu),
            Form(
                testDescription: "nested",
                text: "id: a\n<<<<<<< HEAD\n<<<<<<< HEAD\ntext: L\n=======\ntext: R\n>>>>>>> b\n>>>>>>> c\n"),
            Form(testDescription: "no end", text: "id: a\n<<<<<<< HEAD\ntext: L\n=======\ntext: R\n"),
            Form(
                testDescription: "two todos",
                text: "<<<<<<< HEAD\nid: a\ntext: L\n=======\nid: b\ntext: R\n>>>>>>> topic\n"),
            Form(
                testDescription: "longer markers",
                text: "id: a\n<<<<<<<<< HEAD\ntext: L\n=========\ntext: R\n>>>>>>>>> topic\n",
                reason: "conflict markers of 9 characters instead of 7"),
            Form(
                testDescription: "shorter markers",
                text: "id: a\n<<<<< HEAD\ntext: L\n=====\ntext: R\n>>>>> topic\n",
                reason: "conflict markers of 5 characters instead of 7"),
            Form(
                testDescription: "jj's longer markers",
                text: "id: a\n<<<<<<<<<<< conflict 1 of 1\n%%%%%%%%%%% diff from: vpxusssl\n-text: A\n"
                    + "+text: L\n+++++++++++ ysrnknol\ntext: R\n>>>>>>>>>>> conflict 1 of 1 ends\n",
                reason: "conflict markers of 11 characters instead of 7"),
            Form(
                testDescription: "longer markers in a flow list",
                text:
                    "id: a\ntext: A\ntags: [\n  x,\n<<<<<<<<<< HEAD\n  l\n==========\n  r\n>>>>>>>>>> b\n]\n",
                reason: "conflict markers of 10 characters instead of 7"),
        ]

        /// Conflicts in values that are valid YAML with the markers in them.
        static let validYAML = [
            Form(
                testDescription: "a flow list",
                text: "id: a\ntext: A\ntags: [\n  x,\n<<<<<<< HEAD\n  l\n=======\n  r\n>>>>>>> topic\n]\n"),
            Form(
                testDescription: "a flow mapping",
                text:
                    "id: a\ntext: A\nplace: {\n  x: 1,\n<<<<<<< HEAD\n  y: 2\n=======\n  y: 3\n>>>>>>> topic\n}\n"
            ),
            Form(
                testDescription: "double quotes",
                text:
                    "id: a\ntext: A\nnotes: \"one\n<<<<<<< HEAD\n  two\n=======\n  deux\n>>>>>>> topic\n  three\"\n"
            ),
            Form(
                testDescription: "single quotes",
                text:
                    "id: a\ntext: A\nnotes: 'one\n<<<<<<< HEAD\n  two\n=======\n  deux\n>>>>>>> topic\n  three'\n"
            ),
            Form(
                testDescription: "the whole todo in braces",
                text: "{id: a, text: A\n<<<<<<< HEAD\n  l\n=======\n  r\n>>>>>>> topic\n}\n"),
        ]
    }

    static func synced() async throws -> [Machine] {
        try await World().machines(2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: other\ntext: B\n"])
    }

    @Test(arguments: Form.readable, [Side.local, .remote, .base])
    func `such a file is a conflict, and a side resolves it`(_ form: Form, _ side: Side) async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = form.text

        let conflict = try #require(try here.status.conflicts.first)
        #expect(conflict.kind == .git && conflict.hasMarkers && conflict.fields == ["text"])
        #expect(conflict.labels?.local.trimmed == form.labels.local)
        #expect(conflict.labels?.remote.trimmed == form.labels.remote)
        #expect(try here.status.invalid.isEmpty)
        let listed = try #require(try here.workspace.list().first { $0.path == "a.yaml" })
        #expect(listed.isConflicted && listed.fields["text"] == .string("L"))
        #expect(try here.resolve().unresolved.map(\.path) == ["a.yaml"])

        let report = try here.resolve("a", by: .use(side))

        if side == .base, !form.hasBase {
            #expect(report.resolved.isEmpty && report.unresolved.count == 1)
            #expect(here["a.yaml"] == form.text)
            return
        }
        #expect(report.resolved.count == 1 && report.unresolved.isEmpty)
        let text = [Side.local: "L", .remote: "R", .base: "A"][side] ?? ""
        #expect(here["a.yaml"]?.replacing("\r\n", with: "\n") == "id: a\ntext: \(text)\n")
        #expect(try here.status.conflicts.isEmpty)
        try await here.sync()
        #expect(try here.isClean)
    }

    @Test(arguments: Form.unreadable)
    func `markers that can't be read make the file invalid`(_ form: Form) async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = form.text
        #expect(try here.status.invalid.map(\.path) == ["a.yaml"])
        #expect(try here.status.conflicts.isEmpty)
        #expect(try await here.sync().pushed.isEmpty)
        #expect(here["a.yaml"] == form.text)
        let problem = try #require(try here.status.invalid.first).problem
        if let reason = form.reason { #expect(problem.message == reason) }
        let error = #expect(throws: EngineError.self) { try here.resolve("a", by: .use(.local)) }
        guard case .invalid(let file)? = error else {
            Issue.record("\(form): \(String(describing: error))")
            return
        }
        #expect(file.problem == problem)
        guard case .markers = problem.reason else { return }
        #expect(try here.resolve().unresolved.map(\.reason) == [problem.message])
    }

    @Test(arguments: Form.validYAML, [Side.local, .remote])
    func `markers are no content where they are valid YAML`(_ form: Form, _ side: Side) async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = form.text
        #expect(try here.status.conflicts.map(\.kind) == [.git])
        for verb in Verb.allCases {
            #expect(try await here.run(verb).pushed.isEmpty)
            #expect(here["a.yaml"] == form.text)
        }
        #expect(try here.resolve("a", by: .use(side)).resolved.count == 1)
        #expect(here["a.yaml"]?.contains("HEAD") == false)
        #expect(try await here.sync().pushedLines == ["update a.yaml"])
    }

    @Test func `a single line that looks like a marker is content`() async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = "id: a\ntext: \"A\n=======\n  B\"\n"
        #expect(try here.status.conflicts.isEmpty && here.status.invalid.isEmpty)
        #expect(try await here.push().pushedLines == ["update a.yaml"])
    }

    @Test func `undo and restore don't change such a file`() async throws {
        let here = try await Self.synced()[0]
        try here.set("a.yaml", "n", "1")
        let operation = try here.workspace.log(nil)[0].operation
        here["a.yaml"] = Form.readable[0].text
        let error = #expect(throws: EngineError.self) { try here.workspace.restore("a", to: operation) }
        guard case .isConflicted(path: "a.yaml", _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let reports = [try here.workspace.restoreAll(before: operation), try here.workspace.undo(nil)]
        for report in reports {
            #expect(report.refused.map(\.reason) == ["it has a conflict; run \"todosync resolve\" first"])
        }
        #expect(here["a.yaml"] == Form.readable[0].text)
    }

    @Test func `the folder isn't restored to a conflict that only markers showed`() async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = Form.readable[0].text
        try here.resolve("a", by: .use(.local))
        let operation = try here.workspace.log(nil)[0].operation
        let report = try here.workspace.restoreAll(before: operation)
        #expect(report.refused.count == 1 && report.undone.isEmpty)
        #expect(here["a.yaml"] == "id: a\ntext: L\n")
    }

    @Test func `nothing is pushed or pulled while the markers are there`() async throws {
        let machines = try await Self.synced()
        let (here, there) = (machines[0], machines[1])
        here["a.yaml"] = Form.readable[1].text
        there["a.yaml"] = "id: a\ntext: A\npriority: high\n"
        try await there.push()

        for verb in Verb.allCases {
            let report = try await here.run(verb)
            #expect(report.conflictKinds == ["git"] && report.pushed.isEmpty && report.pulled.isEmpty)
            #expect(here["a.yaml"] == Form.readable[1].text)
        }
        try here.resolve("a", by: .use(.remote))
        try await here.sync()

        #expect(here["a.yaml"] == "id: a\ntext: R\npriority: high\n")
        try await there.sync()
        #expect(there.files == here.files)
    }

    @Test func `an edit without the markers is the answer`() async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = Form.readable[0].text
        #expect(try here.status.conflicts.count == 1)
        here["a.yaml"] = "id: a\ntext: both\n"
        let report = try here.resolve()
        #expect(report.resolved.isEmpty && report.unresolved.isEmpty)
        #expect(try here.status.pendingLines == ["update a.yaml: text"])
    }

    @Test func `undo brings the markers back`() async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = Form.readable[0].text
        try here.resolve("a", by: .use(.local))
        _ = try here.workspace.undo(nil)
        #expect(here["a.yaml"] == Form.readable[0].text)
        #expect(try here.status.conflicts.map(\.kind) == [.git])
    }

    @Test(arguments: [Side.local, .remote])
    func `a conflict whose record is lost is resolved by its markers`(_ side: Side) async throws {
        let machines = try await Self.synced()
        let (here, there) = (machines[0], machines[1])
        there.edit("a.yaml", "text: A", "text: R")
        try await there.push()
        here.edit("a.yaml", "text: A", "text: L")
        #expect(try await here.pull().conflictKinds == ["edit/edit"])
        for file in ["journal", "journal.length", "cache"] where here.folder.exists(".todosync/\(file)") {
            try here.folder.remove(".todosync/\(file)")
        }

        #expect(try here.status.conflicts.map(\.kind) == [.git])
        try here.resolve("a", by: .use(side))

        #expect(here["a.yaml"] == "id: a\ntext: \(side == .local ? "L" : "R")\n")
        #expect(try here.status.conflicts.isEmpty)
    }

    private static let twoFields = """
        id: a
        <<<<<<< HEAD
        text: L
        notes: mine
        due: 2026-12-01
        ||||||| abc1234
        text: A
        notes: old
        due: 2026-12-01
        =======
        text: R
        notes: yours
        due: 2026-12-01
        >>>>>>> topic

        """

    @Test func `one field takes a side, and the others stay between markers`() async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = Self.twoFields
        let first = try here.resolve("a", by: .fields([ByteKey("text"): .take(.remote)]))
        #expect(first.resolved.isEmpty)
        #expect(first.unresolved.map(\.reason) == ["text is resolved, and notes is still in conflict"])
        let left = """
            id: a
            text: R
            <<<<<<< local (HEAD)
            notes: mine
            ||||||| base
            notes: old
            =======
            notes: yours
            >>>>>>> remote (topic)
            due: 2026-12-01

            """
        #expect(here["a.yaml"] == left)
        #expect(try here.status.conflicts.map(\.kind) == [.git])
        let wrong = try here.resolve("a", by: .fields([ByteKey("text"): .take(.local)]))
        #expect(wrong.unresolved.map(\.reason) == ["text is not in conflict; notes can be resolved"])
        #expect(here["a.yaml"] == left)

        let last = try here.resolve("a", by: .fields([ByteKey("notes"): .take(.local)]))
        #expect(last.resolved.map(\.used) == [.local])
        #expect(here["a.yaml"] == "id: a\ntext: R\nnotes: mine\ndue: 2026-12-01\n")
        #expect(try here.status.conflicts.isEmpty)
    }

    @Test func `a union takes what either side has, and leaves the text`() async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = Self.twoFields
        let report = try here.resolve("a", by: .union)
        #expect(
            report.unresolved.map(\.reason) == ["notes is resolved, and text is still in conflict"])
        let text = try #require(here["a.yaml"])
        #expect(text.hasPrefix("id: a\n<<<<<<< local (HEAD)\ntext: L\n||||||| base\ntext: A\n=======\n"))
        #expect(text.contains("mine") && text.contains("yours"))
    }

    @Test func `with a base, a union merges what only one side changed`() async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] =
            "id: a\n<<<<<<< HEAD\ntext: L\ndue: 2026-12-01\n||||||| abc1234\ntext: A\ndue: 2026-12-01\n"
            + "=======\ntext: A\ndue: 2026-12-02\n>>>>>>> topic\n"
        let refused = try here.resolve("a", by: .fields([ByteKey("text"): .take(.local)]))
        #expect(
            refused.unresolved.map(\.reason)
                == ["no field is in conflict; run \"todosync resolve --union\" to merge both sides"])
        #expect(try here.resolve("a", by: .union).resolved.map(\.used) == [.union])
        #expect(here["a.yaml"] == "id: a\ntext: L\ndue: 2026-12-02\n")
    }

    @Test(arguments: [
        ("- R", "its sides are not two versions of one todo"), ("text: R", "its markers have no base"),
    ])
    func `sides without a base, or of something else, have no fields to merge`(
        _ remote: String, _ reason: String
    ) async throws {
        let here = try await Self.synced()[0]
        let text = "id: a\n<<<<<<< HEAD\ntext: L\n=======\n\(remote)\n>>>>>>> topic\n"
        here["a.yaml"] = text
        for resolution in [Resolution.union, .fields([ByteKey("text"): .take(.local)])] {
            let report = try here.resolve("a", by: resolution)
            #expect(report.unresolved.map { $0.reason.hasPrefix(reason) } == [true])
        }
        #expect(here["a.yaml"] == text)
    }

    @Test(arguments: [Side.local, .remote], ["merge", "diff3", "zdiff3"])
    func `of a lost conflict, the side that deleted the todo is recorded`(
        _ side: Side, _ style: String
    ) async throws {
        let machines = try await Self.synced()
        let (here, there) = (machines[0], machines[1])
        let (deleting, editing) = side == .local ? (here, there) : (there, here)
        deleting["a.yaml"] = nil
        editing.edit("a.yaml", "text: A", "text: edited")
        try await there.push()
        here[".todosync/config.yaml"]? += "merge.conflictStyle: \(style)\n"
        #expect(try await here.pull().conflictKinds == [side == .local ? "delete/edit" : "edit/delete"])
        #expect(try here.status.conflicts.map(\.deletingSide) == [nil], "its record says it")
        for file in ["journal", "journal.length", "cache"] where here.folder.exists(".todosync/\(file)") {
            try here.folder.remove(".todosync/\(file)")
        }

        #expect(try here.status.conflicts.map(\.deletingSide) == [side])
        try here.resolve("a", by: .use(side))
        #expect(here["a.yaml"] == nil)
    }

    @Test func `a new file without an id is in conflict, unless a side is not a todo`() throws {
        let machine = try World().machine()
        machine["new.yaml"] = "<<<<<<< HEAD\ntext: L\n=======\ntext: R\n>>>>>>> topic\n"
        #expect(try machine.status.conflicts.map(\.fields) == [["text"]])
        #expect(try machine.status.conflicts == machine.status.conflicts)
        machine["new.yaml"] = "<<<<<<< HEAD\ntext: L\n=======\n>>>>>>> topic\n"
        #expect(
            try machine.status.invalid.map(\.problem.message)
                == ["conflict markers in a file that isn't a tracked todo; remove them"])
    }

    @Test func `a file with markers takes no id away from another file`() async throws {
        let here = try await Self.synced()[0]
        here.rename("a.yaml", to: "moved.yaml")
        here["a.yaml"] = "<<<<<<< HEAD\ntext: L\n=======\ntext: R\n>>>>>>> topic\n"
        #expect(try here.status.invalid.map(\.path) == ["a.yaml"])
        #expect(try here.status.conflicts.isEmpty)
    }

    @Test func `commands that edit refuse, and removing works`() async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = Form.readable[0].text
        #expect(throws: EngineError.self) {
            try here.workspace.change(["a"], set: [("text", .string("x"))], unset: [])
        }
        #expect(try here.workspace.remove(["a"]).conflicted == ["a.yaml"])
        #expect(here["a.yaml"] == nil)
    }

    @Test(arguments: Form.readable)
    func `a todo that was removed with its markers is deleted once the user confirms it`(
        _ form: Form
    ) async throws {
        let machines = try await Self.synced()
        let (here, there) = (machines[0], machines[1])
        here["a.yaml"] = form.text
        _ = try here.workspace.remove(["a"])
        for verb in Verb.allCases {
            let report = try await here.run(verb)
            #expect(report.conflictKinds == ["git"] && report.pushed.isEmpty)
        }
        #expect(try here.status.conflicts.map(\.isFileGone) == [true])
        #expect(try here.resolve().unresolved.count == 1, "the todo has to be named")

        #expect(try here.resolve("a").resolved.count == 1)
        #expect(try here.status.pendingLines == ["delete a.yaml"])
        #expect(try await here.push().pushedLines == ["delete a.yaml"])
        try await there.pull()
        #expect(there["a.yaml"] == nil)
    }

    @Test func `what others did until the delete was confirmed is a conflict with it`() async throws {
        let machines = try await Self.synced()
        let (here, there) = (machines[0], machines[1])
        here["a.yaml"] = Form.readable[0].text
        _ = try here.workspace.remove(["a"])
        there.edit("a.yaml", "text: A", "text: there")
        try await there.push()
        #expect(try await here.sync().conflictKinds == ["git"])
        try here.resolve("a")
        #expect(try await here.sync().conflictKinds == ["delete/edit"])
        try here.resolve("a", by: .use(.remote))
        #expect(here["a.yaml"] == "id: a\ntext: there\n")
    }

    @Test(arguments: [true, false])
    func `a removed file comes back with its markers, and is in conflict`(_ undoes: Bool) async throws {
        let machines = try await Self.synced()
        let (here, there) = (machines[0], machines[1])
        here["a.yaml"] = Form.readable[0].text
        _ = try here.workspace.remove(["a"])
        if undoes {
            #expect(try here.workspace.undo(nil).undone.map(\.operation) == [.insert])
            #expect(try here.workspace.redo().undone.map(\.operation) == [.delete])
            #expect(try here.status.conflicts.map(\.isFileGone) == [true])
            _ = try here.workspace.undo(nil)
        } else {
            try here.resolve("a", by: .abort)
        }
        #expect(here["a.yaml"] == Form.readable[0].text)
        let conflict = try #require(try here.status.conflicts.first)
        #expect(conflict.kind == .git && conflict.labels == Form.readable[0].labels)
        there.edit("a.yaml", "text: A", "text: A\nn: 1")
        try await there.push()
        #expect(try await here.sync().conflictKinds == ["git"])
        try here.resolve("a", by: .use(.remote))
        try await here.sync()
        #expect(here["a.yaml"] == "id: a\ntext: R\nn: 1\n")
        try await there.sync()
        #expect(there.files == here.files)
    }

    @Test func `a file that git puts back is resolved like any other`() async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = Form.readable[0].text
        _ = try here.workspace.remove(["a"])
        here["a.yaml"] = Form.readable[1].text
        try here.resolve("a", by: .use(.remote))
        #expect(here["a.yaml"] == "id: a\ntext: R\n")
        #expect(try await here.push().pushedLines == ["update a.yaml"])
    }

    @Test func `a todo that only this folder has is removed at once`() async throws {
        let here = try await Self.synced()[0]
        here["c.yaml"] = Form.readable[0].text.replacing("id: a", with: "id: c")
        #expect(try here.status.conflicts.map(\.path) == ["c.yaml"])
        #expect(try here.workspace.remove(["c"]).conflicted == [])
        #expect(try await here.sync().conflicts == [] && here.isClean)
    }

    @Test func `each conflict can be asked about`() async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = Form.readable[0].text
        let report = try here.resolve(
            "a",
            by: .ask { question in
                #expect(question.kind == .git && question.labels == Form.readable[0].labels)
                return .lines(Array("text: third\n".utf8))
            })
        #expect(report.resolved.map(\.used) == [.file])
        #expect(here["a.yaml"] == "id: a\ntext: third\n")
    }

    @Test(arguments: [
        // Both sides added the file, in the styles diff3 and zdiff3.
        "<<<<<<< HEAD\nid: a\ntext: L\n||||||| abc1234\n=======\nid: a\ntext: R\n>>>>>>> topic\n",
        "id: a\n<<<<<<< HEAD\ntext: L\n||||||| abc1234\n=======\ntext: R\n>>>>>>> topic\n",
        // Both sides changed the due date alike, in the style zdiff3.
        "id: a\n<<<<<<< HEAD\ntext: L\n||||||| abc1234\ntext: A\ndue: 2026-12-01\n=======\ntext: R\n"
            + ">>>>>>> topic\ndue: 2026-12-02\n",
    ])
    func `a base that is not a todo can't be taken, and a side can`(_ text: String) async throws {
        let here = try await Self.synced()[0]
        here["a.yaml"] = text
        let report = try here.resolve("a", by: .use(.base))
        #expect(
            report.unresolved.map(\.reason) == [
                "its base is not a valid todo; edit the file, or use --use local or remote"
            ])
        #expect(report.resolved.isEmpty && here["a.yaml"] == text)
        #expect(try here.resolve("a", by: .use(.remote)).resolved.map(\.used) == [.remote])
        #expect(here["a.yaml"]?.hasPrefix("id: a\ntext: R\n") == true)
    }

    @Test func `a base that is in conflict itself can't be taken, and a side can`() async throws {
        let here = try await Self.synced()[0]
        // Git writes this if the branches have two merge bases.
        here["a.yaml"] = """
            id: a
            <<<<<<< HEAD
            text: L
            ||||||| merged common ancestors
            <<<<<<<<< Temporary merge branch 1
            text: one
            ||||||||| abc1234
            text: A
            =========
            text: two
            >>>>>>>>> Temporary merge branch 2
            =======
            text: R
            >>>>>>> topic

            """
        let report = try here.resolve(by: .use(.base))
        #expect(report.unresolved.map { $0.reason.hasPrefix("its base is in conflict itself") } == [true])
        #expect(try here.resolve(by: .use(.remote)).resolved.map(\.used) == [.remote])
        #expect(here["a.yaml"] == "id: a\ntext: R\n")
    }
}

extension String {
    /// The line without its carriage return.
    fileprivate var trimmed: String { hasSuffix("\r") ? String(dropLast()) : self }
}
