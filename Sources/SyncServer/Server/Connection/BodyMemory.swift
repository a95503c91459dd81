internal import Synchronization
internal import TodoModel
internal import Values

/// Bounds what the bodies of all requests, and of answers that wait to be sent, take at once.
final class BodyMemory: Sendable {
    private let size: Int
    private let taken = Mutex(0)

    init(size: Int) { self.size = size }

    /// The bytes that are taken.
    var used: Int { taken.withLock { $0 } }

    /// Takes bytes, if so many are free.
    func take(_ count: Int) -> Bool {
        taken.withLock { taken in
            guard count <= size - taken else { return false }
            taken += count
            return true
        }
    }

    func give(_ count: Int) { taken.withLock { $0 -= count } }

    /// Returns the bytes that it takes at most to read a body and to carry out what it says.
    ///
    /// A text is copied on its way into the store and back; of what is small, the places that values have in
    /// memory weigh more. Both numbers are measured, on bodies of one long text, and of nothing but objects.
    static func need(ofReading body: [UInt8]) -> Int {
        let beginnings = body.count { byte in
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): true
            default: false
            }
        }
        // Each value has one before it, an object's member two; reading stops at the maximum count.
        let places = min(beginnings, 2 * JSON.defaultMaximumValueCount)
        return 10 * body.count + 128 * places
    }
}
