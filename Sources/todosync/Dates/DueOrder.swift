internal import TodoModel
internal import Values

/// How a due date compares with another one.
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

    /// Returns how a due date compares with a limit.
    ///
    /// A limit that is a whole day is compared with the due day, whatever the time. A whole day comes before
    /// the instants on the same day, because it begins first.
    func order(of due: Due, from limit: Due) -> DueOrder {
        let days = (day(of: due).daysSinceEpoch, day(of: limit).daysSinceEpoch)
        return switch (due, limit) {
        case (.instant(let due), .instant(let limit)): due < limit ? .earlier : limit < due ? .later : .same
        case (.day, .instant): days.0 <= days.1 ? .earlier : .later
        case (_, .day): days.0 < days.1 ? .earlier : days.0 > days.1 ? .later : .same
        }
    }
}
