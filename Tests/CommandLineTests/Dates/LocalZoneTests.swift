import Foundation
import TestSupport
import Testing
import TodoModel
import Values

@testable import todosync

/// Local times, with Foundation's time zones in place of the system's.
@Suite struct LocalZoneTests {
    private static let names = [
        "UTC", "Europe/Berlin", "America/New_York", "America/St_Johns", "Asia/Kathmandu", "Asia/Tokyo",
        "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham", "Africa/Casablanca", "America/Sao_Paulo",
    ]

    private static func zone(_ name: String) throws -> LocalZone {
        let zone = try #require(TimeZone(identifier: name))
        return LocalZone { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-12-01T17:00", "2026-12-01T17:00:00+01:00"),
        ("Europe/Berlin", "2027-07-01T17:00", "2027-07-01T17:00:00+02:00"),
        // Skipped: 02:30 is read with the offset before the gap.
        ("Europe/Berlin", "2027-03-28T02:30", "2027-03-28T03:30:00+02:00"),
        ("Europe/Berlin", "2027-03-28T01:59:59", "2027-03-28T01:59:59+01:00"),
        ("Europe/Berlin", "2027-03-28T03:00", "2027-03-28T03:00:00+02:00"),
        // 02:30 occurs twice: it is read as the first one.
        ("Europe/Berlin", "2027-10-31T02:30", "2027-10-31T02:30:00+02:00"),
        ("Europe/Berlin", "2027-10-31T03:00", "2027-10-31T03:00:00+01:00"),
        ("America/New_York", "2027-03-14T02:30", "2027-03-14T03:30:00-04:00"),
        ("America/New_York", "2027-11-07T01:30", "2027-11-07T01:30:00-04:00"),
        ("America/St_Johns", "2026-12-01T17:00", "2026-12-01T17:00:00-03:30"),
        ("Asia/Kathmandu", "2026-12-01T17:00", "2026-12-01T17:00:00+05:45"),
        // Half an hour of daylight saving.
        ("Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-04T02:45:00+11:00"),
        // A whole day that was skipped.
        ("Pacific/Apia", "2011-12-30T12:00", "2011-12-31T12:00:00+14:00"),
        // An offset with seconds.
        ("Europe/Berlin", "1890-01-01T12:00", "1890-01-01T11:59:32+00:53"),
    ])
    func `a time is written with the offset of its day`(zone: String, typed: String, expected: String) throws
    {
        let reader = DateReader(now: 1_795_244_400, zone: try Self.zone(zone))
        #expect(try reader.read(typed).stored == expected)
    }

    @Test(arguments: names)
    func `the stored form is the instant, and reads as it was typed`(name: String) throws {
        let zone = try Self.zone(name)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: name))
        var random = SplitMix64(seed: name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
        for _ in 0..<500 {
            let instant = Int.random(in: 0..<4_102_444_800, using: &random)
            let date = TypedDate(instant, in: zone)
            #expect(
                Due(date.stored) == .instant(Instant(milliseconds: Int64(instant) * 1000)), "\(date.stored)")
            let wall = zone.wallTime(at: instant)
            let parts = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second],
                from: Date(timeIntervalSince1970: Double(instant)))
            #expect(
                wall.day == CivilDay(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0))
            #expect(wall.second == (parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0))
            // The way back gives the same instant, or the first of two if the clocks show the time twice.
            let back = zone.instant(of: wall)
            #expect(back <= instant && zone.wallTime(at: back) == wall, "\(date.stored)")
            // A user who types the time without its offset means the same instant.
            let typed = String(date.stored.prefix(19))
            let reader = DateReader(now: instant, zone: zone)
            #expect(try reader.read(typed).due == .instant(Instant(milliseconds: Int64(back) * 1000)))
        }
    }

    @Test(arguments: names)
    func `days and months are counted as Foundation counts them`(name: String) throws {
        let zone = try Self.zone(name)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        var random = SplitMix64(seed: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        let units: [(String, Calendar.Component, Int)] = [
            ("d", .day, 1), ("w", .day, 7), ("m", .month, 1), ("y", .year, 1),
        ]
        for _ in 0..<500 {
            let reader = DateReader(now: Int.random(in: 0..<4_102_444_800, using: &random), zone: zone)
            let midnight = Date(timeIntervalSince1970: Double(reader.today.daysSinceEpoch * 86_400))
            // Foundation's calendar is the Julian one before 1582.
            let count = Int.random(in: -380...400, using: &random)
            for (letter, component, factor) in units {
                let typed = (count < 0 ? "-" : "+") + String(abs(count)) + letter
                let expected = try date(component, count * factor, after: midnight, calendar)
                let days = Int((expected.timeIntervalSince1970 / 86_400).rounded(.down))
                #expect(
                    try reader.read(typed).due == .day(CivilDay(daysSinceEpoch: days)),
                    "\(reader.today.text) \(typed)")
            }
        }
    }

    /// Returns the day that Foundation calculates.
    ///
    /// Months are counted from the first of the month, because Foundation goes back from 2026-04-30 by 170
    /// months to the 28th of February, 2012, although that month had 29 days.
    private func date(
        _ component: Calendar.Component, _ count: Int, after day: Date, _ calendar: Calendar
    ) throws -> Date {
        guard component != .day else {
            return try #require(calendar.date(byAdding: .day, value: count, to: day))
        }
        let dayOfMonth = calendar.component(.day, from: day)
        let first = try #require(calendar.date(byAdding: .day, value: 1 - dayOfMonth, to: day))
        let month = try #require(calendar.date(byAdding: component, value: count, to: first))
        let length = try #require(calendar.range(of: .day, in: .month, for: month)).count
        return try #require(calendar.date(byAdding: .day, value: min(dayOfMonth, length) - 1, to: month))
    }

    struct Pair: Sendable {
        var due: String
        var limit: String
        var order: DueOrder

        init(_ due: String, _ limit: String, _ order: DueOrder) {
            (self.due, self.limit, self.order) = (due, limit, order)
        }
    }

    /// In New York, it is still Thursday when Friday has begun in UTC.
    @Test(arguments: [
        Pair("2026-11-26", "2026-11-27", .earlier), Pair("2026-11-27", "2026-11-27", .same),
        Pair("2026-11-28", "2026-11-27", .later),
        Pair("2026-11-27T04:59:59Z", "2026-11-27", .earlier),
        Pair("2026-11-27T05:00:00Z", "2026-11-27", .same),
        Pair("2026-11-28T04:59:59Z", "2026-11-27", .same), Pair("2026-11-28T05:00:00Z", "2026-11-27", .later),
        Pair("2026-11-27", "2026-11-27T00:00:00-05:00", .earlier),
        Pair("2026-11-27", "2026-11-26T23:59:59-05:00", .later),
        Pair("2026-11-27T10:00:00Z", "2026-11-27T10:00:00Z", .same),
        Pair("2026-11-27T10:00:00.5Z", "2026-11-27T10:00:00Z", .later),
    ])
    func `a due date is before, on or after a day of the user's calendar`(pair: Pair) throws {
        let zone = try Self.zone("America/New_York")
        let (due, limit) = (try #require(Due(pair.due)), try #require(Due(pair.limit)))
        #expect(zone.order(of: due, from: limit) == pair.order)
    }
}
