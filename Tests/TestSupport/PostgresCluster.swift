import Foundation
import Platform

/// A PostgreSQL server for the tests, which listens on a socket in a temporary folder.
///
/// It ends with the process that started it. All tests of a process share one.
package final class PostgresCluster: Sendable {
    /// The folder of the socket, which is the host of a connection.
    package let folder: String
    /// The port, which is also part of the socket's name.
    private let port: UInt16
    private let programs: String
    /// The server's options.
    private let options: String
    /// The server reads from this pipe; it ends when the pipe is closed.
    private let pipe: Int32

    package static let shared = Result { try PostgresCluster() }

    /// Creates a database with no tables, and returns its URL.
    package func createDatabase(_ name: String) throws -> String {
        try check(
            ChildProcess.run(["\(programs)/createdb"] + address + ["--username", "postgres", name]))
        return url(of: name)
    }

    package func url(of name: String, user: String = "postgres") -> String {
        "postgresql://\(user)@/\(name)?host=\(folder)"
    }

    /// Starts PgBouncer in transaction mode in front of the server, and returns its folder, the host of a
    /// connection.
    ///
    /// It ends with the process that started it.
    ///
    /// - Parameter size: The number of sessions that all connections to a database share.
    package func startPooler(size: Int) throws -> String {
        // A socket's path has about 100 bytes at most.
        let pooler = "\(folder)/pooler-\(UInt32.random(in: 0...UInt32.max))"
        let settings = """
            [databases]
            * = host=\(folder) user=postgres
            [pgbouncer]
            listen_port = 5432
            unix_socket_dir = \(pooler)
            auth_type = any
            pool_mode = transaction
            default_pool_size = \(size)
            max_client_conn = 500
            """
        var ends: [Int32] = [0, 0]
        guard Platform.pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // PgBouncer refuses to run as root. Nobody closes the pipe before the process ends.
        let script = """
            mkdir "$pooler" && echo "$settings" > "$pooler/settings" || exit
            user=
            if [ "$(id -u)" = 0 ]; then chown postgres "$pooler"; user='-u postgres'; fi
            PATH=$PATH:/usr/sbin pgbouncer $user "$pooler/settings" > "$pooler/log" 2>&1 &
            cat
            kill $!
            """
        _ = try ChildProcess(
            ["sh", "-c", script],
            environment: ProcessInfo.processInfo.environment.merging([
                "pooler": pooler, "settings": settings,
            ]) { $1 }, input: .descriptor(ends[0]))
        close(ends[0])
        try waitForServer(at: pooler)
        return pooler
    }

    /// The address for PostgreSQL's own programs.
    private var address: [String] { ["--host", folder, "--port", String(port)] }

    /// Returns the URL of a database over TLS, and the file of the certificate that vouches for the server.
    ///
    /// - Precondition: the cluster was created with a port for TLS.
    package func urlWithTLS(of name: String) -> (url: String, certificate: String) {
        ("postgresql://postgres@127.0.0.1:\(port)/\(name)", "\(folder)/server.crt")
    }

    /// Runs SQL as the owner of the cluster, and returns its output: a line for each row, with `|` between
    /// the columns.
    ///
    /// - Parameter host: The folder of a pooler's socket; nil for the server itself.
    @discardableResult
    package func run(_ sql: String, in database: String, at host: String? = nil) throws -> String {
        let result = try ChildProcess.run(
            [
                "\(programs)/psql", "--username", "postgres", "--dbname", database, "--no-psqlrc", "--quiet",
                "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1",
                "--command",
                sql,
            ] + address + (host.map { ["--host", $0] } ?? []))
        try check(result)
        return String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// Ends all connections to a database, as an administrator can.
    package func terminateConnections(to database: String) throws {
        try run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database)'",
            in: "postgres")
    }

    /// Kills one of the processes that serve a database; the server then starts again.
    package func killConnection(to database: String) throws {
        let line = try run(
            "SELECT pid FROM pg_stat_activity WHERE datname = '\(database)' LIMIT 1", in: "postgres")
        if let process = pid_t(line) { kill(process, SIGKILL) }
        try waitForServer()
    }

    /// Stops the server as a crash does, and starts it again.
    package func restartAtOnce() throws {
        try control("-m", "immediate", "-l", "\(folder)/log", "restart")
        try waitForServer()
    }

    /// Stops the server as a crash does.
    package func stopAtOnce() throws { try control("-m", "immediate", "stop") }

    /// Starts the server after it was stopped.
    package func start() throws {
        try control("-l", "\(folder)/log", "-o", options, "start")
        try waitForServer()
    }

    /// Makes a replica the primary.
    package func promote() throws { try control("promote") }

    private func control(_ arguments: String...) throws {
        let user = getuid() == 0 ? ["runuser", "-u", "postgres", "--"] : []
        let result = try ChildProcess.run(user + ["\(programs)/pg_ctl", "-D", "\(folder)/data"] + arguments)
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        if result.status != 0 {
            throw CommandFailed(errors: String(decoding: result.errors, as: UTF8.self) + log)
        }
    }

    /// Makes commits wait until a replica has them on disk.
    package func waitForReplica() throws {
        try run("ALTER SYSTEM SET synchronous_standby_names = '*'", in: "postgres")
        try run("SELECT pg_reload_conf()", in: "postgres")
    }

    /// Creates a cluster, or a replica of another one, and starts its server.
    ///
    /// - Parameter tlsPort: The local port that the server listens on with TLS; nil for the socket only.
    package init(
        settings: [String] = ["fsync=off"], replicaOf primary: PostgresCluster? = nil, tlsPort: UInt16? = nil
    ) throws {
        port = tlsPort ?? 5432
        let bindir = try ChildProcess.run(["pg_config", "--bindir"])
        programs = String(decoding: bindir.output, as: UTF8.self).trimmingCharacters(in: .newlines)
        // A socket's path has about 100 bytes at most.
        folder =
            FileManager.default.temporaryDirectory.appending(
                path: "todosync-pg-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
            ).path
        let tls =
            tlsPort == nil
            ? ["listen_addresses="]
            : [
                "listen_addresses=127.0.0.1", "port=\(port)", "ssl=on", "ssl_cert_file=\(folder)/server.crt",
                "ssl_key_file=\(folder)/server.key",
            ]
        let all = tls + ["max_connections=500"] + settings
        options = (["-k \(folder)"] + all.map { "-c \($0)" }).joined(separator: " ")
        var ends: [Int32] = [0, 0]
        guard Platform.pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        pipe = ends[1]
        let creation =
            primary.map {
                "\(programs)/pg_basebackup -h \($0.folder) -U postgres -D data -R -X stream -c fast --no-sync"
            } ?? "\(programs)/initdb -D data -U postgres -A trust -E UTF8 --locale=C --no-sync"
        let certificate =
            tlsPort == nil
            ? "true"
            : "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=todosync "
                + "-addext subjectAltName=IP:127.0.0.1 -keyout server.key -out server.crt"
        // PostgreSQL refuses to run as root.
        let script = """
            mkdir "$folder" && cd "$folder" || exit
            user=
            if [ "$(id -u)" = 0 ]; then chown postgres . && user='runuser -u postgres --'; fi
            $user $creation && $user $certificate 2> openssl.log &&
                $user "$programs/postgres" -D "$folder/data" $options &
            cat
            $user "$programs/pg_ctl" -D data -m immediate stop
            rm -rf "$folder"
            """
        _ = try ChildProcess(
            ["sh", "-c", script],
            environment: ProcessInfo.processInfo.environment.merging([
                "folder": folder, "programs": programs, "creation": creation, "certificate": certificate,
                "options": options,
            ]) { $1 }, input: .descriptor(ends[0]))
        close(ends[0])
        try waitForServer()
    }

    deinit { close(pipe) }

    private func waitForServer(at host: String? = nil) throws {
        let program = ["\(programs)/pg_isready", "--quiet"] + address
        for _ in 0..<600 {
            let answer = try ChildProcess.run(program + (host.map { ["--host", $0] } ?? []))
            if answer.status == 0 { return }
            usleep(100_000)
        }
        throw CommandFailed(errors: "PostgreSQL did not start in \(host ?? folder)")
    }

    private func check(_ result: ChildProcess.Result) throws {
        if result.status != 0 {
            throw CommandFailed(errors: String(decoding: result.errors, as: UTF8.self))
        }
    }

    private struct CommandFailed: Error { var errors: String }
}
