#if PostgreSQL
    internal import CLibPQ
    internal import TodoModel

    /// An error of PostgreSQL or of the connection to it.
    struct PostgresError: Error {
        /// The kind of the error; nil if the connection was lost.
        var state: State?
        var message: String

        /// An error code of PostgreSQL (its documentation's appendix A).
        struct State: Equatable {
            let code: String

            /// Whether the database doesn't support a command or a feature.
            var isUnsupported: Bool { isOf("0A") || code == "42601" }

            /// libpq can't use the connection string; PostgreSQL has no code for this.
            static let badAddress = State(code: "bad address")
            static let insufficientPrivilege = State(code: "42501")
            /// The command was not run because one before it failed.
            static let aborted = State(code: "25P02")
            /// Errors of transactions that can succeed when they are retried: they conflicted with other
            /// transactions, waited too long for a lock, or found a table that was just created.
            static let retryable = ["40001", "40P01", "55P03"].map(State.init)
            /// Errors that end or prevent a session: for example, the database shuts down, starts up, has too
            /// many connections, or was demoted to a replica.
            static let ended = ["57P01", "57P02", "57P03", "57P05", "25006", "25P03", "53300"].map(State.init)
            static let diskFull = State(code: "53100")
            /// Errors that show damage: corrupted data, and a corrupted index.
            ///
            /// The other code of their class, `XX000`, is any unexpected error, or a pooler's.
            static let damage = ["XX001", "XX002"].map(State.init)

            /// Returns whether the error is in one of the classes, the first two characters of a code.
            func isOf(_ classes: String...) -> Bool { classes.contains(String(code.prefix(2))) }
        }

        static let outOfMemory = PostgresError(message: "out of memory")
        static let unanswered = PostgresError(message: "the database does not respond")
        static let aborted = PostgresError(state: .aborted, message: "an earlier command failed")
        /// A pooler doesn't keep a session for a connection.
        static let noSession = PostgresError(
            state: State(code: "0A000"), message: "a pooler is in front of the database")
        /// Another transaction created the same table at the same time.
        static let tableAppeared = PostgresError(
            state: State.retryable[0], message: "the table was just created")

        /// Another table has the key that is computed from a table's name.
        static func sameKey(_ name: TableName, _ other: String) -> PostgresError {
            PostgresError(
                state: State(code: "23505"),
                message: "the tables \(name.string) and \(other) have the same key")
        }

        /// Whether the connection can't be used any more.
        var isLost: Bool { state.map { State.ended.contains($0) || $0.isOf("08") } ?? true }
        /// Whether the same transaction can succeed later.
        var isRetryable: Bool { isLost || state.map(State.retryable.contains) ?? false }
    }

    extension PostgresError {
        /// Returns the error of a connection that was never established.
        ///
        /// - Parameter connectionString: The text whose password the message must not reveal.
        static func notConnected(
            _ connection: OpaquePointer, to connectionString: String
        ) -> PostgresError {
            let error = lost(connection)
            // libpq knows no host before it has understood the text.
            let hasHost = PQhost(connection).map { $0.pointee != 0 } ?? false
            guard !hasHost || error.message.hasPrefix("invalid ") else { return error }
            let hasPassword = DatabaseAddress(connectionString)?.hasPassword == true
            return PostgresError(
                state: .badAddress,
                message: hasPassword ? "not shown, because the URL has a password" : error.message)
        }

        /// Returns the error of a connection that doesn't work.
        static func lost(_ connection: OpaquePointer) -> PostgresError {
            PostgresError(message: oneLine(PQerrorMessage(connection)))
        }

        init(_ result: OpaquePointer, on connection: OpaquePointer) {
            let code = PQresultErrorField(result, CInt(UInt8(ascii: "C"))).map { String(cString: $0) }
            state = code.map(State.init)
            message = oneLine(
                PQresultErrorField(result, CInt(UInt8(ascii: "M"))) ?? PQresultErrorMessage(result))
        }
    }

    /// Returns a message as one line, without repeated spaces.
    private func oneLine(_ message: UnsafePointer<CChar>?) -> String {
        message.map { String(cString: $0).split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            ?? "no reason given"
    }

    extension StoreError {
        init(_ error: PostgresError, path: String) {
            switch error.state {
            case .badAddress: self = .database(path: path, .badAddress(error.message))
            case .insufficientPrivilege: self = .notPermitted(path: path)
            case .diskFull: self = .diskFull(path: path)
            case _ where error.isLost: self = .database(path: path, .unreachable(error.message))
            case _ where error.isRetryable: self = .busy(path: path)
            // The database lacks a resource, or an administrator or a timeout ended the statement.
            case let state? where state.isOf("53", "57"):
                self = .database(path: path, .unreachable(error.message))
            case let state? where state.isOf("58"): self = .inputOutput(path: path, detail: error.message)
            case let state? where PostgresError.State.damage.contains(state):
                self = .damaged(path: path, detail: "\(error.message) (\(state.code))")
            case let state:
                self = .database(path: path, .refused("\(error.message) (\(state?.code ?? "-"))"))
            }
        }
    }
#endif
