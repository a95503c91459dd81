import Foundation
import TestSupport

/// A temporary folder to run programs in.
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

    /// Runs a program in the folder and returns its standard output.
    @discardableResult
    func run(_ program: String, _ arguments: [String]) throws -> [UInt8] {
        let ended = try ChildProcess.run([program] + arguments, in: folder.path)
        guard ended.status == 0 else { throw Failed(program: program, status: ended.status) }
        return ended.output
    }
}
