import Foundation
import TestSupport
import Testing
import TodoModel
import Values

@Suite struct RecurrenceTests {
    /// What `every` says, a day, and the next one.
    static let rows: [(every: String, day: String, next: String?)] = [
        ("day", "2026-02-28", "2026-03-01"), ("2 days", "2024-02-28", "2024-03-01"),
        ("every 2 weeks", "2026-12-25", "2027-01-08"),
        ("weekday", "2026-11-20", "2026-11-23"), ("weekday", "2026-11-21", "2026-11-23"),
        ("weekday", "2026-11-22", "2026-11-23"), ("weekday", "2026-11-23", "2026-11-24"),
        ("monday", "2026-11-23", "2026-11-30"), ("mon, thu", "2026-11-23", "2026-11-26"),
        ("mon,thu", "2026-11-26", "2026-11-30"), ("2 weeks on tue,thu", "2026-11-24", "2026-11-26"),
        ("2 weeks on tue,thu", "2026-11-26", "2026-12-08"),
        ("month", "2026-01-31", "2026-02-28"), ("month", "2024-01-31", "2024-02-29"),
        ("3 months", "2026-11-30", "2027-02-28"),
        ("month on the 31st", "2026-01-31", "2026-02-28"),
        ("month on the 31st", "2026-02-28", "2026-03-31"),
        ("month on the last day", "2024-02-29", "2024-03-31"),
        ("month on 15", "2026-02-10", "2026-02-15"), ("2 months on the 1st", "2026-12-01", "2027-02-01"),
        ("month on the first monday", "2026-11-02", "2026-12-07"),
        ("month on the last friday", "2026-11-20", "2026-11-27"),
        ("Every Month On The Last Friday", "2026-12-25", "2027-01-29"),
        ("year", "2024-02-29", "2025-02-28"), ("4 years", "2024-02-29", "2028-02-29"),
        ("year on the 29th", "2025-02-28", "2026-02-28"), ("year on the 29th", "2027-02-28", "2028-02-29"),
        ("2 years on the last friday", "2026-11-27", "2028-11-24"),
        ("year", "9999-01-01", nil),
    ]

    @Test(arguments: rows) func `a recurrence has a next day`(
        _ row: (every: String, day: String, next: String?)
    ) throws {
        let recurrence = try #require(Recurrence(row.every))
        #expect(recurrence.next(after: try #require(CivilDay(row.day))) == row.next.flatMap { CivilDay($0) })
    }

    @Test(arguments: [
        "", "every", "0 days", "1001 days", "-1 days", "2 day", "1 days", "weeks", "week on", "week on 3",
        "day on monday", "month on the 32nd", "month on the 0th", "month on the fifth friday",
        "month on the", "month on the 1st 2nd", "fortnight", "2", "2 mondays", "2 weekdays", "monday on tue",
        "９ days", "year on friday", "99999999999999999999 days",
    ])
    func `other text is not a recurrence`(_ text: String) { #expect(Recurrence(text) == nil) }

    @Test(arguments: [
        ("daily", "day"), ("Weekly", "week"), ("biweekly", "2 weeks"), ("monthly", "month"),
        ("quarterly", "3 months"), ("yearly", "year"), ("2w", "2 weeks"), ("1d", "day"), ("6m", "6 months"),
        ("10y", "10 years"), ("first monday", "month on the first monday"),
        ("last day", "month on the last day"),
        // Everything else stays as it is, whether it is an interval or not.
        ("2 weeks", "2 weeks"), ("mon thu", "mon thu"), ("every week", "every week"), ("w", "w"),
        ("0w", "0w"),
        ("+2w", "+2w"), ("-2w", "-2w"), ("2x", "2x"), ("first of may", "first of may"), ("", ""),
    ])
    func `words for an interval are stored in the form that files have`(_ typed: String, _ stored: String) {
        #expect(Recurrence.text(typed: typed) == stored)
        #expect(Recurrence(stored) != nil || typed == stored)
    }

    @Test(arguments: UInt64(0)..<100) func `days are those of Foundation's calendar`(_ seed: UInt64) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        var random = SplitMix64(seed: seed)
        let day = CivilDay(daysSinceEpoch: Int.random(in: -30_000...60_000, using: &random))
        let date = Date(timeIntervalSince1970: Double(day.daysSinceEpoch) * 86_400)
        func civil(_ date: Date?) throws -> CivilDay {
            let seconds = try #require(date).timeIntervalSince1970
            return CivilDay(daysSinceEpoch: Int((seconds / 86_400).rounded(.down)))
        }
        let count = Int.random(in: 2...40, using: &random)
        for (unit, component) in [("days", Calendar.Component.day), ("months", .month), ("years", .year)] {
            let next = Recurrence("\(count) \(unit)")?.next(after: day)
            #expect(try next == civil(calendar.date(byAdding: component, value: count, to: date)))
        }
        for (number, name) in ["sun", "mon", "tue", "wed", "thu", "fri", "sat"].enumerated() {
            let next = calendar.nextDate(
                after: date, matching: DateComponents(weekday: number + 1), matchingPolicy: .nextTime)
            #expect(try Recurrence(name)?.next(after: day) == civil(next))
        }
    }
}
