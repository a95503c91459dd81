internal import TodoModel
internal import Values

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
