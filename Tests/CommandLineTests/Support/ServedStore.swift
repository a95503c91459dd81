import Foundation
import Testing

/// A server of the folder `store`, which can be stopped and started again behind one URL.
final class ServedStore {
    private let line: Line
    private let proxy: LoopbackServer
    private var server: ServerProcess?
    /// The folder for the server's output.
    private let notes: ThrowAwayFolder

    init(_ line: Line) throws {
        notes = try ThrowAwayFolder()
        self.line = line
        proxy = try LoopbackServer { line.carry($0) }
    }

    var url: String { "http://127.0.0.1:\(proxy.port)/tables/todoitem" }

    /// Starts the server for the store in a folder.
    ///
    /// - Parameter processFile: The file with the id of the process to kill, if there is one.
    func start(in folder: String, processFile: String = "") throws {
        // The tests' environment would set the same clock and the same seed at each start.
        let started = try ServerProcess(
            in: notes, store: folder + "/store", environment: ProcessInfo.processInfo.environment)
        server = started
        let port = started.url.split(separator: ":").last.flatMap { UInt16($0) }
        line.lead(to: try #require(port), killing: processFile)
    }

    func end() { server = nil }
}
