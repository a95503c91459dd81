internal import ArgumentParser
internal import Values

/// A time in the past as the user types it: `2026-11-01`, an RFC 3339 time, or `3d` for three days ago.
enum PastTime: ExpressibleByArgument {
    /// The beginning of a day on the user's calendar.
    case day(CivilDay)
    case instant(Instant)
    case ago(TimeSpan)

    init?(argument: String) {
        if let day = CivilDay(argument) {
            self = .day(day)
        } else if let time = Instant(argument) {
            self = .instant(time)
        } else if let span = TimeSpan(argument: argument) {
            self = .ago(span)
        } else {
            return nil
        }
    }

    /// Returns the instant that is meant at a time, in the user's time zone.
    func instant(now: Instant, in zone: LocalZone) -> Instant {
        switch self {
        case .day(let day): Instant(milliseconds: Int64(zone.instant(of: WallTime(day: day))) * 1000)
        case .instant(let time): time
        case .ago(let span): Instant(milliseconds: now.milliseconds - Int64(span.seconds) * 1000)
        }
    }
}
