import LosslessYAML
import NIOHTTP1
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// A fake todosync server with the identity `store/todoitem`; each test chooses its answers.
@Suite struct `A todosync server` {
    /// Runs a server that answers the first exchange, and other requests with `body`'s answers.
    @discardableResult
    private func running<Result: Sendable>(
        _ respond: @escaping FakeServer.Respond,
        _ body: (HTTPRemote, FakeServer) async throws -> Result
    ) async throws -> Result {
        try await FakeServer.running({ request in
            request.query["$top"] == "0"
                ? .json(200, OurServer.page([], delta: "0")) : await respond(request)
        }) { server in
            try await body(HTTPRemote.testing(server.url(), pageSize: 7), server)
        }
    }

    @Test func `changes come page by page, and links are not followed`() async throws {
        try await running({ request in
            request.query["$deltatoken"] == nil
                ? .json(
                    200,
                    OurServer.page(
                        [
                            OurServer.record(
                                "one",
                                ["todosync": ["path": "one.yaml", "yaml": "text: a\n"], "updatedAt": "x"]),
                            OurServer.record(
                                "two", ["deleted": .bool(true), "@removed": ["reason": "deleted"]]),
                        ], next: "1%2B"))
                : .json(200, OurServer.page([OurServer.record("three")], delta: "2"))
        }) { remote, server in
            let (pages, next) = try await remote.allChanges()
            #expect(
                pages.flatMap(\.records) == [
                    RemoteRecord(
                        id: "one", version: Version("v"), fields: ["text": "a"],
                        layout: Layout(path: "one.yaml", yaml: "text: a\n")),
                    RemoteRecord(id: "two", version: Version("v"), isDeleted: true, fields: ["text": "a"]),
                    RemoteRecord(id: "three", version: Version("v"), fields: ["text": "a"]),
                ])
            #expect(pages.map(\.isLast) == [false, true])
            #expect(next == Cursor("2"))
            #expect(server.requests.map { $0.query["$deltatoken"] } == [nil, nil, "1+"])
        }
    }

    struct Nonsense: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var answer: FakeAnswer
        init(_ description: String, _ answer: FakeAnswer) {
            testDescription = description
            self.answer = answer
        }
        init(_ description: String, _ value: Value) {
            self.init(description, .json(200, value))
        }
    }

    static let nonsense = [
        Nonsense("not JSON", .text(200, "<html>")),
        Nonsense("nothing", .text(200, "")),
        Nonsense("too deep", .text(200, String(repeating: "[", count: 100_000))),
        Nonsense("a list", .list([])),
        Nonsense("a number", .json("1")),
        Nonsense("no links", OurServer.page([])),
        Nonsense("two links", OurServer.page([], next: "1", delta: "1")),
        Nonsense("a link without a token", OurServer.page([], delta: "")),
        Nonsense("another table", OurServer.page([], delta: "1", identity: "store/other")),
        Nonsense("no identity", OurServer.page([], delta: "1", identity: .null)),
        Nonsense(
            "an endless identity",
            OurServer.page([], delta: "1", identity: .string(String(repeating: "x", count: 999)))
        ),
        Nonsense("a record that is not an object", OurServer.page(["x"], delta: "1")),
        Nonsense("a record without an id", OurServer.page([OurServer.record(.null)], delta: "1")),
        Nonsense("an id that is a number", OurServer.page([OurServer.record(.json("7"))], delta: "1")),
        Nonsense(
            "a record without a version",
            OurServer.page([OurServer.record("one", version: .null)], delta: "1")),
        Nonsense(
            "a version that doesn't fit in a header",
            OurServer.page([OurServer.record("one", version: "a\nb")], delta: "1")),
        Nonsense(
            "a deleted property that is a string",
            OurServer.page([OurServer.record("one", ["deleted": "yes"])], delta: "1")),
        Nonsense(
            "a bad link",
            .json(
                200,
                [
                    "@todosync.identity": "store/todoitem", "value": .list([]),
                    "@odata.deltaLink": "?$deltatoken=%FF",
                ])),
        Nonsense("an unknown status", .text(299, "")),
    ]

    @Test(arguments: nonsense)
    func `an invalid answer is refused in one line`(row: Nonsense) async throws {
        try await running({ _ in row.answer }) { remote, server in
            let message = await unavailable { _ = try await remote.changes(after: Cursor("0")) }
            #expect(message?.hasPrefix(server.url()) == true, "\(message ?? "nothing")")
            #expect(message?.contains("\n") == false)
        }
    }

    @Test func `a page that links to itself is refused`() async throws {
        try await running({ _ in .json(200, OurServer.page([], next: "5")) }) { remote, _ in
            #expect(await unavailable { _ = try await remote.changes(after: Cursor("5")) } != nil)
        }
    }

    @Test func `operations are sent in one batch, as the protocol requires`() async throws {
        try await running({ request in
            guard case .mapping(let batch) = request.json, case .list(let requests)? = batch["requests"]
            else { return .text(400, "") }
            let responses = requests.indices.reversed().map { number -> Value in
                [
                    "id": .string("\(number)"), "status": .json("204"),
                    "headers": ["ETag": .string("\"v\(number)\"")],
                ]
            }
            return .json(200, ["responses": .list(responses)])
        }) { remote, server in
            let base = Version("AA\"E=")
            let operations: [PushOperation] = [
                .insert("a"), .update("b", base), .delete(base), .recreate("c", base),
            ]
            let answers = try await remote.answers(to: operations)
            #expect(answers == (0..<4).map { .accepted(Version("v\($0)")) })
            let request = try #require(server.requests.last)
            #expect(request.method == "POST")
            #expect(request.target == "/$batch")
            #expect(request.headers["prefer"] == ["return=minimal"])
            guard case .mapping(let batch) = request.json, case .list(let requests)? = batch["requests"]
            else {
                Issue.record("no batch")
                return
            }
            let expected: [Value] = [
                [
                    "id": "0", "method": "POST", "url": "/tables/todoitem",
                    "headers": ["idempotency-key": .string(operations[0].operationID)],
                    "body": [
                        "id": "one", "text": "a", "complete": .bool(false),
                        "todosync": ["path": "one.yaml", "yaml": "id: one\ntext: a\n"],
                    ],
                ],
                [
                    "id": "1", "method": "PATCH", "url": "/tables/todoitem/one",
                    "headers": [
                        "idempotency-key": .string(operations[1].operationID), "if-match": "\"AA\\\"E=\"",
                    ],
                    "body": [
                        "id": "one", "text": "b",
                        "todosync": ["path": "one.yaml", "yaml": "id: one\ntext: b\n"],
                    ],
                ],
                [
                    "id": "2", "method": "DELETE", "url": "/tables/todoitem/one",
                    "headers": [
                        "idempotency-key": .string(operations[2].operationID), "if-match": "\"AA\\\"E=\"",
                    ],
                ],
                [
                    "id": "3", "method": "PUT", "url": "/tables/todoitem/one",
                    "headers": [
                        "idempotency-key": .string(operations[3].operationID), "if-match": "\"AA\\\"E=\"",
                    ],
                    "body": [
                        "id": "one", "text": "c",
                        "todosync": ["path": "one.yaml", "yaml": "id: one\ntext: c\n"],
                    ],
                ],
            ]
            #expect(requests == expected)
        }
    }

    @Test(arguments: [(nil, false), (["path", "yaml"], false), (["path", "yaml", "device"], true)])
    func `the device is sent only to a server that accepts it`(_ members: [String]?, _ isTaken: Bool)
        async throws
    {
        var layout = PushOperation.layout("a")
        layout.device = "phone"
        let insert = PushOperation.one(.insert(fields: ["text": "a"], layout: layout))
        guard case .mapping(var page) = OurServer.page([], delta: "0") else {
            Issue.record("a page is no mapping")
            return
        }
        page["@todosync.layout"] = members.map { .list($0.map { .string($0) }) }
        try await FakeServer.running({ [page] request in
            if request.method == "GET" { return .json(200, .mapping(page)) }
            return .json(
                200,
                [
                    "responses": .list([
                        ["id": "0", "status": .number(Number(204)), "headers": ["etag": "\"v\""]]
                    ])
                ])
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            #expect(try await remote.answers(to: [insert]) == [.accepted(Version("v"))])
            let sent = try #require(server.requests.last).body
            #expect(String(decoding: sent, as: UTF8.self).contains(#""device":"phone""#) == isTaken)
        }
    }

    struct Mapped: Sendable, CustomTestStringConvertible {
        var testDescription: String { "\(status)" }
        var status: Int
        var body: Value?
        var answer: PushAnswer
    }

    static let stored = RemoteRecord(id: "one", version: Version("v"), fields: ["text": "a"])

    @Test(arguments: [
        Mapped(status: 412, body: OurServer.record("one"), answer: .movedOn(stored)),
        Mapped(status: 409, body: OurServer.record("one"), answer: .movedOn(stored)),
        Mapped(
            status: 409, body: OurServer.record("ONE"),
            answer: .refused(status: 409, message: "the id ONE differs from this one only in case")),
        Mapped(status: 404, body: ["error": "none"], answer: .movedOn(stored)),
        Mapped(status: 400, body: ["error": "bad\u{1B}"], answer: .refused(status: 400, message: "bad")),
        Mapped(status: 413, body: ["message": "large"], answer: .refused(status: 413, message: "large")),
        Mapped(
            status: 422, body: nil, answer: .refused(status: 422, message: nil)),
        Mapped(status: 503, body: ["error": "busy"], answer: .unknown(message: "busy")),
    ])
    func `each answer in a batch is mapped to its result`(row: Mapped) async throws {
        try await running({ request in
            if request.method == "GET" {
                return request.path == "/tables/todoitem/one" && request.query["__includeDeleted"] == "true"
                    ? .json(200, OurServer.record("one")) : .text(500, "")
            }
            var response: Mapping = ["id": "0", "status": .number(Number(row.status))]
            response["body"] = row.body
            return .json(200, ["responses": .list([.mapping(response)])])
        }) { remote, _ in
            let answers = try await remote.answers(to: [.update("b", Version("u"))])
            #expect(answers == [row.answer])
        }
    }

    @Test(arguments: [401, 403])
    func `a batch with a write that the key doesn't permit stops the push`(status: Int) async throws {
        try await running({ _ in
            .json(200, ["responses": .list([["id": "0", "status": .number(Number(status))]])])
        }) { remote, server in
            // Without a key, 403 also asks for one.
            await #expect(
                throws: RemoteError.notAllowed(
                    .unknown(url: server.url(), message: "the server responded with status \(status)"))
            ) {
                _ = try await remote.answers(to: [.insert("a")])
            }
        }
    }

    @Test func `only writes that failed temporarily are retried`() async throws {
        let tally = Tally()
        try await running({ request in
            guard case .mapping(let batch) = request.json, case .list(let requests)? = batch["requests"]
            else { return .text(400, "") }
            let isFirst = tally.next() == 1
            return .json(
                200,
                [
                    "responses": .list(
                        requests.indices.map { number in
                            [
                                "id": .string("\(number)"),
                                "status": .json(isFirst && number == 1 ? "503" : "204"),
                                "headers": ["etag": .string("\"\(isFirst ? "first" : "second")\"")],
                            ]
                        })
                ])
        }) { remote, server in
            let answers = try await remote.answers(to: [.insert("a"), .update("b", Version("v"))])
            #expect(answers == [.accepted(Version("first")), .accepted(Version("second"))])
            #expect(server.requests.count { $0.method == "POST" } == 2)
        }
    }

    @Test func `a batch without an answer is retried, and finally stops the push`() async throws {
        try await running({ _ in .close }) { remote, server in
            let message = await unavailable {
                _ = try await remote.answers(to: [.insert("a"), .update("b", Version("v"))])
            }
            #expect(
                message
                    == "\(server.url()) can't be reached: the connection was closed before the end of the response"
            )
            let bodies = server.requests.filter { $0.method == "POST" }.map(\.body)
            #expect(bodies.count == 4 && Set(bodies).count == 1)
        }
    }

    @Test func `a batch that is too large is split`() async throws {
        try await running({ request in
            guard case .mapping(let batch) = request.json, case .list(let requests)? = batch["requests"]
            else { return .text(400, "") }
            if requests.count > 2 { return .json(413, ["error": "too large"]) }
            return .json(
                200,
                [
                    "responses": .list(
                        requests.enumerated().map { number, request in
                            guard case .mapping(let request) = request, let url = request["url"] else {
                                return .null
                            }
                            return [
                                "id": .string("\(number)"), "status": .json("204"),
                                "headers": ["etag": url],
                            ]
                        })
                ])
        }) { remote, _ in
            let operations = (0..<5).map { number in
                PushOperation(
                    operationID: "\(number)", id: "id\(number)", change: .delete(base: Version("v")))
            }
            let answers = try await remote.answers(to: operations)
            #expect(answers == (0..<5).map { .accepted(Version("/tables/todoitem/id\($0)")) })
        }
    }

    @Test(arguments: [
        Nonsense("no responses", ["x": .null]),
        Nonsense("an unknown id", ["responses": .list([["id": "7", "status": .json("204")]])]),
        Nonsense("no status", ["responses": .list([["id": "0", "status": "204"]])]),
        Nonsense("no version", ["responses": .list([["id": "0", "status": .json("204")]])]),
        Nonsense(
            "another record",
            ["responses": .list([["id": "0", "status": .json("412"), "body": OurServer.record("x")]])]),
    ])
    func `a batch's answer that doesn't match is refused`(row: Nonsense) async throws {
        try await running({ _ in row.answer }) { remote, _ in
            #expect(
                await unavailable { _ = try await remote.answers(to: [.update("a", Version("v"))]) } != nil)
        }
    }
}

extension Value {
    fileprivate static func json(_ spelling: String) -> Value {
        Number(json: spelling).map { .number($0) } ?? .null
    }
}
