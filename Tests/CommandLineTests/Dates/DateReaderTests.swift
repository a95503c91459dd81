import Foundation
import Testing
import TodoModel
import Values

@testable import todosync

/// Dates as people type them, on Saturday, 2026-11-21.
@Suite struct DateReaderTests {
    private static let saturday = DateReader(
        now: 1_795_244_400, zone: LocalZone { _ in 0 })

    struct Row: Sendable, CustomTestStringConvertible {
        var typed: String
        var expected: String
        var testDescription: String { typed }

        init(_ typed: String, _ expected: String) {
            self.typed = typed
            self.expected = expected
        }
    }

    @Test(arguments: [
        Row("today", "2026-11-21"), Row("TODAY", "2026-11-21"), Row(" tomorrow ", "2026-11-22"),
        Row("yesterday", "2026-11-20"),
        Row("sun", "2026-11-22"), Row("mon", "2026-11-23"), Row("tuesday", "2026-11-24"),
        Row("Tues", "2026-11-24"), Row("wed", "2026-11-25"), Row("weds", "2026-11-25"),
        Row("thur", "2026-11-26"), Row("thurs", "2026-11-26"), Row("fri", "2026-11-27"),
        Row("Friday", "2026-11-27"), Row("sat", "2026-11-28"), Row("SATURDAY", "2026-11-28"),
        Row("next week", "2026-11-23"), Row("Next  Month", "2026-12-01"), Row("next year", "2027-01-01"),
        Row("+3d", "2026-11-24"), Row("+2w", "2026-12-05"), Row("+1m", "2026-12-21"),
        Row("+1y", "2027-11-21"), Row("-3d", "2026-11-18"), Row("-1m", "2026-10-21"),
        Row("+0d", "2026-11-21"),
        Row("in 2 weeks", "2026-12-05"), Row("in 1 day", "2026-11-22"), Row("In 3 Months", "2027-02-21"),
        Row("in 10 years", "2036-11-21"),
        Row("1 dec", "2026-12-01"), Row("dec 1", "2026-12-01"), Row("December 1", "2026-12-01"),
        Row("21 nov", "2026-11-21"), Row("20 nov", "2027-11-20"), Row("1 jan", "2027-01-01"),
        Row("sept 5", "2027-09-05"), Row("29 feb", "2028-02-29"), Row("01 dec", "2026-12-01"),
        Row("1 dec 2027", "2027-12-01"), Row("dec 1 2027", "2027-12-01"), Row("Dec 1, 2027", "2027-12-01"),
        Row("1 dec 2020", "2020-12-01"), Row("29 feb 2024", "2024-02-29"),
        Row("2026-12-01", "2026-12-01"), Row("0000-01-01", "0000-01-01"),
    ])
    func `a day is one of the user's calendar`(row: Row) throws {
        #expect(try Self.saturday.read(row.typed).stored == row.expected)
    }

    @Test(arguments: [
        Row("2026-12-01T17:00", "2026-12-01T17:00:00Z"), Row("2026-12-01t17:00:30", "2026-12-01T17:00:30Z"),
        Row("2026-12-01 17:00", "2026-12-01T17:00:00Z"), Row("tomorrow 17:00", "2026-11-22T17:00:00Z"),
        Row("tomorrow at 17:00", "2026-11-22T17:00:00Z"), Row("fri 9am", "2026-11-27T09:00:00Z"),
        Row("fri 9 PM", "2026-11-27T21:00:00Z"), Row("fri 12am", "2026-11-27T00:00:00Z"),
        Row("fri 12pm", "2026-11-27T12:00:00Z"), Row("fri 9:30pm", "2026-11-27T21:30:00Z"),
        Row("next week 9:05", "2026-11-23T09:05:00Z"), Row("in 2 weeks 08:00", "2026-12-05T08:00:00Z"),
        Row("dec 1 2027 0:00", "2027-12-01T00:00:00Z"), Row("+3d 23:59:59", "2026-11-24T23:59:59Z"),
        Row("2026-12-01T17:00Z", "2026-12-01T17:00:00Z"), Row("2026-12-01t17:00z", "2026-12-01T17:00:00Z"),
        Row("2026-12-01T17:00+01:00", "2026-12-01T17:00:00+01:00"),
        Row("fri 9am-05:30", "2026-11-27T09:00:00-05:30"),
        Row("tomorrow at 17:00Z", "2026-11-22T17:00:00Z"), Row("2026-12-01 17:00Z", "2026-12-01T17:00:00Z"),
        // A date that is typed in its stored form stays unchanged.
        Row("2026-12-01T09:30:00.250+01:00", "2026-12-01T09:30:00.250+01:00"),
        Row("2026-12-01t09:30:00z", "2026-12-01t09:30:00z"),
    ])
    func `a time is one of the user's clock`(row: Row) throws {
        #expect(try Self.saturday.read(row.typed).stored == row.expected)
    }

    @Test(arguments: [
        "2026-02-30", "2026-13-01", "2026-00-10", "2026-02-29T17:00", "2026-02-29T17:00Z", "30 feb", "feb 30",
        "31 apr 2027",
        "29 feb 2027", "0 dec", "99 dec",
    ])
    func `a day that is on no calendar is rejected as one`(typed: String) {
        #expect(throws: DateProblem.noSuchDay(typed)) { try Self.saturday.read(typed) }
        #expect(Failure(DateProblem.noSuchDay(typed)).message.hasPrefix("there is no such day"))
    }

    @Test(arguments: [
        "fri 25:00", "fri 24:00", "fri 9:60", "fri 13pm", "fri 0am", "2026-12-01T17:00:60", "fri 25:00Z",
        "fri 17:00+99:00",
    ])
    func `a time that is on no clock is rejected as one`(typed: String) {
        #expect(throws: DateProblem.noSuchTime(typed)) { try Self.saturday.read(typed) }
    }

    @Test(arguments: ["+9999y", "in 99999 months", "-3000y"])
    func `a year has four digits`(typed: String) {
        #expect(throws: DateProblem.outOfRange(typed)) { try Self.saturday.read(typed) }
    }

    @Test(arguments: [
        "", " ", "someday", "freitag", "fr", "frid", "next", "next fri", "next weeks", "in 2", "in weeks",
        "in two weeks", "2 weeks", "+3", "+d", "3d", "+3x", "+ 3d", "+999999d", "++3d", "1 dec 27", "1 2 dec",
        "dec", "1 2027", "dec 1 2027 x", "001 dec", "2026-12-1", "2026-12", "26-12-01", "2026/12/01", "17:00",
        "9am", "at 9am", "fri at", "fri 9", "fri 9:5", "fri 009:05", "fri 9:05:5", "fri :30", "fri 9:",
        "today tomorrow", "2026-12-01T", "2026-12-01Tx", "17:00Z", "fri Z", "fri 17:00X", "fri 17:00+01",
        "fri 17:00+1:00", "١ dec", "-", "+",
    ])
    func `what isn't understood is an error with examples`(typed: String) throws {
        #expect(throws: DateProblem.notUnderstood(typed)) { try Self.saturday.read(typed) }
        let failure = Failure(DateProblem.notUnderstood(typed))
        #expect(failure.status == .usage)
        #expect(try #require(failure.hint).contains("tomorrow 17:00"))
    }

    @Test(arguments: [
        Row("fri", "Fri 2026-11-27"), Row("fri 9am", "Fri 2026-11-27 09:00 UTC"),
        Row("fri 9:00:01", "Fri 2026-11-27 09:00:01 UTC"),
        Row("2026-12-01T09:30:00+01:00", "Tue 2026-12-01 08:30 UTC"),
    ])
    func `the user sees the day of the week`(row: Row) throws {
        #expect(try Self.saturday.read(row.typed).words == row.expected)
    }

    @Test func `today changes at midnight of the time zone, and each weekday is ahead`() throws {
        for hours in [-12, -5, 0, 9, 14] {
            let zone = LocalZone { _ in hours * 3600 }
            let reader = DateReader(now: 1_795_244_400, zone: zone)  // 07:00 UTC
            #expect(reader.today.text == (hours < -7 ? "2026-11-20" : "2026-11-21"))
            for weekday in DateReader.weekdays {
                guard case .day(let day) = try reader.read(weekday).due else { continue }
                #expect((1...7).contains(day.daysSinceEpoch - reader.today.daysSinceEpoch))
                #expect(weekday.hasPrefix(day.weekdayName.lowercased()))
            }
        }
    }

    @Test(arguments: [
        ("2027-01-31", "+1m", "2027-02-28"), ("2028-01-31", "+1m", "2028-02-29"),
        ("2026-03-31", "in 1 month", "2026-04-30"), ("2026-10-31", "+4m", "2027-02-28"),
        ("2028-02-29", "+1y", "2029-02-28"), ("2026-03-31", "-1m", "2026-02-28"),
        ("2026-12-31", "next month", "2027-01-01"), ("2026-11-23", "next week", "2026-11-30"),
        ("2026-11-22", "next week", "2026-11-23"), ("2026-11-27", "fri", "2026-12-04"),
    ])
    func `months end when they end`(today: String, typed: String, expected: String) throws {
        let day = try #require(CivilDay(today))
        let reader = DateReader(now: day.daysSinceEpoch * 86_400, zone: LocalZone { _ in 0 })
        #expect(try reader.read(typed).stored == expected)
    }
}
