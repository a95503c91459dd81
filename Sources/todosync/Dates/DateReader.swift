internal import TodoModel
internal import Values

/// Reads dates as people type them: `tomorrow`, `fri 9am`, `+3d`, `in 2 weeks`, `1 dec`, `2026-12-01T17:00`.
///
/// The words are English, in any letter case. A time without a time zone is in the user's time zone.
struct DateReader: Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    let now: Int
    let zone: LocalZone
    /// Whether a weekday, or a day without a year, means the most recent one instead of the next.
    var looksBack = false

    /// The day on the user's calendar.
    var today: CivilDay { zone.wallTime(at: now).day }

    static let examples =
        "a date such as 2026-12-01, today, fri, +3d, next week, in 2 weeks or 1 dec, "
        + "with or without a time: \"tomorrow 17:00\""

    static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    private static let otherWeekdays = ["tues": 1, "weds": 2, "thur": 3, "thurs": 3]
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ]

    /// Reads a date, with or without a time.
    func read(_ typed: String) throws(DateProblem) -> TypedDate {
        if let due = Due(typed) { return TypedDate(due, stored: typed, in: zone) }
        var words = words(of: typed)
        let zoneOfTime = takeZone(fromEndOf: &words)
        guard let time = try takeTime(fromEndOf: &words, typed) else {
            return TypedDate(try checked(day(words, typed), typed))
        }
        let wall = WallTime(day: try checked(day(words, typed), typed), second: time)
        guard let zoneOfTime else { return TypedDate(zone.instant(of: wall), in: zone) }
        let stored = wall.text + zoneOfTime.uppercased()
        guard let due = Due(stored) else { throw .noSuchTime(typed) }
        return TypedDate(due, stored: stored, in: zone)
    }

    /// Returns the words in lower case, with a date and a time split at the `T` between them.
    private func words(of typed: String) -> [Substring] {
        let lower = typed.lowercased()
        let words = lower.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let word = words.first, isDate(word.prefix(10)),
            word.dropFirst(10).first == "t"
        else { return words }
        return [word.prefix(10), word.dropFirst(11)]
    }

    private func checked(_ day: CivilDay, _ typed: String) throws(DateProblem) -> CivilDay {
        guard (0...9999).contains(day.year) else { throw .outOfRange(typed) }
        return day
    }
}

// MARK: Days

extension DateReader {
    private func day(_ words: [Substring], _ typed: String) throws(DateProblem) -> CivilDay {
        let day: CivilDay? =
            switch words.count {
            case 1: try day(words[0], typed)
            case 2 where words[0] == "next": next(words[1])
            case 2: try dayOfMonth(words[0], words[1], year: nil, typed)
            case 3 where words[0] == "in": number(words[1]).flatMap { after($0, words[2]) }
            case 3: try dayOfMonth(words[0], words[1], year: words[2], typed)
            default: nil
            }
        guard let day else { throw .notUnderstood(typed) }
        return day
    }

    private func day(_ word: Substring, _ typed: String) throws(DateProblem) -> CivilDay? {
        switch word {
        case "today": return today
        case "tomorrow": return today.adding(days: 1)
        case "yesterday": return today.adding(days: -1)
        default: break
        }
        if let weekday = Self.weekday(word) { return looksBack ? latest(weekday) : following(weekday) }
        if isDate(word) {
            guard let day = CivilDay(String(word)) else { throw .noSuchDay(typed) }
            return day
        }
        guard let sign = word.first, sign == "+" || sign == "-", let unit = word.last,
            let count = number(word.dropFirst().dropLast())
        else { return nil }
        return after(sign == "-" ? -count : count, unit: unit)
    }

    /// Returns the first day after today that falls on a given weekday, from 0 for Monday.
    private func following(_ weekday: Int) -> CivilDay {
        today.adding(days: 7 - (today.weekday - weekday).dividedFloored(by: 7).remainder)
    }

    /// Returns the last day up to today that falls on a given weekday.
    private func latest(_ weekday: Int) -> CivilDay {
        today.adding(days: -(today.weekday - weekday).dividedFloored(by: 7).remainder)
    }

    /// Returns the first day of the next week, month or year.
    private func next(_ period: Substring) -> CivilDay? {
        switch period {
        case "week": return following(0)
        case "month":
            let day = today.adding(months: 1)
            return CivilDay(year: day.year, month: day.month, day: 1)
        case "year": return CivilDay(year: today.year + 1, month: 1, day: 1)
        default: return nil
        }
    }

    /// Returns the day that is a number of days, weeks, months or years from today.
    private func after(_ count: Int, _ period: Substring) -> CivilDay? {
        let periods = ["day", "week", "month", "year"]
        guard let name = periods.first(where: { period == $0 || period == $0 + "s" }) else { return nil }
        return name.first.flatMap { after(count, unit: $0) }
    }

    private func after(_ count: Int, unit: Character) -> CivilDay? {
        switch unit {
        case "d": today.adding(days: count)
        case "w": today.adding(days: 7 * count)
        case "m": today.adding(months: count)
        case "y": today.adding(months: 12 * count)
        default: nil
        }
    }

    /// Returns the day that `1 dec` or `dec 1` names.
    ///
    /// Without a year, it is the first from today on, or with `looksBack` the last up to today.
    private func dayOfMonth(
        _ first: Substring, _ second: Substring, year: Substring?, _ typed: String
    ) throws(DateProblem) -> CivilDay? {
        let second = year != nil && second.last == "," ? second.dropLast() : second
        let pair = Self.month(first).map { ($0, second) } ?? Self.month(second).map { ($0, first) }
        guard let (month, word) = pair, word.count <= 2, let day = number(word) else { return nil }
        let years: [Int]
        if let year {
            guard year.count == 4, let year = number(year) else { return nil }
            years = [year]
        } else {
            // Two leap days can be eight years apart.
            years = (0...8).map { today.year + (looksBack ? -$0 : $0) }
        }
        for year in years where (1...CivilDay.count(inMonth: month, of: year)).contains(day) {
            let found = CivilDay(year: year, month: month, day: day)
            let isOver = found.daysSinceEpoch < today.daysSinceEpoch
            if years.count == 1 || found == today || isOver == looksBack { return found }
        }
        throw .noSuchDay(typed)
    }

    private static func weekday(_ word: Substring) -> Int? {
        if let other = otherWeekdays[String(word)] { return other }
        return weekdays.firstIndex { $0 == word || $0.prefix(3) == word }
    }

    /// Returns the number of a month, from 1.
    private static func month(_ word: Substring) -> Int? {
        if word == "sept" { return 9 }
        return months.firstIndex { $0 == word || $0.prefix(3) == word }.map { $0 + 1 }
    }

    /// Returns whether a word has the form of a date, such as `2026-12-01`; the day might not exist.
    private func isDate(_ word: Substring) -> Bool {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [4, 2, 2] && parts.allSatisfy { number($0) != nil }
    }
}

// MARK: Times

extension DateReader {
    /// Removes a time and an `at` before it from the end of the words, and returns the time in seconds since
    /// midnight.
    ///
    /// Returns nil if there is no time, or nothing before it.
    private func takeTime(fromEndOf words: inout [Substring], _ typed: String) throws(DateProblem) -> Int? {
        var rest = words
        guard var word = rest.popLast() else { return nil }
        if word == "am" || word == "pm", let hour = rest.popLast() { word = hour + word }
        guard let parts = clockParts(word), !rest.isEmpty else { return nil }
        if rest.count > 1, rest.last == "at" { rest.removeLast() }
        words = rest
        var hour = parts.numbers[0]
        if let isAfternoon = parts.isAfternoon {
            guard (1...12).contains(hour) else { throw .noSuchTime(typed) }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        let (minute, second) = (parts.numbers[1], parts.numbers[2])
        guard hour < 24, minute < 60, second < 60 else { throw .noSuchTime(typed) }
        return hour * 3600 + minute * 60 + second
    }

    /// Removes a time zone, `z` or `+01:00`, from the end of a time; returns nil if the time has no zone.
    private func takeZone(fromEndOf words: inout [Substring]) -> Substring? {
        guard let word = words.last, let start = word.firstIndex(where: { "z+-".contains($0) }) else {
            return nil
        }
        let (time, zone) = (word[..<start], word[start...])
        let offset = zone.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        let isOffset = offset.map(\.count) == [2, 2] && offset.allSatisfy { number($0) != nil }
        guard clockParts(time) != nil, zone == "z" || zone.first != "z" && isOffset else { return nil }
        words[words.count - 1] = time
        return zone
    }

    /// Returns the hours, minutes and seconds of `17:00`, `17:00:30`, `9am` or `9:30pm`; nil for other words.
    private func clockParts(_ word: Substring) -> (numbers: [Int], isAfternoon: Bool?)? {
        let half: Bool? = word.hasSuffix("pm") ? true : word.hasSuffix("am") ? false : nil
        let parts = (half == nil ? word : word.dropLast(2))
            .split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { number($0) }
        guard numbers.count == parts.count, (half == nil ? 2...3 : 1...3).contains(parts.count),
            parts[0].count <= 2, parts.dropFirst().allSatisfy({ $0.count == 2 })
        else { return nil }
        return (numbers + Array(repeating: 0, count: 3 - numbers.count), half)
    }

    /// Returns a number of at most five digits.
    private func number(_ word: Substring) -> Int? {
        guard (1...5).contains(word.utf8.count),
            word.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(word)
    }
}

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
