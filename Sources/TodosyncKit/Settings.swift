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
