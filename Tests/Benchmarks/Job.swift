/// How a tool reaches its remote.
enum Transport: String, CaseIterable {
    case folder = "a folder"
    case http = "HTTP"
}

/// The number of todos that are edited for a job.
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

/// A job that both todosync and git can do.
enum Job: Hashable {
    case start
    case firstPush
    case clone
    case status
    case statusAfter(Edits)
    case syncWithoutNews
    case push(Edits)
    case pull(Edits)
    /// Both sides edited different fields of the same todos; ends when the merged todos are pushed.
    case merge(Edits)
    /// Both sides edited the same field of the same todos; ends when the markers are in the files.
    case conflict(Edits)

    /// The jobs in an order that lets each follow from the previous one.
    static let all: [Job] = [
        .start, .firstPush, .clone, .status, .syncWithoutNews, .push(.one), .pull(.one), .statusAfter(.tenth),
        .push(.tenth), .pull(.tenth), .merge(.one), .merge(.hundred), .merge(.tenth), .conflict(.one),
        .conflict(.tenth),
    ]

    /// Returns the job's name in the table.
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

    /// The number of runs in one measurement: noise would hide a single millisecond.
    var runs: Int { self == .start ? 20 : 1 }

    /// Whether the job contacts the remote, and is therefore measured over HTTP, too.
    var isExchange: Bool {
        switch self {
        case .start, .status, .statusAfter: false
        case .firstPush, .clone, .syncWithoutNews, .push, .pull, .merge, .conflict: true
        }
    }

    /// Whether the job's duration depends on the number of todos.
    var dependsOnTodos: Bool { self != .start }

    /// Whether the job's memory is reported.
    var needsMemory: Bool { [.clone, .status, .merge(.tenth)].contains(self) }
}
