#if PostgreSQL
    internal import CLibPQ
    internal import Platform

    /// A connection to PostgreSQL; it blocks the calling thread while it waits for answers.
    ///
    /// Commands are sent together in libpq's pipeline mode, so that they take one round trip. All statements
    /// are prepared once for each connection, and all values are sent and received in binary form.
    ///
    /// A pooler such as PgBouncer can run each transaction in a different session. So behind a pooler,
    /// nothing is prepared, and each transaction begins with its settings.
    final class PostgresConnection {
        private let connection: OpaquePointer
        /// Whether the database's sessions belong to a pooler, which has its own number for a connection.
        let isPooled: Bool
        /// The names of the prepared statements.
        private var names: [String: String] = [:]
        /// The command that starts a transaction, to send with the next commands.
        private var pendingStart: String?
        private var isInTransaction = false
        /// Whether a read-only transaction's commit was sent but its answer hasn't been read yet.
        private var isEnding = false
        private var isListening = false

        /// The number of seconds to wait for the answer to commands, longer than the database's own
        /// timeouts.
        private static let answerTimeout = 30
        /// The settings that the user's own settings override.
        private static let defaults = [
            // Lost connections are detected within seconds.
            ("connect_timeout", "5"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "10"),
            ("keepalives_interval", "3"), ("keepalives_count", "3"),
            ("fallback_application_name", "todosync"),
        ]
        /// Changes the settings of the session, or of a transaction; leaves out those that the database
        /// doesn't support.
        private static func settings(ofTransaction: Bool) -> PostgresCommand {
            // The plans don't depend on the values, and planning again would take most of a statement's time.
            // The timeouts end the transactions of a process that hangs, so that it doesn't keep its locks.
            // The value "off" is the only one that doesn't wait until the commit is on disk.
            PostgresCommand(
                sql: """
                    SELECT set_config(name, value, \(ofTransaction)) FROM (VALUES
                        ('plan_cache_mode', 'force_generic_plan'),
                        ('idle_in_transaction_session_timeout', '5s'), ('statement_timeout', '10s'),
                        ('lock_timeout', '5s'), ('search_path', '\(PostgresSchema.name)'),
                        ('synchronous_commit', 'on')
                    ) AS wanted (name, value)
                    WHERE CASE name WHEN 'synchronous_commit' THEN current_setting(name, true) = 'off'
                        ELSE current_setting(name, true) IS NOT NULL END
                    """)
        }

        /// Connects to a database.
        ///
        /// - Parameter role: The role of the server to use, if there are several hosts.
        /// - Throws: ``PostgresError``.
        init(to connectionString: String, role: PostgresRole = .primary) throws {
            // If a setting occurs several times, the last one applies.
            let settings =
                Self.defaults + role.defaults + [("dbname", connectionString), ("client_encoding", "UTF8")]
                + role.settings
            let connection = withCStrings(settings.map(\.0)) { names in
                withCStrings(settings.map(\.1)) { values in PQconnectdbParams(names, values, 1) }
            }
            guard let connection else { throw PostgresError.outOfMemory }
            self.connection = connection
            guard PQstatus(connection) == CONNECTION_OK else {
                throw PostgresError.notConnected(connection, to: connectionString)
            }
            // libpq would print notices and warnings; what matters is in the errors.
            PQsetNoticeProcessor(connection, { _, _ in }, nil)
            let result = PQexec(connection, "SELECT pg_backend_pid()::text")
            guard let result else { throw PostgresError.lost(connection) }
            let number = try PostgresResult(result, on: connection).first?.string(0)
            isPooled = number != "\(PQbackendPID(connection))"
            guard PQenterPipelineMode(connection) == 1 else { throw PostgresError.lost(connection) }
            if !isPooled { _ = try run(Self.settings(ofTransaction: false)) }
        }

        deinit { PQfinish(connection) }

        /// PostgreSQL's version: 10000 times the major version, plus the minor version.
        var serverVersion: Int { Int(PQserverVersion(connection)) }

        /// A warning if others on the network can read or change the traffic; nil if the server is verified
        /// or on this machine.
        var exposure: String? {
            let host = PQhost(connection).map { String(cString: $0) } ?? ""
            if host.isEmpty || host.hasPrefix("/") || ["localhost", "127.0.0.1", "::1"].contains(host) {
                return nil
            }
            guard let mode = setting("sslmode"), mode != "verify-full" else { return nil }
            return "the connection to \(host) uses sslmode=\(mode), which doesn't verify the server; "
                + "set sslmode=verify-full in the URL, the service or PGSSLMODE"
        }

        /// Whether the connection string lists several hosts, which can include replicas.
        var hasSeveralHosts: Bool {
            ["host", "hostaddr"].contains { setting($0)?.contains(",") == true }
        }

        /// Returns a setting of the connection by its name in PostgreSQL's documentation.
        private func setting(_ keyword: String) -> String? {
            guard let options = PQconninfo(connection) else { return nil }
            defer { PQconninfoFree(options) }
            var option = options
            while let name = option.pointee.keyword {
                if String(cString: name) == keyword { return option.pointee.val.map { String(cString: $0) } }
                option += 1
            }
            return nil
        }

        /// Whether the connection works and has no transaction, so that it can be used again.
        var isUsable: Bool {
            PQstatus(connection) == CONNECTION_OK && !isInTransaction
                && (isEnding || PQtransactionStatus(connection) == PQTRANS_IDLE)
        }
    }

    /// The server that a connection needs, if its address has several hosts.
    enum PostgresRole {
        case primary
        case replica

        /// The settings that the user's own settings override.
        fileprivate var defaults: [(String, String)] {
            switch self {
            case .primary: [("target_session_attrs", "read-write")]
            // Older versions of libpq use the first replica, and refuse unknown settings.
            case .replica: PQlibVersion() >= 160_000 ? [("load_balance_hosts", "random")] : []
            }
        }

        /// The settings that override the user's own settings.
        fileprivate var settings: [(String, String)] {
            switch self {
            case .primary: []
            case .replica: [("target_session_attrs", "standby")]
            }
        }
    }

    /// A statement with the values for its `$1`, `$2` and so on.
    struct PostgresCommand {
        var sql: String
        var parameters: [PostgresParameter] = []
    }

    // MARK: - Transactions

    extension PostgresConnection {
        /// Runs work in a transaction, which is rolled back if the work fails.
        ///
        /// - Parameter start: The command that starts the transaction; it is sent with the first command.
        func transaction<Result>(_ start: String, _ work: () throws -> Result) throws -> Result {
            precondition(!isInTransaction, "a transaction does not contain another")
            (isInTransaction, pendingStart) = (true, start)
            do {
                let result = try work()
                if isInTransaction, pendingStart == nil { _ = try run([PostgresCommand(sql: "COMMIT")]) }
                (isInTransaction, pendingStart) = (false, nil)
                return result
            } catch {
                // A connection that can't end its transaction is not used again.
                if pendingStart != nil {
                    (isInTransaction, pendingStart) = (false, nil)
                } else if isInTransaction, (try? run([PostgresCommand(sql: "ROLLBACK")])) != nil {
                    isInTransaction = false
                }
                throw error
            }
        }

        /// Ends a transaction that wrote nothing, without waiting for the answer.
        ///
        /// The answer doesn't matter, and the next command detects a lost connection.
        func endReading() throws {
            guard isInTransaction, pendingStart == nil else { return }
            let command = PostgresCommand(sql: "COMMIT")
            guard names[command.sql] != nil else { return }
            try send(command)
            guard PQpipelineSync(connection) == 1, PQflush(connection) >= 0 else {
                throw PostgresError.lost(connection)
            }
            (isInTransaction, isEnding) = (false, true)
        }

        /// Ends the transaction by sending commands together with its commit.
        ///
        /// If the connection is lost, the transaction might or might not have been committed.
        func commit(_ commands: [PostgresCommand]) throws {
            do {
                _ = try run(commands + [PostgresCommand(sql: "COMMIT")])
            } catch let error as PostgresError where !error.isLost {
                throw error
            } catch {
                isInTransaction = false
                throw error
            }
            isInTransaction = false
        }
    }

    // MARK: - Commands

    extension PostgresConnection {
        func run(_ command: PostgresCommand) throws -> PostgresResult { try run([command])[0] }

        /// Runs commands in order, in one round trip, and returns their results.
        ///
        /// If a command fails, the commands after it don't run.
        func run(_ commands: [PostgresCommand]) throws -> [PostgresResult] {
            // Without a transaction, the commands are one of their own.
            let needsSettings = isPooled && (!isInTransaction || pendingStart != nil)
            let start =
                (pendingStart.map { [PostgresCommand(sql: $0)] } ?? [])
                + (needsSettings ? [Self.settings(ofTransaction: true)] : [])
            // The start counts as sent, whatever happens.
            defer { pendingStart = nil }
            var prepared: [String?] = []
            for command in start + commands {
                prepared.append(try prepare(command) ? command.sql : nil)
                try send(command)
            }
            guard PQpipelineSync(connection) == 1 else { throw PostgresError.lost(connection) }
            try readEnd()
            var (results, failure): ([PostgresResult], (any Error)?) = ([], nil)
            for sql in prepared {
                for isPreparation in sql == nil ? [false] : [true, false] {
                    do {
                        let result = try answer()
                        if !isPreparation { results.append(result) }
                    } catch let error as PostgresError where !error.isLost {
                        if isPreparation, let sql { names[sql] = nil }
                        failure = failure ?? error
                    }
                }
            }
            try readSync()
            if let failure { throw failure }
            return Array(results.dropFirst(start.count))
        }

        /// Reads the answer to the commit that ``endReading()`` sent.
        private func readEnd() throws {
            guard isEnding else { return }
            do {
                _ = try answer()
            } catch let error as PostgresError where !error.isLost {}
            try readSync()
            isEnding = false
        }

        private func readSync() throws {
            guard try nextResult()?.status == PGRES_PIPELINE_SYNC else {
                throw PostgresError.lost(connection)
            }
        }

        /// Prepares a command's statement; returns false if it is already prepared or can't be.
        private func prepare(_ command: PostgresCommand) throws -> Bool {
            if isPooled || names[command.sql] != nil { return false }
            let name = "s\(names.count)"
            let types = command.parameters.map(\.type)
            guard PQsendPrepare(connection, name, command.sql, CInt(types.count), types) == 1 else {
                throw PostgresError.lost(connection)
            }
            names[command.sql] = name
            return true
        }

        private func send(_ command: PostgresCommand) throws {
            let values = command.parameters.map(\.bytes)
            let lengths = values.map { CInt($0?.count ?? 0) }
            let formats = [CInt](repeating: 1, count: values.count)
            let isSent = withPointers(to: values) { pointers in
                if let name = names[command.sql] {
                    return PQsendQueryPrepared(
                        connection, name, CInt(values.count), pointers, lengths, formats, 1)
                }
                let types = command.parameters.map(\.type)
                return PQsendQueryParams(
                    connection, command.sql, CInt(values.count), types, pointers, lengths, formats, 1)
            }
            guard isSent == 1 else { throw PostgresError.lost(connection) }
        }

        /// Returns the only result of a command.
        private func answer() throws -> PostgresResult {
            guard let result = try nextResult() else { throw PostgresError.lost(connection) }
            // A statement has one result; only a lost connection has more.
            guard try nextResult() == nil else { throw PostgresError.lost(connection) }
            try result.check(on: connection)
            return result
        }

        /// Returns the next result; nil at the end of a command's results.
        ///
        /// - Throws: ``PostgresError`` if the connection is lost or the answer takes too long.
        private func nextResult() throws -> PostgresResult? {
            guard PQflush(connection) >= 0 else { throw PostgresError.lost(connection) }
            while PQisBusy(connection) == 1 {
                var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
                let count = poll(&descriptor, 1, CInt(Self.answerTimeout * 1000))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw PostgresError.unanswered }
                guard PQconsumeInput(connection) == 1 else { throw PostgresError.lost(connection) }
            }
            return PQgetResult(connection).map { PostgresResult(unchecked: $0) }
        }
    }

    // MARK: - Notifications

    extension PostgresConnection {
        /// Makes the session receive the notifications of a channel; returns false if it already does.
        ///
        /// - Throws: ``PostgresError/noSession`` behind a pooler, whose sessions change.
        func listen(to channel: String) throws -> Bool {
            if isListening { return false }
            if isPooled { throw PostgresError.noSession }
            _ = try run(PostgresCommand(sql: "LISTEN \(channel)"))
            isListening = true
            return true
        }

        /// Waits for notifications of the channels that the session listens to, and returns their payloads;
        /// an empty array if none arrives within the given number of milliseconds.
        func notifications(within milliseconds: CInt) throws -> [String] {
            let payloads = takeNotifications()
            guard payloads.isEmpty else { return payloads }
            var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, milliseconds) > 0 else { return [] }
            guard PQconsumeInput(connection) == 1 else { throw PostgresError.lost(connection) }
            return takeNotifications()
        }

        private func takeNotifications() -> [String] {
            var payloads: [String] = []
            while let notification = PQnotifies(connection) {
                payloads.append(String(cString: notification.pointee.extra))
                PQfreemem(notification)
            }
            return payloads
        }
    }

    /// Calls `body` with a null-terminated array of C strings.
    private func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        let pointers = copies.map { UnsafePointer($0) } + [nil]
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }

    /// Calls `body` with an array of pointers to bytes, which are null for nil.
    private func withPointers<Result>(
        to values: [[UInt8]?], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        // Copy all values to one buffer, so that all pointers are valid at the same time. The buffer is never
        // empty, because a null pointer would mean null.
        var starts: [Int?] = []
        var buffer: [CChar] = []
        buffer.reserveCapacity(values.reduce(1) { $0 + ($1?.count ?? 0) })
        for value in values {
            starts.append(value == nil ? nil : buffer.count)
            if let value {
                value.withUnsafeBytes { buffer.append(contentsOf: $0.bindMemory(to: CChar.self)) }
            }
        }
        buffer.append(0)
        return buffer.withUnsafeBufferPointer { bytes in
            starts.map { start in start.flatMap { bytes.baseAddress?.advanced(by: $0) } }
                .withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
#endif
