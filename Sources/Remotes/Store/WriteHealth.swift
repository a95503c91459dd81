internal import Synchronization
package import TodoModel
internal import Values

/// The reason why the last write of a store failed.
package final class WriteHealth: Sendable {
    /// The error of the last write; nil if the write was done, or another process only delayed it.
    private let failure = Mutex<StoreError?>(nil)

    /// The size in bytes of a write that shows whether there is room for an ordinary one.
    private static let trialSize = 64 << 10

    /// Runs a write, and remembers its error.
    func noting<Result>(_ write: () async throws -> Result) async throws -> Result {
        do {
            let result = try await write()
            failure.withLock { $0 = nil }
            return result
        } catch let error as StoreError {
            switch error {
            case .busy, .moving: break
            default: failure.withLock { $0 = error }
            }
            throw error
        }
    }

    /// Returns the reason why a store's writes fail; nil if the last one was done.
    ///
    /// After a failure, this tries another write, because clients might not send any.
    package func problem(of store: Store) async -> StoreError? {
        if failure.withLock({ $0 }) == nil { return nil }
        // No key has this name.
        let name = " "
        let content = store.surroundings.randomBytes(Self.trialSize / 2).hexadecimal
        _ = try? await store.write { writer, _ in
            let key = KeyRow(name: name, table: content, access: "", digest: nil, createdAt: 0)
            return try writer.insert(key) && writer.deleteKey(named: name)
        }
        return failure.withLock { $0 }
    }
}
