import Foundation

/// A server of the store `store` in a test's folder, with `output` and `errors` beside it; it ends with the
/// test.
final class ServerProcess {
    let url: String
    private let folder: ThrowAwayFolder
    private let process = Process()

    struct DidNotStart: Error, CustomStringConvertible {
        var errors: String
        var description: String { "the server did not start: \(errors)" }
    }

    /// Starts a server and waits until it listens, on a free port unless the arguments say where.
    init(_ arguments: String..., in folder: ThrowAwayFolder, readsLog: Bool = true) throws {
        self.folder = folder
        process.executableURL = URL(fileURLWithPath: TestedBinary.path)
        let address = arguments.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
        process.arguments = ["serve", "--store", "store"] + address + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = TestedEnvironment(home: folder.path).variables
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try folder.handle(for: "output")
        let closed = Pipe()
        process.standardError = readsLog ? try folder.handle(for: "errors") : closed.fileHandleForWriting
        if !readsLog { try closed.fileHandleForReading.close() }
        try process.run()
        while try !folder.read("output").hasSuffix("\n") {
            guard process.isRunning else { throw DidNotStart(errors: try folder.read("errors")) }
            usleep(5_000)
        }
        url =
            try folder.read("output").split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) }
            ?? ""
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits until the server has ended; returns its exit status, or 128 and the signal that ended it.
    func end() throws -> Int32 {
        process.waitUntilExit()
        return process.terminationReason == .exit
            ? process.terminationStatus : 128 + process.terminationStatus
    }

    /// Runs `curl` on a path of the server; 7 is its status where it can't connect.
    func curl(_ path: String, _ arguments: String...) throws -> Program.Result {
        try curl(path, arguments)
    }

    /// Returns the status with which a request is answered.
    func status(of path: String, _ arguments: String...) throws -> String {
        try curl(path, arguments + ["-o", "/dev/null", "-w", "%{http_code}"]).output
    }

    /// Starts `curl` with a body that comes from a pipe; the answer, a blank and its status go to
    /// `curl-output`, what is said on the wire to `curl-errors`.
    func startUpload(to path: String, from pipe: Pipe) throws -> Process {
        let curl = Process()
        curl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        curl.arguments = [
            "curl", "-sv", "-w", " %{http_code}", "-X", "POST", "-T", "-", "-H", "Expect: 100-continue",
            url + path,
        ]
        curl.standardInput = pipe
        curl.standardOutput = try folder.handle(for: "curl-output")
        curl.standardError = try folder.handle(for: "curl-errors")
        try curl.run()
        return curl
    }

    private func curl(_ path: String, _ arguments: [String]) throws -> Program.Result {
        let words = (["curl", "-sg"] + arguments + [url + path]).map { "'\($0)'" }.joined(separator: " ")
        return try Program.shell(words, in: folder.path, environment: TestedEnvironment(home: folder.path))
    }
}

extension ThrowAwayFolder {
    fileprivate func handle(for name: String) throws -> FileHandle {
        try write("", to: name)
        return try FileHandle(forWritingTo: URL(fileURLWithPath: path + "/" + name))
    }
}
