package import LosslessYAML
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

    private static let adverbs = [
        "daily": "day", "weekly": "week", "biweekly": "2 weeks", "fortnightly": "2 weeks", "monthly": "month",
        "quarterly": "3 months", "yearly": "year", "annually": "year", "weekdays": "weekday",
    ]

    /// Returns the text to store for an interval as people type it: `week` for `weekly`, `2 weeks` for `2w`,
    /// and `month on the first monday` for `first monday`.
    ///
    /// Any other text is returned unchanged.
    package static func text(typed: String) -> String {
        let words = typed.lowercased().split(separator: " ")
        if words.count == 1, let text = adverbs[String(words[0])] ?? span(words[0]) { return text }
        let inMonth = "month on the \(words.joined(separator: " "))"
        return words.count == 2 && Recurrence(typed) == nil && Recurrence(inMonth) != nil ? inMonth : typed
    }

    /// Returns the interval that a number and a letter stand for, as in `2w`; nil for other words.
    private static func span(_ word: Substring) -> String? {
        let units: [Character: String] = ["d": "day", "w": "week", "m": "month", "y": "year"]
        guard let unit = word.last.flatMap({ units[$0] }), let count = Int(word.dropLast()), count > 0,
            word.first != "+"
        else { return nil }
        return count == 1 ? unit : "\(count) \(unit)s"
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

/// The next occurrence of a recurring todo, after a completed one.
///
/// Its id is the version 5 UUID of its day, such as `2026-12-08`, in the namespace of the completed todo's
/// id. So two devices that complete the same todo create the same occurrence.
package struct NextOccurrence: Sendable, Hashable {
    package let id: TodoID
    /// The day when the occurrence is due.
    package let day: CivilDay
    /// The previous todo's fields, with the next date.
    private let fields: Mapping

    /// Computes the occurrence after a todo; nil if there isn't one, or if the todo has no id.
    ///
    /// The interval counts from the todo's due day, or from the day of its completion if it has no due day.
    ///
    /// - Parameter today: The day of the todo's completion on the user's calendar.
    package init?(after todo: Todo, completedOn today: CivilDay, in zone: LocalZone) {
        guard let day = todo.document.fields.nextDay(from: today) else { return nil }
        self.init(after: todo, on: day, in: zone)
    }

    /// Creates the occurrence of a recurring todo on a day; nil if the todo has no id.
    package init?(after todo: Todo, on day: CivilDay, in zone: LocalZone) {
        guard let parent = todo.id else { return nil }
        self.day = day
        id = Self.id(on: day, after: parent)
        fields = Self.moved(todo.document.fields, to: day, in: zone)
    }

    /// Returns a todo's fields with the date of its next occurrence; nil if there isn't one.
    package static func moved(_ fields: Mapping, from today: CivilDay, in zone: LocalZone) -> Mapping? {
        fields.nextDay(from: today).map { moved(fields, to: $0, in: zone) }
    }

    /// Returns a todo's fields with a new date.
    ///
    /// If the month of that date is too short for the day that the series began on, the field `every` keeps
    /// that day.
    private static func moved(_ fields: Mapping, to day: CivilDay, in zone: LocalZone) -> Mapping {
        var moved = fields
        moved[FieldName.due] = .string(fields.due.map { date($0, on: day, in: zone) } ?? day.text)
        moved[FieldName.start] = start(of: fields, before: day, in: zone)
        if case .string(let every)? = fields[FieldName.every], let previous = fields.dueDay,
            let anchor = fields.recurrence?.anchor(on: previous, before: day)
        {
            moved[FieldName.every] = .string("\(every) \(anchor)")
        }
        return moved
    }

    /// Returns the id of the occurrence that follows a todo with these fields; nil if there isn't one.
    package static func id(after parent: TodoID, _ fields: Mapping, from today: CivilDay) -> TodoID? {
        fields.nextDay(from: today).map { id(on: $0, after: parent) }
    }

    /// Returns the id of the occurrence that follows a todo on the given day.
    package static func id(on day: CivilDay, after parent: TodoID) -> TodoID {
        let namespace = parent.uuid ?? BinaryUUID(named: parent.string, in: .zero)
        return TodoID(BinaryUUID(named: day.text, in: namespace))
    }

    /// Returns the start date, which is as long before the due date as it was; nil if there isn't one, or if
    /// there was no due date.
    private static func start(of fields: Mapping, before day: CivilDay, in zone: LocalZone) -> Value? {
        guard case .string(let text)? = fields[FieldName.start], Due(text) != nil else {
            return fields[FieldName.start]
        }
        guard let start = CivilDay(String(text.prefix(10))), let previous = fields.dueDay else { return nil }
        let days = day.daysSinceEpoch - previous.daysSinceEpoch
        return .string(date(text, on: start.adding(days: days), in: zone))
    }

    /// Returns a date on a different day, at the same clock time.
    ///
    /// A time in the user's time zone gets the zone's offset on that day. Any other time keeps its offset. A
    /// time that the clocks skip is still written, so that later occurrences keep that time.
    private static func date(_ text: String, on day: CivilDay, in zone: LocalZone) -> String {
        guard case .instant? = Due(text) else { return day.text }
        guard let clock = clockTime(of: text, in: zone) else { return "\(day.text)\(text.dropFirst(10))" }
        let next = zone.text(of: WallTime(day: day, second: clock.second))
        return "\(next.prefix(19))\(fraction(of: text))\(next.dropFirst(19))"
    }

    /// Returns the offset of a due time, which occurrences keep, if it isn't the zone's; nil for any other
    /// due date.
    package static func otherOffset(of due: String, in zone: LocalZone) -> String? {
        guard case .instant? = Due(due), clockTime(of: due, in: zone) == nil else { return nil }
        return String(due.dropFirst(19 + fraction(of: due).count))
    }

    /// Returns what the clocks show at a time with the zone's offset; nil for a time with any other offset.
    private static func clockTime(of text: String, in zone: LocalZone) -> WallTime? {
        guard let instant = Instant(text), let clock = Instant(text.prefix(19) + "Z") else { return nil }
        let written = WallTime(day: clock.day, second: clock.secondOfDay)
        let isOfZone =
            zone.wallTime(at: instant.seconds) == written || zone.instant(of: written) == instant.seconds
        return isOfZone ? written : nil
    }

    /// Returns the fraction of a second in a time, with its point.
    private static func fraction(of text: String) -> Substring {
        text.dropFirst(19).prefix { $0 == "." || ("0"..."9").contains($0) }
    }

    // MARK: The file

    /// Returns the file's text: the completed todo's text with the occurrence's id and due date, marked as
    /// open, and without ticks in its checklists.
    package func text(after todo: Todo) -> [UInt8] {
        var fields = fields
        fields[FieldName.id] = .string(id.string)
        fields[FieldName.complete] = nil
        for (key, value) in fields.entries { fields[key] = Tick.cleared(value) }
        return todo.document.updated(to: fields)
    }
}

extension Todo {
    /// The interval in the field `every`; nil if there is no such field, or if it can't be read.
    package var recurrence: Recurrence? { document.fields.recurrence }

    /// The day in the field `due` as written, which is the same on every device, whatever its time zone.
    package var dueDay: CivilDay? { document.fields.dueDay }

    /// The field `due`, if it is a string.
    package var due: String? { document.fields.due }
}

extension Mapping {
    fileprivate var recurrence: Recurrence? {
        if case .string(let text)? = self[FieldName.every] { Recurrence(text) } else { nil }
    }

    fileprivate var dueDay: CivilDay? {
        due.flatMap { Due($0) == nil ? nil : CivilDay(String($0.prefix(10))) }
    }

    fileprivate var due: String? {
        if case .string(let text)? = self[FieldName.due] { text } else { nil }
    }

    /// Returns the day of the next occurrence; without a due date, the interval counts from today.
    fileprivate func nextDay(from today: CivilDay) -> CivilDay? { recurrence?.next(after: dueDay ?? today) }
}
