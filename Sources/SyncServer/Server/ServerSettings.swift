/// What a server is told by the one who starts it.
public struct ServerSettings: Sendable {
    public var address: ListenAddress
    /// The certificate for TLS; nil for plain HTTP.
    public var certificate: CertificateFiles?
    /// The origins whose pages may use the server, as a browser sends them: `https://example.org`.
    public var allowedOrigins: [AllowedOrigin]
    /// How many requests a key, or an address without one, has a minute.
    ///
    /// Nil is ``standardRequestsPerMinute`` for a server with keys, and no limit for one without.
    public var requestsPerMinute: Int?
    var limits = ConnectionLimits()

    public static let standardRequestsPerMinute = 6000

    public init(
        address: ListenAddress = .standard, certificate: CertificateFiles? = nil,
        allowedOrigins: [AllowedOrigin] = [], requestsPerMinute: Int? = nil
    ) {
        self.address = address
        self.certificate = certificate
        self.allowedOrigins = allowedOrigins
        self.requestsPerMinute = requestsPerMinute
    }
}

/// What a server takes from the world around it; made in `main`, and by tests.
public struct ServerSurroundings: Sendable {
    /// Returns the time in milliseconds since 1970-01-01T00:00:00Z.
    public var now: @Sendable () -> Int64
    /// Takes a line of the log, without its line feed.
    public var log: @Sendable (String) -> Void
    /// Is told once that the server listens, and by which URL it is reached.
    public var isListening: @Sendable (String) -> Void

    public init(
        now: @escaping @Sendable () -> Int64, log: @escaping @Sendable (String) -> Void,
        isListening: @escaping @Sendable (String) -> Void
    ) {
        self.now = now
        self.log = log
        self.isListening = isListening
    }
}
