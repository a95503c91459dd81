/// The reason why an exchange with a remote stopped.
package enum RemoteError: Error, Sendable, Hashable {
    /// The remote is a store on this machine that can't be opened, read or written.
    case store(StoreError)
    /// The server's URL isn't the URL of a table.
    case badURL(String)
    /// There is no connection to the server, or the connection was lost.
    case unreachable(url: String, reason: String)
    /// The remote's response violates the protocol.
    case badResponse(url: String, reason: String)
    /// The remote's response lacks results for some operations.
    case unanswered(url: String, reason: String)
    /// The server sent a redirect that todosync doesn't follow.
    case redirected(url: String, Redirect)
    /// The server doesn't have the table. `message` is the server's message.
    case noSuchTable(url: String, message: String)
    /// The server asks for a pause. `pause` is the number of seconds, if the server sent one; `message` is
    /// the server's message.
    case overloaded(url: String, pause: Int64?, message: String)
    /// The server failed or refused the request. `status` is the HTTP status; `message` is the server's
    /// message, if it sent one.
    case refused(url: String, status: Int, message: String?)
    case notAllowed(KeyProblem)
    /// The user hasn't trusted the server, such as `https://example.org`, so nothing was sent to it.
    case untrusted(server: String)
    /// The cursor isn't from this history: the remote is a different store, or a store that was restored from
    /// an old backup.
    case otherHistory
    /// The value of an environment variable is invalid.
    case badVariable(EnvironmentProblem)
    /// The program was built without HTTP, so it can't connect to servers.
    case withoutHTTP

    /// A redirect that todosync doesn't follow.
    package enum Redirect: Sendable, Hashable {
        case ofWrite
        case toOtherServer
        case endless
    }

    /// A problem with an environment variable.
    ///
    /// The problem doesn't include values that can contain a password.
    package enum EnvironmentProblem: Sendable, Hashable {
        case notAProxy(variable: String)
        case noCertificates(variable: String, path: String)
    }
}

extension RemoteError {
    /// Whether the remote is temporarily unavailable, so a later retry might succeed.
    package var isUnavailable: Bool {
        switch self {
        case .store(let error): error.isTemporary
        case .unreachable, .badResponse, .unanswered, .redirected, .overloaded, .refused: true
        case .badURL, .noSuchTable, .notAllowed, .untrusted, .otherHistory, .badVariable, .withoutHTTP: false
        }
    }
}

extension RemoteError {
    /// The longest pause, in seconds, that a server can ask for.
    private static let longestPause: Int64 = 3600

    /// The pause that the server asks for, cut to the longest one; nil if it doesn't ask.
    package var requestedPause: Duration? {
        guard case .overloaded(_, let seconds?, _) = self else { return nil }
        return .seconds(min(seconds, Self.longestPause))
    }
}

extension RemoteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .store(let error): "\(error)"
        case .badURL(let url): "\(url): not a server's table, such as https://example.org/tables/todoitem"
        case .unreachable(let url, let reason): "\(url) can't be reached: \(reason)"
        case .badResponse(let url, let reason): "\(url) can't be used: \(reason)"
        case .unanswered(let url, let reason): "\(url): \(reason)"
        case .redirected(let url, let redirect):
            "\(url): \(redirect); if the table has moved, set the new URL"
        case .noSuchTable(let url, let message): "\(url): there is no such table (\(message))"
        case .overloaded(let url, let pause, let message):
            "\(url): the server asks for a pause\(pause.map(Self.words(ofPause:)) ?? ""): \(message)"
        case .refused(let url, let status, let message):
            "\(url): \(Self.words(ofStatus: status, message: message))"
        case .notAllowed(let problem): "\(problem)"
        case .untrusted(let server): "\(server) is not a server that you trust"
        case .otherHistory: "the cursor or operation is not from this history"
        case .withoutHTTP: "this todosync was built without HTTP support"
        case .badVariable(.notAProxy(let variable)):
            "the variable \(variable) does not name an HTTP proxy, such as http://proxy.example.org:3128"
        case .badVariable(.noCertificates(let variable, let path)):
            "the variable \(variable): no certificates can be read from \(path)"
        }
    }

    private static func words(ofPause seconds: Int64) -> String {
        seconds > longestPause ? " of more than an hour, which counts as an hour" : " of \(seconds) seconds"
    }

    /// Returns a phrase for a server's response: its message and status, or only the status.
    package static func words(ofStatus status: Int, message: String?) -> String {
        message.map { "\($0) (status \(status))" } ?? "the server responded with status \(status)"
    }
}

extension RemoteError.Redirect: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ofWrite: "the server redirects a write"
        case .toOtherServer: "the server redirects to a different server"
        case .endless: "the server redirects too often"
        }
    }
}

/// A problem with the key that makes a remote refuse access.
package enum KeyProblem: Sendable, Hashable {
    /// There is no key, or the server doesn't recognize it. `message` is the server's message.
    case unknown(url: String, message: String)
    /// The key doesn't allow the access that is needed. `message` is the server's message.
    case insufficient(url: String, needed: TableAccess, message: String)
    /// The key has characters that an HTTP request can't contain.
    case malformed(url: String)
    /// The key would be sent unencrypted to another machine.
    case exposed(url: String)
}

extension KeyProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknown(let url, let message), .insufficient(let url, _, let message): "\(url): \(message)"
        case .malformed(let url): "\(url): the key has characters that an HTTP header can't contain"
        case .exposed(let url):
            "\(url): todosync does not send keys over plain http to another machine; use https"
        }
    }
}

/// The access to a table that a request needs.
package enum TableAccess: Sendable, Hashable {
    case read(table: String)
    case write(table: String)
}
