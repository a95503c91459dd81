import Foundation
import TestSupport
import Testing
import TodoModel
import Values

/// The occurrence that follows a completed todo.
@Suite struct NextOccurrenceTests {
    private static let berlin = LocalZone { seconds in
        TimeZone(identifier: "Europe/Berlin")?.secondsFromGMT(
            for: Date(timeIntervalSince1970: Double(seconds)))
            ?? 0
    }

    private func next(_ text: String, on today: String = "2026-12-05", in zone: LocalZone = .utc) throws -> (
        id: String, text: String
    )? {
        let todo = try Todo(parsing: Array(text.utf8))
        let day = try #require(CivilDay(today))
        return NextOccurrence(after: todo, completedOn: day, in: zone).map {
            ($0.id.string, String(decoding: $0.text(after: todo), as: UTF8.self))
        }
    }

    /// The ids are those of Python's `uuid.uuid5`.
    @Test(arguments: [
        ("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", "def8b59e-e9c9-5726-8753-469e0787ca59"),
        ("milk", "7a7d4380-2c94-54bc-a9b5-fd884d0292b8"),
        ("0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0", "bce96149-f361-594e-8941-29770d8c2889"),
    ])
    func `anybody can compute the id`(parent: String, expected: String) throws {
        let next = try next("id: \(parent)\ntext: T\nevery: week\ndue: 2026-12-01\n")
        #expect(next?.id == expected)
    }

    @Test func `the file is the completed one, but open, with its own id and date, and without ticks`() throws
    {
        let next = try next(
            """
            # The plants on the balcony
            id: 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0
            text: Water plants   # not the cactus
            due: 2026-12-01
            every: week
            complete: true
            tags: [home]
            steps:
              - text: roses
                done: true
              - text: tomatoes
                done: false
            """ + "\n")
        #expect(
            next?.text == """
                # The plants on the balcony
                id: def8b59e-e9c9-5726-8753-469e0787ca59
                text: Water plants   # not the cactus
                due: 2026-12-08
                every: week
                tags: [home]
                steps:
                  - text: roses
                    done: false
                  - text: tomatoes
                    done: false
                """ + "\n")
    }

    /// The due date, and the next one in Berlin.
    @Test(arguments: [
        ("2026-10-20", "2026-10-27"), ("2024-02-27", "2024-03-05"),
        // The clocks are turned back on 2026-10-25, and the time in Berlin stays nine o'clock.
        ("2026-10-20T09:00:00+02:00", "2026-10-27T09:00:00+01:00"),
        ("2027-03-25T09:00:00+01:00", "2027-04-01T09:00:00+02:00"),
        // The clocks skip 02:30 on 2027-03-28, and show 03:30 then.
        ("2027-03-21T02:30:00+01:00", "2027-03-28T02:30:00+01:00"),
        ("2027-03-28T02:30:00+01:00", "2027-04-04T02:30:00+02:00"),
        // They show 02:30 twice on 2026-10-25.
        ("2026-10-25T02:30:00+02:00", "2026-11-01T02:30:00+01:00"),
        ("2026-10-25T02:30:00+01:00", "2026-11-01T02:30:00+01:00"),
        // Times of other zones keep their offset.
        ("2026-10-20T09:00:00+09:00", "2026-10-27T09:00:00+09:00"),
        ("2026-10-20T09:00:00Z", "2026-10-27T09:00:00Z"),
        ("2026-10-20T09:00:00.25+09:00", "2026-10-27T09:00:00.25+09:00"),
        // A fraction of a second stays.
        ("2026-10-20T09:00:00.25+02:00", "2026-10-27T09:00:00.25+01:00"),
        // The day is the one that is written, wherever the device is.
        ("2026-10-20T00:30:00+02:00", "2026-10-27T00:30:00+01:00"),
    ])
    func `a time stays what the clocks show`(due: String, expected: String) throws {
        let text = "id: 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0\ntext: T\nevery: week\ndue: \(due)\n"
        let (here, elsewhere) = (try next(text, in: Self.berlin), try next(text))
        #expect(
            here?.text
                == text.replacing(due, with: expected).replacing(
                    "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", with: here?.id ?? ""))
        #expect(here?.id == elsewhere?.id)
    }

    @Test(arguments: [
        ("2026-10-20", nil), ("2026-10-20T09:00:00+02:00", nil), ("2026-10-20T09:00:00.25+02:00", nil),
        ("2027-03-28T02:30:00+01:00", nil), ("2026-10-20T09:00:00+01:00", "+01:00"),
        ("2026-10-20T09:00:00.25-04:00", "-04:00"), ("2026-10-20T07:00:00.000Z", "Z"),
    ])
    func `a time with another offset than the zone's is recognized`(due: String, offset: String?) {
        #expect(NextOccurrence.otherOffset(of: due, in: Self.berlin) == offset)
    }

    /// The interval, a due date, and the interval and the due date of the next occurrence.
    @Test(arguments: [
        ("month", "2026-01-31", "month on the 31st", "2026-02-28"),
        ("month on the 31st", "2026-02-28", "month on the 31st", "2026-03-31"),
        ("month", "2026-01-30", "month on the 30th", "2026-02-28"),
        ("month", "2026-03-31", "month on the 31st", "2026-04-30"),
        ("month", "2026-12-31", "month", "2027-01-31"), ("month", "2026-01-28", "month", "2026-02-28"),
        ("Every 3 Months", "2026-11-30", "Every 3 Months on the 30th", "2027-02-28"),
        ("year", "2024-02-29", "year on the 29th", "2025-02-28"),
        ("year on the 29th", "2027-02-28", "year on the 29th", "2028-02-29"),
        ("4 years", "2024-02-29", "4 years", "2028-02-29"),
        ("month", "2026-01-31T09:00:00Z", "month on the 31st", "2026-02-28T09:00:00Z"),
    ])
    func `a shorter month doesn't move a series`(
        every: String, due: String, nextEvery: String, nextDue: String
    )
        throws
    {
        let next = try next("id: milk\ntext: T\nevery: \(every)\ndue: \(due)\n")
        #expect(next?.text.hasSuffix("\ntext: T\nevery: \(nextEvery)\ndue: \(nextDue)\n") == true)
    }

    @Test func `without a due date, the interval counts from the day of completion`() throws {
        let next = try next(
            "id: 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0\ntext: T\nevery: 3 days\n", on: "2024-02-27")
        #expect(next?.text.hasSuffix("due: 2024-03-01\n") == true)
    }

    @Test(arguments: [
        "id: a\ntext: T\n", "id: a\ntext: T\nevery: sometimes\n", "id: a\ntext: T\nevery: 2\n",
        "text: T\nevery: week\n", "id: a\ntext: T\nevery: year\ndue: 9999-06-01\n",
    ])
    func `other todos have no next occurrence`(_ text: String) throws {
        #expect(try next(text) == nil)
    }
}
