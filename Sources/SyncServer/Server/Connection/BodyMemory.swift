internal import Synchronization

/// Bounds what the bodies of all requests take at once.
final class BodyMemory: Sendable {
    private let free: Mutex<Int>

    init(size: Int) { free = Mutex(size) }

    /// Takes bytes, if so many are free.
    func take(_ count: Int) -> Bool {
        free.withLock { free in
            guard count <= free else { return false }
            free -= count
            return true
        }
    }

    func give(_ count: Int) { free.withLock { $0 += count } }
}
