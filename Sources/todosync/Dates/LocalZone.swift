internal import Values

/// What clocks and calendars on the wall show.
struct WallTime: Sendable, Hashable {
    var day: CivilDay
    /// Seconds since midnight, as the clock shows them.
    var second = 0
}

/// The user's time zone: what the clocks show at an instant, and the reverse.
struct LocalZone: Sendable {
    /// Returns by how many seconds the clocks are ahead of UTC at an instant, in seconds since 1970-01-01.
    let offset: @Sendable (Int) -> Int

    /// Returns what the clocks show at an instant.
    func wallTime(at instant: Int) -> WallTime {
        let (days, second) = (instant + offset(instant)).dividedFloored(by: 86_400)
        return WallTime(day: CivilDay(daysSinceEpoch: days), second: second)
    }

    /// Returns the instant at which the clocks show a time.
    ///
    /// As in RFC 5545, section 3.3.5: a time that the clocks show twice, because they are turned back, is
    /// the first of the two; a time that they skip is read with the offset before the gap.
    func instant(of time: WallTime) -> Int {
        let shown = time.day.daysSinceEpoch * 86_400 + time.second
        // No offset is longer than a day, so these are the offsets before and after a change near that time.
        let (before, after) = (offset(shown - 86_400), offset(shown + 86_400))
        let candidates = [shown - before, shown - after]
        return candidates.first { $0 + offset($0) == shown } ?? candidates[0]
    }
}
