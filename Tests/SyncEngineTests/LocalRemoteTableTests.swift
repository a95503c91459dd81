import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// What each command does, given each side's change to a todo since its base version.
@Suite(.serialized) struct LocalRemoteTableTests {
    @Test(arguments: Row.all, Verb.allCases)
    func `each side's change is carried over, merged, or a conflict`(_ row: Row, _ verb: Verb) async throws {
        let (here, there) = try await meet(row)
        let report = try await here.run(verb)

        let expected = row.isMet(by: verb) ? row.expected : Outcome(files: here.files, pending: [])
        #expect(here.files == expected.files)
        #expect(report.conflictKinds == expected.conflicts)
        #expect(report.needsUser == !expected.conflicts.isEmpty)
        let status = try here.status
        #expect(status.conflicts.map(\.kind.rawValue) == expected.conflicts)
        #expect(status.conflicts.allSatisfy { $0.hasMarkers })
        #expect(status.invalid.isEmpty)
        guard expected.conflicts.isEmpty else { return }
        if verb == .pull {
            #expect(status.pendingLines == expected.pending)
            return
        }
        #expect(report.pushedLines == expected.pushed)
        #expect(status.isClean)
        _ = try await here.pull()
        try await there.pull()
        #expect(there.files.mapValues(withoutCarriageReturns) == here.files.mapValues(withoutCarriageReturns))
        #expect(try there.isClean)
    }

    @Test(arguments: Row.all, Verb.allCases)
    func `the same command again finds nothing to do`(_ row: Row, _ verb: Verb) async throws {
        let (here, _) = try await meet(row)
        try await here.run(verb)
        let files = here.files

        let second = try await here.run(verb)

        #expect(second.pushed.isEmpty && second.pulled.isEmpty && second.merged.isEmpty)
        #expect(here.files == files)
        // The remote returns pushed changes once, which moves the cursor.
        let everything = here.folder.contentsBesidesCache()
        try await here.run(verb)
        #expect(here.folder.contentsBesidesCache() == everything)
    }

    @Test(arguments: Row.all, Verb.allCases)
    func `a dry run shows the same and changes nothing`(_ row: Row, _ verb: Verb) async throws {
        let (here, _) = try await meet(row)
        let everything = here.folder.contentsBesidesCache()
        let options = SyncOptions(isDryRun: true)
        let preview =
            switch verb {
            case .push: try await here.workspace.push(options)
            case .pull: try await here.workspace.pull(options)
            case .sync: try await here.workspace.sync(options)
            }
        #expect(here.folder.contentsBesidesCache() == everything)

        let report = try await here.run(verb)

        #expect(preview.conflictKinds == report.conflictKinds)
        #expect(preview.conflicts.allSatisfy { $0.isExpected && !$0.hasMarkers }, "no file has markers yet")
        #expect(report.conflicts.allSatisfy { !$0.isExpected })
        #expect(preview.pushedLines == report.pushedLines)
        #expect(preview.needsUser == report.needsUser)
    }

    /// Makes two machines whose changes are about to meet; the other machine's are already on the remote.
    private func meet(_ row: Row) async throws -> (here: Machine, there: Machine) {
        let world = World()
        let machines = try await world.machines(2, row.base)
        await world.remote.put(
            RemoteRecord(id: "tombstone", version: Version(""), isDeleted: true, fields: [:]))
        row.remote(machines[1])
        try await machines[1].push()
        row.local(machines[0])
        return (machines[0], machines[1])
    }
}

private func withoutCarriageReturns(_ text: String) -> String {
    String(decoding: text.utf8.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
}

extension LocalRemoteTableTests {
    /// The state of the folder after the command.
    struct Outcome: Sendable {
        var files: [String: String]
        var conflicts: [String] = []
        /// What is pending after a pull.
        var pending: [String]

        /// What a push or a sync sends.
        var pushed: [String] {
            pending.map { $0.split(separator: " ").prefix(2).joined(separator: " ").replacing(":", with: "") }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var base: [String: String] = ["a.yaml": text]
        var local: @Sendable (Machine) -> Void
        var remote: @Sendable (Machine) -> Void
        /// Whether a push has something to send, and so meets the remote's change.
        var pushes = true
        var expected: Outcome

        static let text = "id: a\ntext: base\npriority: low\n"

        func isMet(by verb: Verb) -> Bool { verb != .push || pushes }
    }
}

extension LocalRemoteTableTests.Row {
    typealias Outcome = LocalRemoteTableTests.Outcome

    /// Changes to the todo.
    fileprivate enum Edit {
        static let nothing: @Sendable (Machine) -> Void = { _ in }
        static let one: @Sendable (Machine) -> Void = { $0.edit("a.yaml", "base", "one") }
        static let two: @Sendable (Machine) -> Void = { $0.edit("a.yaml", "base", "two") }
        static let priority: @Sendable (Machine) -> Void = { $0.edit("a.yaml", "low", "high") }
        static let comment: @Sendable (Machine) -> Void = { $0["a.yaml"] = "# why\n" + text }
        static let lineEndings: @Sendable (Machine) -> Void = { $0.edit("a.yaml", "\n", "\r\n") }
        static let rename: @Sendable (Machine) -> Void = { $0.rename("a.yaml", to: "b.yaml") }
        static let otherRename: @Sendable (Machine) -> Void = { $0.rename("a.yaml", to: "folder/c.yaml") }
        static let delete: @Sendable (Machine) -> Void = { $0["a.yaml"] = nil }
    }

    static let all = withBase + withoutBase

    private static let withBase: [Self] = [
        Self(
            testDescription: "unchanged, unchanged", local: Edit.nothing, remote: Edit.nothing, pushes: false,
            expected: Outcome(files: ["a.yaml": text], pending: [])),
        Self(
            testDescription: "unchanged, edited", local: Edit.nothing, remote: Edit.two, pushes: false,
            expected: Outcome(files: ["a.yaml": "id: a\ntext: two\npriority: low\n"], pending: [])),
        Self(
            testDescription: "unchanged, renamed", local: Edit.nothing, remote: Edit.rename, pushes: false,
            expected: Outcome(files: ["b.yaml": text], pending: [])),
        Self(
            testDescription: "unchanged, deleted", local: Edit.nothing, remote: Edit.delete, pushes: false,
            expected: Outcome(files: [:], pending: [])),
        Self(
            testDescription: "edited, unchanged", local: Edit.one, remote: Edit.nothing,
            expected: Outcome(
                files: ["a.yaml": "id: a\ntext: one\npriority: low\n"], pending: ["update a.yaml: text"])),
        Self(
            testDescription: "comment added, unchanged", local: Edit.comment, remote: Edit.nothing,
            expected: Outcome(files: ["a.yaml": "# why\n" + text], pending: ["update a.yaml"])),
        Self(
            testDescription: "line endings changed, unchanged", local: Edit.lineEndings, remote: Edit.nothing,
            pushes: false,
            expected: Outcome(files: ["a.yaml": "id: a\r\ntext: base\r\npriority: low\r\n"], pending: [])),
        Self(
            testDescription: "line endings changed, edited", local: Edit.lineEndings, remote: Edit.two,
            pushes: false,
            expected: Outcome(files: ["a.yaml": "id: a\r\ntext: two\r\npriority: low\r\n"], pending: [])),
        Self(
            testDescription: "line endings changed, deleted", local: Edit.lineEndings, remote: Edit.delete,
            pushes: false, expected: Outcome(files: [:], pending: [])),
        Self(
            testDescription: "edited, edited elsewhere", local: Edit.one, remote: Edit.priority,
            expected: Outcome(
                files: ["a.yaml": "id: a\ntext: one\npriority: high\n"], pending: ["update a.yaml: text"])),
        Self(
            testDescription: "edited, edited to the same", local: Edit.one, remote: Edit.one,
            expected: Outcome(files: ["a.yaml": "id: a\ntext: one\npriority: low\n"], pending: [])),
        Self(
            testDescription: "comment added, edited", local: Edit.comment, remote: Edit.two,
            expected: Outcome(
                files: ["a.yaml": "# why\nid: a\ntext: two\npriority: low\n"], pending: ["update a.yaml"])),
        Self(
            testDescription: "edited, edited differently", local: Edit.one, remote: Edit.two,
            expected: Outcome(
                files: [
                    "a.yaml": """
                    id: a
                    <<<<<<< local
                    text: one
                    =======
                    text: two
                    >>>>>>> remote
                    priority: low

                    """
                ], conflicts: ["edit/edit"], pending: [])),
        Self(
            testDescription: "edited, renamed", local: Edit.one, remote: Edit.rename,
            expected: Outcome(
                files: ["b.yaml": "id: a\ntext: one\npriority: low\n"], pending: ["update b.yaml: text"])),
        Self(
            testDescription: "renamed, unchanged", local: Edit.rename, remote: Edit.nothing,
            expected: Outcome(files: ["b.yaml": text], pending: ["update b.yaml from a.yaml"])),
        Self(
            testDescription: "renamed, edited", local: Edit.rename, remote: Edit.two,
            expected: Outcome(
                files: ["b.yaml": "id: a\ntext: two\npriority: low\n"], pending: ["update b.yaml from a.yaml"]
            )),
        Self(
            testDescription: "renamed, renamed to the same", local: Edit.rename, remote: Edit.rename,
            expected: Outcome(files: ["b.yaml": text], pending: [])),
        Self(
            testDescription: "renamed, renamed differently", local: Edit.rename, remote: Edit.otherRename,
            expected: Outcome(files: ["b.yaml": text], pending: ["update b.yaml from folder/c.yaml"])),
        Self(
            testDescription: "renamed, deleted", local: Edit.rename, remote: Edit.delete,
            expected: Outcome(files: [:], pending: [])),
        Self(
            testDescription: "edited, deleted", local: Edit.one, remote: Edit.delete,
            expected: Outcome(
                files: [
                    "a.yaml": "id: a\n<<<<<<< local\ntext: one\npriority: low\n=======\n>>>>>>> remote\n"
                ],
                conflicts: ["edit/delete"], pending: [])),
        Self(
            testDescription: "comment added, deleted", local: Edit.comment, remote: Edit.delete,
            expected: Outcome(
                files: [
                    "a.yaml":
                        "id: a\n<<<<<<< local\n# why\ntext: base\npriority: low\n=======\n>>>>>>> remote\n"
                ], conflicts: ["edit/delete"], pending: [])),
        Self(
            testDescription: "deleted, unchanged", local: Edit.delete, remote: Edit.nothing,
            expected: Outcome(files: [:], pending: ["delete a.yaml"])),
        Self(
            testDescription: "deleted, edited", local: Edit.delete, remote: Edit.two,
            expected: Outcome(
                files: [
                    "a.yaml": "id: a\n<<<<<<< local\n=======\ntext: two\npriority: low\n>>>>>>> remote\n"
                ],
                conflicts: ["delete/edit"], pending: [])),
        Self(
            testDescription: "deleted, renamed", local: Edit.delete, remote: Edit.rename,
            expected: Outcome(files: [:], pending: ["delete a.yaml"])),
        Self(
            testDescription: "deleted, deleted", local: Edit.delete, remote: Edit.delete,
            expected: Outcome(files: [:], pending: [])),
    ]

    private static let withoutBase: [Self] = [
        Self(
            testDescription: "absent, inserted", base: [:], local: Edit.nothing,
            remote: { $0["a.yaml"] = text }, pushes: false,
            expected: Outcome(files: ["a.yaml": text], pending: [])),
        Self(
            testDescription: "inserted, absent", base: [:], local: { $0["a.yaml"] = text },
            remote: Edit.nothing,
            expected: Outcome(files: ["a.yaml": text], pending: ["insert a.yaml: text priority"])),
        Self(
            testDescription: "inserted, inserted the same", base: [:], local: { $0["a.yaml"] = text },
            remote: { $0["a.yaml"] = text }, expected: Outcome(files: ["a.yaml": text], pending: [])),
        Self(
            testDescription: "inserted, inserted with other fields", base: [:],
            local: { $0["a.yaml"] = "id: a\ntext: base\ntags: [home]\n" },
            remote: { $0["a.yaml"] = "id: a\ntext: base\ntags: [shop]\n" },
            expected: Outcome(
                files: ["a.yaml": "id: a\ntext: base\ntags: [home, shop]\n"], pending: ["update a.yaml: tags"]
            )),
        Self(
            testDescription: "inserted, inserted differently", base: [:],
            local: { $0["a.yaml"] = "id: a\ntext: one\n" }, remote: { $0["a.yaml"] = "id: a\ntext: two\n" },
            expected: Outcome(
                files: ["a.yaml": "id: a\n<<<<<<< local\ntext: one\n=======\ntext: two\n>>>>>>> remote\n"],
                conflicts: ["insert/insert"], pending: [])),
        Self(
            testDescription: "inserted, inserted and deleted", base: [:],
            local: { $0["t.yaml"] = "id: tombstone\ntext: one\n" }, remote: Edit.nothing,
            expected: Outcome(
                files: ["t.yaml": "id: tombstone\n<<<<<<< local\ntext: one\n=======\n>>>>>>> remote\n"],
                conflicts: ["edit/delete"], pending: [])),
    ]
}
