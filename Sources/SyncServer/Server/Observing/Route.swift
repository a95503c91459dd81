/// What a path leads to, without the names in it.
enum Route: String, Sendable, Hashable, CaseIterable {
    case table = "/tables/{table}"
    case record = "/tables/{table}/{id}"
    case batch = "/$batch"
    case health = "/health"
    case metrics = "/metrics"
    case description = "/openapi.json"
    case other

    /// Reads a path as it came, percent-encoded.
    init(path: some StringProtocol) {
        switch path {
        case "/$batch", "/%24batch": self = .batch
        case "/health": self = .health
        case "/metrics": self = .metrics
        case "/openapi.json": self = .description
        default:
            let parts = path.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false)
            let isTable = parts.count >= 3 && parts[0].isEmpty && parts[1].lowercased() == "tables"
            self =
                switch parts.count {
                case 3 where isTable: .table
                case 4 where isTable: .record
                default: .other
                }
        }
    }
}
