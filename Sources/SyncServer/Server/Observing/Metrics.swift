internal import NIOCore
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
            method: record.knownMethod, route: Route(path: record.path), status: record.status)
        counts.withLock {
            $0.requests[request, default: 0] += 1
            $0.durations[request.route, default: Histogram()].add(record.seconds)
            $0.receivedBytes += record.receivedBytes
            $0.sentBytes += record.sentBytes
        }
    }
}
