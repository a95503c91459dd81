import Foundation

/// The number of seeds that a property is tried with: `TODOSYNC_PROPERTY_SEEDS`, or a small default.
enum PropertySeeds {
    private static let wanted = ProcessInfo.processInfo.environment["TODOSYNC_PROPERTY_SEEDS"].flatMap(
        UInt64.init)

    static let isLongRun = wanted != nil

    static func range(default count: UInt64) -> Range<UInt64> { 0..<(wanted ?? count) }
}
