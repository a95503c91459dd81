/// How near a due date is, on the user's calendar.
enum DueNearness: Sendable, Hashable {
    /// The number of days since the date; 0 for an earlier time today.
    case overdue(Int)
    case today
    /// The number of days until the date, up to ``mostDaysSoon``.
    case soon(Int)
    case later

    static let mostDaysSoon = 7

    /// The word for programs; nil if the date is neither overdue nor soon.
    var word: String? {
        switch self {
        case .overdue: "overdue"
        case .today: "today"
        case .soon: "soon"
        case .later: nil
        }
    }

    var isOverdue: Bool { if case .overdue = self { true } else { false } }
}
