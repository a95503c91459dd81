internal import NIOCore
internal import Synchronization

/// Limits each client's requests per minute, with a token bucket per client.
final class RequestLimiter: Sendable {
    private struct Bucket {
        var content: Double
        var lastFilled: NIODeadline
    }

    private struct Buckets {
        var ofClients: [String: Bucket] = [:]
        /// The number of buckets that triggers the removal of full buckets, which are equivalent to new
        /// buckets.
        var many = RequestLimiter.many
    }

    private let buckets = Mutex(Buckets())
    private static let many = 10_000

    var clientCount: Int { buckets.withLock { $0.ofClients.count } }

    /// Takes one request from a client's bucket.
    ///
    /// - Returns: Nil if the request is allowed; otherwise the number of seconds until the next request is
    ///   allowed.
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
                // The next removal happens at twice the number, so that removals stay rare.
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
