/// The day and time that calendars and clocks show in a time zone.
package struct WallTime: Sendable, Hashable {
    package var day: CivilDay
    /// The number of seconds since midnight that the clock shows.
    package var second: Int

    package init(day: CivilDay, second: Int = 0) {
        self.day = day
        self.second = second
    }

    /// The day and the time in the format of RFC 3339, without an offset: `2026-12-01T17:00:00`.
    package var text: String {
        "\(day.text)T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    }
}

/// The user's time zone, which converts instants to the times that clocks show, and back.
package struct LocalZone: Sendable {
    /// Returns the number of seconds that the clocks are ahead of UTC at an instant, given in seconds since
    /// 1970-01-01.
    package let offset: @Sendable (Int) -> Int

    package static let utc = LocalZone { _ in 0 }

    package init(offset: @escaping @Sendable (Int) -> Int) { self.offset = offset }

    /// Returns the day and time that the clocks show at an instant.
    package func wallTime(at instant: Int) -> WallTime {
        let (days, second) = (instant + offset(instant)).dividedFloored(by: 86_400)
        return WallTime(day: CivilDay(daysSinceEpoch: days), second: second)
    }

    /// Returns the instant when the clocks show a time.
    ///
    /// If the clocks show the time twice, because they are turned back, this is the first instant. If they
    /// skip the time, the offset before the gap applies (RFC 5545, section 3.3.5).
    package func instant(of time: WallTime) -> Int {
        let shown = time.day.daysSinceEpoch * 86_400 + time.second
        // No offset is longer than a day, so these are the offsets before and after a change near that time.
        let (before, after) = (offset(shown - 86_400), offset(shown + 86_400))
        let candidates = [shown - before, shown - after]
        return candidates.first { $0 + offset($0) == shown } ?? candidates[0]
    }

    /// Returns a wall time as an RFC 3339 time, with the offset that ``instant(of:)`` uses.
    ///
    /// A time that the clocks skip has the offset before the gap.
    package func text(of time: WallTime) -> String {
        let instant = instant(of: time)
        return text(of: instant, offset: time.day.daysSinceEpoch * 86_400 + time.second - instant)
    }

    /// Returns an instant as an RFC 3339 time that clocks in this zone show, with `Z` for UTC.
    package func text(of instant: Int) -> String { text(of: instant, offset: offset(instant)) }

    private func text(of instant: Int, offset: Int) -> String {
        // Offsets in RFC 3339 are whole minutes, but some offsets in the nineteenth century had seconds.
        let offset = offset.dividedFloored(by: 60).quotient * 60
        let (days, second) = (instant + offset).dividedFloored(by: 86_400)
        let distance = "\(padded(abs(offset) / 3600, 2)):\(padded(abs(offset) / 60 % 60, 2))"
        let suffix = offset == 0 ? "Z" : (offset < 0 ? "-" : "+") + distance
        return WallTime(day: CivilDay(daysSinceEpoch: days), second: second).text + suffix
    }
}
