import NIOCore
import Synchronization
import TestSupport
import Testing
import UnixSignals

@testable import Remotes
@testable import SyncServer

/// A server on a free port of this machine with its own store; it ends with the test.
final class TestServer: Sendable {
    let store: Store
    let port: Int
    /// The URL that the server reported.
    let url: String
    private let folder: TemporaryFolder
    let server: Server
    private let lines: Lines
    private let task: Task<Server.Ending, any Error>

    /// The timeouts are long, because all tests run at once and a client can wait a minute for its turn.
    static let settings = {
        var settings = Server.Settings(address: ListenAddress(host: "127.0.0.1", port: 0))
        settings.limits.headTime = .minutes(20)
        settings.limits.bodyTime = .minutes(20)
        settings.limits.idleTime = .minutes(20)
        settings.limits.stallTime = .minutes(20)
        settings.limits.lingerTime = .minutes(1)
        settings.limits.timeBehind = .minutes(20)
        return settings
    }()

    /// Starts a server whose store has the given keys.
    ///
    /// Without signals, it runs until the test ends.
    init(
        _ settings: Server.Settings = TestServer.settings, keys: [AccessKey] = [],
        until signals: AsyncStream<UnixSignal>? = nil
    ) async throws {
        folder = try TemporaryFolder()
        store = try Store.create(at: folder.path(of: "store"), surroundings: .forServerTests)
        for key in keys { _ = try await store.addKey(key) }
        let lines = Lines()
        let (urls, listening) = AsyncStream.makeStream(of: String.self)
        let surroundings = Server.Surroundings(
            now: { 1_795_244_400_000 }, log: { lines.add($0) }, isListening: { listening.yield($0) })
        let server = try Server(store: store, settings: settings, surroundings: surroundings)
        task = Task {
            defer { listening.finish() }
            if let signals { return try await server.run(until: signals) }
            try await server.run()
            return .terminated
        }
        guard let url = await urls.first(where: { _ in true }) else {
            _ = try await task.value
            throw NotListening()
        }
        self.url = url
        self.lines = lines
        self.server = server
        port = url.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }

    deinit { task.cancel() }

    struct NotListening: Error {}

    /// The log so far.
    var log: [String] { lines.all }

    /// Adds a key and returns its secret.
    func addKey(_ key: AccessKey) async throws -> String {
        try await store.addKey(key).secret ?? ""
    }

    var heldBytes: Int { server.heldBytes }

    var metrics: Metrics.Counts { server.metrics }
    var openConnections: Int { metrics.connections }

    /// Calls `body` while a number of a client's queries are running.
    func whileQueriesRun<Result>(
        _ count: Int, of client: String, _ body: () async throws -> Result
    ) async throws -> Result {
        if count == 0 { return try await body() }
        return try await store.readShares[.query].run(for: client) {
            try await whileQueriesRun(count - 1, of: client, body)
        }
    }

    /// Waits until a number of connections wait for changes.
    func isWatched(by count: Int) async throws {
        while server.watching != count { try await Task.sleep(for: .milliseconds(1)) }
    }

    func reloadCertificate() { server.reloadCertificate() }

    /// Makes the store unreadable, like a broken disk.
    func breakStore() throws {
        for name in ["store/todosync-store.sqlite", "store/todosync-store.sqlite-wal"] {
            try folder.write("broken", to: name)
        }
    }

    /// Stops the server and waits until it has ended.
    func end() async throws {
        task.cancel()
        _ = try await task.value
    }

    /// The reason why the server ended; waits until it has.
    var ending: Server.Ending { get async throws { try await task.value } }

    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }
}

extension Server.Settings {
    /// Returns the test server's settings after a change.
    static func testing(_ change: (inout Server.Settings) -> Void) -> Server.Settings {
        var settings = TestServer.settings
        change(&settings)
        return settings
    }
}

extension AccessKey {
    static func testing(
        _ name: String, _ access: Access = .admin, table: TableName? = nil, isAnonymous: Bool = false
    ) -> AccessKey {
        AccessKey(name: name, table: table, access: access, isAnonymous: isAnonymous, createdAt: 0)
    }
}

extension StoreSurroundings {
    static let forServerTests = {
        var surroundings = StoreSurroundings(
            now: { 1_795_244_400_000 },
            randomBytes: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } })
        // All tests together keep the processors busy for minutes.
        surroundings.queryTime = .seconds(120)
        return surroundings
    }()
}
