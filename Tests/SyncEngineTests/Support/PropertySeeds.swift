import Foundation

/// The number of seeds that a property is tried with: `TODOSYNC_PROPERTY_SEEDS`, or a small default.
enum PropertySeeds {
    private static let wanted = ProcessInfo.processInfo.environment["TODOSYNC_PROPERTY_SEEDS"].flatMap(
        UInt64.init)

    static let isLongRun = wanted != nil

    /// How far apart the calls are at which a test lets a command fail or stop: every call in a long run.
    static let callStride = isLongRun ? 1 : 5

    static func range(default count: UInt64) -> Range<UInt64> { 0..<(wanted ?? count) }
}
