internal import Synchronization

/// Whether a server without keys gives access to every process on this machine.
///
/// The server grants this access when it starts, and withdraws it for good once the store has a key. If the
/// last key is revoked, nobody has access: an administrator who revokes keys doesn't want to open the store
/// to everybody.
final class Trust: Sendable {
    private let isGiven = Atomic(false)

    var holds: Bool { isGiven.load(ordering: .sequentiallyConsistent) }

    func give() { isGiven.store(true, ordering: .sequentiallyConsistent) }

    func withdraw() { isGiven.store(false, ordering: .sequentiallyConsistent) }
}
