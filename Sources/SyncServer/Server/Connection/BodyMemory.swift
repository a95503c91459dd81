internal import Synchronization
internal import TodoModel
internal import Values

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
        let places = min(beginnings, 2 * JSON.defaultMaximumValueCount)
        return 10 * body.count + 128 * places
    }
}
