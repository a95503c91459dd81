import Foundation
import TestSupport

/// A server of a store in a test's folder, with `output` and `errors` beside it; it ends with the
/// test.
final class ServerProcess {
    let url: String
    private let folder: ThrowAwayFolder
    private let process: ChildProcess

    struct DidNotStart: Error, CustomStringConvertible {
        var errors: String
        var description: String { "the server did not start: \(errors)" }
    }

    /// Starts a server and waits until it listens, on a free port unless the arguments contain an address.
    init(
        _ arguments: String..., in folder: ThrowAwayFolder, store: String = "store", readsLog: Bool = true,
        environment: [String: String]? = nil
    ) throws {
        self.folder = folder
        let address = arguments.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
        for name in ["output", "errors"] { try folder.write("", to: name) }
        let closed = Pipe()
        if !readsLog { try closed.fileHandleForReading.close() }
        process = try ChildProcess(
            [TestedBinary.path, "serve", "--store", store] + address + arguments, in: folder.path,
            environment: environment ?? TestedEnvironment(home: folder.path).variables,
            output: .file(folder.path + "/output"),
            errors: readsLog
                ? .file(folder.path + "/errors") : .descriptor(closed.fileHandleForWriting.fileDescriptor))
        while try !folder.read("output").hasSuffix("\n") {
            guard process.isRunning else { throw DidNotStart(errors: try folder.read("errors")) }
            usleep(5_000)
        }
        url =
            try folder.read("output").split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) }
            ?? ""
    }

    deinit {
        process.signal(SIGKILL)
        process.wait()
    }

    func signal(_ number: Int32) { process.signal(number) }

    /// Waits until the server has ended; returns its exit status, or 128 plus the signal that ended it.
    func end() -> Int32 { process.wait() }

    /// Runs `curl` on a path of the server; its exit status is 7 if it can't connect.
    func curl(_ path: String, _ arguments: String...) throws -> Program.Result {
        try curl(path, arguments)
    }

    /// Returns the status of the response to a request.
    func status(of path: String, _ arguments: String...) throws -> String {
        try curl(path, arguments + ["-o", "/dev/null", "-w", "%{http_code}"]).output
    }

    /// Starts `curl` with a body that comes from a pipe; the answer, a space and its status go to
    /// `curl-output`, a trace of the connection to `curl-errors`.
    func startUpload(to path: String, from pipe: Pipe) throws -> ChildProcess {
        // Otherwise, `curl` would inherit the pipe's writing end, and its input would never end.
        _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        for name in ["curl-output", "curl-errors"] { try folder.write("", to: name) }
        return try ChildProcess(
            [
                "curl", "-sv", "-w", " %{http_code}", "-X", "POST", "-T", "-", "-H", "Expect: 100-continue",
                url + path,
            ], input: .descriptor(pipe.fileHandleForReading.fileDescriptor),
            output: .file(folder.path + "/curl-output"), errors: .file(folder.path + "/curl-errors"))
    }

    private func curl(_ path: String, _ arguments: [String]) throws -> Program.Result {
        let words = (["curl", "-sg"] + arguments + [url + path]).map { "'\($0)'" }.joined(separator: " ")
        return try Program.shell(words, in: folder.path, environment: TestedEnvironment(home: folder.path))
    }
}
