internal import Foundation

/// The machine and the date of a measurement.
struct Machine {
    let processor: String
    let cores: Int
    let system: String
    /// The date in UTC: `2026-12-01`.
    let date: String

    static func this() -> Machine {
        let processInfo = ProcessInfo.processInfo
        let date = Date.now.formatted(.iso8601.year().month().day())
        return Machine(
            processor: processor() ?? "unknown processor", cores: processInfo.activeProcessorCount,
            system: processInfo.operatingSystemVersionString, date: date)
    }

    /// Returns the processor's name as Linux reports it.
    private static func processor() -> String? {
        let lines = (try? readText("/proc/cpuinfo"))?.split(separator: "\n") ?? []
        let line = lines.first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
