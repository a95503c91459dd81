/// How a tool reaches its remote.
enum Transport: String, CaseIterable {
    case folder = "a folder"
    case http = "HTTP"
}

/// How many todos are edited for a job.
enum Edits: CaseIterable {
    case one
    case hundred
    case tenth

    func count(of todos: Int) -> Int {
        switch self {
        case .one: 1
        case .hundred: min(100, todos)
        case .tenth: max(1, todos / 10)
        }
    }
}

/// A piece of work that todosync and git share.
enum Job: Hashable {
    case start
    case firstPush
    case clone
    case status
    case statusAfter(Edits)
    case syncWithoutNews
    case push(Edits)
    case pull(Edits)
    /// Both sides edited the same todos, in different fields: until the merged ones are pushed.
    case merge(Edits)
    /// Both sides edited one field of the same todos: until the markers are in the files.
    case conflict(Edits)

    /// In the order in which each follows from the one before.
    static let all: [Job] = [
        .start, .firstPush, .clone, .status, .syncWithoutNews, .push(.one), .pull(.one), .statusAfter(.tenth),
        .push(.tenth), .pull(.tenth), .merge(.one), .merge(.hundred), .merge(.tenth), .conflict(.one),
        .conflict(.tenth),
    ]

    /// The job's name in the table.
    func name(at todos: Int) -> String {
        func edits(_ edits: Edits) -> String {
            let count = edits.count(of: todos)
            return count == 1 ? "1 edit" : "\(count) edits"
        }
        return switch self {
        case .start: "start (`--version`)"
        case .firstPush: "first push"
        case .clone: "clone"
        case .status: "status, nothing changed"
        case .statusAfter(let count): "status, \(edits(count))"
        case .syncWithoutNews: "sync without news"
        case .push(let count): "push of \(edits(count))"
        case .pull(let count): "pull of \(edits(count))"
        case .merge(let count): "merge and push of \(edits(count))"
        case .conflict(let count): "conflict in \(edits(count)), up to the markers"
        }
    }

    /// How often the job runs for one measurement: noise would hide a single millisecond.
    var runs: Int { self == .start ? 20 : 1 }

    /// Whether it talks to the remote, and so is worth measuring over HTTP as well.
    var isExchange: Bool {
        switch self {
        case .start, .status, .statusAfter: false
        case .firstPush, .clone, .syncWithoutNews, .push, .pull, .merge, .conflict: true
        }
    }

    /// Whether its duration depends on how many todos there are.
    var dependsOnTodos: Bool { self != .start }

    /// Whether its memory is worth reporting.
    var needsMemory: Bool { [.clone, .status, .merge(.tenth)].contains(self) }
}
