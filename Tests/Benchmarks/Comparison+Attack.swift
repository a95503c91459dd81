internal import Foundation
internal import Synchronization

extension Comparison {
    /// The numbers of attacking connections.
    private static let attackerCounts = [64, 300]

    /// Measures one client's reads while connections with another key, which may only read, send expensive
    /// queries without a pause.
    func attackLoads(_ database: String) throws -> [ServerLoad] {
        try withStores(database) { folder, database, runner in
            try [("folder", folder), ("PostgreSQL", database)].flatMap { name, store in
                report("attacks, \(name)")
                let own = try key("own", "write", of: store)
                let attacker = try key("attacker", "read", of: store)
                // A limit on requests would soon end the attack.
                let options = ["--rate-limit", "1000000"]
                return try withServers(of: store, 1, runner, options: options) { ports, _ in
                    let test = ServerLoadTest(ports: ports, requests: self.options.requests, key: own)
                    try test.fill()
                    return try ([0] + Self.attackerCounts).map { count in
                        let attack = Attack(port: ports[0], key: attacker)
                        attack.begin(connections: count)
                        defer { attack.end() }
                        var load = try test.reads("GET of one record, \(count) attackers", connections: 4)
                        load.store = name
                        return load
                    }
                }
            }
        }
    }

    /// Adds a key to a store, and returns its secret.
    private func key(_ name: String, _ access: String, of store: String) throws -> String {
        let output = try text(
            of: options.todosync, "serve", "key", "add", name, "--table", "bench", "--access", access,
            "--store", store)
        return String(output.split(separator: "\n").last ?? "")
    }
}

extension ServerLoadTest {
    /// Inserts a thousand records of 200 bytes.
    fileprivate func fill() throws {
        let text = String(repeating: "todo ", count: 40)
        let connection = try HTTPConnection(port: ports[0])
        for start in stride(from: 0, to: 1000, by: 100) {
            let entries = (start..<(start + 100)).map { number in
                """
                {"id":"\(number)","method":"POST","url":"/tables/bench","body":\
                {"id":"filled-\(number)","text":"\(text)"}}
                """
            }
            let body = "{\"requests\":[\(entries.joined(separator: ","))]}"
            let answer = try connection.send(request("POST", "/$batch", body: body))
            guard answer.status == 200 else { throw ServerFailure(reason: "it answered \(answer.status)") }
        }
    }
}

/// Connections that send an expensive query again and again, whatever the answer is.
private final class Attack: Sendable {
    private let port: UInt16
    private let request: [UInt8]
    private let hasEnded = Mutex(false)
    private let threads = DispatchGroup()

    /// - Parameter key: The secret of the key to use.
    init(port: UInt16, key: String) {
        self.port = port
        let term = "substringof(%270z%27,tolower(text))"
        let filter = Array(repeating: term, count: 200).joined(separator: "%20or%20")
        request = ServerLoadTest(ports: [port], requests: 1, key: key)
            .request("GET", "/tables/bench?$inlinecount=allpages&$filter=\(filter)")
    }

    /// Connects, and sends the first queries.
    func begin(connections count: Int) {
        for _ in 0..<count {
            threads.enter()
            Thread { [self] in
                try? attack()
                threads.leave()
            }.start()
        }
        Thread.sleep(forTimeInterval: 2)
    }

    private func attack() throws {
        let connection = try HTTPConnection(port: port)
        while !hasEnded.withLock({ $0 }) { _ = try connection.send(request) }
    }

    func end() {
        hasEnded.withLock { $0 = true }
        threads.wait()
    }
}
