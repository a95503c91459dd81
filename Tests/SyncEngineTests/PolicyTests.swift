import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// `--on-conflict`: a side is taken, or the user is asked.
@Suite struct PolicyTests {
    @Test func `a todo that stays although the remote deleted it is pending, in the prompt, too`()
        async throws
    {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\n"])
        machines[1]["a.yaml"] = nil
        try await machines[1].push()
        machines[0].edit("a.yaml", "text: A", "text: B")
        try await machines[0].pull(.use(.local))
        #expect(try machines[0].status.pendingLines == ["insert a.yaml: text"])
        #expect(try Glance(of: machines[0].workspace).pending == 1)
    }

    @Test(arguments: [Verb.push, .sync, .pull], ResolveTests.Kind.all)
    func `a side is taken for what conflicts, and what merged stays merged`(
        _ verb: Verb, _ kind: ResolveTests.Kind
    )
        async throws
    {
        for side in [Side.local, .remote] {
            let (here, there) = try await conflict(kind)
            let localFiles = here.files
            let remoteFiles = there.files
            let report = try await here.run(verb, .use(side))
            #expect(report.conflicts.isEmpty)
            #expect(here.files == (side == .local ? localFiles : remoteFiles), "\(side)")
            try await here.sync()
            try await there.sync()
            #expect(there.files == here.files)
            #expect(try here.isClean)
        }
    }

    @Test func `only the parts in conflict are chosen`() async throws {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: t\npriority: low\ntags: [x]\n"])
        machines[1]["a.yaml"] = "id: a\ntext: there\npriority: high\ntags: [x, y]\n"
        try await machines[1].push()
        machines[0]["a.yaml"] = "id: a\ntext: here\npriority: low\ntags: [x, z]\n"
        try await machines[0].sync(.use(.local))
        #expect(machines[0]["a.yaml"] == "id: a\ntext: here\npriority: high\ntags: [x, z, y]\n")
    }

    @Test(arguments: [Verb.push, .sync, .pull], ResolveTests.Kind.all)
    func `the user is asked, and the answer is what counts`(_ verb: Verb, _ kind: ResolveTests.Kind)
        async throws
    {
        for answer in ["local", "remote", "edited"] {
            let (here, there) = try await conflict(kind)
            let (localFiles, remoteFiles) = (here.files, there.files)
            let user = User { question, _ in
                #expect(question.kind.rawValue == kind.name)
                #expect(question.number == 1 && question.count == 1)
                #expect(question.changed == nil)
                return switch answer {
                case "local": .take(.local)
                case "remote": .take(.remote)
                default: .lines(Array("text: both\n".utf8))
                }
            }
            let report = try await here.run(verb, user.policy)
            #expect(user.questions == 1)
            #expect(report.conflicts.isEmpty)
            let expected =
                switch answer {
                case "local": localFiles
                case "remote": remoteFiles
                default: ["a.yaml": "id: a\ntext: both\n"]
                }
            #expect(here.files == expected, "\(answer)")
            try await here.sync()
            try await there.sync()
            #expect(there.files == expected, "\(answer)")
        }
    }

    @Test(arguments: Verb.allCases, ResolveTests.Kind.all)
    func `cancel leaves the todo and its operation, and is asked again by the next command`(
        _ verb: Verb, _ kind: ResolveTests.Kind
    ) async throws {
        let (here, there) = try await conflict(kind)
        let files = here.files
        let pending = try here.status.pendingLines
        let remoteFiles = there.files
        for _ in 0..<2 {
            let user = User { _, _ in .cancel }
            let report = try await here.run(verb, user.policy)
            #expect(user.questions == 1)
            #expect(report.needsUser)
            #expect(report.pushed.isEmpty)
            #expect(here.files == files)
            #expect(try here.status.pendingLines == pending)
            #expect(try here.status.conflicts.isEmpty)
        }
        try await there.sync()
        #expect(there.files == remoteFiles)
        // A user who isn't asked gets markers.
        #expect(try await here.run(verb).conflictKinds == [kind.name])
    }

    @Test func `while the user decides the remote moves on, and the question comes again with its new value`()
        async throws
    {
        let world = World()
        let machines = try await world.machines(2, ["a.yaml": "id: a\ntext: base\n"])
        machines[0].edit("a.yaml", "base", "here")
        world.put(
            InterposedRemote(world.remote) { number, operations, remote in
                // Another writer is faster three times.
                if number < 4 { await remote.put(id: "a", fields: ["text": .string("there\(number)")]) }
                return await remote.push(operations).answers
            })
        let user = User { question, number in
            #expect(String(decoding: question.block.remote, as: UTF8.self) == "text: there\(number)\n")
            #expect(question.changed == (number > 1 ? .remote : nil))
            return .take(.local)
        }
        let report = try await machines[0].push(user.policy)
        #expect(user.questions == 3)
        #expect(report.pushedLines == ["update a.yaml"])
        #expect(machines[0]["a.yaml"] == "id: a\ntext: here\n")
        try await machines[1].sync()
        #expect(machines[1]["a.yaml"] == "id: a\ntext: here\n")
    }

    @Test func `an answer that is no todo is asked for again, with the reason`() async throws {
        let (here, _) = try await conflict(.editEdit)
        let answers = ["text: [\n", "text: 1\n", "<<<<<<< local\n", "text: fine\n"]
        let user = User { question, number in
            #expect((question.problem == nil) == (number == 1))
            return .lines(Array(answers[number - 1].utf8))
        }
        try await here.push(user.policy)
        #expect(user.questions == 4)
        #expect(here["a.yaml"] == "id: a\ntext: fine\n")
    }

    private func conflict(_ kind: ResolveTests.Kind) async throws -> (Machine, Machine) {
        let machines = try await World().machines(2, kind.base)
        kind.remote(machines[1])
        try await machines[1].push()
        kind.local(machines[0])
        return (machines[0], machines[1])
    }
}
