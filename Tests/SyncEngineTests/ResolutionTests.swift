import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Conflicts that recur: the user's earlier choice is offered, and applied on request.
@Suite struct ResolutionTests {
    private static let base = "id: a\ntext: A\npriority: low # how urgent\n"

    /// Makes two machines; the first one has resolved the conflict between `here` and `there` to `chosen`.
    private func resolved(
        _ base: String = base, here: String, there: String, chosen: String, by resolution: Resolution = .file
    ) async throws -> (here: Machine, there: Machine) {
        let machines = try await World().machines(2, ["a.yaml": base])
        let pair = (here: machines[0], there: machines[1])
        try await conflict(pair, base, here: here, there: there)
        if case .file = resolution { pair.here["a.yaml"] = chosen }
        #expect(try pair.here.resolve(by: resolution).resolved.count == 1)
        #expect(pair.here["a.yaml"] == chosen)
        return pair
    }

    /// Brings both machines to a base, and then into a conflict.
    @discardableResult
    private func conflict(
        _ pair: (here: Machine, there: Machine), _ base: String = base, here: String, there: String,
        _ policy: ConflictPolicy = .markers
    ) async throws -> SyncReport {
        try await pair.here.sync()
        try await pair.there.sync()
        pair.there["a.yaml"] = base
        try await pair.there.sync()
        try await pair.here.sync()
        #expect(pair.here["a.yaml"] == base)
        pair.there["a.yaml"] = there
        try await pair.there.push()
        pair.here["a.yaml"] = here
        return try await pair.here.pull(policy)
    }

    private func text(_ text: String, _ priority: String = "low") -> String {
        "id: a\ntext: \(text)\npriority: \(priority) # how urgent\n"
    }

    @Test(arguments: [false, true])
    func `the same conflict is resolved again, from whichever side it comes`(_ isSwapped: Bool) async throws {
        let pair = try await resolved(here: text("B"), there: text("C"), chosen: text("both"))
        let report = try await conflict(
            pair, here: text(isSwapped ? "C" : "B"), there: text(isSwapped ? "B" : "C"))
        #expect(report.conflicts.map(\.remembered) == [["text"]])
        #expect(report.recalled == [])
        #expect(try pair.here.status.conflicts.map(\.remembered) == [["text"]])
        let second = try pair.here.resolve(by: .again)
        #expect(second.resolved.map(\.used) == [.remembered])
        #expect(second.resolved.map(\.fields) == [["text"]])
        #expect(pair.here["a.yaml"] == text("both"))
        #expect(try pair.here.status.conflicts == [])
        try await pair.here.sync()
        try await pair.there.sync()
        #expect(pair.there["a.yaml"] == text("both"))
    }

    @Test(arguments: [Side.local, .remote, .base])
    func `a side that was taken is remembered as its value`(_ side: Side) async throws {
        let value = side == .local ? "B" : side == .remote ? "C" : "A"
        let pair = try await resolved(
            here: text("B"), there: text("C"), chosen: text(value), by: .use(side))
        try await conflict(pair, here: text("C"), there: text("B"))
        try pair.here.resolve(by: .again)
        #expect(pair.here["a.yaml"] == text(value))
    }

    @Test func `another value on any side is another conflict`() async throws {
        let pair = try await resolved(here: text("B"), there: text("C"), chosen: text("both"))
        for (base, here, there) in [("A", "B", "D"), ("A", "D", "C"), ("X", "B", "C")] {
            let report = try await conflict(pair, text(base), here: text(here), there: text(there))
            #expect(report.conflicts.map(\.remembered) == [[]])
            let before = pair.here["a.yaml"]
            let second = try pair.here.resolve(by: .again)
            #expect(second.resolved == [])
            #expect(second.unresolved.map(\.fields) == [[]])
            #expect(pair.here["a.yaml"] == before)
            try pair.here.resolve(by: .abort)
            pair.here["a.yaml"] = text(there)
        }
    }

    @Test func `a resolution of one todo doesn't apply to another`() async throws {
        let files = ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: A\n"]
        let machines = try await World().machines(2, files)
        for (path, content) in files {
            machines[1][path] = content.replacing("text: A", with: "text: C")
            machines[0][path] = content.replacing("text: A", with: "text: B")
        }
        try await machines[1].push()
        try await machines[0].pull()
        machines[0]["a.yaml"] = "id: a\ntext: both\n"
        try machines[0].resolve("a.yaml")
        #expect(try machines[0].status.conflicts.map(\.remembered) == [[]])
        #expect(try machines[0].resolve(by: .again).resolved == [])
    }

    @Test func `values that are remembered are resolved in the file, and the others stay in conflict`()
        async throws
    {
        let pair = try await resolved(here: text("B"), there: text("C"), chosen: text("both"))
        try await conflict(pair, here: text("B", "high"), there: text("C", "medium"))
        // The user's edits to the rest of the file stay.
        pair.here.edit("a.yaml", "id: a\n", "id: a\n# mine\n")
        let report = try pair.here.resolve(by: .again)
        #expect(report.resolved == [])
        #expect(report.unresolved.map(\.fields) == [["text"]])
        #expect(report.unresolved.map(\.line) == [4])
        let left = """
            id: a
            # mine
            text: both
            <<<<<<< local
            priority: high # how urgent
            =======
            priority: medium # how urgent
            >>>>>>> remote

            """
        #expect(pair.here["a.yaml"] == left)
        #expect(try pair.here.status.conflicts.map(\.remembered) == [[]])
        #expect(try pair.here.resolve(by: .again).resolved == [])
        #expect(pair.here["a.yaml"] == left)
        try pair.here.resolve(by: .use(.remote))
        #expect(pair.here["a.yaml"] == "id: a\n# mine\ntext: both\npriority: medium # how urgent\n")
        // Now both resolutions are remembered.
        #expect(
            try pair.here.workspace.resolutions(of: []).map(\.resolution.path) == [["text"], ["priority"]])
    }

    @Test func `a block that was edited is left to the user`() async throws {
        let pair = try await resolved(here: text("B"), there: text("C"), chosen: text("both"))
        try await conflict(pair, here: text("B", "high"), there: text("C", "medium"))
        pair.here.edit("a.yaml", "text: C\n", "text: D\n")
        let before = pair.here["a.yaml"]
        #expect(try pair.here.status.conflicts.map(\.remembered) == [[]])
        #expect(try pair.here.resolve(by: .again).unresolved.count == 1)
        #expect(pair.here["a.yaml"] == before)
    }

    @Test(
        arguments: ["merge", "diff3", "zdiff3"],
        [
            // A flow mapping, a nested value, a list item, lines, a flow todo, a removed field, and line
            // breaks.
            ("id: a\ntext: t\nplace: {x: 1}\n", "{x: 1}", "{x: 2}", "{x: 3}", "{x: 4}"),
            ("id: a\ntext: t\nplace:\n  city: A\n  zip: 1\n", "city: A", "city: B", "city: C", "city: D"),
            (
                "id: a\ntext: t\nlist:\n  - text: x\n    by: A\n  - text: y\n    by: A\n", "by: A",
                "by: B", "by: C", "by: D"
            ),
            (
                "id: a\ntext: t\nnotes: |\n  one\n  A\n  three\n  four\n  A\n  six\n", "A", "B", "C",
                "D\n  E"
            ),
            ("{id: a, text: A, priority: low} # flow\n", "A", "B", "C", "D"),
            ("id: a\ntext: t\n# about it\nowner: A\nlast: 1\n", "owner: A\n", "owner: B\n", "owner: C\n", ""),
            ("id: a\ntext: A", "A", "B", "C", "D"),
            ("id: a\r\ntext: A\r\ndue: x\r\n", "A", "B", "C", "D"),
        ])
    func `a value of any kind is resolved as before, and nothing else changes`(
        _ style: String, _ change: (base: String, old: String, here: String, there: String, chosen: String)
    ) async throws {
        func with(_ value: String) -> String { change.base.replacing(change.old, with: value) }
        let pair = try await resolved(
            change.base, here: with(change.here), there: with(change.there), chosen: with(change.chosen))
        pair.here[".todosync/config.yaml"] = "remote: /store\nmerge: {conflictStyle: \(style)}\n"
        for isSwapped in [false, true] {
            try await conflict(
                pair, change.base, here: with(isSwapped ? change.there : change.here),
                there: with(isSwapped ? change.here : change.there))
            #expect(try pair.here.status.conflicts.map(\.remembered.isEmpty) == [false])
            let report = try pair.here.resolve(by: .again)
            #expect(report.unresolved == [])
            #expect(pair.here["a.yaml"] == with(change.chosen))
        }
    }

    @Test func `comments that a side has added since stay`() async throws {
        let pair = try await resolved(here: text("B"), there: text("C"), chosen: text("both"))
        try await conflict(
            pair, here: text("B").replacing("text", with: "# new here\ntext"),
            there: text("C").replacing("text", with: "# new there\ntext"))
        try pair.here.resolve(by: .again)
        #expect(
            pair.here["a.yaml"]
                == "id: a\n# new here\n# new there\ntext: both\npriority: low # how urgent\n")
    }

    @Test func `a conflict of an edit and a delete is not remembered`() async throws {
        let machines = try await World().machines(2, ["a.yaml": Self.base])
        machines[1]["a.yaml"] = nil
        try await machines[1].push()
        machines[0]["a.yaml"] = text("B")
        try await machines[0].pull()
        try machines[0].resolve(by: .use(.local))
        #expect(try machines[0].workspace.resolutions(of: []) == [])
        #expect(!machines[0].folder.exists(".todosync/resolutions"))
    }

    @Test func `a conflict without a base is remembered, too`() async throws {
        let world = World()
        let machines = [
            try world.machine(["a.yaml": "id: a\ntext: B\n"]),
            try world.machine(["a.yaml": "id: a\ntext: C\n"]),
        ]
        try await machines[1].push()
        try await machines[0].pull()
        machines[0]["a.yaml"] = "id: a\ntext: both\n"
        try machines[0].resolve()
        let resolutions = try machines[0].workspace.resolutions(of: ["a.yaml"])
        #expect(resolutions.map(\.resolution.base) == [nil])
        #expect(resolutions.map(\.resolution.result) == [.string("both")])
    }
}
