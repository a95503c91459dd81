internal import NIOCore
internal import Remotes
internal import Synchronization

/// Counts requests, responses and connections.
final class Metrics: Sendable {
    struct Request: Hashable {
        var method: String
        var route: Route
        var status: Int
    }

    struct Histogram {
        /// The upper bounds in seconds.
        static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

        /// The number of values up to each bound and above the previous bound; the last element counts the
        /// values above all bounds.
        var counts = [Int](repeating: 0, count: bounds.count + 1)
        var sum = 0.0

        mutating func add(_ seconds: Double) {
            counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
            sum += seconds
        }
    }

    struct Counts {
        var requests: [Request: Int] = [:]
        var durations: [Route: Histogram] = [:]
        var receivedBytes = 0
        var sentBytes = 0
        var requestsInFlight = 0
        var connections = 0
        var acceptedConnections = 0
    }

    private let counts = Mutex(Counts())

    var current: Counts { counts.withLock { $0 } }

    func connectionBegan() {
        counts.withLock {
            $0.connections += 1
            $0.acceptedConnections += 1
        }
    }

    func connectionEnded() { counts.withLock { $0.connections -= 1 } }

    func requestBegan() { counts.withLock { $0.requestsInFlight += 1 } }

    func requestEnded() { counts.withLock { $0.requestsInFlight -= 1 } }

    func answered(_ record: RequestRecord) {
        let request = Request(
            method: record.methodLabel, route: Route(path: record.path), status: record.status)
        counts.withLock {
            $0.requests[request, default: 0] += 1
            $0.durations[request.route, default: Histogram()].add(record.seconds)
            $0.receivedBytes += record.receivedBytes
            $0.sentBytes += record.sentBytes
        }
    }
}

extension Metrics.Counts {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Returns the counts in Prometheus' text format, version 0.0.4.
    ///
    /// - Parameters:
    ///   - heldBytes: The memory used for incoming requests and outgoing responses.
    ///   - watching: The number of connections that wait for changes.
    ///   - store: The store's statistics.
    func text(heldBytes: Int, watching: Int, feed: TableWatch, store: StoreFigures) -> String {
        var lines: [String] = []
        func begin(_ name: String, _ kind: String, _ help: String) {
            lines += ["# HELP todosync_\(name) \(help)", "# TYPE todosync_\(name) \(kind)"]
        }
        begin("requests_total", "counter", "Completed requests, by method, route and status.")
        for (request, count) in requests {
            let labels =
                "method=\"\(request.method)\",route=\"\(request.route.rawValue)\",status=\"\(request.status)\""
            lines.append("todosync_requests_total{\(labels)} \(count)")
        }
        begin("request_duration_seconds", "histogram", "Time from a request's last byte to its response.")
        for (route, histogram) in durations {
            let label = "route=\"\(route.rawValue)\""
            var total = 0
            for (bound, count) in zip(Metrics.Histogram.bounds.map { "\($0)" } + ["+Inf"], histogram.counts) {
                total += count
                lines.append("todosync_request_duration_seconds_bucket{\(label),le=\"\(bound)\"} \(total)")
            }
            lines.append("todosync_request_duration_seconds_sum{\(label)} \(histogram.sum)")
            lines.append("todosync_request_duration_seconds_count{\(label)} \(total)")
        }
        func add(_ name: String, _ kind: String, _ help: String, _ value: Int) {
            begin(name, kind, help)
            lines.append("todosync_\(name) \(value)")
        }
        add("received_bytes_total", "counter", "Bytes of request bodies, after decompression.", receivedBytes)
        add("sent_bytes_total", "counter", "Bytes of response bodies, before compression.", sentBytes)
        add("requests_in_flight", "gauge", "Requests in progress.", requestsInFlight)
        add("held_bytes", "gauge", "Bytes of memory for request and response bodies.", heldBytes)
        add("connections", "gauge", "Open connections.", connections)
        add("watchers", "gauge", "Connections that wait for changes.", watching)
        add("watched_tables", "gauge", "Tables whose changes connections wait for.", feed.tableCount)
        add("wakes_total", "counter", "Times that a change woke a waiting connection.", feed.wakeCount)
        add("connections_total", "counter", "Accepted connections.", acceptedConnections)
        add("store_transactions_total", "counter", "Write transactions on the store.", store.transactions)
        add("store_writes_total", "counter", "Writes to the store.", store.writes)
        add("store_waiting_writes", "gauge", "Writes that wait for a transaction.", store.waitingWrites)
        add(
            "store_connections", "gauge", "Connections to the database that can be in use at the same time.",
            store.connections.total)
        add(
            "store_busy_connections", "gauge", "Connections to the database that are in use.",
            store.connections.busy)
        add(
            "store_waiting_for_connection", "gauge", "Reads and transactions that wait for a connection.",
            store.connections.waiting)
        add(
            "store_replica_reads_total", "counter", "Reads that a replica answered.",
            store.replicaReads.answered)
        add(
            "store_replica_refusals_total", "counter",
            "Reads that the primary answered because no replica was up to date.", store.replicaReads.refused)
        return lines.joined(separator: "\n") + "\n"
    }
}

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
