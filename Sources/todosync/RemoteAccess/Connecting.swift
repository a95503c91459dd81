internal import Remotes
internal import TodoModel
internal import WorkingCopy

#if HTTP
    internal import HTTPTransport
#endif

/// Opens the remote at a recorded URL, if it is a store or is on a server that the user trusts.
///
/// - Parameters:
///   - folder: The folder that has the remote; nil if there is no folder yet.
///   - named: The server that the user named in this command and thereby trusts; nil if none was named.
///
/// - Throws: The error that prevents opening the remote; a ``Failure`` if the system doesn't provide what
///   requests to a server need.
func connect(
    to url: String, for folder: WorkingDirectory?, naming named: ServerOrigin?,
    _ process: ProcessSurroundings
) throws -> any Remote {
    let address = try RemoteAddress(url, currentDirectory: "/")
    if let server = address.server {
        if server != named { try Trust(process).require(server) }
        try checkEventLoop()
    }
    return try address.location.open(
        store: process.forStore,
        server: process.forServer(
            key: { try Keys(process).key(for: $0) },
            lacks: { warnOnce(lackOf: $0, at: url, in: folder, process) }))
}

/// Checks that a server accepts a key for a table and has the table; see ``HTTPRemote/checkAccess()``.
func checkAccess(with key: String, to url: String, _ process: ProcessSurroundings) async throws {
    try checkEventLoop()
    try await HTTPRemote(url: url, surroundings: process.forServer(key: { _ in key }, lacks: { _ in }))
        .checkAccess()
}

/// Warns once per folder about a feature that a server lacks.
private func warnOnce(
    lackOf feature: ServerFeature, at url: String, in folder: WorkingDirectory?,
    _ process: ProcessSurroundings
) {
    let line =
        switch feature {
        case .tombstones:
            "\(url) doesn't keep tombstones: a todo that is deleted there stays in folders that already have it"
        case .nestedValues:
            "\(url) doesn't keep nested values: file names, comments, lists and mappings are not synced"
        }
    if (try? folder?.wasReported(line)) == true { return }
    process.standardError.writeMessage("warning: \(visible(line))")
    try? folder?.noteReported(line)
}

/// Creates a store, or opens an existing one.
///
/// - Throws: A ``Failure`` if the store can't be created or opened.
func createStore(at path: String, _ process: ProcessSurroundings) throws {
    do {
        _ = try Store.create(at: path, surroundings: process.forStore)
    } catch {
        throw Failure(error, making: .cannotCreate)
    }
}

/// Opens an existing store.
///
/// - Throws: `StoreError`.
func openStore(at path: String, _ process: ProcessSurroundings) throws -> Store {
    try Store.open(at: path, surroundings: process.forStore)
}

extension ProcessSurroundings {
    var forStore: StoreSurroundings {
        StoreSurroundings(
            now: milliseconds, randomBytes: randomBytes, isAskedToEnd: { Interruption.status != nil })
    }

    fileprivate func forServer(
        key: @escaping @Sendable (ServerOrigin) throws -> String?,
        lacks: @escaping @Sendable (ServerFeature) -> Void
    ) -> ServerSurroundings {
        ServerSurroundings(
            transport: { [environment] server throws(RemoteError) in
                #if HTTP
                    try HTTPConnections(server, environment: environment)
                #else
                    throw .withoutHTTP
                #endif
            }, key: { server in try key(server) }, randomBytes: randomBytes,
            lacks: lacks, logger: logger)
    }
}

/// Returns a note about a newly recorded remote; nil if it is on a server, or if its store exists and has the
/// table or needs only the standard one.
///
/// This doesn't contact a server; the next command that needs the server does.
func remoteNote(_ address: RemoteAddress, _ process: ProcessSurroundings) throws -> String? {
    guard case .store(let path, let table) = address.location else { return nil }
    do {
        let store = try openStore(at: path, process)
        let names = try waiting { try await store.tableNames() }
        // The first push to a new store creates the standard table.
        if names.contains(table) || table == .standard { return nil }
        let others = names.map { visible($0.string) }.joined(separator: ", ")
        return "note: the store has no table \(visible(table.string)) yet; the first push creates it"
            + (others.isEmpty ? "" : " (it has \(others))")
    } catch let error as StoreError {
        let failure = Failure(error, making: nil)
        return "warning: \(failure.message)" + (failure.hint.map { "\nhint: \($0)" } ?? "")
    }
}
