internal import NIOCore
internal import Synchronization

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
