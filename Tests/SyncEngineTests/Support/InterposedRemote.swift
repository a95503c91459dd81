import TestSupport
import TodoModel

/// A remote whose pushes are replaced by a closure.
actor InterposedRemote: Remote {
    typealias Push = @Sendable (_ number: Int, [PushOperation], InMemoryRemote) async throws -> [PushAnswer]

    private let inner: InMemoryRemote
    private let replacement: Push
    private var number = 0

    /// - Parameter push: Gets the call's number from 1 on, the operations, and the remote behind this one.
    init(_ inner: InMemoryRemote, push: @escaping Push) {
        self.inner = inner
        replacement = push
    }

    func meet(_ recorded: RecordedHistory?, wantsNews: Bool) async throws -> RemoteIdentity {
        try await inner.meet(recorded, wantsNews: wantsNews)
    }

    func changes(after cursor: Cursor?) async throws -> ChangePage { try await inner.changes(after: cursor) }

    func push(_ operations: [PushOperation]) async throws -> PushReply {
        number += 1
        return PushReply(answers: try await replacement(number, operations, inner))
    }
}
