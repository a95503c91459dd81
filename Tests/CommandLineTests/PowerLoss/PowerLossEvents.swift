/// The counts of what happened in rounds with power losses.
struct PowerLossEvents {
    enum Event: String, CaseIterable {
        case sync = "lost in sync"
        case pull = "lost in pull"
        case push = "lost in push"
        case after = "lost after the command's end"
        case commit = "with all on disk that was written until some call"
        case file = "with one more file on disk"
        case all = "with all on disk"
        case todoLost = "a todo's file was as before the command"
        case journalLost = "the journal's end was gone"
        // Impossible where a todo's file is on disk before its change is sent.
        case sentAndLost = "a todo's file was as before and something had been sent"
        case conflict = "a conflict"
    }

    private(set) var counts: [String: Int] = [:]

    private static let names =
        PowerLossUser.Act.allCases.map { "a user \($0.rawValue)" } + Event.allCases.map(\.rawValue)

    mutating func note(_ event: Event) { counts[event.rawValue, default: 0] += 1 }

    mutating func note(_ act: PowerLossUser.Act) { counts["a user \(act.rawValue)", default: 0] += 1 }

    mutating func add(_ others: PowerLossEvents) { counts.merge(others.counts, uniquingKeysWith: +) }

    /// The events that never happened, although they can happen everywhere.
    var missing: [String] {
        Self.names.filter { counts[$0] == nil && $0 != Event.sentAndLost.rawValue }
    }

    var description: String { Self.names.map { "\($0) \(counts[$0] ?? 0)" }.joined(separator: ", ") }
}
