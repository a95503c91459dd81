import Testing

@testable import SyncEngine
@testable import todosync

/// The message of a push, pull or sync that a signal ended.
@Suite struct InterruptedReportTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var left = SyncReport.Left(count: 0, isAll: true)
        var pending: Int?
        var hasDoneNothing = false
        let words: String

        var testDescription: String { words }
    }

    static let rows = [
        Row(hasDoneNothing: true, words: "nothing was pushed or pulled; "),
        Row(words: "nothing is lost; "),
        Row(pending: 0, words: "nothing is lost; "),
        Row(
            left: SyncReport.Left(count: 1, isAll: true), pending: 2,
            words: "1 todo still to be pulled; 2 changes still pending; nothing is lost; "),
        Row(
            left: SyncReport.Left(count: 1200, isAll: false),
            words: "at least 1,200 todos still to be pulled; nothing is lost; "),
    ]

    @Test(arguments: rows) func `the message reports what is left, and how to go on`(_ row: Row) {
        var report = SyncReport()
        (report.left, report.pending, report.hasDoneNothing) = (row.left, row.pending, row.hasDoneNothing)
        #expect(
            Failure(interrupted: report).message
                == "interrupted: \(row.words)run the same command again for the rest")
    }
}
