internal import NIOCore
internal import Synchronization
internal import TodoModel
internal import Values

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

/// Limits the memory of all request bodies, and of all response bodies that wait to be sent.
final class BodyMemory: Sendable {
    private let size: Int
    private let taken = Mutex(0)

    init(size: Int) { self.size = size }

    /// The number of bytes in use.
    var used: Int { taken.withLock { $0 } }

    /// Reserves memory; returns false if there isn't enough.
    func take(_ count: Int) -> Bool {
        taken.withLock { taken in
            guard count <= size - taken else { return false }
            taken += count
            return true
        }
    }

    func give(_ count: Int) { taken.withLock { $0 -= count } }

    /// Returns an upper bound on the bytes of memory that parsing a body and handling its request need.
    ///
    /// Text is copied several times on its way into the store and back. With small values, the fixed size of
    /// a value in memory dominates. Both factors were measured: one with bodies that consist of one long
    /// string, the other with bodies that consist only of objects.
    static func need(ofReading body: [UInt8]) -> Int {
        let beginnings = body.count { byte in
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): true
            default: false
            }
        }
        // One of these characters precedes each value, and two precede an object's member. The parser stops
        // at the maximum number of values.
        let valueCount = min(beginnings, 2 * JSON.defaultMaximumValueCount)
        return 10 * body.count + 128 * valueCount
    }
}

/// Limits the data that is compressed per second.
///
/// The threads that compress responses also serve all connections. So if there are many large responses, some
/// are sent as they are.
final class CompressionBudget: Sendable {
    private let state = Mutex((left: capacity, lastFilled: NIODeadline.now()))

    /// The number of bytes that can be compressed at once, and a second; compressing a megabyte takes 20 ms.
    private static let (capacity, perSecond) = (2e6, 8e6)
    /// The largest response that is compressed, in bytes.
    private static let maximumSize = 1 << 20

    /// Returns whether to compress a response now.
    func take(_ size: Int, at time: NIODeadline = .now()) -> Bool {
        guard size <= Self.maximumSize else { return false }
        return state.withLock { state in
            let seconds = Double((time - state.lastFilled).nanoseconds) / 1e9
            let left = min(Self.capacity, state.left + max(0, seconds) * Self.perSecond)
            state = (left - (left >= Double(size) ? Double(size) : 0), max(time, state.lastFilled))
            return left >= Double(size)
        }
    }
}
