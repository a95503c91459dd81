/// The kind of a path, without names.
enum Route: String, Sendable, Hashable, CaseIterable {
    case table = "/tables/{table}"
    case record = "/tables/{table}/{id}"
    case changes = "/tables/{table}/changes"
    case batch = "/$batch"
    case health = "/health"
    case ready = "/ready"
    case metrics = "/metrics"
    case description = "/openapi.json"
    case other

    /// Whether monitoring requests the path; the response reveals nothing about the todos.
    var isForMonitoring: Bool { self == .health || self == .ready }
    var isAboutTables: Bool { [.table, .record, .changes, .batch].contains(self) }

    /// Parses a path as received, percent-encoded.
    init(path: some StringProtocol) {
        switch path {
        case "/health": self = .health
        case "/ready": self = .ready
        case "/metrics": self = .metrics
        default:
            let path = try? RequestPath(String(path))
            self =
                switch path?.form {
                case .table: .table
                case .record: path?.isForChanges == true ? .changes : .record
                case .changes: .changes
                case .batch: .batch
                case .description: .description
                case nil: .other
                }
        }
    }
}
