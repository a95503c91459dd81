internal import Foundation
internal import Synchronization

/// A server's throughput and response times with a number of concurrent connections.
struct ServerLoad {
    let name: String
    /// The kind of the store, and the number of servers if there are several.
    var store = ""
    let connections: Int
    /// The number of writes in a request; more than 1 for a batch.
    let writes: Int
    /// The number of requests a second, over all connections.
    let rate: Double
    let median: Duration
    /// The duration that 99 of 100 requests don't exceed.
    let percentile99: Duration
}

/// Measures todosync's server from the clients' side.
struct ServerLoadTest {
    /// The ports of the servers of a store; connections are spread over them.
    let ports: [UInt16]
    /// The number of requests that a connection sends.
    let requests: Int
    /// The secret of the key to use; nil for a server without keys.
    var key: String?

    /// Measures each kind of request.
    func loads() throws -> [ServerLoad] {
        [
            try reads("GET of one record", connections: 64),
            try patches(tables: 1),
            try load("batch of 100 inserts", connections: 4, writes: 100) { number in
                { turn, connection in
                    let entries = (0..<100).map { index in
                        """
                        {"id":"\(index)","method":"POST","url":"/tables/bench","body":\
                        {"id":"batch-\(number)-\(turn)-\(index)","text":"milk","complete":false}}
                        """
                    }
                    let body = "{\"requests\":[\(entries.joined(separator: ","))]}"
                    return try connection.send(request("POST", "/$batch", body: body))
                }
            },
        ]
    }

    /// Measures reads of single records.
    func reads(_ name: String, connections: Int) throws -> ServerLoad {
        try load(name, connections: connections, writes: 1) { number in
            let id = try insert(number, "get", in: "bench")
            return { _, connection in try connection.send(request("GET", "/tables/bench/\(id)")) }
        }
    }

    /// Measures conditional changes, in one table or spread over several.
    func patches(tables: Int) throws -> ServerLoad {
        let name = "PATCH with If-Match" + (tables > 1 ? ", \(tables) tables" : "")
        return try load(name, connections: 64, writes: 1) { number in
            // Each connection changes a record in each of its tables in turn.
            let paths = try (0..<max(1, tables / 64)).map { index in
                let table = tables > 1 ? "bench\(index * 64 + number)" : "bench"
                return "/tables/\(table)/\(try insert(number, "patch", in: table))"
            }
            let etags = Mutex([String?](repeating: nil, count: paths.count))
            return { turn, connection in
                let index = turn % paths.count
                let answer = try connection.send(
                    request(
                        "PATCH", paths[index], ifMatch: etags.withLock { $0[index] },
                        body: "{\"edits\":\(turn),\"text\":\"as long as a todo's text is\"}"))
                etags.withLock { $0[index] = header("etag", in: answer.head) }
                return answer
            }
        }
    }

    /// Measures polls of a table without new changes.
    func polls() throws -> ServerLoad {
        let cursor = try cursor()
        return try load("poll without changes", connections: 64, writes: 1) { _ in
            { _, connection in
                try connection.send(request("GET", "/tables/bench/changes?wait=0&after=\(cursor)"))
            }
        }
    }

    /// Returns the cursor after all changes to the table.
    func cursor() throws -> String {
        let connection = try HTTPConnection(port: ports[0])
        var target = "/tables/bench/changes?wait=0"
        while true {
            let answer = try connection.send(request("GET", target))
            let body = String(decoding: answer.body, as: UTF8.self)
            // A page that is not the last one has a next link instead.
            guard let after = body.split(separator: "after=").dropFirst().last,
                let cursor = after.split(whereSeparator: { "&\"".contains($0) }).first
            else { throw ServerFailure(reason: "it answered \(body.prefix(200))") }
            if !body.contains("nextLink") { return String(cursor) }
            target = "/tables/bench/changes?wait=0&after=\(cursor)"
        }
    }

    private typealias Exchange = @Sendable (_ turn: Int, HTTPConnection) throws -> HTTPConnection.Answer

    func insert(_ number: Int, _ kind: String, in table: String) throws -> String {
        let id = "\(kind)-\(number)"
        let body = "{\"id\":\"\(id)\",\"text\":\"milk\",\"complete\":false,\"edits\":0}"
        let answer = try HTTPConnection(port: ports[0]).send(
            request("POST", "/tables/\(table)", body: body))
        // The record of an earlier load stays.
        guard [201, 409].contains(answer.status) else {
            throw ServerFailure(reason: "it answered \(answer.status)")
        }
        return id
    }

    func request(_ method: String, _ path: String, ifMatch: String? = nil, body: String? = nil)
        -> [UInt8]
    {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nZUMO-API-VERSION: 2.0.0\r\n"
        if let key { text += "x-zumo-application: \(key)\r\n" }
        if let ifMatch { text += "If-Match: \(ifMatch)\r\n" }
        if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
        return Array((text + "\r\n" + (body ?? "")).utf8)
    }

    /// Runs each connection on its own thread, which sends the connection's requests one after another.
    private func load(
        _ name: String, connections: Int, writes: Int, _ exchange: (_ number: Int) throws -> Exchange
    ) throws -> ServerLoad {
        let exchanges = try (0..<connections).map(exchange)
        let requests = max(1, requests / writes)
        let durations = Durations()
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: connections, threads: connections) { number in
            do {
                let connection = try HTTPConnection(port: ports[number % ports.count])
                var own: [Duration] = []
                for turn in 0..<requests {
                    let begin = ContinuousClock.now
                    let answer = try exchanges[number](turn, connection)
                    own.append(ContinuousClock.now - begin)
                    guard answer.status < 300 else {
                        throw ServerFailure(reason: "\(name) was answered \(answer.status)")
                    }
                }
                durations.add(own)
            } catch {
                durations.fail(error)
            }
        }
        let elapsed = ContinuousClock.now - start
        let sorted = try durations.sorted()
        return ServerLoad(
            name: name, connections: connections, writes: writes,
            rate: Double(sorted.count) / (elapsed / .seconds(1)),
            median: sorted[sorted.count / 2], percentile99: sorted[sorted.count * 99 / 100])
    }
}

extension DispatchQueue {
    /// Runs the work once for each number, on separate threads, and waits for all of them.
    fileprivate static func concurrentPerform(
        iterations: Int, threads: Int, _ work: @escaping @Sendable (Int) -> Void
    ) {
        let group = DispatchGroup()
        for number in 0..<iterations {
            group.enter()
            Thread {
                work(number)
                group.leave()
            }.start()
        }
        group.wait()
    }
}

/// Collects the results of all threads of a load.
private final class Durations: Sendable {
    private let outcome = Mutex<Result<[Duration], any Error>>(.success([]))

    func add(_ durations: [Duration]) { outcome.withLock { $0 = $0.map { $0 + durations } } }
    func fail(_ error: any Error) { outcome.withLock { $0 = .failure(error) } }
    func sorted() throws -> [Duration] { try outcome.withLock { try $0.get() }.sorted() }
}
