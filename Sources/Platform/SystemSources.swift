// The system's clock and randomness, for the code that starts a program; all other code receives them.

/// Returns the current time as an RFC 3339 string in UTC.
package func internetTimeNow() -> String {
    var seconds = time(nil)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var buffer = [UInt8](repeating: 0, count: 32)
    let length = buffer.withUnsafeMutableBytes { buffer in
        strftime(
            buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, "%Y-%m-%dT%H:%M:%SZ",
            &parts)
    }
    return String(decoding: buffer.prefix(length), as: UTF8.self)
}

/// Returns the current time in milliseconds since 1970-01-01T00:00:00Z.
package func millisecondsNow() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// Returns the given number of unpredictable bytes.
package func systemRandomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    // Each number takes a system call, so use all of its bytes.
    while bytes.count < count {
        let missing = count - bytes.count
        withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0.prefix(missing)) }
    }
    return bytes
}

// The system's time zone, for the code that starts a program; all other code receives it.

/// Returns the number of seconds that the clocks of the user's time zone are ahead of UTC at an instant.
///
/// The time zone comes from the environment variable TZ or, if TZ isn't set, from the system.
///
/// - Parameter seconds: The instant, in seconds since 1970-01-01T00:00:00Z.
package func systemOffsetFromUTC(at seconds: Int) -> Int {
    var instant = time_t(seconds)
    var parts = tm()
    guard localtime_r(&instant, &parts) != nil else { return 0 }
    return Int(parts.tm_gmtoff)
}
