import TestSupport
import Testing
import UnixSignals

@testable import SyncServer

/// How a server ends by signals; those of a process are tested with the program itself.
@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct ShutdownTests {
    @Test(arguments: [(UnixSignal.sigterm, Server.Ending.terminated), (.sigint, .interrupted)])
    func `a signal ends a server, which says which it was`(signal: UnixSignal, ending: Server.Ending)
        async throws
    {
        let (signals, sent) = AsyncStream.makeStream(of: UnixSignal.self)
        let server = try await TestServer(until: signals)
        #expect(try await server.request("GET", "/health").status == 200)
        sent.yield(.sighup)
        sent.yield(signal)
        #expect(try await server.ending == ending)
        #expect(server.log.contains { $0.hasSuffix("warning: there is no certificate to reload") })
    }

    @Test func `what is under way is finished, on a connection that is closed then`() async throws {
        let (signals, sent) = AsyncStream.makeStream(of: UnixSignal.self)
        let settings = Server.Settings.testing { $0.limits.shutdownTime = .seconds(20 * 60) }
        let server = try await TestServer(settings, until: signals)
        try await TestClient.connect(to: server) { client in
            try await client.send(head("POST", "/tables/todoitem", ["Content-Length: 10"]) + #"{"id""#)
            while server.heldBytes == 0 { try await Task.sleep(for: .milliseconds(1)) }
            sent.yield(.sigterm)
            while (try? await server.request("GET", "/health")) != nil {}
            try await client.send(#":"a"}"#)
            let answer = try await client.answer()
            #expect(answer.status == 201)
            #expect(answer["Connection"] == "close")
        }
        #expect(try await server.ending == .terminated)
    }

    @Test func `what is under way for too long is not waited for`() async throws {
        let (signals, sent) = AsyncStream.makeStream(of: UnixSignal.self)
        let settings = Server.Settings.testing { $0.limits.shutdownTime = .milliseconds(50) }
        let server = try await TestServer(settings, until: signals)
        try await TestClient.connect(to: server) { client in
            try await client.send(head("POST", "/tables/todoitem", ["Content-Length: 10"]) + "{")
            while server.heldBytes == 0 { try await Task.sleep(for: .milliseconds(1)) }
            sent.yield(.sigterm)
            #expect(try await server.ending == .terminated)
            #expect(try await client.end() == [])
        }
    }
}
