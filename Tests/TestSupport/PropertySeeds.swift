import Foundation

/// How much of its cases a test tries.
///
/// By default, tests try some of them, so that all tests together take minutes. `TODOSYNC_PROPERTY_SEEDS`
/// sets the number of seeds of each property, and then the other tests try all of their cases, which takes
/// hours.
package enum PropertySeeds {
    private static let wanted = ProcessInfo.processInfo.environment["TODOSYNC_PROPERTY_SEEDS"].flatMap(
        UInt64.init)

    package static let isLongRun = wanted != nil

    /// How far apart the calls are at which a test lets a command fail or stop: every call in a long run.
    package static let callStride = isLongRun ? 1 : 17

    package static func range(default count: UInt64) -> Range<UInt64> { 0..<(wanted ?? count) }

    /// Returns all cases in a long run, and otherwise one of each `count`, from the first on.
    package static func sample<Case>(_ cases: [Case], oneOf count: Int) -> [Case] {
        isLongRun ? cases : cases.enumerated().filter { $0.offset.isMultiple(of: count) }.map(\.element)
    }
}
