internal import Remotes
internal import TodoModel

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
