internal import TodoModel
internal import Values

/// A date or a time that the user typed, as todosync understood it.
struct TypedDate: Sendable, Hashable {
    let due: Due
    /// The form in a todo's file: `2026-12-01` or `2026-12-01T17:00:00+01:00`.
    let stored: String
    /// The form that the user checks: `Tue 2026-12-01` or `Tue 2026-12-01 17:00 +01:00`.
    let words: String

    /// Creates a day.
    init(_ day: CivilDay) {
        due = .day(day)
        stored = day.text
        words = "\(day.weekdayName) \(day.text)"
    }

    /// Creates an instant, as the clocks of a time zone show it.
    init(_ instant: Int, in zone: LocalZone) {
        due = .instant(Instant(milliseconds: Int64(instant) * 1000))
        stored = zone.text(of: instant)
        let day = CivilDay(String(stored.prefix(10))) ?? zone.wallTime(at: instant).day
        let clock = stored.dropFirst(11).prefix(stored.dropFirst(17).prefix(2) == "00" ? 5 : 8)
        let offset = stored.dropFirst(19)
        words = "\(day.weekdayName) \(day.text) \(clock) \(offset == "Z" ? "UTC" : offset)"
    }

    /// Creates a date that the user typed in the stored form.
    init(_ due: Due, stored: String, in zone: LocalZone) {
        self.due = due
        self.stored = stored
        words =
            switch due {
            case .day(let day): TypedDate(day).words
            case .instant(let instant): TypedDate(instant.seconds, in: zone).words
            }
    }
}

/// Why a text is not a date.
enum DateProblem: Error, Sendable, Hashable {
    case noSuchDay(String)
    case noSuchTime(String)
    /// The day is before the year 0 or after the year 9999.
    case outOfRange(String)
    case notUnderstood(String)
}

extension Failure {
    init(_ problem: DateProblem) {
        switch problem {
        case .noSuchDay(let typed): self.init(.badValue, "there is no such day: '\(visible(typed))'")
        case .noSuchTime(let typed): self.init(.badValue, "there is no such time: '\(visible(typed))'")
        case .outOfRange(let typed):
            self.init(.badValue, "'\(visible(typed))' is too far away; years have four digits")
        case .notUnderstood(let typed):
            self.init(.badValue, "'\(visible(typed))' is not a date", hint: "type \(DateReader.examples)")
        }
    }
}

extension CivilDay {
    /// The name of the day of the week: `Mon`.
    var weekdayName: String { DateReader.weekdays[weekday].prefix(3).capitalizedASCII }

    /// The day of the week, from 0 for Monday to 6.
    var weekday: Int { (daysSinceEpoch + 3).dividedFloored(by: 7).remainder }
}

extension StringProtocol {
    /// The text with its first letter in upper case.
    fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}

func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
