extension Server {
    /// What a server is told by the one who starts it.
    package struct Settings: Sendable {
        package var address: ListenAddress
        /// The certificate for TLS; nil for plain HTTP.
        package var certificate: CertificateFiles?
        /// The origins whose pages may use the server, as a browser sends them: `https://example.org`.
        package var allowedOrigins: [AllowedOrigin]
        /// How many requests a key, or an address without one, has a minute.
        ///
        /// Nil is ``standardRequestsPerMinute`` for a server with keys, and no limit for one without.
        package var requestsPerMinute: Int?
        /// How many connections on which no valid key was shown an address other than loopback may have.
        package var connectionsPerAddress: Int
        /// The proxies that are believed when they say for whom they speak.
        package var trustedProxies: [TrustedProxy]
        var limits = ConnectionLimits()

        package static let standardRequestsPerMinute = 6000
        package static let standardConnectionsPerAddress = 64

        package init(
            address: ListenAddress = .standard, certificate: CertificateFiles? = nil,
            allowedOrigins: [AllowedOrigin] = [], requestsPerMinute: Int? = nil,
            connectionsPerAddress: Int = standardConnectionsPerAddress, trustedProxies: [TrustedProxy] = []
        ) {
            self.address = address
            self.certificate = certificate
            self.allowedOrigins = allowedOrigins
            self.requestsPerMinute = requestsPerMinute
            self.connectionsPerAddress = connectionsPerAddress
            self.trustedProxies = trustedProxies
        }
    }
}
