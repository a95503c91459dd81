import TestSupport
import Testing
import TodoModel
import Values

@Suite struct DueTests {
    @Test(arguments: [
        ("2026-12-01", 2026, 12, 1), ("2024-02-29", 2024, 2, 29), ("2000-02-29", 2000, 2, 29),
        ("0000-01-01", 0, 1, 1),
        ("9999-12-31", 9999, 12, 31),
    ])
    func `a date is a day`(_ text: String, year: Int, month: Int, day: Int) {
        #expect(Due(text) == .day(CivilDay(year: year, month: month, day: day)))
    }

    @Test(arguments: [
        "", "2026", "2026-12", "2026-12-1", "2026-1-01", "26-12-01", "2026-13-01", "2026-00-01", "2026-12-00",
        "2026-12-32", "2026-02-29", "1900-02-29", "2026-04-31", "2026-12-01 ", " 2026-12-01", "2026/12/01",
        "20261201",
        "-2026-12-01", "+2026-12-01", "２０２６-12-01", "tomorrow", "2026-12-01T", "2026-12-01T09:30",
        "2026-12-01T09:30:00", "2026-12-01T24:00:00Z", "2026-12-01T09:60:00Z", "2026-12-01T09:30:61Z",
        "2026-12-01T9:30:00Z", "2026-12-01T09:30:00.Z", "2026-12-01T09:30:00,5Z", "2026-12-01T09:30:00+1:00",
        "2026-12-01T09:30:00+0100", "2026-12-01T09:30:00+24:00", "2026-12-01T09:30:00+01:60",
        "2026-12-01T09:30:00Zx", "2026-12-01_09:30:00Z",
    ])
    func `a text that is neither a date nor an RFC 3339 time is refused`(_ text: String) {
        #expect(Due(text) == nil)
    }

    @Test(arguments: [
        [
            "2026-12-01T09:30:00Z", "2026-12-01t09:30:00z", "2026-12-01 09:30:00Z",
            "2026-12-01T09:30:00.000Z",
            "2026-12-01T09:30:00+00:00", "2026-12-01T09:30:00-00:00", "2026-12-01T10:30:00+01:00",
            "2026-12-01T02:00:00-07:30",
        ],
        ["2026-12-31T23:30:00.50Z", "2027-01-01T00:30:00.5+01:00"],
        ["1969-12-31T23:59:59Z", "1970-01-01T00:59:59+01:00"],
        ["2024-02-29T00:00:00Z", "2024-02-28T23:00:00-01:00"],
    ])
    func `spellings of one instant are equal`(_ spellings: [String]) {
        let values = Set(spellings.map { Due($0) })
        #expect(values.count == 1)
        #expect(!values.contains(nil))
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59Z", -1), ("2000-03-01T00:00:00Z", 951_868_800),
        ("2026-12-01T09:30:00Z", 1_796_117_400), ("0000-01-01T00:00:00Z", -62_167_219_200),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func `an instant's seconds are POSIX time`(_ text: String, seconds: Int) {
        guard case .instant(let instant)? = Due(text) else {
            Issue.record("no instant")
            return
        }
        #expect(instant.seconds == seconds)
    }

    @Test func `an instant keeps every digit of its fraction`() {
        guard case .instant(let instant)? = Due("2026-12-01T09:30:00.12345678901234567890123Z") else {
            Issue.record("no instant")
            return
        }
        #expect(instant.milliseconds == 1_796_117_400_123)
        #expect(instant.finerDigits == "45678901234567890123")
        #expect(Due("2026-12-01T09:30:00.1Z") != Due("2026-12-01T09:30:00.10000000000000000000001Z"))
    }

    @Test func `times are in order, and a day comes before the instants of that day`() {
        let ordered = [
            "0001-01-01", "1969-12-31", "1969-12-31T23:59:59.9Z", "1970-01-01", "1970-01-01T00:00:00Z",
            "1970-01-01T00:00:00.1Z", "1970-01-01T00:00:00.12Z", "1970-01-01T00:00:00.2Z", "2024-02-29",
            "2024-03-01",
            "2026-12-01", "2026-12-01T00:00:00Z", "2026-12-01T01:00:00+00:30", "2026-12-02",
        ].compactMap(Due.init)
        #expect(ordered.count == 14)
        #expect(ordered.sorted() == ordered)
        for (earlier, later) in zip(ordered, ordered.dropFirst()) { #expect(earlier < later) }
    }

    @Test func `each day's number is one more than the day before`() {
        var previous: Int?
        var count = 0
        for year in 1999...2004 {
            for month in 1...12 {
                for day in 1...31 {
                    let text = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
                    guard let due = Due(text) else { continue }
                    count += 1
                    if let previous { #expect(due.daysSinceEpoch == previous + 1) }
                    previous = due.daysSinceEpoch
                }
            }
        }
        #expect(previous == 12_783 && count == 2192)
    }

    @Test(arguments: [
        ("1969-12-31T23:59:59Z", -1), ("1970-01-01T00:00:00Z", 0), ("1970-01-02T00:30:00+01:00", 0),
    ])
    func `the day of an instant is the one in UTC`(_ text: String, day: Int) {
        #expect(Due(text)?.daysSinceEpoch == day)
    }
}
