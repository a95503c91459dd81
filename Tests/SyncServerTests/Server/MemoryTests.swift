import NIOCore
import Remotes
import TestSupport
import Testing

@testable import SyncServer

/// The server's total memory for requests and responses.
@Suite(.oneStoreAtATime, .timeLimit(.minutes(30))) struct MemoryTests {
    private static func record(_ id: String, size: Int) -> String {
        #"{"id":"\#(id)","text":""# + String(repeating: "x", count: size) + #""}"#
    }

    private static func server(_ size: Int) async throws -> TestServer {
        try await TestServer(.testing { $0.limits.allBodies = size })
    }

    @Test func `the total memory for bodies is limited, and freed after the responses`() async throws {
        let server = try await Self.server(12_000)
        let body = String(repeating: "x", count: 1000)
        try await TestClient.connect(to: server) { holder in
            try await holder.send(head("POST", "/tables/todoitem", ["Content-Length: 1000"]))
            try await holder.send(String(body.prefix(900)))
            while server.heldBytes < 900 { try await Task.sleep(for: .milliseconds(1)) }
            #expect(try await server.request("POST", "/tables/todoitem", body: body + body).status == 503)
            try await holder.send(String(body.prefix(100)))
            #expect(try await holder.answer().status == 400)
        }
        while server.heldBytes > 0 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(try await server.request("POST", "/tables/todoitem", body: body).status == 400)
    }

    @Test func `a client that sends nothing more loses its connection when memory is short`() async throws {
        let server = try await TestServer(
            .testing {
                $0.limits.allBodies = 100_000
                $0.limits.timeBehind = .milliseconds(10)
            })
        try await TestClient.connect(to: server) { slow in
            try await slow.send(head("POST", "/tables/todoitem", ["Content-Length: 100000"]))
            try await slow.send(String(repeating: "x", count: 99_900))
            while server.heldBytes < 99_900 { try await Task.sleep(for: .milliseconds(1)) }
            // The first refusal makes room for later requests.
            while try await server.request("GET", "/openapi.json").status == 503 {
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(try await slow.end() == [])
        }
    }

    @Test func `a body counts with the memory of its values, not only with its bytes`() async throws {
        let server = try await Self.server(200_000)
        let text = Self.record("a", size: 4000)
        let many = #"{"id":"b","list":["# + Array(repeating: "0", count: 2000).joined(separator: ",") + "]}"
        #expect(try await server.request("POST", "/tables/todoitem", body: text).status == 201)
        let refused = try await server.request("POST", "/tables/todoitem", body: many)
        #expect(refused.status == 503)
        #expect(refused["Retry-After"] == "1")
        #expect(
            refused.text.hasPrefix(#"{"code":503,"error":"Error: The server is busy with large requests"#))
        #expect(refused["Date"] != nil)
        #expect(try await server.store.table(.standard).record(id: "b") == nil)
        while server.heldBytes > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `inserts that exceed the memory limit get a time to retry`() async throws {
        let room = 3 * BodyMemory.need(ofReading: Array(Self.record("00", size: 200_000).utf8))
        let server = try await Self.server(room)
        let refusals = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 10..<58 {
                group.addTask {
                    let body = Self.record("\(number)", size: 200_000)
                    for refusals in 0... {
                        let answer = try await server.request("POST", "/tables/todoitem", body: body)
                        if answer.status == 201 { return refusals }
                        #expect(answer.status == 503)
                        #expect(answer["Retry-After"] == "1")
                        #expect(server.heldBytes <= room)
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    return 0
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(refusals > 0)
        #expect(try await server.store.table(.standard).records(RecordQuery(top: 100)).records.count == 48)
        while server.heldBytes > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `the largest batch fits by itself`() {
        let limits = ConnectionLimits()
        var worst = [UInt8](repeating: UInt8(ascii: ","), count: limits.batchBody)
        #expect(worst.count + BodyMemory.need(ofReading: worst) <= limits.allBodies)
        worst = [UInt8](repeating: UInt8(ascii: "x"), count: limits.batchBody)
        #expect(worst.count + BodyMemory.need(ofReading: worst) <= limits.allBodies)
    }

    @Test func `responses use the same memory until they are sent`() async throws {
        let server = try await Self.server(25_000)
        for number in 10..<24 {
            let record = Self.record("\(number)", size: 2000)
            #expect(try await server.request("POST", "/tables/todoitem", body: record).status == 201)
        }
        let answer = try await server.request("GET", "/tables/todoitem")
        #expect(answer.status == 503)
        #expect(answer["Retry-After"] == "1")
        #expect(answer["Date"] != nil)
        #expect(try await server.request("GET", "/tables/todoitem/10").status == 200)
        while server.heldBytes > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `the responses to a batch's reads use the same memory before the batch ends`() async throws {
        let server = try await Self.server(60_000)
        #expect(
            try await server.request("POST", "/tables/todoitem", body: Self.record("a", size: 5000)).status
                == 201)
        let reads = (0..<20).map { #"{"id":"\#($0)","method":"GET","url":"/tables/todoitem/a"}"# }
        let answer = try await server.request(
            "POST", "/$batch", body: #"{"requests":[\#(reads.joined(separator: ","))]}"#)
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""id":"0","status":200"#))
        #expect(answer.text.contains(#""id":"19","status":503,"headers":{"retry-after":"1"}"#))
        while server.heldBytes > 0 { try await Task.sleep(for: .milliseconds(1)) }
    }
}
