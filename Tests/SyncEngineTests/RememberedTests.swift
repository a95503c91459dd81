import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Remembered resolutions: what adds them, what applies them, and how they are forgotten.
@Suite struct RememberedTests {
    private static let file = ".todosync/resolutions"
    private static let base = "id: a\ntext: A\n"
    private static let chosen = "id: a\ntext: both\n"

    private func machines(_ policy: ConflictPolicy = .markers) async throws -> (here: Machine, there: Machine)
    {
        let machines = try await World().machines(2, ["a.yaml": Self.base])
        let pair = (here: machines[0], there: machines[1])
        try await conflict(pair, policy)
        return pair
    }

    private func resolved() async throws -> (here: Machine, there: Machine) {
        let pair = try await machines()
        pair.here["a.yaml"] = Self.chosen
        try pair.here.resolve()
        return pair
    }

    @discardableResult
    private func conflict(
        _ pair: (here: Machine, there: Machine), _ policy: ConflictPolicy = .markers, isSync: Bool = false
    ) async throws -> SyncReport {
        try await pair.here.sync()
        try await pair.there.sync()
        pair.there["a.yaml"] = Self.base
        try await pair.there.sync()
        try await pair.here.sync()
        pair.there["a.yaml"] = "id: a\ntext: C\n"
        try await pair.there.push()
        pair.here["a.yaml"] = "id: a\ntext: B\n"
        return isSync ? try await pair.here.sync(policy) : try await pair.here.pull(policy)
    }

    private func remembered(_ machine: Machine) throws -> [Value?] {
        try machine.workspace.resolutions(of: []).map(\.resolution.result)
    }

    // MARK: Remembering

    @Test func `only what the user resolves is remembered`() async throws {
        let pair = try await machines(.use(.local))
        #expect(try remembered(pair.here) == [])
        try await conflict(pair)
        #expect(try remembered(pair.here) == [])
        try pair.here.resolve(by: .abort)
        #expect(try remembered(pair.here) == [])
        #expect(!pair.here.folder.exists(Self.file))
        #expect(!pair.there.folder.exists(Self.file))
    }

    @Test func `answers at the terminal and of a merge tool are remembered`() async throws {
        let user = User { _, _ in .lines(Array("text: asked\n".utf8)) }
        let pair = try await machines(user.policy)
        #expect(try remembered(pair.here) == [.string("asked")])
        try await conflict(pair)
        try pair.here.resolve(by: .merge { _ in Array("id: a\ntext: tool\n".utf8) })
        #expect(try remembered(pair.here) == [.string("tool")])
        try await conflict(pair)
        try pair.here.resolve(by: .ask { _ in .take(.remote) })
        #expect(try remembered(pair.here) == [.string("C")])
    }

    @Test func `what was chosen before is offered at the terminal`() async throws {
        let pair = try await resolved()
        let user = User { question, _ in
            #expect(question.remembered == Array("text: both\n".utf8))
            return .remembered
        }
        try await conflict(pair, user.policy)
        #expect(user.questions == 1)
        #expect(pair.here["a.yaml"] == Self.chosen)
        try await conflict(pair)
        try pair.here.resolve(
            by: .ask { question in
                #expect(question.remembered == Array("text: both\n".utf8))
                return .remembered
            })
        #expect(pair.here["a.yaml"] == Self.chosen)
    }

    @Test func `an answer to several blocks of a value is given once`() async throws {
        let base = "id: a\ntext: t\nnotes: |\n  A\n  two\n  three\n  A\n  five\nlast: A\n"
        let machines = try await World().machines(2, ["a.yaml": base])
        machines[1]["a.yaml"] = base.replacing("A", with: "C")
        try await machines[1].push()
        let here = base.replacing("A", with: "B")
        machines[0]["a.yaml"] = here
        try await machines[0].pull()
        let conflicted = machines[0]["a.yaml"]
        machines[0]["a.yaml"] = base.replacing("A", with: "D").replacing("last: D", with: "last: B")
        try machines[0].resolve()
        // This restores the state before the resolve, but keeps the answer, which an undo forgets.
        let resolutions = try #require(machines[0].folder.read(Self.file))
        _ = try machines[0].workspace.undo(nil)
        machines[0][Self.file] = resolutions
        machines[0]["a.yaml"] = conflicted
        let user = User { question, number in
            #expect(question.count == 3)
            #expect(question.number == (number == 1 ? 1 : 3))
            #expect(question.remembered != nil)
            return .remembered
        }
        guard case .ask(let ask) = user.policy else {
            Issue.record("the user is not asked")
            return
        }
        try machines[0].resolve(by: .ask(ask))
        #expect(user.questions == 2)
        #expect(
            machines[0]["a.yaml"]
                == base.replacing("A", with: "D").replacing("last: D", with: "last: B"))
    }

    // MARK: merge.remember

    @Test(arguments: [false, true])
    func `where that is wanted, a conflict is resolved as before by itself`(_ isSync: Bool) async throws {
        let pair = try await resolved()
        try await conflict(pair)
        #expect(try pair.here.status.conflicts.count == 1, "not unless it is wanted")
        try pair.here.resolve(by: .again)
        pair.here[".todosync/config.yaml"] = "remote: /store\nmerge: {remember: true, labels: plain}\n"
        let report = try await conflict(pair, isSync: isSync)
        #expect(report.recalled.map(\.fields) == [["text"]])
        #expect(report.recalled.map(\.path) == ["a.yaml"])
        #expect(report.conflicts == [])
        #expect(!report.needsUser)
        #expect(pair.here["a.yaml"] == Self.chosen)
        try await pair.here.sync()
        try await pair.there.sync()
        #expect(pair.there["a.yaml"] == Self.chosen)
    }

    @Test func `a dry run reports it, and a side that is named counts first`() async throws {
        let pair = try await resolved()
        pair.here[".todosync/config.yaml"] = "remote: /store\nmerge: {remember: true, labels: plain}\n"
        try await conflict(pair, .use(.remote))
        #expect(pair.here["a.yaml"] == "id: a\ntext: C\n")
        pair.here["a.yaml"] = Self.base
        try await pair.here.push()
        try await pair.there.pull()
        pair.there["a.yaml"] = "id: a\ntext: C\n"
        try await pair.there.push()
        pair.here["a.yaml"] = "id: a\ntext: B\n"
        let report = try await pair.here.workspace.pull(SyncOptions(isDryRun: true))
        #expect(report.recalled.map(\.fields) == [["text"]])
        #expect(report.conflicts == [])
        #expect(pair.here["a.yaml"] == "id: a\ntext: B\n")
    }

    @Test func `the values that were resolved are named where others are left`() async throws {
        let machines = try await World().machines(2, ["a.yaml": Self.base])
        func conflict(notes here: String, _ there: String) async throws {
            machines[0]["a.yaml"] = Self.base + "owner: A\nplace: A\nnotes: A\n"
            try await machines[0].sync()
            try await machines[1].sync()
            machines[1]["a.yaml"] = "id: a\ntext: A\nowner: C\nplace: C\nnotes: \(there)\n"
            try await machines[1].push()
            machines[0]["a.yaml"] = "id: a\ntext: A\nowner: B\nplace: B\nnotes: \(here)\n"
            try await machines[0].pull()
        }
        try await conflict(notes: "A", "A")
        try machines[0].resolve(by: .use(.local))
        try await conflict(notes: "B", "C")
        #expect(
            try machines[0].resolve(by: .again).unresolved.map(\.reason) == [
                "owner, place are resolved as before, and notes is still in conflict"
            ])
    }

    @Test func `what is not remembered gets markers, and the rest does not`() async throws {
        let pair = try await resolved()
        pair.here[".todosync/config.yaml"] = "remote: /store\nmerge: {remember: true, labels: plain}\n"
        try await pair.here.sync()
        try await pair.there.sync()
        pair.there["a.yaml"] = "id: a\ntext: A\nowner: x\n"
        try await pair.there.sync()
        try await pair.here.sync()
        pair.there["a.yaml"] = "id: a\ntext: C\nowner: y\n"
        try await pair.there.push()
        pair.here["a.yaml"] = "id: a\ntext: B\nowner: z\n"
        let report = try await pair.here.pull()
        #expect(report.recalled.map(\.fields) == [["text"]])
        #expect(report.conflicts.map(\.fields) == [["owner"]])
        let block = "<<<<<<< local\nowner: z\n=======\nowner: y\n>>>>>>> remote\n"
        #expect(pair.here["a.yaml"] == "id: a\ntext: both\n\(block)")
        try pair.here.resolve(by: .use(.local))
        #expect(pair.here["a.yaml"] == "id: a\ntext: both\nowner: z\n")
    }

    @Test func `merge.remember is true or false`() throws {
        for (text, isWanted) in [
            ("merge: {remember: true, labels: plain}\n", true),
            ("merge: {remember: true, labels: plain}\n", true),
            ("merge:\n  remember: false\n", false), ("merge: {conflictStyle: diff3}\n", false),
        ] {
            #expect(try Configuration(parsing: Array(text.utf8)).remember == isWanted)
        }
        let problem = #expect(throws: Configuration.Problem.self) {
            try Configuration(parsing: Array("merge.remember: sometimes\n".utf8))
        }
        #expect(problem?.reason == "merge.remember must be true or false")
    }

    // MARK: Forgetting

    @Test func `undoing a resolve forgets what it taught`() async throws {
        let pair = try await resolved()
        #expect(try remembered(pair.here) == [.string("both")])
        _ = try pair.here.workspace.undo(nil)
        #expect(try remembered(pair.here) == [])
        #expect(try pair.here.status.conflicts.map(\.remembered) == [[]])
    }

    @Test func `undoing what was resolved as before keeps the memory`() async throws {
        let pair = try await resolved()
        try await conflict(pair)
        try pair.here.resolve(by: .again)
        _ = try pair.here.workspace.undo(nil)
        #expect(try pair.here.status.conflicts.map(\.remembered) == [["text"]])
    }

    @Test func `resolutions are listed and forgotten by todo, or all`() async throws {
        let pair = try await resolved()
        let listed = try pair.here.workspace.resolutions(of: ["a.yaml"])
        #expect(listed.map(\.path) == ["a.yaml"])
        #expect(listed.map(\.resolution.time) == ["2026-12-01T09:30:00Z"])
        #expect(throws: EngineError.self) { try pair.here.workspace.resolutions(of: ["b.yaml"]) }
        #expect(throws: EngineError.self) { try pair.here.workspace.forgetResolutions(of: ["b.yaml"]) }
        #expect(try pair.here.workspace.forgetResolutions(of: ["a"]) == 1)
        #expect(try pair.here.workspace.forgetResolutions(of: []) == 0)
        #expect(try remembered(pair.here) == [])
    }

    @Test func `gc forgets what is old, and what is of todos that are gone`() async throws {
        let pair = try await resolved()
        #expect(try pair.here.workspace.compact(keeping: 86_400)?.forgottenResolutions ?? 0 == 0)
        #expect(try remembered(pair.here).count == 1)
        #expect(try pair.here.workspace.compact(keeping: 0)?.forgottenResolutions == 1)
        #expect(try remembered(pair.here) == [])

        let other = try await resolved()
        other.here["a.yaml"] = nil
        #expect(try other.here.workspace.compact(keeping: nil)?.forgottenResolutions == 1)
        #expect(try remembered(other.here) == [])
    }

    @Test(arguments: [FileError.Operation.open, .rename])
    func `resolutions that can't be read or written are not called forgotten`(
        _ failing: FileError.Operation
    ) async throws {
        let pair = try await resolved()
        let fileSystem = FailingFileSystem { call throws(FileError) in
            if call.operation == failing, call.name.hasPrefix("resolutions") {
                throw FileError(call.operation, call.name, code: 5)
            }
        }
        let world = World()
        let workspace = world.workspace(at: pair.here.folder, fileSystem)
        #expect(throws: FileError.self) { try workspace.forgetResolutions(of: []) }
        if failing == .open {
            #expect(throws: FileError.self) { try workspace.resolutions(of: []) }
        }
        #expect(world.notices == [])
        #expect(try remembered(pair.here) == [.string("both")])
    }

    // MARK: Damage

    @Test(arguments: ["cut", "flip", "empty", "folder"])
    func `a damaged file costs the memory and nothing else`(_ damage: String) async throws {
        let pair = try await resolved()
        let bytes = try #require(pair.here.folder.read(Self.file))
        switch damage {
        case "cut": pair.here[Self.file] = String(bytes.dropLast(20))
        case "flip": pair.here[Self.file] = bytes.replacing("both", with: "bath")
        case "empty": pair.here[Self.file] = ""
        default:
            try pair.here.folder.remove(Self.file)
            try pair.here.folder.write("x", to: Self.file + "/x")
        }
        #expect(try remembered(pair.here) == [])
        #expect(try pair.here.workspace.check(repairs: false).problems == [.wrongResolutions])
        try await conflict(pair)
        #expect(try pair.here.status.conflicts.map(\.remembered) == [[]])
        let report = try pair.here.workspace.check(repairs: true)
        #expect(report.problems == [])
        #expect(report.repaired == [.wrongResolutions])
        #expect(pair.here.folder.exists(".todosync/damaged-1/resolutions"))
        #expect(!pair.here.folder.exists(Self.file))
    }

    @Test func `the next resolve sets a damaged file aside, too`() async throws {
        let pair = try await resolved()
        try await conflict(pair)
        pair.here[Self.file] = "garbage"
        pair.here["a.yaml"] = Self.chosen
        #expect(try pair.here.resolve().resolved.count == 1)
        #expect(try remembered(pair.here) == [.string("both")])
        #expect(pair.here[".todosync/damaged-1/resolutions"] == "garbage")
        #expect(try pair.here.workspace.check(repairs: false).isHealthy)
    }

    @Test func `more than there is room for pushes the oldest out`() throws {
        var resolutions = Resolutions()
        for number in 0..<Resolutions.maximumCount + 5 {
            resolutions.learn(
                RememberedResolution(
                    id: try #require(TodoID("t\(number)")), path: ["text"], base: nil, local: .string("b"),
                    remote: .string("c"), result: nil, operation: "", time: ""))
        }
        #expect(resolutions.all.count == Resolutions.maximumCount)
        #expect(resolutions.all.first?.id.string == "t5")
    }
}
