internal import Foundation

/// The connections that wait for changes at a server.
struct WatcherLoad {
    let store: String
    let connections: Int
    /// The server's memory for each connection in bytes.
    let bytes: Int
    /// The time from a change until all connections have it.
    let duration: Duration
}

extension Comparison {
    /// The number of tables of a load that is spread.
    private static let tableCount = 1024

    /// Measures todosync's server on a folder and on a PostgreSQL database, in turns.
    ///
    /// - Parameter database: The URL of an empty database.
    func databaseLoads(_ database: String) throws -> [ServerLoad] {
        try withStores(database) { folder, database, runner in
            var loads: [[ServerLoad]] = []
            for repetition in 1...options.repetitions {
                report("requests to servers, \(repetition) of \(options.repetitions)")
                var round: [ServerLoad] = []
                for (name, store, count) in [
                    ("folder", folder, 1), ("PostgreSQL", database, 1),
                    ("PostgreSQL, 4 servers", database, 4),
                ] {
                    round += try withServers(of: store, count, runner) { ports, _ in
                        let test = ServerLoadTest(ports: ports, requests: options.requests)
                        return try [
                            test.patches(tables: 1), test.patches(tables: Self.tableCount), test.polls(),
                        ].map {
                            var load = $0
                            load.store = name
                            return load
                        }
                    }
                }
                if let load = try transactionsWithoutCombining(database) { round.append(load) }
                loads.append(round)
            }
            return loads[0].indices.map { index in loads.map { $0[index] }.median }
        }
    }

    /// Measures connections that wait for changes.
    func watcherLoads(_ database: String) throws -> [WatcherLoad] {
        try withStores(database) { folder, database, runner in
            try [("folder", folder), ("PostgreSQL", database)].map { name, store in
                report("\(options.watchers) connections that wait, \(name)")
                return try withServers(of: store, 1, runner) { ports, processes in
                    try WatcherLoadTest(port: ports[0], process: processes[0])
                        .load(store: name, connections: options.watchers)
                }
            }
        }
    }

    func withStores<Result>(
        _ database: String, _ body: (_ folder: String, _ database: String, CommandRunner) throws -> Result
    ) throws -> Result {
        try withFolder { folder, runner in
            let arguments = ["serve", "store", "create", "--store", database]
            try runner.run([Command(program: options.todosync, arguments: arguments)])
            return try body(folder, database, runner)
        }
    }

    /// Runs measurements with a new store in a folder.
    func withFolder<Result>(
        _ body: (_ folder: String, CommandRunner) throws -> Result
    ) throws -> Result {
        try makeFolder(root + "/home")
        defer { removeFolder(root) }
        let runner = runner(in: root)
        let folder = root + "/store"
        try runner.run([Command(program: options.todosync, arguments: ["init", "--bare", folder])])
        return try body(folder, runner)
    }

    /// Runs measurements with servers of a store.
    func withServers<Result>(
        of store: String, _ count: Int, _ runner: CommandRunner, options moreOptions: [String] = [],
        _ body: (_ ports: [UInt16], _ processes: [Int32]) throws -> Result
    ) throws -> Result {
        let command = Command(
            program: options.todosync,
            arguments: ["serve", "--store", store, "--listen", "127.0.0.1:0"] + moreOptions)
        let servers = try (0..<count).map {
            try ServerProcess(command, environment: runner.environment, log: root + "/log\($0)")
        }
        let ports = try servers.map { server in
            guard let port = server.url.split(separator: ":").last.flatMap({ UInt16($0) }) else {
                throw ServerFailure(reason: "it said \(server.url)")
            }
            return port
        }
        return try withExtendedLifetime(servers) { try body(ports, servers.map(\.process)) }
    }

    /// Measures the same change as a transaction of its own, by PostgreSQL's own program; nil if pgbench is
    /// not installed.
    ///
    /// There is no HTTP and no JSON in it.
    private func transactionsWithoutCombining(_ database: String) throws -> ServerLoad? {
        guard let psql = installedProgram("psql"), let pgbench = installedProgram("pgbench") else {
            return nil
        }
        let key = try text(
            of: psql, "--no-psqlrc", "-Atc", "SELECT key FROM todosync.todo_table WHERE name = 'bench'",
            database)
        let script = root + "/pgbench.sql"
        try writeText(
            """
            BEGIN;
            SELECT sequence + 1 AS next FROM todosync.todo_table WHERE key = :key FOR NO KEY UPDATE \\gset
            SELECT fields FROM todosync.record
            WHERE todo_table = :key AND id = convert_to('patch-' || :client_id, 'UTF8');
            UPDATE todosync.record SET version = :next::bigint << 24, updated_at = :next
            WHERE todo_table = :key AND id = convert_to('patch-' || :client_id, 'UTF8');
            INSERT INTO todosync.history (todo_table, sequence, mark) VALUES (:key, :next, 1);
            UPDATE todosync.todo_table SET sequence = :next WHERE key = :key;
            COMMIT;
            """, to: script)
        let logs = root + "/durations"
        _ = try text(
            of: pgbench, "-n", "-M", "prepared", "-c", "64", "-j", "2", "-T", "5", "-D", "key=\(key)", "-f",
            script, "-l", "--log-prefix", logs, database)
        // The third column of a log is the duration in microseconds.
        let durations = try FileManager.default.contentsOfDirectory(atPath: root)
            .filter { $0.hasPrefix("durations.") }
            .flatMap { name in
                defer { removeFolder(root + "/" + name) }
                return try readText(root + "/" + name).split(separator: "\n").compactMap {
                    Int64($0.split(separator: " ")[2]).map { Duration.microseconds($0) }
                }
            }.sorted()
        guard !durations.isEmpty else { throw ServerFailure(reason: "pgbench logged nothing") }
        return ServerLoad(
            name: "change as a transaction of its own", store: "PostgreSQL, pgbench", connections: 64,
            writes: 1, rate: Double(durations.count) / 5, median: durations[durations.count / 2],
            percentile99: durations[durations.count * 99 / 100])
    }

    func text(of program: String, _ arguments: String...) throws -> String {
        let output = root + "/output"
        let runner = CommandRunner(
            environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" },
            outputFile: output)
        try runner.run([Command(program: program, arguments: arguments)])
        return try readText(output).trimmingCharacters(in: .newlines)
    }
}

extension [ServerLoad] {
    /// The load with the median rate.
    fileprivate var median: ServerLoad { sorted { $0.rate < $1.rate }[count / 2] }
}

/// Measures a server's connections that wait for changes.
private struct WatcherLoadTest {
    let port: UInt16
    let process: Int32

    func load(store: String, connections count: Int) throws -> WatcherLoad {
        let test = ServerLoadTest(ports: [port], requests: 1)
        let id = try test.insert(0, "watched", in: "bench")
        let cursor = try test.cursor()
        let before = try memory()
        let question = test.request("GET", "/tables/bench/changes?wait=60&after=\(cursor)")
        let watchers = try (0..<count).map { number in
            let watcher = try HTTPConnection(port: port)
            try watcher.ask(question)
            // The server closes connections if too many have no request.
            if number.isMultiple(of: 100) { _ = try test.cursor() }
            return watcher
        }
        // The server reads the last requests, and then rests.
        Thread.sleep(forTimeInterval: 3)
        let bytes = try (memory() - before) / count
        let start = ContinuousClock.now
        let answer = try HTTPConnection(port: port).send(
            test.request("PATCH", "/tables/bench/\(id)", body: "{\"text\":\"\(start)\"}"))
        guard answer.status == 200 else { throw ServerFailure(reason: "it answered \(answer.status)") }
        for watcher in watchers {
            let answer = try watcher.readAnswer()
            guard answer.status == 200, String(decoding: answer.body, as: UTF8.self).contains(id) else {
                throw ServerFailure(reason: "a connection that waits was answered \(answer.status)")
            }
        }
        return WatcherLoad(
            store: store, connections: count, bytes: bytes, duration: ContinuousClock.now - start)
    }

    /// Returns the server's resident memory in bytes.
    private func memory() throws -> Int {
        let status = try readText("/proc/\(process)/status")
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return line.split(separator: " ").compactMap { Int($0) }.first.map { $0 * 1024 } ?? 0
    }
}
