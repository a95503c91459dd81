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
