package import Values

/// The rule for when a todo recurs, from its field `every`.
///
/// It uses only calendar days, so clock changes and time zones don't matter.
package struct Recurrence: Sendable, Hashable {
    fileprivate enum Rule: Hashable {
        case days(Int)
        /// Every day from Monday to Friday.
        case weekdays
        /// On these days of the week; if there aren't any, on the same day of the week as the previous
        /// occurrence.
        case weeks(Int, on: [Weekday])
        /// On this day of the month; if it is nil, on the same day as the previous occurrence.
        case months(Int, on: DayOfMonth?)
    }

    fileprivate enum DayOfMonth: Hashable {
        /// The day with this number, or the last day of a shorter month.
        case number(Int)
        /// The first to fourth of these weekdays in a month, or the last if the ordinal is 5.
        case weekday(Weekday, ordinal: Int)
    }

    fileprivate let rule: Rule

    /// Returns the day of the next occurrence after a day; nil if it is after the year 9999.
    package func next(after day: CivilDay) -> CivilDay? {
        let next: CivilDay
        switch rule {
        case .days(let count): next = day.adding(days: count)
        case .weekdays:
            let isBeforeWeekend = day.weekday.rawValue >= Weekday.friday.rawValue
            next = day.adding(days: isBeforeWeekend ? 7 - day.weekday.rawValue : 1)
        case .weeks(let count, on: []): next = day.adding(days: 7 * count)
        case .weeks(let count, on: let weekdays):
            let today = day.weekday.rawValue
            if let later = weekdays.first(where: { $0.rawValue > today }) {
                next = day.adding(days: later.rawValue - today)
            } else {
                next = day.adding(days: 7 * count - today + weekdays[0].rawValue)
            }
        case .months(let count, on: nil): next = day.adding(months: count)
        case .months(let count, on: let dayOfMonth?):
            let sameMonth = CivilDay(monthsSinceYearZero: day.monthsSinceYearZero, dayOfMonth)
            next =
                sameMonth.daysSinceEpoch > day.daysSinceEpoch
                ? sameMonth : CivilDay(monthsSinceYearZero: day.monthsSinceYearZero + count, dayOfMonth)
        }
        return next.year <= 9999 ? next : nil
    }

    /// Returns text to add to the rule, such as `on the 31st`, so that the series returns to that day of the
    /// month after a shorter month; nil if the next month isn't too short, or if the rule doesn't need it.
    package func anchor(on day: CivilDay, before next: CivilDay) -> String? {
        guard case .months(_, on: nil) = rule, next.day < day.day else { return nil }
        return "on the \(day.day)\(day.day == 31 ? "st" : "th")"
    }
}

/// A day of the week, Monday first.
private enum Weekday: Int, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Creates a day from its English name or the first three letters of the name; nil for other text.
    init?(name: Substring) {
        guard let day = Self.allCases.first(where: { name == "\($0)" || name == "\($0)".prefix(3) })
        else { return nil }
        self = day
    }
}

extension CivilDay {
    /// The day of the week, counted from 1970-01-01, which was a Thursday.
    fileprivate var weekday: Weekday {
        Weekday(rawValue: (daysSinceEpoch + 3).dividedFloored(by: 7).remainder) ?? .monday
    }

    fileprivate var monthsSinceYearZero: Int { year * 12 + month - 1 }

    fileprivate init(monthsSinceYearZero months: Int, _ day: Recurrence.DayOfMonth) {
        let (year, month) = months.dividedFloored(by: 12)
        let length = CivilDay.count(inMonth: month + 1, of: year)
        let first = CivilDay(year: year, month: month + 1, day: 1)
        switch day {
        case .number(let number): self = first.adding(days: min(number, length) - 1)
        case .weekday(let weekday, let ordinal):
            let offset = (weekday.rawValue - first.weekday.rawValue).dividedFloored(by: 7).remainder
            let last = offset + 28 < length ? offset + 28 : offset + 21
            self = first.adding(days: ordinal < 5 ? offset + 7 * (ordinal - 1) : last)
        }
    }
}

// MARK: Reading

extension Recurrence {
    /// Parses text such as `2 weeks`, `weekday`, `2 weeks on tue,thu` or `month on the last friday`, which
    /// can begin with the word `every`.
    ///
    /// Returns nil for other text.
    package init?(_ text: String) {
        var words = text.lowercased().split { $0 == " " || $0 == "\t" || $0 == "," }[...]
        if words.first == "every" { words = words.dropFirst() }
        if let weekdays = Self.weekdays(words) {
            rule = .weeks(1, on: weekdays)
            return
        }
        if words.elementsEqual(["weekday"]) {
            rule = .weekdays
            return
        }
        var count: Int?
        if let first = words.first, first.utf8.allSatisfy({ (48...57).contains($0) }) {
            guard let number = Int(first), (1...1000).contains(number) else { return nil }
            count = number
            words = words.dropFirst()
        }
        guard var unit = words.popFirst() else { return nil }
        // A count above 1 takes the plural: `2 weeks`, but `week` and `1 week`.
        if let count, count > 1 {
            guard unit.hasSuffix("s") else { return nil }
            unit = unit.dropLast()
        }
        guard let rule = Self.rule(unit, count ?? 1, words) else { return nil }
        self.rule = rule
    }

    private static func rule(_ unit: Substring, _ count: Int, _ rest: ArraySlice<Substring>) -> Rule? {
        if rest.isEmpty {
            switch unit {
            case "day": return .days(count)
            case "week": return .weeks(count, on: [])
            case "month": return .months(count, on: nil)
            case "year": return .months(12 * count, on: nil)
            default: return nil
            }
        }
        guard rest.first == "on" else { return nil }
        var days = rest.dropFirst()
        switch unit {
        case "week": return weekdays(days).map { .weeks(count, on: $0) }
        case "month", "year":
            if days.first == "the" { days = days.dropFirst() }
            return dayOfMonth(days).map { .months(unit == "year" ? 12 * count : count, on: $0) }
        default: return nil
        }
    }

    /// Parses the names of weekdays, such as `tue` and `thursday`; nil for other words, or for none.
    private static func weekdays(_ words: ArraySlice<Substring>) -> [Weekday]? {
        let weekdays = words.compactMap { Weekday(name: $0) }
        guard !words.isEmpty, weekdays.count == words.count else { return nil }
        return Set(weekdays).sorted { $0.rawValue < $1.rawValue }
    }

    /// Parses a day of the month, such as `31st` or `15`, or `last friday`; nil for other words.
    private static func dayOfMonth(_ words: ArraySlice<Substring>) -> DayOfMonth? {
        guard let first = words.first else { return nil }
        if words.count == 2, let weekday = words.last.flatMap({ Weekday(name: $0) }),
            let index = ["first", "second", "third", "fourth", "last"].firstIndex(of: first)
        {
            return .weekday(weekday, ordinal: index + 1)
        }
        if words.elementsEqual(["last", "day"]) { return .number(31) }
        let digits = first.prefix { ("0"..."9").contains($0) }
        guard words.count == 1, digits.utf8.count <= 2, let number = Int(digits), (1...31).contains(number),
            ["", "st", "nd", "rd", "th"].contains(first.dropFirst(digits.count))
        else { return nil }
        return .number(number)
    }
}
