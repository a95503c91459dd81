internal import Remotes
internal import TodoModel

/// Opens the remote that a recorded URL leads to.
///
/// - Throws: What keeps it from being opened; a ``Failure`` where the system has no thread left for it.
func connect(to url: String, _ process: ProcessSurroundings) throws -> any Remote {
    let location = try RemoteAddress(url, currentDirectory: "/").location
    if case .server = location { try checkEventLoop() }
    return try location.open(store: process.forStore, server: process.forServer)
}

/// Makes a store, or takes up one that is there already.
///
/// - Throws: A ``Failure``.
func createStore(at path: String, _ process: ProcessSurroundings) throws {
    try checkEventLoop()
    do {
        _ = try Store.create(at: path, surroundings: process.forStore)
    } catch {
        throw Failure(error, making: .cannotCreate)
    }
}

/// Opens a store that is there.
///
/// - Throws: `StoreError`; a ``Failure`` where the system gives no thread to read it with.
func openStore(at path: String, _ process: ProcessSurroundings) throws -> Store {
    try checkEventLoop()
    return try Store.open(at: path, surroundings: process.forStore)
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
