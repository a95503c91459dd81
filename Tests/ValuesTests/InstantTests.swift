import Testing
import Values

@Suite struct InstantTests {
    @Test func `every day of twenty-seven centuries comes back from its number`() {
        for number in stride(from: -800_000, through: 200_000, by: 37) {
            #expect(CivilDay(daysSinceEpoch: number).daysSinceEpoch == number)
        }
        #expect(CivilDay(year: 2000, month: 3, day: 1).daysSinceEpoch == 11_017)
    }

    @Test func `a time of any size is one`() {
        for milliseconds in [Int64.min, .max] {
            #expect(Instant(milliseconds: milliseconds).internetTime.hasSuffix("Z"))
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z", "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_399_999, "2000-02-28T23:59:59.999Z", "Mon, 28 Feb 2000 23:59:59 GMT"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z", "Tue, 29 Feb 2000 00:00:00 GMT"),
        (4_107_542_399_001, "2100-02-28T23:59:59.001Z", "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z", "Mon, 01 Mar 2100 00:00:00 GMT"),
        (-1, "1969-12-31T23:59:59.999Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z", "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `times follow the calendar`(milliseconds: Int64, internetTime: String, httpDate: String) {
        let time = Instant(milliseconds: milliseconds)
        #expect(time.internetTime == internetTime)
        #expect(time.httpDate == httpDate)
    }
}
