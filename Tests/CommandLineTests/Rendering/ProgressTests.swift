import Foundation
import Synchronization
import Testing
import TodoModel

@testable import todosync

/// The line that shows how far a command has come.
@Suite struct ProgressTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let progress: TodoModel.Progress
        let elapsed: Int64
        var width = 80
        let line: String

        var testDescription: String { "\(line) in \(width) columns" }
    }

    private static func todos(_ done: Int, of total: Int?) -> TodoModel.Progress {
        Progress(.pulling, .todos, done: done, total: total)
    }

    static let rows = [
        Row(
            progress: todos(2500, of: 10_000), elapsed: 1000,
            line: "pulling 2,500 of 10,000 todos, 2,500/s, 3 s left"),
        Row(
            progress: todos(2500, of: 10_000), elapsed: 1000, width: 48,
            line: "pulling 2,500 of 10,000 todos, 3 s left"),
        Row(
            progress: todos(2500, of: 10_000), elapsed: 1000, width: 39,
            line: "pulling 2,500 of 10,000 todos"),
        Row(
            progress: todos(2500, of: 10_000), elapsed: 1000, width: 12, line: "pulling 2,…"),
        Row(progress: todos(2500, of: 10_000), elapsed: 1000, width: 1, line: ""),
        Row(progress: todos(2500, of: nil), elapsed: 500, line: "pulling 2,500 todos, 5,000/s"),
        Row(progress: todos(1, of: 1), elapsed: 500, line: "pulling 1 of 1 todo, 2/s, 0 s left"),
        Row(progress: todos(0, of: 10), elapsed: 500, line: "pulling 0 of 10 todos"),
        Row(progress: todos(5, of: 10), elapsed: 0, line: "pulling 5 of 10 todos"),
        Row(progress: todos(5, of: 10), elapsed: -9, line: "pulling 5 of 10 todos"),
        Row(progress: todos(1, of: 10), elapsed: 60_000, line: "pulling 1 of 10 todos, 9 min left"),
        Row(progress: todos(1, of: 10), elapsed: 3_600_000, line: "pulling 1 of 10 todos, 9 h left"),
        Row(
            progress: todos(1, of: .max), elapsed: 60_000,
            line: "pulling 1 of 9,223,372,036,854,775,807 todos"),
        Row(progress: todos(19, of: 1000), elapsed: 1000, line: "pulling 19 of 1,000 todos, 19/s"),
        // A remote's count can be wrong.
        Row(progress: todos(5, of: 4), elapsed: 1000, line: "pulling 5 todos, 5/s"),
        Row(progress: todos(5, of: -4), elapsed: 1000, line: "pulling 5 todos, 5/s"),
        Row(
            progress: Progress(.reading, .files, done: 256, total: 1024), elapsed: 1000,
            line: "reading 256 of 1,024 files, 256/s, 3 s left"),
        Row(
            progress: Progress(.compacting, .bytes, done: 43_000_000, total: 100_000_000), elapsed: 2000,
            line: "compacting the log 43 %, 21 MB/s, 3 s left"),
        Row(
            progress: Progress(.checking, .bytes, done: 1000, total: 4000), elapsed: 1000,
            line: "checking 25 %, 3 s left"),
        Row(progress: Progress(.reading, .bytes, done: 5 << 20), elapsed: 0, line: "reading 5 MB"),
        Row(
            progress: Progress(.pushing, .todos, done: 500, total: 800), elapsed: 1000,
            line: "pushing 500 of 800 todos, 500/s, 1 s left"),
    ]

    @Test(arguments: rows) func `a line shows what fits, and is narrower than the terminal`(_ row: Row) {
        let line = render(row.progress, after: row.elapsed, width: row.width)
        #expect(line == row.line)
        #expect(displayWidth(line) < row.width)
    }

    // MARK: When it is drawn

    /// A line that draws into a pipe, and its clock.
    private final class Screen: Sendable {
        let line: ProgressLine
        private let pipe = Pipe()
        private let clock: Clock

        private final class Clock: Sendable { let now = Mutex<Int64>(1_000_000) }

        init() {
            let clock = Clock()
            self.clock = clock
            line = ProgressLine(
                Stream(descriptor: pipe.fileHandleForWriting.fileDescriptor, name: "the terminal"),
                now: { clock.now.withLock(\.self) })
        }

        func wait(_ milliseconds: Int64) { clock.now.withLock { $0 += milliseconds } }

        func print(_ text: String) {
            line.interrupt { pipe.fileHandleForWriting.write(Data(text.utf8)) }
        }

        /// Returns what was drawn, with each erasure as `<`.
        func drawn() throws -> String {
            try pipe.fileHandleForWriting.close()
            let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
            return String(decoding: bytes, as: UTF8.self).replacing("\r\u{1B}[K", with: "<")
        }
    }

    @Test func `a fast command draws nothing`() throws {
        let screen = Screen()
        screen.line.report(Self.todos(1, of: 9))
        screen.wait(499)
        screen.line.report(Self.todos(2, of: 9))
        screen.line.tick()
        screen.print("done\n")
        screen.line.end()
        #expect(try screen.drawn() == "done\n")
    }

    @Test func `the line appears after half a second, and is drawn now and then`() throws {
        let screen = Screen()
        screen.line.report(Self.todos(1, of: nil))
        screen.wait(500)
        screen.line.tick()
        screen.wait(99)
        screen.line.report(Self.todos(2, of: nil))
        screen.wait(1)
        screen.line.report(Self.todos(3, of: nil))
        screen.line.end()
        #expect(try screen.drawn() == "<pulling 1 todo, 2/s<pulling 3 todos, 5/s<")
    }

    @Test func `a wait is shown until something is reported or printed`() throws {
        let screen = Screen()
        screen.wait(600)
        screen.line.tick()
        screen.print("trust it? ")
        screen.wait(600)
        screen.line.tick()
        screen.line.report(Self.todos(3, of: nil))
        screen.line.end()
        #expect(try screen.drawn() == "<waiting<trust it? <pulling 3 todos, 2/s<")
    }

    @Test func `while the user is asked, nothing is drawn`() throws {
        let screen = Screen()
        screen.wait(600)
        screen.line.report(Self.todos(3, of: nil))
        screen.line.pause(true)
        screen.print("which? ")
        screen.line.report(Self.todos(4, of: nil))
        screen.wait(600)
        screen.line.tick()
        screen.line.pause(false)
        screen.line.report(Self.todos(6, of: nil))
        screen.line.end()
        #expect(try screen.drawn() == "<pulling 3 todos, 5/s<which? <pulling 6 todos, 5/s<")
    }

    @Test func `between two rounds nothing is drawn, and a fast round draws nothing`() throws {
        let screen = Screen()
        screen.wait(600)
        screen.line.report(Self.todos(3, of: nil))
        screen.line.pause(true)
        screen.wait(600)
        screen.line.tick()
        screen.line.beginRound()
        screen.line.report(Self.todos(4, of: nil))
        screen.wait(499)
        screen.line.tick()
        screen.wait(1)
        screen.line.tick()
        screen.line.end()
        #expect(try screen.drawn() == "<pulling 3 todos, 5/s<<pulling 4 todos, 8/s<")
    }

    @Test func `the rate is that of the work that is going on`() throws {
        let screen = Screen()
        screen.wait(1000)
        screen.line.report(Progress(.reading, .files, done: 100, total: nil))
        screen.wait(1000)
        screen.line.report(Self.todos(10, of: nil))
        screen.wait(1000)
        screen.line.report(Self.todos(40, of: nil))
        screen.line.end()
        #expect(
            try screen.drawn()
                == "<reading 100 files, 100/s<pulling 10 todos, 10/s<pulling 40 todos, 20/s<")
    }
}
