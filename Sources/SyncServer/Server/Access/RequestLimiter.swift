internal import NIOCore
internal import Synchronization

/// Gives each client a number of requests a minute: a bucket that fills steadily, and that a request takes
/// from.
final class RequestLimiter: Sendable {
    private struct Bucket {
        var content: Double
        var lastFilled: NIODeadline
    }

    private let buckets = Mutex<[String: Bucket]>([:])
    /// Above this number full buckets are forgotten, which changes nothing.
    private static let manyBuckets = 10_000

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
            if buckets.count > Self.manyBuckets {
                buckets = buckets.filter { content($0.value) < capacity }
            }
            var bucket = buckets[client] ?? Bucket(content: capacity, lastFilled: time)
            bucket.content = content(bucket)
            bucket.lastFilled = time
            defer { buckets[client] = bucket }
            guard bucket.content >= 1 else {
                return Int(((1 - bucket.content) / perSecond).rounded(.up))
            }
            bucket.content -= 1
            return nil
        }
    }
}
