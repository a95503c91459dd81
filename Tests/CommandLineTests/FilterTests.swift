import Foundation
import Platform
import TestSupport
import Testing

@testable import todosync

/// Programs that run as filters, however they treat their input, their output and their time limit.
@Suite(.ownThreads) struct FilterTests {
    private func filter(
        _ script: String, _ input: [UInt8] = [], limit: Int = 1 << 20, seconds: Double = 20
    ) throws -> (status: Int32, output: [UInt8]) {
        try ChildProcess(arguments: ["/bin/sh", "-c", script], name: "the filter")
            .filter(input, limit: limit, time: .seconds(seconds))
    }

    /// More bytes than fit into a pipe.
    private static let large = [UInt8](repeating: UInt8(ascii: "a"), count: 900_000)

    @Test func `an input of any size goes through`() throws {
        for input in [[], Array("hello\n".utf8), Self.large] {
            let result = try filter("cat", input)
            #expect(result.status == 0)
            #expect(result.output == input)
        }
    }

    @Test(arguments: ["exec <&-; echo done", "echo done", "head -c 5 >/dev/null; echo done"])
    func `a program need not read its input`(script: String) throws {
        let result = try filter(script, Self.large)
        #expect(result.status == 0)
        #expect(result.output == Array("done\n".utf8))
    }

    @Test func `how it ended is reported`() throws {
        #expect(try filter("exit 3").status == 3)
        #expect(try filter("kill -9 $$").status == -1)
        #expect(try filter("exec /nowhere 2>/dev/null").status == 127)
    }

    @Test func `a program that writes too much is stopped`() throws {
        #expect(throws: ChildProgram.Problem.gaveTooMuch) { try filter("yes", limit: 100_000) }
        #expect(throws: ChildProgram.Problem.gaveTooMuch) {
            try filter("head -c 5000 /dev/zero", limit: 4999)
        }
        #expect(try filter("head -c 5000 /dev/zero", limit: 5000).output.count == 5000)
    }

    @Test(arguments: [
        "sleep 60", "exec >&-; sleep 60", "while :; do echo x; sleep 0.01; done", "cat; sleep 60",
    ])
    func `a program that is too slow is stopped`(script: String) throws {
        let start = Date()
        #expect(throws: ChildProgram.Problem.timedOut) { try filter(script, seconds: 0.3) }
        #expect(Date().timeIntervalSince(start) < 20)
    }

    @Test func `what it started is stopped with it`() throws {
        let folder = try ThrowAwayFolder()
        let script = "(sleep 1; echo late > \(folder.path)/late) & echo $! > \(folder.path)/child; sleep 60"
        #expect(throws: ChildProgram.Problem.timedOut) { try filter(script, seconds: 0.5) }
        let child = try #require(
            Int32(folder.read("child").trimmingCharacters(in: .whitespacesAndNewlines)))
        usleep(1_200_000)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/late"))
        #expect(kill(child, 0) != 0 || isZombie(child))
    }

    /// Returns whether a process is a zombie; in a container, orphaned processes can stay zombies.
    private func isZombie(_ process: Int32) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status.map { $0.contains(") Z ") } ?? true
    }

    @Test func `what it leaves behind, with its output open, is not waited for`() throws {
        let start = Date()
        let result = try filter("sleep 5 & echo done")
        #expect(result.output == Array("done\n".utf8))
        #expect(Date().timeIntervalSince(start) < 4)
    }
}
