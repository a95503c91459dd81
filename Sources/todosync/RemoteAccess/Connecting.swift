internal import Remotes
internal import TodoModel

/// Opens the remote that a recorded URL leads to.
func connect(to url: String, _ process: ProcessSurroundings) throws -> any Remote {
    switch try RemoteAddress(url, currentDirectory: "/").place {
    case .store(let path, let table):
        return try Store.open(at: path, surroundings: process.forStore).table(table)
    case .server:
        throw RemoteError.unusable("\(url): servers can't be reached yet, only stores in folders")
    }
}

/// Makes a store, or takes up one that is there already.
///
/// - Throws: A ``Failure``.
func createStore(at path: String, _ process: ProcessSurroundings) throws {
    do {
        _ = try Store.create(at: path, surroundings: process.forStore)
    } catch {
        throw Failure(.cannotCreate, visible(error.description))
    }
}

extension ProcessSurroundings {
    fileprivate var forStore: StoreSurroundings {
        StoreSurroundings(now: milliseconds, randomBytes: randomBytes)
    }
}
