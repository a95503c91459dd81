import Foundation
import TestSupport
import Testing

/// Runs git and patch on files in a temporary folder.
struct Git {
    let folder: URL

    static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/git")

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "merge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    func read(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: folder.appending(path: name)))
    }

    /// Runs git; returns its exit status and its output.
    func run(_ arguments: String...) throws -> (status: Int32, output: [UInt8]) {
        let ended = try ChildProcess.run(
            ["/usr/bin/git"] + arguments, in: folder.path(),
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path(), "GIT_CONFIG_NOSYSTEM": "1"])
        return (ended.status, ended.output)
    }
}
