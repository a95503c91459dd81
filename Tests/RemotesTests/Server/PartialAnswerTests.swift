import LosslessYAML
import Synchronization
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// Answers that have arrived are used even if others are lost.
@Suite struct `Answers that come in part` {
    private static func delete(_ number: Int) -> PushOperation {
        PushOperation(operationID: "\(number)", id: "id\(number)", change: .delete(base: Version("v")))
    }

    private static func big(_ number: Int, _ size: Int) -> PushOperation {
        PushOperation(
            operationID: "\(number)", id: "id\(number)",
            change: .insert(
                fields: ["text": .string(String(repeating: "x", count: size))],
                layout: Layout(path: nil, yaml: nil)))
    }

    /// Runs a todosync server that answers each write of a batch; nil omits the whole answer.
    private func running(
        _ respond: @escaping @Sendable (_ batch: Int, _ id: String) -> Mapping?,
        _ look: @escaping FakeServer.Respond = { _ in .close },
        _ body: (HTTPRemote, FakeServer) async throws -> Void
    ) async throws {
        let batches = Tally()
        try await FakeServer.running({ request in
            if request.query["$top"] == "0" {
                return .json(200, ["@todosync.identity": "s/t", "value": .list([]), "@odata.deltaLink": "x"])
            }
            guard request.method == "POST" else { return await look(request) }
            let batch = batches.next()
            var responses: [Value] = []
            for (number, id) in Self.ids(request).enumerated() {
                guard var response = respond(batch, id) else { return .close }
                response["id"] = .string("\(number)")
                responses.append(.mapping(response))
            }
            return .json(200, ["responses": .list(responses)])
        }) { server in
            try await body(HTTPRemote.testing(server.url()), server)
        }
    }

    private static func ids(_ request: FakeRequest) -> [String] {
        guard case .mapping(let batch) = request.json, case .list(let requests)? = batch["requests"] else {
            return []
        }
        return requests.compactMap { request in
            guard case .mapping(let request) = request, case .string(let url)? = request["url"] else {
                return nil
            }
            if case .mapping(let body)? = request["body"], case .string(let id)? = body["id"] { return id }
            return url.split(separator: "/").last.map(String.init)
        }
    }

    private static func status(_ status: Int, _ more: Mapping = [:]) -> Mapping {
        var response: Mapping = ["status": .number(Number(status))]
        for (name, value) in more.entries { response[name] = value }
        return response
    }

    private static let done = status(204, ["headers": ["etag": "\"n\""]])
    private static let accepted = PushAnswer.accepted(Version("n"))

    private static func isUnknown(_ answer: PushAnswer) -> Bool {
        switch answer {
        case .unknown, .notAllowed: true
        default: false
        }
    }

    private static func isNotAllowed(_ answer: PushAnswer) -> Bool {
        if case .notAllowed = answer { true } else { false }
    }

    static let odd: [Mapping] = [
        status(412), status(412, ["body": ["id": "x", "version": "v"]]), status(409, ["body": "x"]),
        status(204), status(101), status(401), status(403), status(404),
    ]

    @Test(arguments: odd)
    func `one invalid answer doesn't affect the others`(odd: Mapping) async throws {
        try await running({ _, id in id == "id1" ? odd : Self.done }) { remote, _ in
            let answers = try await remote.answers(to: (0..<4).map(Self.delete))
            #expect(answers.count == 4)
            #expect(Self.isUnknown(answers[1]), "\(answers[1])")
            for position in [0, 2, 3] { #expect(answers[position] == Self.accepted) }
        }
    }

    @Test func `after a write that is not allowed, only the batches in flight are sent`() async throws {
        try await running({ _, id in id == "id1" ? Self.status(403) : Self.done }) { remote, server in
            let answers = try await remote.answers(to: (0..<2500).map(Self.delete))
            // Either of the first two can be answered first.
            let sent = server.requests.count { $0.method == "POST" }
            #expect((2...3).contains(sent))
            #expect(answers.count { $0 == Self.accepted } == 500 * sent - 1)
            #expect(answers.count(where: Self.isUnknown) == 2500 - 500 * sent + 1)
            #expect(Self.isNotAllowed(answers[1]))
            #expect(answers.count(where: Self.isNotAllowed) == 1)
        }
    }

    @Test func `an outage ends the push, and earlier answers count`() async throws {
        try await running({ _, id in Int(id.dropFirst(2)) ?? 0 < 500 ? Self.done : nil }) { remote, server in
            let answers = try await remote.answers(to: (0..<3500).map(Self.delete))
            #expect(answers.prefix(500).allSatisfy { $0 == Self.accepted })
            #expect(answers.dropFirst(500).allSatisfy(Self.isUnknown))
            // The second batch with its retries, and the third if the first was answered earlier, but no
            // others.
            #expect([5, 9].contains(server.requests.count { $0.method == "POST" }))
        }
    }

    @Test(arguments: [false, true])
    func `a batch that is not allowed doesn't hide the outcome of another one`(isOtherLost: Bool) async throws
    {
        try await FakeServer.running({ request in
            if request.query["$top"] == "0" {
                return .json(200, ["@todosync.identity": "s/t", "value": .list([]), "@odata.deltaLink": "x"])
            }
            return isOtherLost && Self.ids(request).first == "id0" ? .close : .json(401, ["error": "no"])
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            await #expect {
                try await remote.push((0..<1000).map(Self.delete))
            } throws: { error in
                switch error {
                case RemoteError.unreachable: isOtherLost
                case RemoteError.notAllowed: !isOtherLost
                default: false
                }
            }
        }
    }

    @Test func `answers of an earlier try count if a later one fails`() async throws {
        try await running({ batch, id in
            batch > 1 ? nil : id == "id1" ? Self.status(503, ["body": ["error": "busy"]]) : Self.done
        }) { remote, _ in
            let answers = try await remote.answers(to: (0..<3).map(Self.delete))
            #expect(answers == [Self.accepted, .unknown(message: "busy"), Self.accepted])
        }
    }

    @Test func `lookups end at the first one without an answer`() async throws {
        try await running({ _, id in id == "id9" ? Self.done : Self.status(404) }) { remote, server in
            let answers = try await remote.answers(to: (0..<10).map(Self.delete))
            #expect(answers.dropLast().allSatisfy(Self.isUnknown) && answers.last == Self.accepted)
            #expect(server.requests.count { $0.method == "GET" && $0.query["$top"] != "0" } == 4)
        }
    }

    @Test func `a batch has at most about 4 MiB`() async throws {
        try await running({ _, _ in Self.done }) { remote, server in
            let answers = try await remote.answers(to: (0..<10).map { Self.big($0, 1 << 20) })
            #expect(answers.allSatisfy { $0 == Self.accepted })
            let posts = server.requests.filter { $0.method == "POST" }
            #expect(posts.map { Self.ids($0).count }.sorted() == [1, 3, 3, 3])
            #expect(posts.allSatisfy { $0.body.count <= 4 << 20 })
        }
    }

    @Test func `a batch is split if its answer is too large`() async throws {
        let filler = Value.string(String(repeating: "x", count: 20 << 20))
        try await running({ _, _ in
            var response = Self.done
            response["body"] = ["x": filler]
            return response
        }) { remote, server in
            let answers = try await remote.answers(to: (0..<4).map(Self.delete))
            #expect(answers == Array(repeating: Self.accepted, count: 4))
            #expect(server.requests.filter { $0.method == "POST" }.map { Self.ids($0).count } == [4, 2, 2])
        }
    }

    @Test func `a write with too large an answer doesn't block the others`() async throws {
        let filler = Value.string(String(repeating: "x", count: 65 << 20))
        try await running({ _, id in
            var response = Self.done
            if id == "id1" { response["body"] = ["x": filler] }
            return response
        }) { remote, _ in
            let answers = try await remote.answers(to: (0..<3).map(Self.delete))
            #expect(
                answers == [Self.accepted, .unknown(message: "the response is too large"), Self.accepted])
        }
    }

    @Test func `an invalid answer from another server doesn't affect the others`() async throws {
        try await FakeServer.running({ request in
            if request.method == "GET" { return .json(200, .list([])) }
            guard case .mapping(let body) = request.json, case .string(let id)? = body["id"] else {
                return .close
            }
            return id == "id3"
                ? .json(201, ["id": "other"])
                : .json(201, ["id": .string(id), "version": "n"])
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            let answers = try await remote.answers(to: (0..<20).map { Self.big($0, 1) })
            #expect(answers.count { $0 == Self.accepted } == 19)
            #expect(Self.isUnknown(answers[3]))
        }
    }

    @Test func `another server gets no more writes after one that it doesn't allow`() async throws {
        try await FakeServer.running({ request in
            if request.method == "GET" { return .json(200, .list([])) }
            guard case .mapping(let body) = request.json, case .string(let id)? = body["id"] else {
                return .close
            }
            return id == "id0" ? .json(201, ["id": "id0", "version": "n"]) : .json(403, ["error": "no"])
        }) { server in
            let remote = try HTTPRemote.testing(server.url())
            let answers = try await remote.answers(to: (0..<100).map { Self.big($0, 1) })
            #expect(answers.first == Self.accepted)
            #expect(answers.dropFirst().allSatisfy(Self.isUnknown))
            #expect(answers.contains(where: Self.isNotAllowed))
            #expect(server.requests.count < 30)
        }
    }
}
