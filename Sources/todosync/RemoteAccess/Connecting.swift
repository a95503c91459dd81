internal import Remotes
internal import TodoModel

/// Opens the remote that a recorded URL leads to.
func connect(to url: String, _ process: ProcessSurroundings) throws -> any Remote {
    try RemoteAddress(url, currentDirectory: "/").location
        .open(store: process.forStore, server: process.forServer)
}

/// Makes a store, or takes up one that is there already.
///
/// - Throws: A ``Failure``.
func createStore(at path: String, _ process: ProcessSurroundings) throws {
    do {
        _ = try Store.create(at: path, surroundings: process.forStore)
    } catch {
        throw Failure(error, making: .cannotCreate)
    }
}

/// Opens a store that is there.
///
/// - Throws: `StoreError`.
func openStore(at path: String, _ process: ProcessSurroundings) throws(StoreError) -> Store {
    try Store.open(at: path, surroundings: process.forStore)
}

extension ProcessSurroundings {
    var forStore: StoreSurroundings {
        StoreSurroundings(now: milliseconds, randomBytes: randomBytes)
    }

    fileprivate var forServer: ServerSurroundings {
        ServerSurroundings(
            key: { server in try await onThread { try Keys(self).key(for: server) } },
            environment: environment, randomBytes: randomBytes)
    }
}
