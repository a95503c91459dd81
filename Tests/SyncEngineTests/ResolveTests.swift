import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Open conflicts of each kind, and each way to resolve them.
@Suite struct ResolveTests {
    @Test(arguments: Row.all)
    func `a conflict is resolved as the user chooses, and all machines agree`(_ row: Row) async throws {
        let world = World()
        let machines = try await world.machines(2, row.kind.base)
        let (here, there) = (machines[0], machines[1])
        row.kind.remote(there)
        try await there.push()
        row.kind.local(here)
        let report = try await here.push()
        #expect(report.conflictKinds == [row.kind.name])
        row.edit(here)

        let resolved = try here.resolve("a", by: row.resolution)

        #expect(resolved.resolved.map(\.used) == [row.used])
        #expect(try here.status.conflicts.isEmpty)
        #expect(here.files == row.files)
        try await here.sync()
        try await there.sync()
        #expect(here.files == row.files)
        #expect(there.files == row.files)
        #expect(try here.isClean && there.isClean)
    }

    @Test(arguments: Kind.all)
    func `an aborted conflict leaves the file as it was, and the next push meets it again`(_ kind: Kind)
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, kind.base)
        let (here, there) = (machines[0], machines[1])
        kind.remote(there)
        try await there.push()
        kind.local(here)
        let before = here.files
        let pending = try here.status.pendingLines
        try await here.push()
        let conflicted = here.files

        try here.resolve("a", by: .abort)

        #expect(here.files == before)
        #expect(try here.status.pendingLines == pending)
        for verb in Verb.allCases {
            #expect(try await here.run(verb).conflictKinds == [kind.name], "\(verb)")
            #expect(here.files == conflicted)
            try here.resolve("a", by: .abort)
            #expect(here.files == before)
        }
    }

    @Test func `a todo with markers is not resolved, and a bare resolve goes on with the others`()
        async throws
    {
        let machines = try await conflict(["a.yaml", "b.yaml"])
        machines[0]["a.yaml"] = "id: a.yaml\ntext: both\n"
        let report = try machines[0].resolve()
        #expect(report.resolved.map(\.path) == ["a.yaml"])
        #expect(report.unresolved.map(\.path) == ["b.yaml"])
        #expect(report.unresolved.first?.line == 2)
        #expect(try machines[0].status.conflicts.map(\.path) == ["b.yaml"])
    }

    @Test func `what stays open is listed in the order of the paths, whatever the reason`() async throws {
        let machine = try await conflict(["a.yaml", "b.yaml", "c.yaml", "d.yaml"])[0]
        machine["a.yaml"] = "id: a.yaml\ntext: [\n"
        machine["c.yaml"] = nil
        let report = try machine.resolve(by: .ask { $0.path == "b.yaml" ? .take(.local) : .cancel })
        #expect(report.resolved.map(\.path) == ["b.yaml"])
        #expect(report.unresolved.map(\.path) == ["a.yaml", "c.yaml", "d.yaml"])
    }

    @Test(arguments: ["", "id: a.yaml\n", "id: a.yaml\ntext: [\n", "text: 1\nid: a.yaml\n"])
    func `an answer that is no valid todo is refused, and nothing changes`(_ answer: String) async throws {
        let machine = try await conflict(["a.yaml"])[0]
        machine["a.yaml"] = answer
        let report = try machine.resolve()
        #expect(report.resolved.isEmpty)
        #expect(report.unresolved.count == 1)
        #expect(machine["a.yaml"] == answer)
        try machine.resolve("a.yaml", by: .abort)
        #expect(machine["a.yaml"] == "id: a.yaml\ntext: here\n")
    }

    @Test func `a file that is nowhere means delete only when the todo is named`() async throws {
        let machines = try await conflict(["a.yaml"])
        machines[0]["a.yaml"] = nil
        #expect(try machines[0].resolve().unresolved.count == 1)
        #expect(try machines[0].resolve("a.yaml").resolved.count == 1)
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(machines[1].files.isEmpty)
    }

    @Test func `a side is taken for the blocks that are left, and all else stays as the user left it`()
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: t\npriority: low\nowner: x\n"])
        machines[1]["a.yaml"] = "id: a\ntext: t2\npriority: low\nowner: y\n"
        try await machines[1].push()
        machines[0]["a.yaml"] = "id: a\ntext: t1\npriority: low\nowner: z\n"
        try await machines[0].pull()
        let text = try #require(machines[0]["a.yaml"])
        let firstBlock = "<<<<<<< local\ntext: t1\n=======\ntext: t2\n>>>>>>> remote\n"
        machines[0]["a.yaml"] = text.replacing(firstBlock, with: "text: both\n# mine\n")
        try machines[0].resolve(by: .use(.remote))
        #expect(machines[0]["a.yaml"] == "id: a\ntext: both\n# mine\npriority: low\nowner: y\n")
        // No block is left, so there is no side to take.
        #expect(throws: EngineError.self) { try machines[0].resolve("a", by: .use(.local)) }
    }

    @Test(arguments: [
        "# above\nid: a\ntext: %\n", "{id: a, text: %}\n", "text: % # without a last newline\nid: a",
    ])
    func `taking a side of an edit and a delete gives the side's very bytes`(_ text: String) async throws {
        let (base, edited) = (text.replacing("%", with: "A"), text.replacing("%", with: "B"))
        for isEditedHere in [true, false] {
            for isChosenBefore in [true, false] {
                let machines = try await World().machines(2, ["a.yaml": base])
                machines[isEditedHere ? 0 : 1]["a.yaml"] = edited
                machines[isEditedHere ? 1 : 0]["a.yaml"] = nil
                try await machines[1].push()
                let side = isEditedHere ? Side.local : .remote
                try await machines[0].pull(isChosenBefore ? .use(side) : .markers)
                if !isChosenBefore { try machines[0].resolve(by: .use(side)) }
                #expect(machines[0]["a.yaml"] == edited)
                #expect(try machines[0].isClean == !isEditedHere)
            }
        }
    }

    @Test(arguments: [
        ("c: 5\nn: 2", "c: 1", Side.remote, "c: 5"), ("c: 1", "c: 5\nn: 2", .local, "c: 5"),
        ("c: 1", "c: 5\nd: 4\nn: 2", .local, "c: 5\nd: 4"),
    ])
    func `the newline that a marker needed goes with it, also where nothing replaces it`(
        _ local: String, _ remote: String, _ side: Side, _ resolved: String
    ) async throws {
        let begin = "id: k\ntext: a\n"
        let machines = try await World().machines(2, ["a.yaml": begin + "c: 1\nn: 1"])
        machines[1]["a.yaml"] = begin + remote
        try await machines[1].push()
        machines[0]["a.yaml"] = begin + local
        try await machines[0].pull()
        try machines[0].resolve(by: .use(side))
        #expect(machines[0]["a.yaml"] == begin + resolved)
    }

    @Test(arguments: [
        "id: a.yaml\n<<<<<<< local\ntext: here\n=======\ntext: there\n",
        "<<<<<<< local\ntext: here\n=======\ntext: there\n>>>>>>> remote\n", "id: a.yaml\n",
    ])
    func `a conflicted todo whose markers are damaged is listed as it was before`(_ text: String) async throws
    {
        let machine = try await conflict(["a.yaml"])[0]
        machine["a.yaml"] = text
        let listed = try machine.workspace.list()
        #expect(listed.map { $0.fields["text"] } == [.string("here")])
        #expect(listed.map(\.isConflicted) == [true])
        #expect(try machine.workspace.show("a.yaml", .file).fields["text"] == .string("here"))
    }

    @Test func `a conflicted todo that is removed still has to be resolved`() async throws {
        let machine = try await conflict(["a.yaml", "b.yaml"])[0]
        try machine.resolve("b.yaml", by: .use(.local))
        #expect(try machine.workspace.remove(["a.yaml", "b.yaml"]).conflicted == ["a.yaml"])
    }

    @Test func `the base of a block is used though the markers do not show it`() async throws {
        let machines = try await conflict(["a.yaml"])
        try machines[0].resolve("a.yaml", by: .use(.base))
        #expect(machines[0]["a.yaml"] == "id: a.yaml\ntext: base\n")
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(machines[1]["a.yaml"] == "id: a.yaml\ntext: base\n")
    }

    @Test func `a conflicted file that is renamed is still found`() async throws {
        let machines = try await conflict(["a.yaml"])
        machines[0].rename("a.yaml", to: "moved/b.yaml")
        #expect(try machines[0].status.conflicts.map(\.path) == ["moved/b.yaml"])
        try machines[0].resolve("moved/b.yaml", by: .use(.local))
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(machines[1].files == ["moved/b.yaml": "id: a.yaml\ntext: here\n"])
    }

    @Test(arguments: Verb.allCases)
    func `what the remote does while a conflict is open waits, and then merges or conflicts again`(
        _ verb: Verb
    )
        async throws
    {
        let machines = try await conflict(["a.yaml"])
        let (here, there) = (machines[0], machines[1])
        let markers = here.files
        there.edit("a.yaml", "text: there", "text: there\npriority: high")
        try await there.push()
        try await here.run(verb)
        #expect(here.files == markers, "markers are never merged")
        try here.resolve("a.yaml", by: .use(.local))
        try await here.run(verb)
        #expect(here["a.yaml"] == "id: a.yaml\ntext: here\npriority: high\n")
        // The other machine now resolves a conflict with its own side.
        try await here.sync()
        there.edit("a.yaml", "text: there", "text: again")
        try await there.sync()
        try there.resolve("a.yaml", by: .use(.local))
        try await there.sync()
        try await here.sync()
        #expect(here["a.yaml"] == "id: a.yaml\ntext: again\npriority: high\n")
        #expect(there.files == here.files)
    }

    @Test(arguments: [true, false])
    func `an open conflict reports that the remote has moved on`(isDeleted: Bool) async throws {
        let machines = try await conflict(["a.yaml"])
        let (here, there) = (machines[0], machines[1])
        #expect(try await here.pull().conflicts.map(\.hasMovedOn) == [false])
        there["a.yaml"] = isDeleted ? nil : "id: a.yaml\ntext: later\n"
        try await there.push()
        #expect(try await here.pull().conflicts.map(\.hasMovedOn) == [true])
        #expect(try here.status.conflicts.map(\.hasMovedOn) == [true])
        #expect(try here.workspace.conflicts().map(\.hasMovedOn) == [true])
        try here.resolve("a.yaml", by: .use(.local))
        #expect(try await here.pull().conflicts.map(\.hasMovedOn) == [false])
    }

    @Test func `a todo deleted on the remote while its conflict is open is a conflict with the deletion`()
        async throws
    {
        let machines = try await conflict(["a.yaml"])
        machines[1]["a.yaml"] = nil
        try await machines[1].push()
        try await machines[0].sync()
        try machines[0].resolve("a.yaml", by: .use(.local))
        let report = try await machines[0].sync()
        #expect(report.conflictKinds == ["edit/delete"])
        try machines[0].resolve("a.yaml", by: .use(.local))
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(machines[1].files == ["a.yaml": "id: a.yaml\ntext: here\n"])
    }

    @Test func `a bare resolve and a sync with a conflict open send the other todos`() async throws {
        let machines = try await conflict(["a.yaml"])
        machines[0]["other.yaml"] = "id: o\ntext: other\n"
        let report = try await machines[0].sync()
        #expect(report.pushedLines == ["insert other.yaml"])
        #expect(report.needsUser)
        try await machines[1].sync()
        #expect(machines[1]["other.yaml"] == "id: o\ntext: other\n")
        #expect(machines[1]["a.yaml"] == "id: a.yaml\ntext: there\n", "markers are never sent")
    }

    @Test func `an invalid file waits, and the remote's change comes in when it is valid`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: t\npriority: low\n"])
        machines[1].edit("a.yaml", "low", "high")
        try await machines[1].push()
        machines[0]["a.yaml"] = "id: a\ntext: [half\n"
        let report = try await machines[0].sync()
        #expect(report.held.waiting.count == 1)
        #expect(report.needsUser)
        #expect(machines[0]["a.yaml"] == "id: a\ntext: [half\n")
        machines[0]["a.yaml"] = "id: a\ntext: whole\npriority: low\n"
        try await machines[0].sync()
        try await machines[1].sync()
        #expect(
            machines.map { $0["a.yaml"] }
                == Array(repeating: "id: a\ntext: whole\npriority: high\n", count: 2))
    }

    /// Makes two machines with todos that are in conflict on the first one.
    private func conflict(_ paths: [String]) async throws -> [Machine] {
        let base = Dictionary(uniqueKeysWithValues: paths.map { ($0, "id: \($0)\ntext: base\n") })
        let machines = try await World().machines(2, base)
        for path in paths { machines[1].edit(path, "base", "there") }
        try await machines[1].push()
        for path in paths { machines[0].edit(path, "base", "here") }
        try await machines[0].pull()
        #expect(try machines[0].status.conflicts.count == paths.count)
        return machines
    }
}

extension ResolveTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var base: [String: String]
        var local: @Sendable (Machine) -> Void
        var remote: @Sendable (Machine) -> Void

        var testDescription: String { name }

        private static let text = "id: a\ntext: base\n"
        static let editEdit = Kind(
            name: "edit/edit", base: ["a.yaml": text], local: { $0["a.yaml"] = "id: a\ntext: here\n" },
            remote: { $0["a.yaml"] = "id: a\ntext: there\n" })
        static let editDelete = Kind(
            name: "edit/delete", base: ["a.yaml": text], local: { $0["a.yaml"] = "id: a\ntext: here\n" },
            remote: { $0["a.yaml"] = nil })
        static let deleteEdit = Kind(
            name: "delete/edit", base: ["a.yaml": text], local: { $0["a.yaml"] = nil },
            remote: { $0["a.yaml"] = "id: a\ntext: there\n" })
        static let insertInsert = Kind(
            name: "insert/insert", base: [:], local: { $0["a.yaml"] = "id: a\ntext: here\n" },
            remote: { $0["a.yaml"] = "id: a\ntext: there\n" })
        static let all = [editEdit, editDelete, deleteEdit, insertInsert]
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var kind: Kind
        var description: String
        var edit: @Sendable (Machine) -> Void = { _ in }
        var resolution: Resolution
        var used: ReportRow.Answer
        /// The todo's file after the resolve; nil if it is gone.
        var content: String?

        var testDescription: String { "\(kind.name), \(description)" }
        var files: [String: String] { content.map { ["a.yaml": $0] } ?? [:] }

        private static let here = "id: a\ntext: here\n"
        private static let there = "id: a\ntext: there\n"

        private static func side(_ kind: Kind, _ side: Side, _ content: String?) -> Row {
            let used: ReportRow.Answer =
                switch side {
                case .local: .local
                case .remote: .remote
                case .base: .base
                }
            return Row(
                kind: kind, description: "\(side)", resolution: .use(side), used: used, content: content)
        }

        private static func file(_ kind: Kind, _ description: String, _ edited: String?, _ content: String?)
            -> Row
        {
            Row(
                kind: kind, description: description, edit: { $0["a.yaml"] = edited }, resolution: .file,
                used: .file,
                content: content)
        }

        static let all = [
            side(.editEdit, .local, here), side(.editEdit, .remote, there),
            side(.editEdit, .base, "id: a\ntext: base\n"),
            file(.editEdit, "edited", "id: a\ntext: both\n", "id: a\ntext: both\n"),
            file(.editEdit, "edited to the remote", there, there),
            file(.editEdit, "edited without its id", "text: both\n", "id: a\ntext: both\n"),
            file(.editEdit, "removed", nil, nil),
            side(.editDelete, .local, here), side(.editDelete, .remote, nil),
            side(.editDelete, .base, "id: a\ntext: base\n"),
            file(.editDelete, "edited", "id: a\ntext: both\n", "id: a\ntext: both\n"),
            file(.editDelete, "only the id left", "# no\nid: a\n", nil),
            side(.deleteEdit, .local, nil), side(.deleteEdit, .remote, there),
            side(.deleteEdit, .base, "id: a\ntext: base\n"),
            file(.deleteEdit, "edited", "id: a\ntext: both\n", "id: a\ntext: both\n"),
            file(.deleteEdit, "only the id left", "id: a\n", nil),
            file(.deleteEdit, "removed", nil, nil),
            side(.insertInsert, .local, here), side(.insertInsert, .remote, there),
            file(.insertInsert, "edited", "id: a\ntext: both\n", "id: a\ntext: both\n"),
        ]
    }
}
