import NIOCore
import Synchronization
import TodoModel

@testable import HTTPTransport
@testable import Remotes

extension ServerSurroundings {
    /// Returns system services without a key, with an empty environment and without waiting.
    static func testing(
        key: String? = nil, environment: [String: String] = [:], timeouts: HTTPTimeouts = .patient,
        waits: Waits = Waits(), lacks: @escaping @Sendable (ServerFeature) -> Void = { _ in }
    ) -> ServerSurroundings {
        ServerSurroundings(
            transport: { server throws(RemoteError) in
                try HTTPConnections(server, environment: { environment[$0] }, timeouts: timeouts)
            }, key: { _ in key }, randomBytes: { [UInt8](repeating: 0xFF, count: $0) },
            wait: { waits.note($0) }, lacks: lacks)
    }
}

/// Records the delays that a client requests.
final class Waits: Sendable {
    private let noted = Mutex<[Duration]>([])

    var all: [Duration] { noted.withLock { $0 } }

    func note(_ wait: Duration) { noted.withLock { $0.append(wait) } }
}

extension HTTPTimeouts {
    /// For tests that aren't about timeouts: on a busy machine, a test can run late.
    static let patient = HTTPTimeouts(
        connect: .hours(1), idle: .hours(1), whole: .hours(1), progress: .seconds(3600))
    static let testing = HTTPTimeouts(connect: .seconds(5), idle: .milliseconds(300))
}

extension HTTPRemote {
    static func testing(
        _ url: String, _ surroundings: ServerSurroundings = .testing(), pageSize: Int = 1000
    ) throws -> HTTPRemote {
        try HTTPRemote(url: url, surroundings: surroundings, pageSize: pageSize)
    }

    /// Returns all changes after a cursor, and the cursor for later ones.
    func allChanges(after cursor: Cursor? = nil) async throws -> (pages: [ChangePage], next: Cursor?) {
        var pages: [ChangePage] = []
        var next = cursor
        while pages.last?.isLast != true {
            let page = try await changes(after: next)
            next = page.next
            pages.append(page)
        }
        return (pages, next)
    }
}

/// Returns the message of a ``RemoteError`` if the remote is unavailable; nil otherwise.
func unavailable(_ body: () async throws -> Void) async -> String? {
    do {
        try await body()
        return nil
    } catch {
        guard let error = error as? RemoteError, error.isUnavailable else { return nil }
        return "\(error)"
    }
}

/// A counter, for answers that depend on the number of requests.
final class Tally: Sendable {
    private let number = Mutex(0)

    var value: Int {
        get { number.withLock { $0 } }
        set { number.withLock { $0 = newValue } }
    }

    /// Returns the next number, from 1.
    func next() -> Int {
        number.withLock {
            $0 += 1
            return $0
        }
    }
}
