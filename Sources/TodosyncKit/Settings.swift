internal import Git
public import Logging
internal import Platform
internal import Remotes
internal import SyncEngine
internal import Synchronization
internal import TodoModel

#if HTTP
    internal import HTTPTransport
#endif

/// A program's settings for a working directory.
public struct Settings: Sendable {
    /// The servers that may be contacted.
    ///
    /// By default, there are none, so only stores on this machine can be used.
    ///
    /// A folder from somebody else can name any server, which would receive the todos and the key.
    public var servers: [Server] = []
    /// This device's name, which other devices show in conflicts; nil to send no name.
    public var device: String?
    /// The program's name in `todosync log`.
    public var program = "TodosyncKit"
    /// The time to wait for another process that uses the working directory.
    public var lockTimeout = Duration.seconds(10)
    /// Receives what is decided and why (at the level `info`), and each query to git, record in the journal,
    /// and request (at the level `debug`); nil to log nothing.
    ///
    /// Messages contain texts from files and from the remote as they are, with any line breaks and control
    /// characters.
    public var logger: Logger?

    /// Creates the default settings.
    public init() {}
}

/// A server that may be contacted.
public struct Server: Sendable, Hashable {
    /// The server's origin, such as `https://example.org:8443`.
    public let origin: String
    /// The key for the server; nil if the server doesn't need one.
    public let key: String?

    /// Creates a server from its origin, or from the URL of one of its tables.
    public init(_ origin: String, key: String? = nil) {
        (self.origin, self.key) = (origin, key)
    }
}

extension Settings {
    /// Returns the system services for the engine.
    ///
    /// - Parameters:
    ///   - verb: The program's action, for the operation log.
    ///   - notices: The collector of messages for the user.
    func surroundings(_ verb: String, notices: Notices = Notices()) -> Surroundings {
        var surroundings = Surroundings(
            now: internetTimeNow, randomBytes: { systemRandomBytes($0) }, connect: connect,
            notice: { notices.add($0) }, pause: { try await Task.sleep(for: $0) }, lockTimeout: lockTimeout,
            commandLine: "\(program) \(verb)", deviceName: device,
            environment: gitEnvironment, isAskedToEnd: { Task.isCancelled })
        surroundings.logger = logger
        return surroundings
    }

    /// Opens a remote: a store, or a table on one of the ``servers``.
    private func connect(to url: String) throws -> any Remote {
        let location = try RemoteLocation(parsing: url, relativeTo: "/")
        var key: String?
        if case .server(let url) = location {
            let origin = ServerOrigin(url: url)
            guard let server = servers.first(where: { ServerOrigin(url: $0.origin) == origin }) else {
                throw RemoteError.untrusted(server: origin.map { "\($0)" } ?? url)
            }
            key = server.key
        }
        return try location.open(
            store: storeSurroundings,
            server: ServerSurroundings(
                transport: { server throws(RemoteError) in
                    #if HTTP
                        try HTTPConnections(server, environment: environment)
                    #else
                        throw .withoutHTTP
                    #endif
                }, key: { [key] _ in key }, randomBytes: { systemRandomBytes($0) },
                logger: logger))
    }
}

/// Collects the engine's messages for the user.
final class Notices: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock(\.self) }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

let storeSurroundings = StoreSurroundings(
    now: millisecondsNow, randomBytes: { systemRandomBytes($0) }, isAskedToEnd: { Task.isCancelled })

private let environment: @Sendable (String) -> String? = { name in getenv(name).map { String(cString: $0) } }

private var gitEnvironment: [String: String] {
    let variables = GitProcess.variables.map { ($0, environment($0)) }
    return Dictionary(variables) { first, _ in first }.compactMapValues(\.self)
}
