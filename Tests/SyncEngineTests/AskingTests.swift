import LosslessYAML
import SyncEngine
import Synchronization
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Other commands in the same folder while the user is asked: the folder isn't locked, and nothing is lost.
@Suite(.ownThreads) struct AskingTests {
    /// What another command does, and what `a.yaml` contains if the user answers *remote*.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The sides that changed before each question after the first.
        var asked: [Side] = []
        /// The files after the command; `b.yaml` is unchanged unless it is named.
        var files = ["a.yaml": "id: a\ntext: there\n"]
        var isUsed = true
        let command: @Sendable (Machine) async throws -> Void

        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "reads") { here in
            #expect(try here.status.conflicts.isEmpty)
            _ = try here.workspace.list()
        },
        Row(name: "sets a field of another todo", files: ["b.yaml": "id: b\ntext: b\npriority: high\n"]) {
            try $0.set("b.yaml", "priority", "high")
        },
        Row(
            name: "sets another field", asked: [.local],
            files: ["a.yaml": "id: a\ntext: there\npriority: high\n"]
        ) { try $0.set("a.yaml", "priority", "high") },
        Row(name: "sets the field to the remote's value", isUsed: false) {
            try $0.set("a.yaml", "text", "there")
        },
        Row(name: "removes the todo", asked: [.local]) { _ = try $0.workspace.remove(["a.yaml"]) },
        Row(
            name: "moves the todo", files: ["a.yaml": "", "c.yaml": "id: a\ntext: there\n"]
        ) { _ = try $0.workspace.move("a.yaml", to: "c.yaml") },
        Row(name: "writes conflict markers") { try await $0.sync() },
        Row(
            name: "writes conflict markers, and the user edits the file", asked: [.local],
            files: ["a.yaml": "id: a\nnotes: n\ntext: there\n"]
        ) { here in
            try await here.sync()
            here.edit("a.yaml", "id: a\n", "id: a\nnotes: n\n")
        },
        Row(
            name: "writes conflict markers and resolves them", files: ["a.yaml": "id: a\ntext: here\n"],
            isUsed: false
        ) { here in
            try await here.pull()
            try here.resolve("a", by: .use(.local))
        },
        Row(name: "resolves with a side", files: ["a.yaml": "id: a\ntext: here\n"], isUsed: false) {
            try await $0.sync(.use(.local))
        },
        Row(name: "asks, too", files: ["a.yaml": "id: a\ntext: both\n"], isUsed: false) {
            try await $0.sync(.ask { _ in .lines(Array("text: both\n".utf8)) })
        },
        Row(name: "compacts the journal") { _ = try $0.workspace.compact(keeping: 0) },
        Row(name: "repairs") { _ = try $0.workspace.check(repairs: true) },
    ]

    @Test(arguments: Verb.allCases, rows)
    func `another command runs while a push, pull or sync asks`(_ verb: Verb, _ row: Row) async throws {
        let world = World()
        let (here, there) = try await conflict(in: world)
        let questions = Questions(row, here)
        let report = try await here.run(verb, .ask(questions.answer))
        try questions.check()
        #expect(report.stop == nil)
        #expect(report.conflicts.isEmpty)
        #expect(world.notices.count { $0.contains("your answer was not used") } == (row.isUsed ? 0 : 1))
        try await expectEnd(row, here, there)
    }

    static let rowsOfResolve = [
        rows[0], rows[1],
        Row(
            name: "edits the file", asked: [.local], files: ["a.yaml": "id: a\nnotes: n\ntext: there\n"]
        ) { $0.edit("a.yaml", "id: a\n", "id: a\nnotes: n\n") },
        Row(name: "resolves it", files: ["a.yaml": "id: a\ntext: here\n"], isUsed: false) {
            try $0.resolve("a", by: .use(.local))
        },
        Row(name: "pulls and pushes") { try await $0.sync() },
        Row(name: "compacts the journal") { _ = try $0.workspace.compact(keeping: 0) },
    ]

    @Test(arguments: rowsOfResolve)
    func `another command runs while a resolve asks`(_ row: Row) async throws {
        let world = World()
        let (here, there) = try await conflict(in: world)
        try await here.pull()
        var row = row
        if row.name == "reads" { row = Row(name: row.name) { _ = try $0.workspace.list() } }
        let questions = Questions(row, here)
        let report = try here.resolve(by: .ask(questions.answer))
        try questions.check()
        #expect(report.resolved.map(\.used) == (row.isUsed ? [.remote] : []))
        #expect(report.unresolved.map(\.reason) == (row.isUsed ? [] : ["it is already resolved"]))
        try await expectEnd(row, here, there)
    }

    @Test(arguments: Verb.allCases, [true, false])
    func `a conflict that is already open is asked about, too`(_ verb: Verb, _ isAnswered: Bool) async throws
    {
        let (here, there) = try await conflict(in: World())
        try await here.pull()
        there.edit("b.yaml", "text: b", "text: bb")
        try await there.push()
        let before = here["a.yaml"]
        let asked = Mutex<[String]>([])
        let report = try await here.run(
            verb,
            .ask { question in
                asked.withLock { $0.append(question.path) }
                return isAnswered ? .take(.local) : .cancel
            })
        #expect(asked.withLock(\.self) == ["a.yaml"])
        #expect(report.conflicts.map(\.path) == (isAnswered ? [] : ["a.yaml"]))
        #expect(report.merged.map(\.path) == (isAnswered ? ["a.yaml"] : []))
        #expect(here["a.yaml"] == (isAnswered ? "id: a\ntext: here\n" : before))
        if isAnswered, verb != .pull { #expect(report.pushedLines == ["update a.yaml"]) }
    }

    @Test func `another command runs while a merge tool is open`() async throws {
        let (here, there) = try await conflict(in: World())
        try await here.pull()
        let files = Mutex<[FileToMerge]>([])
        let report = try here.resolve(
            by: .merge { file in
                let number = files.withLock { files in
                    files.append(file)
                    return files.count
                }
                if number == 1 {
                    try here.set("b.yaml", "priority", "high")
                    here.edit("a.yaml", "id: a\n", "id: a\nnotes: n\n")
                }
                return file.remote
            })
        #expect(files.withLock(\.count) == 2)
        #expect(report.resolved.map(\.path) == ["a.yaml"])
        #expect(here["a.yaml"] == "id: a\nnotes: n\ntext: there\n")
        try await here.sync()
        try await there.sync()
        #expect(there.files == here.files)
    }

    @Test func `answers count although the remote can't be reached any more`() async throws {
        let world = World()
        let (here, _) = try await conflict(in: world)
        let report = try await here.sync(
            .ask { _ in
                world.put(nil)
                return .take(.remote)
            })
        #expect(report.stop is RemoteError)
        #expect(report.merged.map(\.path) == ["a.yaml"])
        #expect(here["a.yaml"] == "id: a\ntext: there\n")
        #expect(try here.isClean)
    }

    @Test func `an answer waits for a command that takes longer than the time limit`() async throws {
        var (here, _) = try await conflict(in: World())
        var surroundings = here.workspace.surroundings
        surroundings.lockTimeout = .zero
        here.workspace = Workspace(directory: here.workspace.directory, surroundings: surroundings)
        let root = here.folder.path
        try await here.pull(
            .ask { _ in
                let lock = try WorkingDirectoryLock(root: root, timeout: .zero)
                Task {
                    try await Task.sleep(for: .milliseconds(100))
                    withExtendedLifetime(lock) {}
                }
                return .take(.remote)
            })
        #expect(here["a.yaml"] == "id: a\ntext: there\n")
    }

    @Test func `what was answered before an error or the end is applied, and the rest waits`() async throws {
        struct Failed: Error {}
        for isError in [true, false] {
            let machines = try await World().machines(2, files)
            for (machine, text) in [(machines[1], "there"), (machines[0], "here")] {
                for id in ["a", "b"] { machine["\(id).yaml"] = "id: \(id)\ntext: \(text)\n" }
            }
            try await machines[1].push()
            let isEnding = Atomic(false)
            var surroundings = machines[0].workspace.surroundings
            surroundings.isAskedToEnd = { isEnding.load(ordering: .relaxed) }
            let workspace = Workspace(directory: machines[0].workspace.directory, surroundings: surroundings)
            let policy = ConflictPolicy.ask { question in
                if question.path == "a.yaml" { return .take(.remote) }
                if isError { throw Failed() }
                isEnding.store(true, ordering: .relaxed)
                return .cancel
            }
            let report = try await workspace.sync(SyncOptions(policy: policy))
            #expect(isError ? report.stop is Failed : report.stop is CancellationError)
            #expect(machines[0]["a.yaml"] == "id: a\ntext: there\n")
            #expect(machines[0]["b.yaml"] == "id: b\ntext: here\n")
            #expect(try await machines[0].sync().conflicts.map(\.path) == ["b.yaml"])
        }
    }

    @Test func `files that come while the user is asked about ids are asked about, too`() async throws {
        let machine = try World().machine(["a.yaml": "text: a\n"])
        let asked = Mutex<[[String]]>([])
        var options = SyncOptions()
        options.askAboutAdoption = { paths in
            if paths == ["a.yaml"] { machine["b.yaml"] = "text: b\n" }
            asked.withLock { $0.append(paths) }
        }
        let report = try await machine.workspace.push(options)
        #expect(asked.withLock(\.self) == [["a.yaml"], ["a.yaml", "b.yaml"]])
        #expect(report.pushedLines == ["insert a.yaml", "insert b.yaml"])
    }

    // MARK: Support

    private let files = ["a.yaml": "id: a\ntext: base\n", "b.yaml": "id: b\ntext: b\n"]

    /// Makes two machines that have changed the text of `a.yaml` to `here` and `there`.
    private func conflict(in world: World) async throws -> (Machine, Machine) {
        let machines = try await world.machines(2, files)
        machines[1].edit("a.yaml", "base", "there")
        try await machines[1].push()
        machines[0].edit("a.yaml", "base", "here")
        return (machines[0], machines[1])
    }

    private func expectEnd(_ row: Row, _ here: Machine, _ there: Machine) async throws {
        var expected = files.merging(row.files) { $1 }
        expected["a.yaml"] = row.files["a.yaml"] ?? "id: a\ntext: there\n"
        expected = expected.filter { $0.value != "" }
        #expect(here.files == expected)
        #expect(try here.workspace.check(repairs: false).isHealthy)
        try await here.sync()
        try await there.sync()
        #expect(here.files == expected)
        #expect(there.files == expected)
        #expect(try here.isClean && there.isClean)
    }

    /// A user who answers *remote*, and the command that runs during the first question.
    private final class Questions: Sendable {
        private let row: Row
        private let machine: Machine
        private let asked = Mutex<(sides: [Side?], errors: [any Error])>(([], []))

        init(_ row: Row, _ machine: Machine) { (self.row, self.machine) = (row, machine) }

        @Sendable func answer(_ question: ConflictQuestion) -> ConflictAnswer {
            let isFirst = asked.withLock { asked in
                asked.sides.append(question.changed)
                return asked.sides.count == 1
            }
            guard isFirst else { return .take(.remote) }
            let isDone = Mutex(false)
            Task.detached { [self] in
                do {
                    try await row.command(machine)
                } catch {
                    asked.withLock { $0.errors.append(error) }
                }
                isDone.withLock { $0 = true }
            }
            while !isDone.withLock(\.self) { WorkingDirectoryLock.sleep(.milliseconds(1)) }
            return .take(.remote)
        }

        /// Checks which questions were asked, and that the command succeeded.
        func check() throws {
            let (sides, errors) = asked.withLock(\.self)
            #expect(sides == [nil] + row.asked)
            if let error = errors.first { throw error }
        }
    }
}
