#if PostgreSQL
    /// Tells other servers which tables were written, and learns it from them.
    ///
    /// Notifications are sent after the commit, for all writes of a short time together: PostgreSQL commits
    /// transactions with notifications one after the other. A lost one only delays the news until the next
    /// look at all tables.
    actor PostgresNotifications {
        private let connectionString: String
        /// The session that listens; the first watcher starts it.
        private var listener: PostgresPool?
        private let senders: PostgresPool
        /// The keys of the tables that were written since the last notification.
        private var written: Set<Int64> = []
        private var isSending = false
        /// The number of waits until the next look at all tables.
        private var remainingWaits = 0
        /// Whether the database has no notifications, as some that speak PostgreSQL's protocol.
        private var isSilent = false

        /// The name of the channel; channels belong to a database.
        private static let channel = PostgresSchema.name
        private static let sendInterval = Duration.milliseconds(15)
        private static let longestWait: CInt = 500
        /// The number of waits between two looks at all tables, half a minute, if the database sends
        /// notifications.
        private static let waitsPerLook = 60
        /// The maximum number of keys in a notification, whose text has less than 8000 bytes.
        private static let largestNotification = 500

        /// - Parameter senders: the sessions that send notifications.
        init(connectionString: String, senders: PostgresPool) {
            self.connectionString = connectionString
            self.senders = senders
        }

        func close() async throws { try await listener?.close() }

        /// Tells other servers, soon, that tables were written.
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
                // If this fails, the others find the writes when they look at all tables.
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
                    // Only a new connection doesn't listen yet; it could have missed anything.
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
