internal import Synchronization

/// Bounds what the bodies of all requests take at once.
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
}
