import Synchronization
import TestSupport
import Testing
import TodosyncKit

/// A delegate that is asked about conflicts.
@Suite struct SyncDelegateTests {
    /// Answers with a closure, and records the conflicts and reports that it gets.
    final class Delegate: SyncDelegate {
        private let answer: @Sendable (Conflict) async throws -> ConflictAnswer
        private let seen = Mutex<(conflicts: [Conflict], reports: [SyncReport])>(([], []))

        init(_ answer: @escaping @Sendable (Conflict) async throws -> ConflictAnswer) {
            self.answer = answer
        }

        var conflicts: [Conflict] { seen.withLock(\.conflicts) }
        var reports: [SyncReport] { seen.withLock(\.reports) }

        func resolve(_ conflict: Conflict) async throws -> ConflictAnswer {
            seen.withLock { $0.conflicts.append(conflict) }
            return try await answer(conflict)
        }

        func didComplete(_ report: SyncReport) async { seen.withLock { $0.reports.append(report) } }
    }

    private let folder: TemporaryFolder
    private let phone: WorkingDirectory
    private let laptop: WorkingDirectory
    private let tablet: WorkingDirectory

    /// Creates three devices with the same todo.
    init() async throws {
        let folder = try TemporaryFolder()
        try Store.create(at: folder.path + "/store")
        func device(_ name: String) throws -> WorkingDirectory {
            var settings = Settings()
            settings.device = name
            return try WorkingDirectory.create(
                at: folder.path(of: name), remote: folder.path + "/store", settings: settings)
        }
        (self.folder, phone, laptop, tablet) = (
            folder, try device("phone"), try device("laptop"), try device("tablet")
        )
        try folder.write("id: a\ntext: base\nowner: base\nplace: base\n", to: "phone/a.yaml")
        for device in [phone, laptop, tablet] { try await device.sync() }
    }

    /// Lets the phone and the laptop change the text and the owner; the laptop pushes.
    private func conflict() async throws {
        try laptop.set("a", ["text": "laptop", "owner": "laptop"])
        try await laptop.push()
        try phone.set("a", ["text": "phone", "owner": "phone"])
    }

    private func text(_ directory: WorkingDirectory) throws -> String { try directory.todo("a").text }

    @Test func `it sees all three versions, and its answer is sent`() async throws {
        try await conflict()
        let delegate = Delegate { _ in .local }
        let report = try await phone.push(delegate: delegate)
        let asked = try #require(delegate.conflicts.first)
        #expect(delegate.conflicts.count == 1)
        #expect(asked.id == "a" && asked.path == "a.yaml" && asked.kind == .editEdit && asked.attempt == 1)
        #expect(asked.fields == ["text", "owner"])
        #expect(asked.base?.fields["text"] == "base")
        #expect(asked.local?.text == "id: a\ntext: phone\nowner: phone\nplace: base\n")
        #expect(asked.remote?.fields["owner"] == "laptop")
        #expect(asked.local?.device == "phone" && asked.remote?.device == "laptop")
        #expect(asked.local?.version == nil && asked.remote?.version != nil)
        #expect(report.pushed.map(\.path) == ["a.yaml"] && report.pushed.map(\.operation) == [.update])
        #expect(report.resolved.map(\.fields) == [["text", "owner"]])
        #expect(!report.needsAttention && report.pending == 0 && report.error == nil)
        #expect(delegate.reports.count == 1)
        try await laptop.pull()
        #expect(try text(laptop) == "phone")
    }

    @Test(
        arguments: [
            (ConflictAnswer.local, "phone", "phone"), (.remote, "laptop", "laptop"), (.base, "base", "base"),
            (.fields(["text": .remote, "owner": .value("both")]), "laptop", "both"),
            (.fields(["text": .local, "owner": .value(nil)]), "phone", nil),
        ] as [(ConflictAnswer, String, String?)])
    func `each answer is what all devices have then`(
        _ answer: ConflictAnswer, _ text: String, _ owner: String?
    ) async throws {
        try await conflict()
        try await phone.sync(delegate: Delegate { _ in answer })
        for device in [phone, laptop, tablet] {
            try await device.sync()
            #expect(try device.todo("a").text == text)
            #expect(try device.todo("a").fields["owner"] == owner.map(FieldValue.string))
        }
    }

    @Test func `what is left to the user waits, and is resolved later`() async throws {
        try await conflict()
        let report = try await phone.sync(delegate: Delegate { _ in .fields(["owner": .remote]) })
        #expect(report.conflicts.map(\.fields) == [["text"]])
        #expect(report.resolved.map(\.fields) == [["owner"]])
        #expect(report.needsAttention)
        #expect(try phone.todo("a").isConflicted)
        let open = try #require(try phone.conflicts().first)
        #expect(open.fields == ["text"] && open.remote?.fields["text"] == "laptop")
        let refused = #expect(throws: TodosyncError.self) { try phone.resolve("a") }
        #expect(refused?.code == .conflict)
        #expect(throws: TodosyncError.self) { try phone.resolve("a", with: .fields(["place": .local])) }
        #expect(throws: TodosyncError.self) { try phone.resolve("a", with: .leaveToUser) }
        try phone.resolve("a", with: .fields(["text": .value("both")]))
        #expect(try phone.conflicts().isEmpty)
        try await phone.push()
        try await laptop.pull()
        #expect(folder.read("laptop/a.yaml") == "id: a\ntext: both\nowner: laptop\nplace: base\n")
    }

    @Test(arguments: [
        (ConflictAnswer.local, "id: a\ntext: phone\nowner: phone\nplace: edited\n"),
        (.remote, "id: a\ntext: laptop\nowner: laptop\nplace: edited\n"),
        (.base, "id: a\ntext: base\nowner: base\nplace: edited\n"),
        (
            .fields(["text": .local, "owner": .value("x")]),
            "id: a\ntext: phone\nowner: x\nplace: edited\n"
        ),
        (.cancel, "id: a\ntext: phone\nowner: phone\nplace: base\n"),
    ])
    func `an open conflict is resolved, and the user's other edits stay`(
        _ answer: ConflictAnswer, _ expected: String
    ) async throws {
        try await conflict()
        try await phone.pull()
        let text = try #require(folder.read("phone/a.yaml"))
        try folder.write(text.replacing("place: base", with: "place: edited"), to: "phone/a.yaml")
        try phone.resolve("a", with: answer)
        #expect(folder.read("phone/a.yaml") == expected)
        #expect(try phone.conflicts().isEmpty)
    }

    @Test func `fields are resolved one after the other`() async throws {
        try await conflict()
        try await phone.pull()
        let error = #expect(throws: TodosyncError.self) {
            try phone.resolve("a", with: .fields(["owner": .value("x")]))
        }
        #expect(error?.code == .conflict)
        #expect(folder.read("phone/a.yaml")?.contains("\nowner: x\n") == true)
        #expect(folder.read("phone/a.yaml")?.contains("\ntext: phone\n=======\ntext: laptop\n") == true)
        try phone.resolve("a", with: .local)
        #expect(folder.read("phone/a.yaml") == "id: a\ntext: phone\nowner: x\nplace: base\n")
    }

    @Test func `what is cancelled stays pending, and others are pushed`() async throws {
        try await conflict()
        try phone.add("B", path: "b.yaml")
        let report = try await phone.push(delegate: Delegate { _ in .cancel })
        #expect(report.pushed.map(\.path) == ["b.yaml"])
        #expect(report.pending == 1 && report.needsAttention && report.conflicts.isEmpty)
        #expect(try text(phone) == "phone")
    }

    @Test func `an answer that does not fit leaves the conflict, with a warning`() async throws {
        try await conflict()
        let report = try await phone.push(delegate: Delegate { _ in .fields(["place": .local]) })
        #expect(report.conflicts.count == 1)
        #expect(
            report.warnings == [
                "warning: a.yaml: the handler gave an answer for the field place, which is not in conflict; "
                    + "the conflict is left to you"
            ])
    }

    @Test(arguments: [true, false]) func `a deleted todo is taken as a whole`(isLocal: Bool) async throws {
        try laptop.set("a", ["text": "laptop"])
        try await laptop.push()
        try phone.remove("a")
        let delegate = Delegate { _ in isLocal ? .local : .remote }
        try await phone.sync(delegate: delegate)
        #expect(delegate.conflicts.map(\.kind) == [.deleteEdit])
        #expect(delegate.conflicts.first?.local == nil)
        try await laptop.sync()
        for device in [phone, laptop] {
            #expect(try device.todos().map(\.text) == (isLocal ? [] : ["laptop"]))
        }
    }

    @Test func `its error stops the push, and nothing is lost`() async throws {
        struct Failed: Error {}
        try await conflict()
        let delegate = Delegate { _ in throw Failed() }
        await #expect(throws: Failed.self) { try await phone.push(delegate: delegate) }
        #expect(delegate.reports.isEmpty)
        #expect(try text(phone) == "phone")
        try await phone.push(delegate: Delegate { _ in .local })
        try await laptop.pull()
        #expect(try text(laptop) == "phone")
    }

    @Test(arguments: ["a.yaml", "b.yaml"])
    func `the answers that it gave before an error are kept`(_ failing: String) async throws {
        struct Failed: Error {}
        try folder.write("id: b\ntext: base\nowner: base\n", to: "phone/b.yaml")
        for device in [phone, laptop] { try await device.sync() }
        try laptop.set("b", ["text": "laptop"])
        try await conflict()
        try phone.set("b", ["text": "phone"])
        let delegate = Delegate { conflict in
            if conflict.path == failing { throw Failed() }
            return .remote
        }
        if failing == "a.yaml" {
            await #expect(throws: Failed.self) { try await phone.sync(delegate: delegate) }
        } else {
            let report = try await phone.sync(delegate: delegate)
            #expect(report.error is Failed && report.resolved.map(\.path) == ["a.yaml"])
            #expect(try text(phone) == "laptop")
        }
        #expect(try phone.todo("b").text == "phone")
        // The next sync asks about the conflicts that are left.
        try await phone.sync(delegate: Delegate { _ in .remote })
        #expect(try text(phone) == "laptop")
        #expect(try phone.todo("b").text == "laptop")
    }

    @Test func `it may not write in the locked directory, and others may`() async throws {
        try await conflict()
        var settings = phone.settings
        settings.lockTimeout = .zero
        let impatient = try WorkingDirectory(containing: phone.path, settings: settings)
        let report = try await impatient.push(
            delegate: Delegate { _ in
                let error = #expect(throws: TodosyncError.self) { try impatient.set("a", ["text": "x"]) }
                #expect(error?.code == .busy)
                return .local
            })
        #expect(report.pushed.count == 1)
    }

    @Test func `a task that is cancelled stops it`() async throws {
        try await conflict()
        let task = Task {
            try await phone.push(
                delegate: Delegate { _ in
                    try await Task.sleep(for: .seconds(60))
                    return .local
                })
        }
        try await Task.sleep(for: .milliseconds(200))
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try text(phone) == "phone")
    }

    @Test func `a server is contacted only if the program names it`() async throws {
        for servers in [[], [Server("http://127.0.0.1:2", key: "k")]] {
            var settings = Settings()
            settings.servers = servers
            let directory = try WorkingDirectory.create(
                at: folder.path(of: "s\(servers.count)"), remote: "http://127.0.0.1:1/tables/todoitem",
                settings: settings)
            let error = await #expect(throws: TodosyncError.self) { try await directory.sync() }
            #expect(error?.code == .configuration)
        }
        var settings = Settings()
        settings.servers = [Server("http://127.0.0.1:1/tables/todoitem")]
        let named = try WorkingDirectory(containing: folder.path(of: "s0"), settings: settings)
        let error = await #expect(throws: TodosyncError.self) { try await named.sync() }
        #expect(error?.code == .unavailable)
    }

    // MARK: A third writer

    @Test func `it is asked until the remote accepts, and nothing of a third writer's is lost`() async throws
    {
        try await conflict()
        let tablet = tablet
        let delegate = Delegate { conflict in
            // While it decides, the tablet changes the todo three times.
            if conflict.attempt <= 3 {
                try await tablet.sync(delegate: Delegate { _ in .remote })
                try tablet.set("a", ["text": .string("tablet \(conflict.attempt)")])
                try tablet.set("a", ["place": .string("tablet \(conflict.attempt)")])
                try await tablet.push(delegate: Delegate { _ in .local })
            }
            // The rule: the phone's text with what the others wrote, and the remote's owner.
            let others = conflict.remote?.fields["text"]?.string ?? ""
            var answers: [String: TodosyncKit.FieldAnswer] = [:]
            for field in conflict.fields {
                answers[field] =
                    field == "text"
                    ? .value(.string("\(conflict.local?.fields["text"]?.string ?? "") + \(others)"))
                    : .remote
            }
            return .fields(answers)
        }
        let report = try await phone.sync(delegate: delegate)
        #expect(delegate.conflicts.map(\.attempt) == [1, 2, 3, 4])
        #expect(report.conflicts.isEmpty && report.pending == 0)
        try await laptop.sync()
        try await tablet.sync()
        for device in [phone, laptop, tablet] {
            let todo = try device.todo("a")
            #expect(todo.text == "phone + laptop + tablet 1 + tablet 2 + tablet 3")
            #expect(todo.fields["owner"] == "laptop")
            #expect(todo.fields["place"] == "tablet 3")
        }
    }
}
