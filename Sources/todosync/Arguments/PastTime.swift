internal import ArgumentParser
internal import Platform
internal import Values

/// A time in the past as the user types it: `2026-11-01`, an RFC 3339 time, or `3d` for three days ago.
enum PastTime: ExpressibleByArgument {
    /// The beginning of a day on this machine.
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

    /// Returns the instant that is meant at a time.
    func instant(now: Instant) -> Instant {
        switch self {
        case .day(let day): beginning(of: day)
        case .instant(let time): time
        case .ago(let span): Instant(milliseconds: now.milliseconds - Int64(span.seconds) * 1000)
        }
    }

    /// Returns when a day begins by this machine's time zone.
    private func beginning(of day: CivilDay) -> Instant {
        var parts = tm()
        (parts.tm_year, parts.tm_mon) = (Int32(day.year - 1900), Int32(day.month - 1))
        // The library finds out whether daylight saving time applies.
        (parts.tm_mday, parts.tm_isdst) = (Int32(day.day), -1)
        return Instant(milliseconds: Int64(mktime(&parts)) * 1000)
    }
}
