#if PostgreSQL
    /// Notifies other servers of the tables that were written, and receives their notifications.
    ///
    /// Each notification is sent after the commit and covers all writes of a short interval, because
    /// PostgreSQL commits transactions with notifications one after the other. If a notification is lost, the
    /// next check of all tables finds the writes.
    actor PostgresNotifications {
        private let connectionString: String
        /// The session that listens; the first watcher starts it.
        private var listener: PostgresPool?
        private let senders: PostgresPool
        /// The keys of the tables that were written since the last notification.
        private var written: Set<Int64> = []
        private var isSending = false
        /// The number of waits until the next check of all tables.
        private var remainingWaits = 0
        /// Whether notifications can't be received: behind a pooler, and from some databases that use
        /// PostgreSQL's protocol.
        private var isSilent = false

        /// The name of the channel; channels belong to a database.
        private static let channel = PostgresSchema.name
        private static let sendInterval = Duration.milliseconds(15)
        private static let longestWait: CInt = 500
        /// The number of waits between two checks of all tables if the database supports notifications;
        /// together, they take at most half a minute.
        private static let waitsPerLook = 60
        /// The maximum number of keys in a notification, so that its text has less than 8000 bytes.
        private static let largestNotification = 500

        /// - Parameter senders: The sessions that send notifications.
        init(connectionString: String, senders: PostgresPool) {
            self.connectionString = connectionString
            self.senders = senders
        }

        func close() async throws { try await listener?.close() }

        /// Schedules a notification to other servers that tables were written.
        func wrote(_ keys: [Int64]) {
            written.formUnion(keys)
            if isSending || written.isEmpty { return }
            isSending = true
            Task { await send() }
        }

        private func send() async {
            while !written.isEmpty {
                try? await Task.sleep(for: Self.sendInterval)
                let keys = Array(written)
                written = []
                let payloads = stride(from: 0, to: keys.count, by: Self.largestNotification).map { start in
                    keys[start..<min(start + Self.largestNotification, keys.count)]
                        .map { String($0, radix: 36) }.joined(separator: " ")
                }
                // If this fails, the other servers find the writes when they check all tables.
                try? await senders.run { connection in
                    for payload in payloads {
                        let parameters = [PostgresParameter.text(Self.channel), .text(payload)]
                        _ = try connection.run(
                            PostgresCommand(sql: "SELECT pg_notify($1, $2)", parameters: parameters))
                    }
                }
            }
            isSending = false
        }

        /// Waits for notifications, for half a second at most, and returns the sequences of the tables that
        /// might have been written.
        func sequences(of names: @Sendable () -> [TableName]) async throws -> [TableName: Int64] {
            let listener = self.listener ?? PostgresPool(connectionString: connectionString, size: 1)
            self.listener = listener
            if isSilent { try await Task.sleep(for: .milliseconds(Int(Self.longestWait))) }
            remainingWaits -= 1
            let looksAtAll = remainingWaits < 0 || isSilent
            if looksAtAll { remainingWaits = Self.waitsPerLook }
            do {
                let isSilent = isSilent
                let keys = try await listener.run { connection in
                    // Only a new connection isn't listening yet, and it could have missed any notification.
                    if try !isSilent && connection.listen(to: Self.channel) || looksAtAll {
                        return nil as Set<Int64>?
                    }
                    let payloads = try connection.notifications(within: Self.longestWait)
                    return Set(
                        payloads.flatMap { $0.split(separator: " ") }.compactMap { Int64($0, radix: 36) })
                }
                let wanted = names().filter { keys?.contains($0.databaseKey) ?? true }
                if wanted.isEmpty { return [:] }
                return try await listener.run { try PostgresReader(connection: $0).sequences(of: wanted) }
            } catch let error as PostgresError where error.state?.isUnsupported == true {
                isSilent = true
                return [:]
            } catch {
                remainingWaits = 0
                throw error
            }
        }
    }
#endif
