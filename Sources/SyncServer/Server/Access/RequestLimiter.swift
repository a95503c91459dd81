internal import NIOCore
internal import Synchronization

/// Gives each client a number of requests a minute: a bucket that fills steadily, and that a request takes
/// from.
final class RequestLimiter: Sendable {
    private struct Bucket {
        var content: Double
        var lastFilled: NIODeadline
    }

    private struct Buckets {
        var ofClients: [String: Bucket] = [:]
        /// At this number full buckets are forgotten, which changes nothing.
        var many = RequestLimiter.many
    }

    private let buckets = Mutex(Buckets())
    private static let many = 10_000

    var clientCount: Int { buckets.withLock { $0.ofClients.count } }

    /// Takes a request of a client's.
    ///
    /// - Returns: Nil if it has one left, or the seconds until it will have.
    func take(for client: String, perMinute: Int, at time: NIODeadline) -> Int? {
        let capacity = Double(perMinute)
        let perSecond = capacity / 60
        func content(_ bucket: Bucket) -> Double {
            let seconds = Double((time - bucket.lastFilled).nanoseconds) / 1e9
            return min(capacity, bucket.content + max(0, seconds) * perSecond)
        }
        return buckets.withLock { buckets in
            if buckets.ofClients.count >= buckets.many {
                buckets.ofClients = buckets.ofClients.filter { content($0.value) < capacity }
                // Not again before there are twice as many, so that looking through them stays rare.
                buckets.many = max(Self.many, 2 * buckets.ofClients.count)
            }
            var bucket = buckets.ofClients[client] ?? Bucket(content: capacity, lastFilled: time)
            bucket.content = content(bucket)
            bucket.lastFilled = time
            defer { buckets.ofClients[client] = bucket }
            guard bucket.content >= 1 else {
                return Int(((1 - bucket.content) / perSecond).rounded(.up))
            }
            bucket.content -= 1
            return nil
        }
    }
}
