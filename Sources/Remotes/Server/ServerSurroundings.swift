package import TodoModel

/// The system services that a server's remote uses.
///
/// `main` and tests create them.
package struct ServerSurroundings: Sendable {
    /// Returns a transport for a server, without connecting yet.
    ///
    /// It throws ``RemoteError/badVariable(_:)`` if the environment names a proxy or certificates that can't
    /// be used, and ``RemoteError/withoutHTTP`` if the program was built without HTTP.
    package var transport: @Sendable (_ server: ServerOrigin) throws(RemoteError) -> any ServerTransport
    /// Returns the key for a server; nil if there isn't one.
    ///
    /// This is called once, before the first request.
    package var key: @Sendable (_ server: ServerOrigin) async throws -> String?
    /// Returns the given number of unpredictable bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]
    /// Waits before a request is retried.
    package var wait: @Sendable (Duration) async throws -> Void
    /// Receives each feature that the server lacks, once per open remote.
    package var lacks: @Sendable (_ feature: ServerFeature) -> Void

    package init(
        transport:
            @escaping @Sendable (_ server: ServerOrigin) throws(RemoteError) -> any ServerTransport,
        key: @escaping @Sendable (_ server: ServerOrigin) async throws -> String?,
        randomBytes: @escaping @Sendable (Int) -> [UInt8],
        wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        lacks: @escaping @Sendable (_ feature: ServerFeature) -> Void = { _ in }
    ) {
        self.transport = transport
        self.key = key
        self.randomBytes = randomBytes
        self.wait = wait
        self.lacks = lacks
    }
}

/// A feature that a server of the tables protocol can lack.
package enum ServerFeature: Sendable, Hashable {
    /// Tombstones, which show other clients that records were deleted.
    case tombstones
    /// Values that are lists or objects, including the property `todosync`.
    case nestedValues
}
