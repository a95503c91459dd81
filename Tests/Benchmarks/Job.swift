/// How a tool reaches its remote.
enum Transport: String, CaseIterable {
    case folder = "a folder"
    case http = "HTTP"
}

/// A piece of work that todosync and git share, in the order in which each follows from the one before.
enum Job: String, CaseIterable {
    case start = "start (`--version`)"
    case firstPush = "first push"
    case clone = "clone"
    case status = "status, nothing changed"
    case syncWithoutNews = "sync without news"
    case pushOfOneEdit = "push of 1 edit"
    case pullOfOneEdit = "pull of 1 edit"

    /// How often it is run for one measurement: what takes a millisecond would drown in noise.
    var runs: Int { self == .start ? 20 : 1 }

    /// Whether it talks to the remote, and so is worth measuring over HTTP as well.
    var isExchange: Bool { self != .start && self != .status }

    /// Whether its duration depends on how many todos there are.
    var dependsOnTodos: Bool { self != .start }
}
