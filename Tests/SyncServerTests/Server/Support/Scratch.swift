import Foundation
import TestSupport

/// A folder in which programs are run.
struct Scratch {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct Failed: Error {
        var program: String
        var status: Int32
    }

    static func has(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + program)
    }

    func url(of name: String) -> URL { URL(filePath: folder.path(of: name)) }

    /// Runs a program in the folder and returns what it writes to standard output.
    @discardableResult
    func run(_ program: String, _ arguments: [String]) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = URL(filePath: folder.path)
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        // A file takes any amount of output without a second thread to read it.
        try folder.write("", to: ".output")
        process.standardOutput = try FileHandle(forWritingTo: url(of: ".output"))
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(program: program, status: process.terminationStatus)
        }
        return Array(try Data(contentsOf: url(of: ".output")))
    }
}
