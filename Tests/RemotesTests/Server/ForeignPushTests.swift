import LosslessYAML
import NIOHTTP1
import TestSupport
import Testing
import TodoModel

@testable import Remotes

extension PushOperation {
    /// Returns an operation on the todo `one`, with the text for its fields.
    static func one(_ change: Change, _ number: Int = 1) -> PushOperation {
        PushOperation(operationID: String(repeating: "\(number % 10)", count: 32), id: "one", change: change)
    }

    static func layout(_ text: String) -> Layout {
        Layout(path: "one.yaml", yaml: "id: one\ntext: \(text)\n")
    }

    static func insert(_ text: String) -> PushOperation {
        one(.insert(fields: ["text": .string(text), "complete": .bool(false)], layout: layout(text)), 1)
    }

    static func update(_ text: String, _ base: Version) -> PushOperation {
        one(.update(fields: ["text": .string(text)], layout: layout(text), base: base), 2)
    }

    static func delete(_ base: Version) -> PushOperation { one(.delete(base: base), 3) }

    static func recreate(_ text: String, _ base: Version) -> PushOperation {
        one(.recreate(fields: ["text": .string(text)], layout: layout(text), base: base), 4)
    }
}

extension Remote {
    /// Sends an operation that the server must accept, and returns the new version.
    func accepted(_ operation: PushOperation) async throws -> Version {
        let answers = try await answers(to: [operation])
        guard answers.count == 1, case .accepted(let version) = answers[0] else {
            Issue.record("\(answers)")
            return Version("")
        }
        return version
    }

    /// Sends an operation whose condition must fail, and returns the current record.
    func moved(_ operation: PushOperation) async throws -> RemoteRecord? {
        let answers = try await answers(to: [operation])
        guard answers.count == 1, case .movedOn(let record) = answers[0] else {
            Issue.record("\(answers)")
            return nil
        }
        return record
    }
}

extension ForeignServer {
    func row(_ id: String) -> Row? { rows.first { $0.id == id } }
    var one: Row? { row("one") }
}

@Suite struct `Pushing to another server` {
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var options: ForeignServer.Options

        init(_ description: String, _ change: (inout ForeignServer.Options) -> Void) {
            testDescription = description
            options = ForeignServer.Options()
            change(&options)
        }
    }

    static let kinds = [
        Kind("v2 .NET") { _ in },
        Kind("v2 Node") {
            $0.isNode = true
            $0.refusesObjects = 500
        },
        Kind("v1") {
            $0.flavor = .v1
            $0.refusesObjects = 400
        },
    ]

    private func using<Result: Sendable>(
        _ options: ForeignServer.Options = .init(),
        _ body: (ForeignServer, HTTPRemote, FakeServer) async throws -> Result
    ) async throws -> Result {
        let foreign = ForeignServer(options)
        return try await foreign.running { server in
            try await body(foreign, HTTPRemote.testing(server.url()), server)
        }
    }

    @Test(arguments: kinds)
    func `a server gets inserts, updates, deletes and recreations`(kind: Kind) async throws {
        try await using(kind.options) { foreign, remote, _ in
            let first = try await remote.accepted(.insert("a"))
            #expect(foreign.one?.fields["text"] == .string("a"))
            let second = try await remote.accepted(.update("b", first))
            #expect(foreign.one?.fields["text"] == .string("b"))
            #expect(foreign.one?.fields["complete"] == .bool(false))
            let third = try await remote.accepted(.delete(second))
            #expect(foreign.one?.isDeleted == true)
            #expect(foreign.one.map { String($0.version) } == third.string)
            let fourth = try await remote.accepted(.recreate("c", third))
            #expect(foreign.one?.isDeleted == false)
            #expect(foreign.one?.fields["text"] == .string("c"))
            #expect(foreign.one?.fields["complete"] == .null)
            #expect(foreign.one.map { String($0.version) } == fourth.string)
        }
    }

    @Test(arguments: kinds)
    func `a record that has moved on is returned in its current state`(kind: Kind) async throws {
        try await using(kind.options) { foreign, remote, _ in
            let first = try await remote.accepted(.insert("a"))
            foreign.write("one", ["text": "theirs", "due": "2026-12-01"])
            let record = try await remote.moved(.update("mine", first))
            #expect(record?.fields == ["text": "theirs", "due": "2026-12-01"])
            #expect(record?.version.string == foreign.one.map { String($0.version) })
            #expect(try await remote.moved(.delete(first)) == record)
            #expect(try await remote.moved(.insert("mine")) == record)
            foreign.write("one", ["text": "theirs"], isDeleted: true)
            #expect(try await remote.moved(.update("mine", first))?.isDeleted == true)
            #expect(try await remote.moved(.insert("mine"))?.isDeleted == true)
            #expect(try await remote.moved(.recreate("mine", first))?.isDeleted == true)
        }
    }

    @Test func `a record that is gone without a tombstone doesn't exist`() async throws {
        var options = ForeignServer.Options()
        options.deletesHard = true
        try await using(options) { foreign, remote, _ in
            #expect(try await remote.moved(.update("b", Version("7"))) == nil)
            let first = try await remote.accepted(.insert("a"))
            let second = try await remote.accepted(.delete(first))
            #expect(foreign.one == nil)
            _ = try await remote.accepted(.delete(second))
            _ = try await remote.accepted(.recreate("c", second))
            #expect(foreign.one?.fields["text"] == .string("c"))
        }
    }

    /// The server applies the write, but its answer is lost.
    ///
    /// The retry shows the outcome.
    @Test(arguments: kinds, [2, 3])
    func `a retry after a lost answer finds the outcome and changes nothing`(kind: Kind, every: Int)
        async throws
    {
        var options = kind.options
        options.losesAnswer = every
        try await using(options) { foreign, remote, _ in
            var base = Version("")
            for round in 0..<6 {
                base = try await remote.accepted(round == 0 ? .insert("r0") : .recreate("r\(round)", base))
                #expect(foreign.one?.fields["text"] == .string("r\(round)"))
                base = try await remote.accepted(.update("u\(round)", base))
                #expect(foreign.one?.fields["text"] == .string("u\(round)"))
                #expect(foreign.one.map { String($0.version) } == base.string)
                base = try await remote.accepted(.delete(base))
                #expect(foreign.one?.isDeleted == true)
            }
        }
    }

    @Test func `an update is accepted if others changed another field after it was applied`()
        async throws
    {
        try await using { foreign, remote, _ in
            let first = try await remote.accepted(.insert("a"))
            let update = PushOperation.update("b", first)
            _ = try await remote.accepted(update)
            foreign.write("one", ["text": "b", "due": "2026-12-01"])
            let version = try await remote.accepted(update)
            #expect(version.string != foreign.one.map { String($0.version) })
            // No record has this version, so the next write fetches the record.
            let record = try await remote.moved(.update("c", version))
            #expect(record?.fields["due"] == .string("2026-12-01"))
            foreign.write("one", ["text": "theirs"])
            #expect(try await remote.moved(update)?.fields["text"] == .string("theirs"))
        }
    }

    @Test func `a server that refuses unknown properties gets only the fields`() async throws {
        for refusal in [400, 500] {
            var options = ForeignServer.Options()
            options.refusesObjects = refusal
            try await using(options) { foreign, remote, server in
                let first = try await remote.accepted(.insert("a"))
                #expect(foreign.one?.fields["todosync"] == nil)
                let before = server.requests.count
                let second = try await remote.accepted(.update("b", first))
                #expect(server.requests.count == before + 1)
                // For such a server, an update of only the layout contains nothing.
                let layout = PushOperation.one(
                    .update(fields: [:], layout: PushOperation.layout("# b"), base: second), 5)
                #expect(try await remote.accepted(layout) == second)
                #expect(server.requests.count == before + 1)
            }
        }
    }

    @Test func `another client's update with a different path or text is not taken for this client's`()
        async throws
    {
        try await using { foreign, remote, _ in
            let first = try await remote.accepted(.insert("a"))
            foreign.write(
                "one",
                ["text": "b", "due": "2026-12-01", "todosync": ["path": "other.yaml", "yaml": "text: b\n"]])
            #expect(try await remote.moved(.update("b", first))?.layout?.path == "other.yaml")
        }
    }

    @Test func `a device is sent with the layout, and its name doesn't decide whose update it is`()
        async throws
    {
        try await using { foreign, remote, _ in
            let first = try await remote.accepted(.insert("a"))
            foreign.write(
                "one",
                ["text": "b", "todosync": ["path": "one.yaml", "yaml": "id: one\ntext: b\n", "device": "x"]])
            var layout = PushOperation.layout("b")
            layout.device = "phone"
            let update = PushOperation.one(.update(fields: ["text": "b"], layout: layout, base: first), 2)
            let second = try await remote.accepted(update)
            layout.device = "tablet"
            _ = try await remote.accepted(
                .one(.update(fields: ["text": "c"], layout: layout, base: second), 3))
            let records = try await remote.allChanges().pages.flatMap(\.records)
            #expect(records.map(\.layout?.device) == ["tablet"])
        }
    }

    @Test func `one refusal doesn't remove the layout from other todos`() async throws {
        try await FakeServer.running({ request in
            if request.method == "GET" { return .json(200, .list([])) }
            guard case .mapping(let body) = request.json, body["text"] == .string("bad") else {
                return .json(201, ["id": "one", "version": "n"])
            }
            return body["todosync"] == nil
                ? .json(201, ["id": "one", "version": "n"]) : .json(400, ["error": "no"])
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            _ = try await remote.accepted(.insert("a"))
            #expect(try await remote.answers(to: [.insert("bad")]) == [.refused(status: 400, message: "no")])
            _ = try await remote.accepted(.insert("c"))
            guard case .mapping(let body)? = server.requests.last?.json else {
                Issue.record("no record was sent")
                return
            }
            #expect(body["todosync"] != nil)
        }
    }

    @Test func `the version in a body takes precedence over the ETag, and no idempotency key is sent`()
        async throws
    {
        try await FakeServer.running({ request in
            request.method == "GET"
                ? .json(200, .list([]))
                : .json(201, ["id": "one", "version": "n"], headers: [("etag", "\"gateway\"")])
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            #expect(try await remote.accepted(.insert("a")) == Version("n"))
            #expect(server.requests.allSatisfy { $0.headers["idempotency-key"].isEmpty })
        }
    }

    @Test func `a server that stores unknown properties returns the layout`() async throws {
        try await using { _, remote, _ in
            _ = try await remote.accepted(.insert("a"))
            let (pages, _) = try await remote.allChanges()
            let records = pages.flatMap(\.records)
            #expect(records.map(\.layout) == [PushOperation.layout("a")])
            #expect(records.map(\.fields) == [["text": "a", "complete": .bool(false)]])
        }
    }

    @Test func `many writes are in flight, and each gets its own answer`() async throws {
        try await using { foreign, remote, server in
            let operations = (0..<40).map { number in
                PushOperation(
                    operationID: String(number), id: "id\(number)",
                    change: .insert(
                        fields: ["text": .string("t\(number)")], layout: Layout(path: nil, yaml: nil)))
            }
            let answers = try await remote.answers(to: operations)
            for (operation, answer) in zip(operations, answers) {
                #expect(answer == .accepted(Version("\(foreign.row(operation.id)?.version ?? 0)")))
            }
            // On a busy machine, slow connections might have been replaced, but not for every write.
            #expect((2..<40).contains(server.connectionCount))
        }
    }

    @Test func `the identity is the URL, and another table's cursor is refused`() async throws {
        try await using { _, remote, server in
            let identity = try await remote.meet(nil)
            #expect(identity == RemoteIdentity("http:http://127.0.0.1:\(server.port)/tables/todoitem"))
            await #expect(throws: RemoteError.otherHistory) {
                _ = try await remote.changes(after: Cursor("AAAA-12"))
            }
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var status: Int
        var answer: PushAnswer
        var testDescription: String { "\(status)" }
    }

    @Test(arguments: [
        Refusal(status: 400, answer: .refused(status: 400, message: "no")),
        Refusal(status: 413, answer: .refused(status: 413, message: "no")),
        Refusal(status: 422, answer: .refused(status: 422, message: "no")),
        Refusal(status: 429, answer: .unknown(message: "no")),
        Refusal(status: 503, answer: .unknown(message: "no")),
    ])
    func `a refusal is an answer, and a temporary failure is unknown`(row: Refusal) async throws {
        try await FakeServer.running({ request in
            request.method == "GET" ? .json(200, .list([])) : .json(row.status, ["error": "no"])
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            #expect(try await remote.answers(to: [.insert("a")]) == [row.answer])
        }
    }

    @Test(arguments: [401, 403])
    func `a write that the key doesn't permit stops the push`(status: Int) async throws {
        try await FakeServer.running({ request in
            request.method == "GET" ? .json(200, .list([])) : .json(status, ["error": "no"])
        }) { server in
            let remote = try HTTPRemote.testing(server.url(), .testing(key: "secret"))
            await #expect(
                throws: RemoteError.notAllowed(
                    status == 403
                        ? .insufficient(
                            url: server.url(), needed: .write(table: "todoitem"), message: "no")
                        : .unknown(url: server.url(), message: "no"))
            ) {
                _ = try await remote.answers(to: [.insert("a")])
            }
        }
    }
}
