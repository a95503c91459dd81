internal import TodoModel
internal import Values

/// The delays before retries.
enum RetryDelay {
    /// The maximum number of times that a request is sent.
    static let maximumTries = 4
    /// The longest delay that a server can request with `Retry-After`.
    static let longestRequested = Duration.seconds(30)
    /// The longest total delay of a request's retries.
    static let longestInAll = Duration.seconds(60)

    /// Returns a delay between zero and the given number of milliseconds, doubled with each try.
    ///
    /// This is exponential backoff with full jitter: it keeps clients that failed together from retrying
    /// together.
    static func backoff(
        afterTry number: Int, random: [UInt8], upTo milliseconds: Int64 = 500
    ) -> Duration {
        let share = random.prefix(2).reduce(0) { $0 << 8 | Int64($1) }
        return .milliseconds((milliseconds << min(number - 1, 6)) * share / 65_536)
    }

    /// Returns the delay that a `Retry-After` requests (RFC 9110, section 10.2.3); nil if it can't be parsed.
    ///
    /// - Parameter date: The response's `Date`. A date in `Retry-After` is compared with it, because the
    ///   server's clock can differ from the local one.
    static func requested(_ text: String, date: String?) -> Duration? {
        if !text.isEmpty, text.utf8.allSatisfy(\.isDecimalDigit) {
            return .seconds(Int64(text) ?? .max)
        }
        guard let until = HTTPDate.seconds(text), let now = date.flatMap(HTTPDate.seconds) else { return nil }
        return .seconds(max(0, until - now))
    }
}

/// The date format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// Returns the seconds since 1970-01-01T00:00:00Z.
    static func seconds(_ text: String) -> Int? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]),
            let month = Instant.months.firstIndex(of: String(words[2])), let year = Int(words[3])
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (1...31).contains(day), (1970...9999).contains(year),
            (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        let days = CivilDay(year: year, month: month + 1, day: day).daysSinceEpoch
        return days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
}
