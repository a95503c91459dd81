#if PostgreSQL
    internal import Synchronization
    internal import TodoModel

    /// Reads tables from the replicas of a database, as long as they are as up to date as the primary.
    ///
    /// A replica applies the primary's writes with a delay. So the primary is asked for a table's last mark
    /// before each read, with one statement for all simultaneous reads. The replica's answer is used only if
    /// the replica has this mark. Otherwise, the primary is read, so callers never see an older state or a
    /// different history.
    final class PostgresReplicas: Sendable {
        private enum State {
            case usable
            case connecting
            case unusable
        }

        private let pools: ByReadKind<PostgresPool>
        private let lookup: CombinedLookup<Int64, [Int64: HistoryMark]>
        private let state = Mutex(State.unusable)
        private let counts = Mutex(ReplicaReads())

        /// The time between tries to connect.
        private static let pause = Duration.seconds(5)

        /// - Parameters:
        ///   - connectionString: The address, with several hosts.
        ///   - primary: The sessions that read the last marks.
        init(connectionString: String, primary: PostgresPool) {
            pools = ByReadKind { _ in
                PostgresPool(
                    connectionString: connectionString, role: .replica, size: ReadKind.connectionCount)
            }
            lookup = CombinedLookup { keys in
                try await primary.run { try Self.lastMarks(of: keys, on: $0) }
            }
        }

        var connections: ConnectionCounts {
            pools.all.reduce(ConnectionCounts()) { $0 + $1.connections }
        }

        /// The numbers of reads so far.
        var reads: ReplicaReads { counts.withLock { $0 } }

        /// Runs a read of a table; nil if only the primary can answer.
        func read<Result: Sendable>(
            _ kind: ReadKind, of name: TableName,
            _ body: @escaping @Sendable (any StoreReader) throws -> Result
        ) async -> Result? {
            guard isUsable() else { return nil }
            let result = await readIfNew(kind, name, body)
            counts.withLock {
                if result == nil { $0.refused += 1 } else { $0.answered += 1 }
            }
            return result
        }

        private func readIfNew<Result: Sendable>(
            _ kind: ReadKind, _ name: TableName,
            _ body: @escaping @Sendable (any StoreReader) throws -> Result
        ) async -> Result? {
            do {
                let key = name.databaseKey
                guard let mark = try await lookup.answer(for: [key])[key] else { return nil }
                return try await pools[kind].run { connection in
                    try PostgresReader.read(on: connection) { reader in
                        let found = try reader.table(named: name, markAt: mark.sequence)?.mark
                        return found == mark ? try body(reader) : nil
                    }
                }
            } catch {
                // The primary's answer is final, even if it is the same error.
                if (error as? PostgresError)?.isLost == true {
                    state.withLock { $0 = .unusable }
                }
                return nil
            }
        }

        /// Returns whether a replica can be read; if not, tries to connect in the background, so that no
        /// caller waits for a host that doesn't answer.
        private func isUsable() -> Bool {
            let found = state.withLock { state in
                defer { if state == .unusable { state = .connecting } }
                return state
            }
            if found == .unusable { Task { await connect() } }
            return found == .usable
        }

        private func connect() async {
            do {
                _ = try await pools[.lookup].run { try PostgresReader(connection: $0).state() }
                state.withLock { $0 = .usable }
            } catch {
                try? await Task.sleep(for: Self.pause)
                state.withLock { $0 = .unusable }
            }
        }

        func close() async throws { for pool in pools.all { try await pool.close() } }

        /// Returns the last marks of the existing tables, by the tables' keys.
        private static func lastMarks(
            of keys: [Int64], on connection: PostgresConnection
        ) throws -> [Int64: HistoryMark] {
            // The last mark of a table is never in a pack.
            let marks = try connection.run(.readMarks(of: keys)).filter { !$0.isNull(1) }
                .map { ($0.integer(0), HistoryMark(sequence: $0.integer(1), random: $0.integer(2))) }
            return Dictionary(marks) { first, _ in first }
        }
    }
#endif
