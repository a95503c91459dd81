import TestSupport
import Testing
import UnixSignals

@testable import SyncServer

/// How a server ends on signals; other tests send signals to a real process.
@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct ShutdownTests {
    @Test(arguments: [(UnixSignal.sigterm, Server.Ending.terminated), (.sigint, .interrupted)])
    func `a server ends on a signal, and reports which one`(signal: UnixSignal, ending: Server.Ending)
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

    @Test func `requests in progress are completed, and then their connections are closed`() async throws {
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

    @Test func `those who wait for changes are answered last`() async throws {
        let (signals, sent) = AsyncStream.makeStream(of: UnixSignal.self)
        let settings = Server.Settings.testing { $0.limits.shutdownTime = .seconds(20 * 60) }
        let server = try await TestServer(settings, until: signals)
        try await TestClient.connect(to: server) { watcher in
            try await watcher.send(head("GET", "/tables/todoitem/changes?wait=60"))
            try await server.isWatched(by: 1)
            try await TestClient.connect(to: server) { client in
                try await client.send(head("POST", "/tables/todoitem", ["Content-Length: 10"]) + #"{"id""#)
                while server.heldBytes == 0 { try await Task.sleep(for: .milliseconds(1)) }
                sent.yield(.sigterm)
                while (try? await server.request("GET", "/health")) != nil {}
                try await server.isWatched(by: 1)
                try await client.send(#":"a"}"#)
                #expect(try await client.answer().status == 201)
            }
            #expect(try await watcher.answer().text.contains(#""id":"a""#))
        }
        #expect(try await server.ending == .terminated)
    }

    @Test func `a server that drains takes requests, but is not ready`() async throws {
        let (signals, sent) = AsyncStream.makeStream(of: UnixSignal.self)
        let settings = Server.Settings.testing { $0.drainTime = .seconds(20 * 60) }
        let server = try await TestServer(settings, until: signals)
        sent.yield(.sigterm)
        while try await server.request("GET", "/ready").status == 200 {}
        #expect(try await server.request("GET", "/ready").text == #"{"status":"draining"}"#)
        #expect(try await server.request("GET", "/tables/todoitem").status == 200)
        // A second signal ends it at once.
        sent.yield(.sigint)
        #expect(try await server.ending == .terminated)
    }

    @Test func `the time to drain ends by itself, and Ctrl-C needs none`() async throws {
        for (signal, time, ending) in [
            (UnixSignal.sigterm, Duration.milliseconds(20), Server.Ending.terminated),
            (.sigint, .seconds(20 * 60), .interrupted),
        ] {
            let (signals, sent) = AsyncStream.makeStream(of: UnixSignal.self)
            let server = try await TestServer(.testing { $0.drainTime = time }, until: signals)
            sent.yield(signal)
            #expect(try await server.ending == ending)
        }
    }

    @Test func `requests that take too long are abandoned`() async throws {
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
