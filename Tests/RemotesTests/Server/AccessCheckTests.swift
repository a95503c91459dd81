import LosslessYAML
import NIOHTTP1
import Testing
import TodoModel

@testable import Remotes

/// A key is checked before it is saved.
@Suite struct AccessCheckTests {
    private func check(_ respond: @escaping FakeServer.Respond) async throws -> (RemoteError?, [FakeRequest])
    {
        try await FakeServer.running(respond) { server in
            do {
                try await HTTPRemote.testing(server.url(), .testing(key: "secret")).checkAccess()
                return (nil, server.requests)
            } catch let error as RemoteError {
                return (error, server.requests)
            }
        }
    }

    @Test func `the check only reads, and sends the key`() async throws {
        let (error, requests) = try await check { _ in .json(200, OurServer.page([], delta: "0")) }
        #expect(error == nil && requests.count == 2)
        #expect(requests.allSatisfy { $0.method == "GET" && $0.headers["x-zumo-auth"] == ["secret"] })
        for flavor in [WireFlavor.v1, .v2] {
            try await ForeignServer(.init(flavor: flavor)).running { server in
                try await HTTPRemote.testing(server.url(), .testing(key: "secret")).checkAccess()
                await #expect(throws: RemoteError.self) {
                    try await HTTPRemote.testing(server.url(table: "other")).checkAccess()
                }
            }
        }
    }

    @Test(arguments: [401, 403, 404, 503]) func `an obstacle to access is thrown`(status: Int) async throws {
        let (error, _) = try await check { _ in .text(status, "") }
        switch (status, error) {
        case (401, .notAllowed(.unknown)), (403, .notAllowed(.insufficient)), (404, .noSuchTable),
            (503, .refused):
            break
        default: Issue.record("\(status): \(String(describing: error))")
        }
    }

    @Test func `a todosync server that answers with changes can still lack the table`() async throws {
        let (error, _) = try await check { request in
            request.headers["prefer"].isEmpty
                ? .json(404, ["error": "Table 'todoitem' does not exist."])
                : .json(200, OurServer.page([], delta: "0"))
        }
        guard case .noSuchTable(_, let message) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(message == "Table 'todoitem' does not exist.")
    }
}
