import Foundation
import TestSupport
import Testing

/// `stoptracer` stops programs at their system calls.
@Suite(.ownThreads, .enabled(if: StopTracer.isUsable, StopTracer.whyNot))
struct StopTracerTests {
    private static let command = "sh -c 'mkdir a; echo text > a/b; mv a/b a/c; rm -r a; echo done'"

    @Test func `each call is reported with what it is about`() throws {
        let (result, report) = try run(Self.command, .none)
        #expect(result.status == 0 && result.output == "done\n")
        let calls = report.calls.map { "\($0.name) \($0.object.split(separator: "/").last ?? "")" }
        #expect(
            calls.map { $0.replacing(/renameat2?|rename/, with: "rename") } == [
                "mkdir a", "openat b", "write b", "rename c", "unlinkat c", "unlinkat a", "write output",
            ])
        #expect(report.stopped == [])
    }

    @Test func `a call is not made where the program is killed, nor any after it`() throws {
        let (result, report) = try run(Self.command + "; s=$?; ls a; exit $s", at: 4, .kill)
        #expect(result.status == 137 && result.output.hasSuffix("b\n"))
        #expect(report.calls.count == 4 && report.stopped == [3])
    }

    @Test func `a call is not made where it fails, and the program goes on`() throws {
        let (result, report) = try run(Self.command, at: 1, .inputOutputError)
        #expect(result.output.contains("mkdir: cannot create directory ‘a’: Input/output error"))
        #expect(result.output.hasSuffix("done\n") && report.stopped == [0])
    }

    @Test func `a disk that is full stays so, and what needs no room goes on`() throws {
        let command = "sh -c 'mkdir a; echo text > b; rm b; mkdir c; echo done'"
        let (result, report) = try run(command, at: 2, .fullDisk)
        #expect(result.output.contains("‘c’: No space left on device") && result.output.hasSuffix("done\n"))
        #expect(report.stopped.map { report.calls[$0].object } == ["b", "c"])
    }

    @Test func `the calls of all threads are in one count`() throws {
        let program = """
            import os, threading
            def work(name):
                for number in range(10): os.mkdir(name + str(number))
            threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
            """
        let command = "python3 -B -c '\(program)'"
        #expect(try run(command, .none).report.calls.count == 30)
        let (result, report) = try run(command + "; s=$?; ls | grep -c '[abc][0-9]'; exit $s", at: 17, .kill)
        // The other two threads might have been stopped at a call, too.
        let count = result.output.split(separator: "\n").last.flatMap { Int($0) }
        #expect(result.status == 137 && (14...16).contains(count ?? 0))
        #expect(report.calls.count == 17)
    }

    private func run(_ command: String, at number: Int, _ way: StopTracer.Way) throws -> (
        result: Program.Result, report: StopTracer.Report
    ) {
        try run(command, StopTracer.Stop(number: number, way: way))
    }

    private func run(_ command: String, _ stop: StopTracer.Stop) throws -> (
        result: Program.Result, report: StopTracer.Report
    ) {
        let folder = try ThrowAwayFolder()
        let result = try Program.shell(
            "\(StopTracer.command("report", stop)) \(command)", in: folder.path,
            environment: TestedEnvironment(home: folder.path))
        return (result, StopTracer.Report(try folder.read("report")))
    }
}
