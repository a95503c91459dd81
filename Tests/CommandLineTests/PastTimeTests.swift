import Testing
import Values

@testable import todosync

/// Times in the past as people type them, on Saturday, 2026-11-21, at 08:00 in a zone one hour ahead of UTC.
@Suite struct PastTimeTests {
    private static let dates = DateReader(now: 1_795_244_400, zone: LocalZone { _ in 3600 })

    @Test(arguments: [
        ("2026-11-20T10:00:00+01:00", "2026-11-20T09:00:00.000Z"),
        ("3d", "2026-11-18T07:00:00.000Z"), ("2w", "2026-11-07T07:00:00.000Z"),
        ("0d", "2026-11-21T07:00:00.000Z"), ("2026-11-01", "2026-10-31T23:00:00.000Z"),
        ("today", "2026-11-20T23:00:00.000Z"), ("yesterday", "2026-11-19T23:00:00.000Z"),
        ("yesterday 17:00", "2026-11-20T16:00:00.000Z"), ("-3d", "2026-11-17T23:00:00.000Z"),
        // The latest such day, which can be today.
        ("fri", "2026-11-19T23:00:00.000Z"), ("sun", "2026-11-14T23:00:00.000Z"),
        ("sat", "2026-11-20T23:00:00.000Z"), ("21 nov", "2026-11-20T23:00:00.000Z"),
        ("22 nov", "2025-11-21T23:00:00.000Z"), ("1 nov", "2026-10-31T23:00:00.000Z"),
        ("29 feb", "2024-02-28T23:00:00.000Z"), ("1 dec 2026", "2026-11-30T23:00:00.000Z"),
    ])
    func `a time in the past is a span, or a date as everywhere`(typed: String, time: String) throws {
        let seconds = try PastTime(typed, Self.dates).seconds
        #expect(Instant(milliseconds: Int64(seconds) * 1000).internetTime == time)
    }

    @Test(arguments: ["2026-02-30", "3", "d", "yesterday?", ""])
    func `nonsense is refused`(typed: String) {
        #expect(throws: DateProblem.self) { try PastTime(typed, Self.dates) }
    }
}
