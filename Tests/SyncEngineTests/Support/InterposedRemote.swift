import TestSupport
import TodoModel

/// A remote with something else in place of its pushes.
actor InterposedRemote: Remote {
    typealias Push = @Sendable (_ number: Int, [PushOperation], InMemoryRemote) async throws -> [PushAnswer]

    private let inner: InMemoryRemote
    private let replacement: Push
    private var number = 0

    /// - Parameter push: gets how often it was called, from 1, and the remote behind this one.
    init(_ inner: InMemoryRemote, push: @escaping Push) {
        self.inner = inner
        replacement = push
    }

    func identity() async throws -> RemoteIdentity { await inner.identity() }

    func verify(_ cursor: Cursor) async throws { try await inner.verify(cursor) }

    func verify(operationID: String, accepted version: Version) async throws {
        try await inner.verify(operationID: operationID, accepted: version)
    }

    func changes(after cursor: Cursor?) async throws -> ChangePage { try await inner.changes(after: cursor) }

    func push(_ operations: [PushOperation]) async throws -> [PushAnswer] {
        number += 1
        return try await replacement(number, operations, inner)
    }
}
