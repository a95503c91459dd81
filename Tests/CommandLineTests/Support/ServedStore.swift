import Foundation
import Testing

/// A server of the folder `store`, which can be ended and started again behind one URL.
final class ServedStore {
    private let line: Line
    private let proxy: LoopbackServer
    private var server: Process?

    init(_ line: Line) throws {
        self.line = line
        proxy = try LoopbackServer { line.carry($0) }
    }

    deinit { end() }

    var url: String { "http://127.0.0.1:\(proxy.port)/tables/todoitem" }

    /// Starts it for the store in a folder.
    ///
    /// - Parameter processFile: Where the number is of the process to be killed, if one is.
    func start(in folder: String, processFile: String = "") throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: TestedBinary.path)
        process.arguments = ["serve", "--store", "store", "--listen", "127.0.0.1:0"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        server = process
        var text = Data()
        while text.last != UInt8(ascii: "\n") {
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the server ended")
            text += more
        }
        let port = String(decoding: text, as: UTF8.self).split(separator: ":").last.flatMap {
            UInt16($0.trimmingCharacters(in: .newlines))
        }
        line.lead(to: try #require(port), killing: processFile)
    }

    /// Ends it at once: it needs more than a second to do so in order.
    func end() {
        if let server { kill(server.processIdentifier, SIGKILL) }
        server?.waitUntilExit()
        server = nil
    }
}
