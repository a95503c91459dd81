internal import TodoModel
internal import Values

/// How a due date stands to another one.
enum DueOrder: Sendable {
    case earlier, same, later
}

extension LocalZone {
    /// Returns the due day on the user's calendar.
    func day(of due: Due) -> CivilDay {
        switch due {
        case .day(let day): day
        case .instant(let instant): wallTime(at: instant.seconds).day
        }
    }

    /// Returns whether a due date is before or after a limit.
    ///
    /// If the limit is a whole day, it is compared with the due day, whatever the time. A day is earlier than
    /// the instants of the same day, because it begins first.
    func order(of due: Due, from limit: Due) -> DueOrder {
        let days = (day(of: due).daysSinceEpoch, day(of: limit).daysSinceEpoch)
        return switch (due, limit) {
        case (.instant(let due), .instant(let limit)): due < limit ? .earlier : limit < due ? .later : .same
        case (.day, .instant): days.0 <= days.1 ? .earlier : .later
        case (_, .day): days.0 < days.1 ? .earlier : days.0 > days.1 ? .later : .same
        }
    }
}
