internal import LosslessYAML
internal import TodoModel
internal import Values

extension Session {
    /// The reader of dates relative to now, in the user's time zone.
    var dates: DateReader {
        let now = Instant(process.now())?.seconds ?? Int(process.milliseconds() / 1000)
        return DateReader(now: now, zone: LocalZone(offset: process.offsetFromUTC))
    }

    /// Reads a time in the past as people type it: `3d` for three days ago, or a date.
    func pastTime(_ typed: String) throws -> PastTime { try PastTime(typed, dates) }

    /// Reads `KEY=VALUE`, with a date as people type it, and shows the date that it stands for.
    func assignment(_ argument: String) throws -> FieldAssignment {
        guard let (field, typed) = date(in: argument) else { return try FieldAssignment(parsing: argument) }
        return try assignment(of: field, typed)
    }

    /// Reads a change to a field, with a date as people type it, and shows the date that it stands for.
    func change(_ argument: String) throws -> FieldChange {
        guard let (field, typed) = date(in: argument), !typed.isEmpty else {
            return try FieldChange(parsing: argument)
        }
        if typed.lowercased() == "none" {
            throw Failure(
                .badValue, "'\(visible(typed))' is not a date",
                hint: "run \"todosync set TODO \(field)=\" to remove the date")
        }
        return FieldChange(try assignment(of: field, typed))
    }

    /// Reads a field's value as people type it, and shows the date or the interval that it stands for.
    func assignment(of field: String, _ typed: String) throws -> FieldAssignment {
        guard FieldName.dates.contains(field) else {
            let assignment = try FieldAssignment(field: field, typed: typed)
            if field == FieldName.every, case .string(let stored) = assignment.value, stored != typed {
                remark("every  \(visible(stored))")
            }
            return assignment
        }
        let date = try dates.read(typed)
        if !date.stored.isSameBytes(as: typed) { remark("\(field)  \(date.words)") }
        return try FieldAssignment(field: field, typed: date.stored)
    }

    /// Returns the name and the typed value of a field with a date; nil for other assignments.
    private func date(in argument: String) -> (field: String, typed: String)? {
        FieldName.dates.lazy.compactMap { field in
            argument.utf8.starts(with: "\(field)=".utf8)
                ? (field, String(argument.utf8.dropFirst(field.utf8.count + 1)) ?? "") : nil
        }.first
    }
}

/// A time in the past, in seconds since 1970-01-01T00:00:00Z.
struct PastTime: Sendable, Hashable {
    let seconds: Int

    /// Creates a time from a span before now, such as `3d` or `2w`, or from a date as people type it.
    ///
    /// A day stands for its beginning. A weekday, or a day without a year, is the most recent one.
    init(_ typed: String, _ dates: DateReader) throws(DateProblem) {
        if let span = TimeSpan(argument: typed) {
            seconds = dates.now - span.seconds
            return
        }
        var dates = dates
        dates.looksBack = true
        switch try dates.read(typed).due {
        case .day(let day): seconds = dates.zone.instant(of: WallTime(day: day))
        case .instant(let instant): seconds = instant.seconds
        }
    }
}

/// A time span as the user types it: `90d` or `12w`.
struct TimeSpan {
    let seconds: Int

    init?(argument: String) {
        let lengths: [Character: Int] = ["d": 86_400, "w": 7 * 86_400]
        guard let unit = argument.last, let length = lengths[unit], let count = Int(argument.dropLast()),
            // "+1d" is a date in the future.
            argument.first != "+",
            // A thousand years are enough for everyone, and the sum of two such spans can't overflow.
            (0...365_000).contains(count)
        else { return nil }
        seconds = count * length
    }
}
