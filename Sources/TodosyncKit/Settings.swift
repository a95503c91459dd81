/// What a program decides about its work in a working directory.
public struct Settings: Sendable {
    /// The servers that may be contacted; none by default, so that only stores on this machine can be used.
    ///
    /// A folder that somebody gave away can name any server, which would get the todos, and the key.
    public var servers: [Server] = []
    /// This device's name as other devices see it in conflicts; nil to send none.
    public var device: String?
    /// The program's name, as `todosync log` shows it.
    public var program = "TodosyncKit"
    /// How long to wait while another process is at work in the working directory.
    public var lockTimeout = Duration.seconds(10)

    /// Creates the usual settings.
    public init() {}
}

/// A server that may be contacted.
public struct Server: Sendable, Hashable {
    /// The server's origin, such as `https://example.org:8443`.
    public let origin: String
    /// The key for the server; nil if it needs none.
    public let key: String?

    /// Creates a server from its origin, or from the URL of one of its tables.
    public init(_ origin: String, key: String? = nil) {
        (self.origin, self.key) = (origin, key)
    }
}
