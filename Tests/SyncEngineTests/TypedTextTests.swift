import LosslessYAML
import SyncEngine
import Synchronization
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

/// Texts that the user types at a question: none is lost.
@Suite struct TypedTextTests {
    /// A command that asks.
    enum Asking: CaseIterable { case push, pull, sync, resolve }

    /// Makes a conflict in two fields, answers the questions in turn, and returns the questions.
    private func ask(
        _ asking: Asking, _ answers: [@Sendable (ConflictQuestion) -> ConflictAnswer]
    ) async throws -> (machine: Machine, questions: [ConflictQuestion]) {
        let machines = try await World().machines(2, ["a.yaml": "id: a\ntext: A\nowner: x\n"])
        machines[1]["a.yaml"] = "id: a\ntext: there\nowner: you\n"
        try await machines[1].push()
        machines[0]["a.yaml"] = "id: a\ntext: here\nowner: me\n"
        let questions = Mutex<[ConflictQuestion]>([])
        let answer: @Sendable (ConflictQuestion) -> ConflictAnswer = { question in
            let number = questions.withLock { questions in
                questions.append(question)
                return questions.count
            }
            return number > answers.count ? .cancel : answers[number - 1](question)
        }
        switch asking {
        case .push: try await machines[0].push(.ask(answer))
        case .pull: try await machines[0].pull(.ask(answer))
        case .sync: try await machines[0].sync(.ask(answer))
        case .resolve:
            try await machines[0].pull()
            try machines[0].resolve(by: .ask(answer))
        }
        return (machines[0], questions.withLock(\.self))
    }

    private static let half = """
        id: a
        text: mine
        <<<<<<< local
        owner: me
        =======
        owner: you
        >>>>>>> remote

        """

    @Test(arguments: Asking.allCases)
    func `with a marker left, it is opened again, and what is left is asked about`(_ asking: Asking)
        async throws
    {
        let (machine, questions) = try await ask(
            asking, [{ _ in .text(Array(Self.half.utf8)) }, { _ in .take(.remote) }])
        #expect(questions.count == 2)
        #expect(questions[1].file == Array(Self.half.utf8))
        guard case .markersLeft? = questions[1].problem else {
            Issue.record("\(String(describing: questions[1].problem))")
            return
        }
        #expect(machine["a.yaml"] == "id: a\ntext: mine\nowner: you\n")
        #expect(try machine.status.conflicts.isEmpty)
    }

    @Test(arguments: Asking.allCases)
    func `with a marker left, it is in the file when the user quits`(_ asking: Asking) async throws {
        let (machine, _) = try await ask(asking, [{ _ in .text(Array(Self.half.utf8)) }])
        #expect(machine["a.yaml"] == Self.half)
        #expect(try machine.status.conflicts.map(\.path) == ["a.yaml"])
        let report = try machine.resolve("a", by: .use(.local))
        #expect(report.resolved.map(\.path) == ["a.yaml"])
        #expect(machine["a.yaml"] == "id: a\ntext: mine\nowner: me\n")
        try await machine.sync()
        #expect(try machine.isClean)
    }

    @Test(arguments: Asking.allCases, ["id: a\ntext: [half\n", "id: a\n<<<<<<< local\ntext: half\n"])
    func `what is no todo is opened again, and is in the file when the user quits`(
        _ asking: Asking, _ text: String
    ) async throws {
        let (machine, questions) = try await ask(asking, [{ _ in .text(Array(text.utf8)) }])
        #expect(questions.count == 2)
        #expect(questions.last?.file == Array(text.utf8))
        #expect(machine["a.yaml"] == text)
        #expect(try machine.resolve().unresolved.count == 1)
        try machine.resolve("a", by: .abort)
        #expect(machine["a.yaml"] == "id: a\ntext: here\nowner: me\n")
    }

    @Test(arguments: Asking.allCases)
    func `an editor that is ended leaves what was typed in the file`(_ asking: Asking) async throws {
        let (machine, questions) = try await ask(asking, [{ _ in .draft(Array(Self.half.utf8)) }])
        #expect(questions.count == 1)
        #expect(machine["a.yaml"] == Self.half)
        #expect(try machine.status.conflicts.map(\.path) == ["a.yaml"])
    }

    @Test(arguments: Asking.allCases)
    func `an unchanged text isn't typed, and quitting changes nothing`(_ asking: Asking) async throws {
        let (machine, _) = try await ask(asking, [{ .text($0.file) }])
        let isOpen = asking == .resolve
        #expect(try machine.status.conflicts.count == (isOpen ? 1 : 0))
        if !isOpen { #expect(machine["a.yaml"] == "id: a\ntext: here\nowner: me\n") }
    }

    @Test func `the editor's markers name the device and the version`() async throws {
        let world = World()
        let here = try world.machine(
            ["a.yaml": "id: a\ntext: A\n"], device: "ann-pc", hasPlainLabels: false)
        let there = try world.machine(device: "bob-pc", hasPlainLabels: false)
        try await here.sync()
        try await there.sync()
        there["a.yaml"] = "id: a\ntext: there\n"
        try await there.sync()
        here["a.yaml"] = "id: a\ntext: here\n"
        let files = Mutex<[String]>([])
        let answer: @Sendable (ConflictQuestion) -> ConflictAnswer = { question in
            files.withLock { $0.append(String(decoding: question.file, as: UTF8.self)) }
            return .cancel
        }
        try await here.pull(.ask(answer))
        try await here.pull()
        try here.resolve(by: .ask(answer))
        #expect(files.withLock(\.self) == Array(repeating: try #require(here["a.yaml"]), count: 2))
        #expect(here["a.yaml"]?.contains("<<<<<<< local (ann-pc)\n") == true)
        #expect(here["a.yaml"]?.contains(">>>>>>> remote (bob-pc, version ") == true)
    }
}
