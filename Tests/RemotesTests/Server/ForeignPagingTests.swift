import LosslessYAML
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// A client's copy of a table after its pulls.
struct Mirror {
    private(set) var versions: [String: String] = [:]
    private(set) var cursor: Cursor?
    /// The number of records that the last pull delivered.
    private(set) var delivered = 0

    mutating func pull(_ remote: HTTPRemote) async throws {
        let (pages, next) = try await remote.allChanges(after: cursor)
        cursor = next
        delivered = 0
        for record in pages.flatMap(\.records) {
            versions[record.id] = record.version.string
            delivered += 1
        }
    }
}

extension ForeignServer {
    var versions: [String: String] {
        Dictionary(rows.map { ($0.id, String($0.version)) }) { $1 }
    }
}

@Suite struct `Paging another server's table by times` {
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
        Kind("v2") { _ in },
        Kind("v1") { $0.flavor = .v1 },
        Kind("without counts") { $0.reportsCount = false },
        Kind("times more precise than shown") {
            $0.hasFineTimes = true
            $0.tick = 7
        },
        Kind("everything in one millisecond") { $0.tick = 0 },
        Kind("many in a millisecond") {
            $0.tick = 40
            $0.pageSize = 3
        },
        Kind("times more precise than shown, and small pages") {
            $0.hasFineTimes = true
            $0.tick = 40
            $0.pageSize = 3
            $0.reportsCount = false
        },
    ]

    @Test(arguments: kinds)
    func `the first pull delivers everything, including tombstones, and the next one nothing`(kind: Kind)
        async throws
    {
        let foreign = ForeignServer(kind.options)
        for number in 0..<120 {
            foreign.write("id \(number)'", ["text": "a"], isDeleted: number % 7 == 0)
        }
        try await foreign.running { server in
            let remote = try HTTPRemote.testing(server.url())
            var mirror = Mirror()
            try await mirror.pull(remote)
            #expect(mirror.versions == foreign.versions)
            // If a server's pages overlap, one second is read again.
            try await mirror.pull(remote)
            let before = server.requests.count
            try await mirror.pull(remote)
            #expect(mirror.delivered == 0)
            #expect(server.requests.dropFirst(before).allSatisfy { $0.method == "GET" })
        }
    }

    @Test func `a pull without changes takes two requests without content`() async throws {
        let foreign = ForeignServer()
        for number in 0..<40 { foreign.write("id\(number)", ["text": "a"]) }
        try await foreign.running { server in
            let remote = try HTTPRemote.testing(server.url())
            var mirror = Mirror()
            try await mirror.pull(remote)
            let before = server.requests.count
            try await mirror.pull(remote)
            #expect(mirror.delivered == 0)
            let requests = server.requests.dropFirst(before)
            #expect(requests.map { $0.query["$select"] } == ["id,version,updatedAt", nil])
        }
    }

    @Test func `reading an empty table ends, and later changes are found`() async throws {
        let foreign = ForeignServer()
        try await foreign.running { server in
            let remote = try HTTPRemote.testing(server.url())
            var mirror = Mirror()
            try await mirror.pull(remote)
            try await mirror.pull(remote)
            foreign.write("one", ["text": "a"])
            try await mirror.pull(remote)
            #expect(mirror.versions == foreign.versions)
        }
    }

    @Test(arguments: [0, 1, 999, 1000, 20_000_000])
    func `a write that becomes visible late is found`(microseconds: Int) async throws {
        let foreign = ForeignServer()
        for number in 0..<60 { foreign.write("m\(number)", ["text": "a"]) }
        try await foreign.running { server in
            let remote = try HTTPRemote.testing(server.url())
            var mirror = Mirror()
            try await mirror.pull(remote)
            foreign.writeLate("a", ["text": "late"], microseconds: microseconds)
            foreign.writeLate("z", ["text": "late"], microseconds: microseconds)
            foreign.writeLate("m5", ["text": "late"], microseconds: microseconds)
            try await mirror.pull(remote)
            #expect(mirror.versions == foreign.versions)
            #expect(mirror.delivered < 63)
        }
    }

    @Test func `only a second with changes is read again`() async throws {
        var options = ForeignServer.Options()
        options.tick = 1_000_000
        let foreign = ForeignServer(options)
        for number in 0..<20 { foreign.write("m\(number)", ["text": "a"]) }
        try await foreign.running { server in
            let remote = try HTTPRemote.testing(server.url())
            var mirror = Mirror()
            try await mirror.pull(remote)
            foreign.writeLate("late", ["text": "late"], microseconds: 5_000_000)
            try await mirror.pull(remote)
            #expect(mirror.delivered == 2)
            #expect(mirror.versions == foreign.versions)
        }
    }

    /// Other clients write while pages are read.
    ///
    /// After they stop, one more pull delivers everything. After at most one more pull, whose pages overlap,
    /// nothing is transferred.
    @Test(arguments: UInt64(0)..<16)
    func `all writes that happen while pages are read are found`(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var options = Self.kinds[Int.random(in: 0..<Self.kinds.count, using: &random)].options
        options.pageSize = [3, 7, 50].randomElement(using: &random) ?? 50
        options.tick = [0, 10, 400, 1000, 700_000].randomElement(using: &random) ?? 1000
        let foreign = ForeignServer(options)
        for number in 0..<Int.random(in: 0..<40, using: &random) {
            foreign.write("id\(number)", ["text": "a"])
        }
        try await foreign.running { server in
            let remote = try HTTPRemote.testing(
                server.url(), pageSize: Int.random(in: 3...60, using: &random))
            var seen: [String: String] = [:]
            var cursor: Cursor?
            for _ in 0..<20 {
                let page = try await remote.changes(after: cursor)
                cursor = page.next
                for record in page.records { seen[record.id] = record.version.string }
                guard Bool.random(using: &random) else { continue }
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let id = "id\(Int.random(in: 0..<50, using: &random))"
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        foreign.writeLate(
                            id, ["text": "b"], microseconds: Int.random(in: 0...100_000, using: &random))
                    } else {
                        foreign.write(id, ["text": "c"], isDeleted: Bool.random(using: &random))
                    }
                }
            }
            // The current pull ends, and another one follows.
            for _ in 0..<2 {
                let (pages, next) = try await remote.allChanges(after: cursor)
                cursor = next
                for record in pages.flatMap(\.records) { seen[record.id] = record.version.string }
            }
            #expect(seen == foreign.versions)
            let (_, next) = try await remote.allChanges(after: cursor)
            let (quiet, _) = try await remote.allChanges(after: next)
            #expect(quiet.flatMap(\.records).isEmpty)
        }
    }
}
