internal import Synchronization

/// Whether a server without keys lets in all who are on this machine.
///
/// It is given when the server starts, and lost for good with the first key that is seen: who takes the last
/// key away wants nobody to come in, not everybody.
final class Trust: Sendable {
    private let isGiven = Atomic(false)

    var holds: Bool { isGiven.load(ordering: .sequentiallyConsistent) }

    func give() { isGiven.store(true, ordering: .sequentiallyConsistent) }

    func withdraw() { isGiven.store(false, ordering: .sequentiallyConsistent) }
}
