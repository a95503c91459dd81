/// The two flavors of the tables protocol, which differ in the names of system properties and in headers.
enum WireFlavor: Sendable {
    case v1
    case v2

    /// The prefix of the system properties' names.
    var prefix: String { self == .v1 ? "__" : "" }
    var version: String { prefix + "version" }
    var updatedAt: String { prefix + "updatedAt" }
    var createdAt: String { prefix + "createdAt" }
    var deleted: String { prefix + "deleted" }

    /// Returns the headers of every request.
    func headers(key: String?) -> [(name: String, value: String)] {
        switch self {
        case .v1:
            key.map { [("x-zumo-application", $0)] } ?? []
        case .v2:
            // Servers of this flavor read one of the two headers.
            [("zumo-api-version", "2.0.0")]
                + (key.map { [("authorization", "Bearer " + $0), ("x-zumo-auth", $0)] } ?? [])
        }
    }

    /// The query parameter that adds the system properties to records; empty, or `NAME=VALUE`.
    var systemProperties: String { self == .v1 ? "__systemProperties=*" : "" }
}

/// The kinds of servers that the client treats differently.
enum ServerKind: Sendable, Hashable {
    /// A todosync server, with batches, deltas and idempotency keys.
    case todosync(identity: String)
    /// A different server of the tables protocol.
    case other(WireFlavor)
}
