package import LosslessYAML
package import Values

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
        moved[FieldName.due] = .string(due(on: day, after: fields, in: zone))
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

    /// Returns the due date on a day, at the same clock time as the previous due date.
    ///
    /// A time in the user's time zone gets the zone's offset on that day. Any other time keeps its offset. A
    /// time that the clocks skip is still written, so that later occurrences keep that time.
    private static func due(on day: CivilDay, after fields: Mapping, in zone: LocalZone) -> String {
        guard let text = fields.due, case .instant? = Due(text) else { return day.text }
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
