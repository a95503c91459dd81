import LosslessYAML
import Testing
import Values

@testable import SyncEngine
@testable import ThreeWayMerge
@testable import TodoModel
@testable import WorkingCopy
@testable import todosync

@Suite struct ReportTests {
    private let id: TodoID
    private let style = Style()

    init() throws { id = try #require(TodoID("7c1e")) }

    @Test func `a clean status is two sentences`() {
        #expect(
            render(StatusReport(remote: "/store"), style) == """
                Remote: /store

                nothing pending, no conflicts

                """)
    }

    @Test func `a status shows each problem with what to do about it`() throws {
        let other = try #require(TodoID("8d2f"))
        let report = StatusReport(
            pending: [
                ReportRow(id: nil, path: "new.yaml", operation: .insert, fields: ["text"]),
                ReportRow(id: id, path: "b.yaml", operation: .update, fields: ["text", "due"]),
                ReportRow(id: id, path: "c/d.yaml", operation: .update, fields: [], previousPath: "d.yaml"),
                ReportRow(id: id, path: "e.yaml", operation: .update, fields: []),
                ReportRow(id: id, path: "f.yaml", operation: .delete, fields: []),
                ReportRow(id: other, path: "g.yaml", operation: .delete, fields: []),
            ],
            conflicts: [
                ConflictedTodo(
                    id: other, path: "g.yaml", fields: ["text"], kind: .deleteEdit, hasMarkers: true)
            ],
            invalid: [InvalidFile(path: "h.yaml", problem: TodoProblem(reason: .noText, line: 1, column: 2))],
            duplicates: [DuplicateFile(id: id, path: "i.yaml", keptBy: "b.yaml")],
            copies: [
                CopiedFile(id: id, path: "b 2.yaml", original: "b.yaml", isOrphan: false),
                CopiedFile(id: id, path: "g (case conflict).yaml", original: "g.yaml", isOrphan: true),
            ],
            oddities: [Oddity(path: "b.yaml", field: "due", expectation: "due is a date")],
            lookalikes: [
                Lookalike(
                    id: id, path: "b.yaml",
                    keys: [
                        .init(name: "\u{E9}", line: 3), .init(name: "e\u{301}", line: 4),
                        .init(name: "\u{1D15E}\"\u{202E}", line: 5),
                    ])
            ])
        #expect(
            render(report, style) == """
                Remote: none (run "todosync remote add origin URL" to add one)

                Pending:
                  (run "todosync push" to send them)
                  new      new.yaml
                  changed  b.yaml              text, due
                  moved    d.yaml -> c/d.yaml
                  changed  e.yaml              comments or layout
                  deleted  f.yaml

                Conflicts:
                  (run "todosync resolve -i g.yaml" to choose, or edit the file and run "todosync resolve")
                  g.yaml  local deleted the todo, remote changed text

                Invalid files:
                  (they are not synced until you fix them)
                  h.yaml:1:2: a todo needs a field text

                Files with a duplicate id:
                  (run "todosync add FILE" to give the file a new id)
                  i.yaml: b.yaml keeps the id

                Copies that other tools made:
                  (run "todosync resolve --adopt" to merge copies into their todos, or "todosync add FILE" to keep one as a separate todo)
                  b 2.yaml: a copy of b.yaml
                  g (case conflict).yaml: a copy of g.yaml, which is gone

                Fields with unexpected values:
                  (they are kept and synced, but list ignores them)
                  b.yaml: due is a date

                Keys that look alike:
                  (they differ only in Unicode form, but are two keys; rename or remove one)
                  b.yaml: \u{E9} ("\\u00E9", line 3), e\u{301} ("e\\u0301", line 4) and \u{1D15E}"\\u202e ("\\U0001D15E\\"\\u202E", line 5)

                """)
    }

    @Test func `the remote's deletes that are withheld are reported`() {
        let withheld = WithheldChanges(side: .remote, count: 12, of: 15)
        let report = StatusReport(held: withheld.holding([(id, "a.yaml")]))
        #expect(
            render(report, style).contains(
                """
                Held by a guard:
                  (first find out why they are gone; to allow them, add --allow-deletes COUNT)
                  the remote deleted 12 of 15 todos; they were kept here

                """))
    }

    @Test func `an edit of a todo that the remote deleted, which a guard holds, is still pending`() {
        let report = StatusReport(
            pending: [ReportRow(id: id, path: "b.yaml", operation: .update, previousPath: "a.yaml")],
            held: WithheldChanges(side: .remote, count: 12, of: 15).holding([(id, "b.yaml")]))
        #expect(
            render(report, style).contains(
                """
                Pending:
                  (run "todosync push" to send them)
                  moved  a.yaml -> b.yaml

                """))
    }

    @Test func `a refusal without a message has the status`() {
        var report = SyncReport()
        report.refused = [ReportRow(id: id, path: "a.yaml", status: 400)]
        #expect(warnings(report, style) == ["refused: a.yaml: the server responded with status 400"])
    }

    @Test func `deletes made here that are withheld are not announced for the next push`() throws {
        let report = StatusReport(
            pending: [
                ReportRow(id: TodoID("a"), path: "a.yaml", operation: .delete, fields: []),
                ReportRow(id: TodoID("b"), path: "b.yaml", operation: .insert, fields: ["text"]),
            ],
            held: WithheldChanges(side: .local, count: 12, of: 15).holding([
                (try #require(TodoID("a")), "a.yaml")
            ]))
        #expect(
            render(report, style).hasSuffix(
                """
                Pending:
                  (run "todosync push" to send them)
                  new  b.yaml

                Held by a guard:
                  (first find out why they are gone; to allow them, add --allow-deletes COUNT)
                  12 of 15 todos are missing here; their deletes were not pushed
                  deleted  a.yaml

                """))
    }

    @Test func `what is ignored is named on request`() {
        let report = StatusReport(
            ignored: [IgnoredFile(path: "link.yaml", isFolder: false, reason: .symbolicLink)])
        #expect(!render(report, style).contains("link.yaml"))
        #expect(render(report, Style(isVerbose: true)).contains("  link.yaml  a symbolic link\n"))
    }

    @Test func `reports name todos by handle and text, if they have them`() throws {
        let other = try #require(TodoID("8d2f"))
        let names = TodoNames([
            id: "Buy milk\nand bread", other: "Call Anna about the garden and the new fence",
        ])
        let edit = PlannedEdit(
            id: id, before: FileText(path: "a.yaml", bytes: Array("id: 7c1e\ntext: Milk\n".utf8)),
            after: FileText(path: "a.yaml", bytes: Array("id: 7c1e\ntext: Buy milk\ndue: x\n".utf8)))
        var sync = SyncReport()
        sync.pushed = [ReportRow(id: id, path: "a.yaml", operation: .insert)]
        sync.pulled = [
            ReportRow(id: other, path: "b.yaml", operation: .delete),
            ReportRow(pulling: edit, at: "a.yaml"),
        ]
        sync.names = names
        #expect(
            render(sync, isDryRun: false, style) == """
                pushed  new      7c  Buy milk …                                a.yaml
                pulled  deleted  8d  Call Anna about the garden and the new …  b.yaml
                pulled  changed  7c  Buy milk …                                a.yaml  text, due
                1 pushed, 2 pulled

                """)
        let status = StatusReport(
            pending: [ReportRow(id: id, path: "a.yaml", operation: .update, fields: ["due"])],
            conflicts: [
                ConflictedTodo(id: other, path: "b.yaml", fields: ["text"], kind: .editEdit, hasMarkers: true)
            ], names: names)
        let text = render(status, style)
        #expect(text.contains("  changed  7c  Buy milk …  a.yaml  due\n"))
        #expect(
            text.contains(
                "  8d  Call Anna about the garden and the new …  b.yaml  both sides changed text\n"))
        var resolve = ResolveReport()
        resolve.resolved = [ReportRow(id: id, path: "a.yaml", used: .local)]
        resolve.names = names
        #expect(render(resolve, style) == "resolved  7c  Buy milk …  a.yaml  with the local side\n")
        resolve.resolved = [ReportRow(id: id, path: "a.yaml", operation: .delete, used: .remote)]
        #expect(
            render(resolve, style)
                == "resolved  7c  Buy milk …  a.yaml  with the remote side, which deleted it\n")
    }

    @Test func `a change is confirmed by the todo's text, or else its path`() {
        let todos = [
            ReportRow(
                id: id, path: "a.yaml", operation: .update, fields: ["complete"],
                text: "Buy milk\nand bread"),
            ReportRow(id: nil, path: "work/b.yaml", text: ""),
        ]
        #expect(
            confirmations(todos, "done", Style(folder: "work")) == """
                done       Buy milk …
                unchanged  b.yaml

                """)
    }

    @Test func `paths are shown from the folder the user is in`() {
        let report = StatusReport(
            pending: [ReportRow(id: id, path: "work/a.yaml", operation: .delete, fields: [])])
        #expect(render(report, Style(folder: "work")).contains("deleted  a.yaml\n"))
        #expect(render(report, Style(folder: "home")).contains("deleted  ../work/a.yaml\n"))
    }

    @Test func `a sync reports what it did and sums it up`() {
        var report = SyncReport()
        report.pushed = [
            ReportRow(id: id, path: "a.yaml", operation: .insert),
            ReportRow(id: id, path: "b.yaml", operation: .update),
        ]
        report.pulled = [ReportRow(id: id, path: "c.yaml", operation: .delete)]
        report.merged = [ReportRow(id: id, path: "b.yaml", operation: .update, fields: ["tags"])]
        report.pending = 1
        #expect(
            render(report, isDryRun: false, style) == """
                pushed  new      a.yaml
                pushed  changed  b.yaml
                pulled  deleted  c.yaml
                merged  changed  b.yaml  tags
                2 pushed, 1 pulled, 1 merged, 1 pending

                """)
        #expect(render(report, isDryRun: true, style).hasPrefix("would push   new      a.yaml\n"))
        report.merged = [
            ReportRow(id: id, path: "b.yaml", operation: .update, fields: ["tags"], notes: [.commentsOfBoth]),
            ReportRow(id: id, path: "d.yaml", operation: .update, fields: [], notes: [.commentsOfBoth]),
            ReportRow(id: id, path: "e.yaml", operation: .update, fields: []),
            ReportRow(id: id, path: "f.yaml", operation: .delete, fields: ["text"]),
        ]
        let words = ["b.yaml  tags, comments of both sides", "d.yaml  comments of both sides"]
        for words in words + ["e.yaml  comments or layout"] {
            #expect(render(report, isDryRun: false, style).contains("merged  changed  \(words)\n"))
        }
        #expect(render(report, isDryRun: false, style).contains("merged  deleted  f.yaml\n"))
        #expect(render(SyncReport(), isDryRun: false, style) == "everything up to date\n")
    }

    @Test func `long lists are cut unless the user wants them whole`() {
        var report = SyncReport()
        report.pulled = (0..<100).map { ReportRow(id: id, path: "\($0).yaml", operation: .insert) }
        let text = render(report, isDryRun: false, style)
        #expect(text.hasSuffix("pulled  new  19.yaml\n… and 80 more\n100 pulled\n"))
        #expect(render(report, isDryRun: false, Style(isVerbose: true)).contains("99.yaml"))
    }

    @Test func `a conflict is reported with the next command`() {
        var report = SyncReport()
        report.conflicts = [
            ConflictedTodo(
                id: id, path: "a.yaml", fields: ["text", "due"], kind: .editEdit, hasMarkers: true)
        ]
        #expect(
            warnings(report, style) == [
                "conflict: a.yaml: both sides changed text and due",
                "hint: run \"todosync resolve -i a.yaml\" to choose, or edit the file and run \"todosync resolve\"",
            ])
    }

    @Test func `a conflict without markers is reported with the limit and both sizes`() {
        let obstacle = MergeObstacle(problem: "larger than 1 MiB", local: 600_018, remote: 700_030).words
        var report = SyncReport()
        report.conflicts = [
            ConflictedTodo(
                id: id, path: "a.yaml", fields: ["a", "b"], kind: .editEdit, hasMarkers: false,
                obstacle: obstacle)
        ]
        #expect(
            warnings(report, style) == [
                "conflict: a.yaml: local and remote differ in a and b; the changes of both sides do not fit into "
                    + "one file: larger than 1 MiB (local 600,018 bytes, remote 700,030 bytes)",
                "hint: shorten one side and sync again, or run \"todosync resolve --use local a.yaml\" or "
                    + "\"--use remote\" to take a whole side",
            ])
        var status = StatusReport()
        status.conflicts = report.conflicts
        #expect(!render(status, style).contains("markers"))
    }

    @Test(arguments: [
        (Side?.none, "local (HEAD) and remote (topic) have different text"),
        (.local, "local (HEAD) deleted the todo, remote (topic) changed it"),
        (.remote, "local (HEAD) changed the todo, remote (topic) deleted it"),
    ])
    func `a conflict that only markers show is reported with its sides`(_ side: Side?, _ words: String) {
        let conflict = ConflictedTodo(
            id: id, path: "a.yaml", fields: [], kind: .git, hasMarkers: true,
            labels: SideLabels(local: "HEAD", remote: "topic"), deletingSide: side)
        #expect(conflict.explanation == words)
    }

    @Test func `withheld deletes name the numbers and the side, and no command that carries them out`() {
        var report = SyncReport()
        report.held = WithheldChanges(side: .remote, count: 12, of: 15).holding([(id, "a.yaml")])
        let lines = warnings(report, style)
        #expect(lines.first == "held: the remote deleted 12 of 15 todos; they were kept here")
        #expect(!lines.joined().contains("--allow-deletes 12"))
    }

    @Test func `what others wrote is shown, not obeyed`() {
        var report = SyncReport()
        report.refused = [ReportRow(id: id, path: "\u{1B}[2J.yaml", reason: "no\u{7}", status: 400)]
        report.unusableRecords = [UnusableRecord(id: "\u{1B}x", reason: "no text")]
        #expect(!warnings(report, style).joined().unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func `a list shows what is recorded and no empty columns`() {
        let todos = [
            ListedTodo(
                id: id, path: "milk.yaml",
                fields: [
                    "text": .string("Buy\nmilk"), "tags": .list([.string("shop")]),
                    "priority": .string("high"),
                ],
                isConflicted: false, bytes: [], version: nil),
            ListedTodo(
                id: id, path: "b.yaml", fields: ["text": .string("B"), "complete": .bool(true)],
                isConflicted: true,
                bytes: [], version: nil),
        ]
        #expect(
            render(
                todos.map(ListEntry.init),
                ListForm(marksDone: true, present: Present(DateReader(now: 0, zone: LocalZone { _ in 0 }))),
                style) == """
                    [ ] Buy …  high  shop
                    [x] B                  conflict

                    """)
    }

    @Test func `the values to choose from are never cut`() throws {
        let long = String(repeating: "word ", count: 40) + "end"
        let text = { (side: String) in
            Conflict.Text(bytes: Array("id: a\ntext: \(side) \(long)\n".utf8), device: "\(side)-pc")
        }
        let conflict = Conflict(
            id: try #require(TodoID("a")), path: "a.yaml", kind: .editEdit, base: text("base"),
            local: text("local"), remote: text("remote"), fields: ["text"])
        let shown = render([conflict], Style(width: 40))
        for side in ["base", "local", "remote"] {
            #expect(shown.contains("\"\(side) \(long)\"  \(side)-pc\n"))
        }
    }

    @Test func `resolve reports which side was taken`() {
        let report = ResolveReport(
            resolved: [ReportRow(id: id, path: "a.yaml", used: .local)],
            unresolved: [
                ReportRow(id: id, path: "b.yaml", reason: "a marker is left", line: 3, column: 1)
            ])
        #expect(render(report, style) == "resolved  a.yaml  with the local side\n")
        #expect(warnings(report, style) == ["unresolved: b.yaml:3:1: a marker is left"])
        #expect(render(ResolveReport(), style) == "no conflicts\n")
    }

    private var operation: LogEntry {
        LogEntry(operation: "3f2a", time: "", command: "todosync push", todos: [], isInterrupted: false)
    }

    @Test func `an undo without a name that is blocked shows how to undo another operation`() {
        var report = UndoReport(
            operation: operation,
            refused: [ReportRow(id: id, path: "a.yaml", reason: "it has been edited since")])
        let line = "not undone: a.yaml: it has been edited since"
        #expect(warnings(report, .undo, hint: "another", style) == [line, "hint: another"])
        #expect(warnings(report, .undo, style) == [line])
        report.undone = [ReportRow(id: id, path: "b.yaml", operation: .update)]
        #expect(warnings(report, .undo, hint: "another", style) == [line])
    }

    @Test func `an undo names fields and former paths, and what a path has is made visible`() {
        let report = UndoReport(
            operation: operation,
            undone: [
                ReportRow(id: id, path: "a.yaml", operation: .update, fields: ["text", "\u{1b}"]),
                ReportRow(id: id, path: "b.yaml", operation: .update, previousPath: "d/\u{7}.yaml"),
                ReportRow(id: id, path: "c.yaml", operation: .update),
                ReportRow(id: id, path: "d.yaml", operation: .insert),
                ReportRow(id: id, path: "e.yaml", operation: .delete),
            ])
        #expect(
            render(report, .undo, isDryRun: false, style) == """
                changed   a.yaml                 text, \\x1b
                moved     d/\\x07.yaml -> b.yaml
                changed   c.yaml                 comments or layout
                restored  d.yaml
                removed   e.yaml
                undid 3f2a (todosync push)

                """)
        #expect(
            render(report, .redo, isDryRun: true, style).hasSuffix(
                "\nwould restore  d.yaml\nwould remove   e.yaml\ndry run: nothing was changed\n"))
        #expect(ReversalWords.redo.question(report) == "redo these 5 changes of 3f2a (todosync push)? [Y/n] ")
        #expect(
            render(report, .restore, isDryRun: false, listsTodos: false, style)
                == "restored 5 todos to the state before 3f2a (todosync push)\n")
    }

    @Test func `a redo that has nothing to do reports why`() {
        #expect(render(UndoReport(), .redo, isDryRun: false, style) == "nothing to redo\n")
        let hidden = UndoReport(newer: operation)
        #expect(
            render(hidden, .redo, isDryRun: false, style)
                == "nothing to redo: 3f2a (todosync push) was done after the last undo that is still in effect\n"
        )
        #expect(warnings(hidden, .redo, style).count == 1)
        #expect(
            render(UndoReport(operation: operation), .restore, isDryRun: false, style)
                == "everything is already as it was before 3f2a (todosync push)\n")
    }

    @Test func `what a check finds and can't repair names no command that throws something away`() {
        let report = CheckReport(problems: [.unexpectedRecord(line: 3, kind: "end")])
        #expect(
            warnings(report) == [
                "found: .todosync/journal: line 3 (end) does not fit the lines before it",
                "hint: no action is needed; run \"todosync status\" or \"todosync diff\" to see what is pending",
            ])
    }

    @Test func `a todo that one side deleted is explained as that`() {
        let entry = LogEntry(
            operation: "3f2a", time: "", command: "todosync pull", todos: [], isInterrupted: false)
        func words(_ side: Side, _ outcome: Explanation.Outcome) -> String {
            render(
                Explanation(
                    id: id, path: "a.yaml", operation: entry, outcome: outcome, deletingSide: side), style)
        }
        #expect(
            words(.remote, .conflict) == """
                a.yaml: left in conflict by todosync pull (3f2a)

                the remote deleted it and the local side changed it: a conflict, because no rule can choose

                """)
        #expect(words(.local, .conflict).contains("the local side deleted it and the remote changed it: a"))
        #expect(words(.remote, .deleted).contains("the remote deleted it, so it was deleted"))
        #expect(words(.local, .pulled).contains("the changed todo was kept"))
    }

    @Test func `each merge of a copy by the same operation is explained`() {
        let entry = LogEntry(
            operation: "3f2a", time: "", command: "todosync resolve --adopt", todos: [], isInterrupted: false)
        let copies = ["a 2.yaml", "a 3.yaml"].map { copy in
            Explanation(id: id, path: "a.yaml", operation: entry, outcome: .merged, copy: copy)
        }
        var explanation = copies[1]
        explanation.earlier = [copies[0]]
        let expected = ["2", "3"].map { number in
            "a.yaml: merged by todosync resolve --adopt (3f2a), with the copy a \(number).yaml as the remote side\n"
                + "no fields differed\n"
        }
        #expect(render(explanation, style) == expected.joined(separator: "\n"))
        let text = String(decoding: JSON.write(json(explanation)), as: UTF8.self)
        #expect(text.contains(#""copy":"a 3.yaml""#) && text.contains(#""earlier":[{"#))
    }

    @Test func `what the sides did to comments is explained`() {
        let entry = LogEntry(
            operation: "3f2a", time: "", command: "todosync pull", todos: [], isInterrupted: false)
        func comment(_ text: String, _ kind: CommentChange.Kind, isKept: Bool) -> ExplainedComment {
            ExplainedComment(change: CommentChange(comment: text, kind: kind), isKept: isKept)
        }
        let comments = [
            comment("# mine", .addedLocally, isKept: true), comment("# theirs", .addedRemotely, isKept: true),
            comment("# gone", .removedRemotely, isKept: false),
            comment("# old", .removedLocally, isKept: true),
            comment("# lost", .addedRemotely, isKept: false),
        ]
        #expect(
            render(
                Explanation(id: id, path: "a.yaml", operation: entry, outcome: .merged, comments: comments),
                style)
                    == """
                    a.yaml: merged by todosync pull (3f2a)
                    no fields differed

                    comments:
                      # mine    the local side added it
                      # theirs  the remote added it
                      # gone    the remote removed it
                      # old     the local side removed it, but it stayed
                      # lost    the remote added it, but it was not kept

                    """)
    }

    @Test func `what a side renamed or moved is explained`() {
        let entry = LogEntry(
            operation: "3f2a", time: "", command: "todosync pull", todos: [], isInterrupted: false)
        let relocations = [
            Relocation(side: .local, from: ["owner", "mail"], to: ["owner", "address"]),
            Relocation(side: .remote, from: ["box"], to: ["room", "box"]),
        ]
        let explanation = Explanation(
            id: id, path: "a.yaml", operation: entry, outcome: .merged, relocations: relocations)
        #expect(
            render(explanation, style) == """
                a.yaml: merged by todosync pull (3f2a)
                no fields differed

                renamed or moved:
                  owner.mail  the local side renamed it to owner.address, and the other side's edit followed
                  box         the remote moved it to room.box, and the other side's edit followed

                """)
        #expect(
            String(decoding: JSON.write(json(explanation)), as: UTF8.self).contains(
                #""relocations":[{"from":["owner","mail"],"to":["owner","address"],"side":"local"}"#))
    }

    @Test func `what chose is explained, and whether a conflict is still open`() {
        let entry = LogEntry(
            operation: "3f2a", time: "", command: "todosync pull", todos: [], isInterrupted: false)
        let decision = FieldDecision(
            field: "text", rule: .conflict, base: .string("base"), local: .string("here"),
            remote: .string("there"),
            result: .string("here"),
            hasConflict: true)
        func lines(
            _ outcome: Explanation.Outcome, _ side: Side? = nil, by chooser: LoggedChoice.Chooser? = nil,
            isOpen: Bool = false
        ) -> [String] {
            var field = ExplainedField(decision: decision, result: .string("result"))
            (field.side, field.chooser) = (side, chooser)
            let explanation = Explanation(
                id: id, path: "a.yaml", operation: entry, outcome: outcome, isOpen: isOpen, fields: [field])
            let lines = render(explanation, style).split(separator: "\n").map(String.init)
            return [lines[1], lines[5]]
        }
        let rule = "text: both sides changed it, and no rule can choose"
        #expect(lines(.conflict, isOpen: true) == [rule, "  result  in conflict"])
        #expect(lines(.conflict) == [rule, "  result  in conflict, resolved since"])
        for (side, value) in [(Side.local, "the local value"), (.remote, "the remote value")] {
            #expect(
                lines(.merged, side) == [
                    rule + "; a former rule chose \(value)",
                    "  result  \"result\"",
                ])
        }
        let choosers: [(LoggedChoice.Chooser, String)] = [
            (.handler, "merge.handler"), (.program, "a program"), (.option, "--on-conflict"),
            (.memory, "merge.remember"), (.user, "you"),
        ]
        for (chooser, words) in choosers {
            for outcome in [Explanation.Outcome.merged, .conflict] {
                #expect(
                    lines(outcome, by: chooser) == [
                        rule + "; \(words) chose another value", "  result  \"result\"",
                    ])
            }
        }
    }
}
