/// The kind of a path, without names.
enum Route: String, Sendable, Hashable, CaseIterable {
    case table = "/tables/{table}"
    case record = "/tables/{table}/{id}"
    case batch = "/$batch"
    case health = "/health"
    case metrics = "/metrics"
    case description = "/openapi.json"
    case other

    var isAboutTables: Bool { [.table, .record, .batch].contains(self) }

    /// Parses a path as received, percent-encoded.
    init(path: some StringProtocol) {
        switch path {
        case "/health": self = .health
        case "/metrics": self = .metrics
        default:
            self =
                switch (try? RequestPath(String(path)))?.form {
                case .table: .table
                case .record: .record
                case .batch: .batch
                case .description: .description
                case nil: .other
                }
        }
    }
}
