internal import Remotes
internal import Synchronization

/// A cache of the store's tables.
///
/// Tables are never removed, so each is looked up only once.
final class KnownTables: Sendable {
    private let names = Mutex<Set<TableName>>([])

    func contain(_ name: TableName, of store: Store) async throws -> Bool {
        if names.withLock({ $0.contains(name) }) { return true }
        guard try await store.table(name).exists() else { return false }
        names.withLock { _ = $0.insert(name) }
        return true
    }
}
