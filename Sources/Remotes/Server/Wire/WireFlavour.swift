/// Which of the protocol's two flavours is spoken: the names of the system properties, and the headers.
enum WireFlavour: Sendable {
    case v1
    case v2

    /// What a name of a system property begins with.
    var prefix: String { self == .v1 ? "__" : "" }
    var version: String { prefix + "version" }
    var updatedAt: String { prefix + "updatedAt" }
    var createdAt: String { prefix + "createdAt" }
    var deleted: String { prefix + "deleted" }

    /// The headers of every request.
    func headers(key: String?) -> [(name: String, value: String)] {
        switch self {
        case .v1:
            key.map { [("x-zumo-application", $0)] } ?? []
        case .v2:
            // Servers of this flavour differ in which of the two they read.
            [("zumo-api-version", "2.0.0")]
                + (key.map { [("authorization", "Bearer " + $0), ("x-zumo-auth", $0)] } ?? [])
        }
    }

    /// What a query needs so that records come with their system properties; empty or `NAME=VALUE`.
    var systemProperties: String { self == .v1 ? "__systemProperties=*" : "" }
}

/// What a server is, as far as the client treats it differently.
enum ServerKind: Sendable, Hashable {
    /// It has batches, deltas and idempotency keys.
    case todosync(identity: String)
    /// It has the tables protocol alone.
    case other(WireFlavour)
}
