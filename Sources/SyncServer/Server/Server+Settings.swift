internal import NIOCore

extension Server {
    /// A server's settings.
    package struct Settings: Sendable {
        package var address: ListenAddress
        /// The certificate for TLS; nil for plain HTTP.
        package var certificate: CertificateFiles?
        /// The origins whose pages may use the server, as browsers send them: `https://example.org`.
        package var allowedOrigins: [AllowedOrigin]
        /// The maximum number of requests per minute for a key, or for an address without a key.
        ///
        /// Nil means ``standardRequestsPerMinute`` for a server with keys, and no limit for a server without
        /// keys.
        package var requestsPerMinute: Int?
        /// The maximum number of connections without a valid key per address.
        ///
        /// Loopback addresses and trusted proxies are exempt.
        package var connectionsPerAddress: Int
        /// The maximum number of requests that wait for changes at the same time.
        package var watchers: Int
        /// The time from SIGTERM to the shutdown: the server still takes requests, but `/ready` reports that
        /// it will shut down.
        package var drainTime: Duration
        /// The proxies whose `X-Forwarded-For` and `X-Forwarded-Prefix` headers are trusted.
        package var trustedProxies: [TrustedProxy]
        var limits = ConnectionLimits()

        package static let standardRequestsPerMinute = 6000
        package static let standardConnectionsPerAddress = 64
        package static let standardWatchers = 20_000
        /// The number of open files that the server needs besides one for each watcher.
        ///
        /// Besides connections, these are three for each thread that waits for events, and those of the
        /// store: up to 116 for a database with replicas.
        package static var filesBesidesWatchers: Int {
            let limits = ConnectionLimits()
            return limits.connections + limits.closingConnections + 180 + 3 * System.coreCount
        }

        package init(
            address: ListenAddress = .standard, certificate: CertificateFiles? = nil,
            allowedOrigins: [AllowedOrigin] = [], requestsPerMinute: Int? = nil,
            connectionsPerAddress: Int = standardConnectionsPerAddress, watchers: Int = standardWatchers,
            drainTime: Duration = .zero, trustedProxies: [TrustedProxy] = []
        ) {
            self.address = address
            self.certificate = certificate
            self.allowedOrigins = allowedOrigins
            self.requestsPerMinute = requestsPerMinute
            self.connectionsPerAddress = connectionsPerAddress
            self.watchers = watchers
            self.drainTime = drainTime
            self.trustedProxies = trustedProxies
        }
    }
}
