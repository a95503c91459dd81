package import LosslessYAML
package import Values

/// The occurrence of a recurring todo that follows a completed one.
///
/// Its id is the UUID of version 5 of its day, such as `2026-12-08`, in the namespace of the completed todo's
/// id. So two devices that complete the same todo create the same occurrence.
package struct NextOccurrence: Sendable, Hashable {
    package let id: TodoID
    /// The day on which it is due.
    package let day: CivilDay
    /// The field `due`.
    let due: String

    /// Computes the occurrence after a todo; nil if the todo doesn't recur, or has no id.
    ///
    /// The interval counts from the day on which the todo was due, or else from the day of its completion.
    ///
    /// - Parameter today: the day on which the todo was completed, on the user's calendar.
    package init?(after todo: Todo, completedOn today: CivilDay, in zone: LocalZone) {
        guard let recurrence = todo.recurrence else { return nil }
        guard let day = recurrence.next(after: todo.dueDay ?? today) else { return nil }
        self.init(after: todo, on: day, in: zone)
    }

    /// Creates the occurrence of a recurring todo on a day; nil if the todo has no id.
    package init?(after todo: Todo, on day: CivilDay, in zone: LocalZone) {
        guard let parent = todo.id else { return nil }
        self.day = day
        id = Self.id(on: day, after: parent)
        due = todo.due.map { Self.due($0, movedTo: day, in: zone) } ?? day.text
    }

    /// Returns the due date of the occurrence after the one with some fields; nil if they don't recur.
    package static func due(after fields: Mapping, from today: CivilDay, in zone: LocalZone) -> String? {
        guard case .string(let every)? = fields[FieldName.every], let recurrence = Recurrence(every) else {
            return nil
        }
        guard case .string(let due)? = fields[FieldName.due], Due(due) != nil,
            let last = CivilDay(String(due.prefix(10)))
        else { return recurrence.next(after: today)?.text }
        return recurrence.next(after: last).map { Self.due(due, movedTo: $0, in: zone) }
    }

    /// Returns the id of the occurrence on a day that follows a todo.
    package static func id(on day: CivilDay, after parent: TodoID) -> TodoID {
        let namespace = parent.uuid ?? BinaryUUID(named: parent.string, in: otherIDs)
        return TodoID(BinaryUUID(named: day.text, in: namespace))
    }

    /// The namespace of ids that aren't UUIDs: the UUID of all zeros (RFC 9562, section 5.9).
    private static let otherIDs = [UInt8](repeating: 0, count: 16).withUnsafeBytes { BinaryUUID($0) }

    /// Returns a due date moved to another day; a time stays what the clocks show.
    ///
    /// A time in the user's time zone gets the offset that the zone has then. Another one keeps its offset.
    private static func due(_ text: String, movedTo day: CivilDay, in zone: LocalZone) -> String {
        guard case .instant(let instant)? = Due(text) else { return day.text }
        guard text == zone.text(of: instant.seconds) else { return "\(day.text)\(text.dropFirst(10))" }
        let second = zone.wallTime(at: instant.seconds).second
        return zone.text(of: zone.instant(of: WallTime(day: day, second: second)))
    }

    // MARK: The file

    /// Returns the file's text: that of the completed todo, but open, with its own id and due date, and
    /// without ticks in its checklists.
    package func text(after todo: Todo) -> [UInt8] {
        var fields = todo.document.fields
        fields[FieldName.id] = .string(id.string)
        fields[FieldName.complete] = nil
        fields[FieldName.due] = .string(due)
        for (key, value) in fields.entries { fields[key] = Tick.cleared(value) }
        return todo.document.updated(to: fields)
    }
}

extension Todo {
    /// What the field `every` says; nil if there is no such field, or if it can't be read.
    package var recurrence: Recurrence? {
        guard case .string(let text)? = document.fields[FieldName.every] else { return nil }
        return Recurrence(text)
    }

    /// The day in the field `due`, as it is written: every device reads the same, whatever its time zone.
    package var dueDay: CivilDay? {
        due.flatMap { Due($0) == nil ? nil : CivilDay(String($0.prefix(10))) }
    }

    /// The field `due`, if it is a string.
    package var due: String? {
        if case .string(let text)? = document.fields[FieldName.due] { text } else { nil }
    }
}
