/// What a server's remote takes from the world around it; made in `main`, and by tests.
package struct ServerSurroundings: Sendable {
    /// Returns the key for a server; nil if there is none.
    ///
    /// It is asked before the first request and not again.
    package var key: @Sendable (_ server: ServerOrigin) async throws -> String?
    /// Returns a variable of the environment: proxies (`HTTPS_PROXY` and the like) and `SSL_CERT_FILE`.
    package var environment: @Sendable (String) -> String?
    /// Returns as many unpredictable bytes as asked for.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Waits before a request is sent again.
    package var wait: @Sendable (Duration) async throws -> Void
    /// Takes what the server turned out not to keep, each once for as long as the remote is open.
    package var lacks: @Sendable (_ feature: ServerFeature) -> Void

    package init(
        key: @escaping @Sendable (_ server: ServerOrigin) async throws -> String?,
        environment: @escaping @Sendable (String) -> String?,
        randomBytes: @escaping @Sendable (Int) -> [UInt8],
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        lacks: @escaping @Sendable (_ feature: ServerFeature) -> Void = { _ in }
    ) {
        self.key = key
        self.environment = environment
        self.randomBytes = randomBytes
        self.wait = wait
        self.lacks = lacks
    }
}

/// What a server of the tables protocol may keep or not.
package enum ServerFeature: Sendable, Hashable {
    /// That a record was deleted, so that other clients notice it.
    case tombstones
    /// Values that are lists or objects, the property `todosync` among them.
    case nestedValues
}
