internal import NIOCore
internal import Synchronization

/// Tracks the open connections, and closes one that waits for its client if there are too many.
///
/// Each client has to send and read at a minimum rate. The connection of the client that is furthest behind
/// is closed first: a connection without a request is behind by the time that it has waited for one.
final class OpenConnections: Sendable {
    struct ID: Sendable, Hashable { fileprivate let number: Int }

    fileprivate enum Phase: Equatable {
        /// The connection has no request. If it is closed, its client loses nothing, and sends its next
        /// request on a new connection.
        case idle
        /// A request is arriving, or the client is reading a response.
        case transferring
        /// The server is working on a response. Such a connection is never closed to make room for another.
        case answering
        /// A request waits for changes. Such a connection has a limit of its own and doesn't count here.
        case watching
        /// The connection has been asked to close.
        case leaving
    }

    fileprivate struct Connection {
        /// The address whose limit the connection counts toward; nil if it is exempt or has sent a valid
        /// key.
        var countedAddress: String?
        /// Whether the address was at its limit, and none of its connections was idle.
        var isSurplus = false
        var phase = Phase.idle
        /// The time when a client with the minimum rate would have sent or read as much as this one has; for
        /// a connection without a request, the time when it began to wait for one.
        var due = NIODeadline.now()
        let close: @Sendable () -> Void
    }

    fileprivate struct State {
        var connections: [ID: Connection] = [:]
        /// The number of connections that wait for changes.
        var watching = 0
        /// Whether the server will shut down.
        var isDraining = false
        /// The last number that was assigned to a connection.
        var lastNumber = 0
    }

    private let state = Mutex(State())
    private let maximum: Int
    private let maximumPerAddress: Int
    private let maximumWatching: Int

    /// Creates a tracker without connections.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of open connections.
    ///   - maximumPerAddress: The maximum number of connections that count toward one address.
    ///   - maximumWatching: The maximum number of connections that wait for changes.
    init(maximum: Int, maximumPerAddress: Int, maximumWatching: Int) {
        self.maximum = maximum
        self.maximumPerAddress = maximumPerAddress
        self.maximumWatching = maximumWatching
    }

    /// Adds a connection, and closes others if there are too many.
    ///
    /// - Parameters:
    ///   - address: The address that the connection counts toward until it sends a valid key; nil if it is
    ///     exempt.
    ///   - close: Closes the connection; safe on any thread.
    func open(from address: String?, close: @escaping @Sendable () -> Void) -> ID {
        let (id, closing) = state.withLock { state in
            state.lastNumber += 1
            let id = ID(number: state.lastNumber)
            var connection = Connection(countedAddress: address, close: close)
            var closing: [@Sendable () -> Void] = []
            let countsForAddress = { (other: Connection) in other.countedAddress == address }
            if address != nil, state.count(where: countsForAddress) >= maximumPerAddress {
                if let close = state.dismissSlowest(where: { $0.phase == .idle && countsForAddress($0) }) {
                    closing.append(close)
                } else {
                    connection.isSurplus = true
                }
            }
            if state.count() >= maximum, let close = state.dismissSlowest() { closing.append(close) }
            state.connections[id] = connection
            return (id, closing)
        }
        for close in closing { close() }
        return id
    }

    func close(_ id: ID) {
        state.withLock { state in
            if state.connections.removeValue(forKey: id)?.phase == .watching { state.watching -= 1 }
        }
    }

    /// Records that a request's header has arrived.
    ///
    /// - Returns: False if the connection has been asked to close; in that case, don't handle the request.
    func beginRequest(_ id: ID) -> Bool {
        state.withLock { state in
            guard let phase = state.connections[id]?.phase, phase != .leaving else { return false }
            state.begin(.transferring, id)
            return true
        }
    }

    /// Records that the client has sent or read a part of a body.
    ///
    /// - Parameter rate: The minimum rate, in bytes a second.
    func moved(_ id: ID, bytes: Int, rate: Int) {
        let time = TimeAmount.nanoseconds(Int64(Double(bytes) / Double(rate) * 1e9))
        state.withLock { state in
            guard let due = state.connections[id]?.due else { return }
            state.connections[id]?.due = due + time
        }
    }

    /// Records that a whole request has arrived.
    func beginAnswer(_ id: ID) {
        state.withLock { state in
            if state.connections[id]?.phase == .transferring { state.begin(.answering, id) }
        }
    }

    /// Records that the client can read the response.
    func beginSending(_ id: ID) {
        state.withLock { state in
            if state.connections[id]?.phase == .answering { state.begin(.transferring, id) }
        }
    }

    /// Records that a request waits for changes; returns false if too many do.
    func beginWatching(_ id: ID) -> Bool {
        state.withLock { state in
            guard state.watching < maximumWatching, state.connections[id]?.phase == .answering else {
                return false
            }
            state.connections[id]?.phase = .watching
            state.watching += 1
            return true
        }
    }

    /// Records that a request no longer waits for changes.
    func endWatching(_ id: ID) {
        state.withLock { state in
            guard state.connections[id]?.phase == .watching else { return }
            state.connections[id]?.phase = .answering
            state.watching -= 1
        }
    }

    /// The number of connections that wait for changes.
    var watching: Int { state.withLock { $0.watching } }

    /// Records that the server will shut down; until then, it responds as before.
    func beginDraining() { state.withLock { $0.isDraining = true } }

    /// Whether the server will shut down.
    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Whether a request is in progress that doesn't wait for changes.
    var isBusy: Bool {
        state.withLock { $0.connections.values.contains { [.transferring, .answering].contains($0.phase) } }
    }

    /// Records that all responses have been sent, and closes the slowest connection if there are too many.
    func awaitRequest(_ id: ID) {
        let closing = state.withLock { state -> (@Sendable () -> Void)? in
            guard let phase = state.connections[id]?.phase, [.transferring, .answering].contains(phase) else {
                return nil
            }
            state.begin(.idle, id)
            return state.count() > maximum ? state.dismissSlowest() : nil
        }
        closing?()
    }

    /// Closes the connection whose client is furthest behind in sending a request or reading a response,
    /// because the memory that these take is needed.
    ///
    /// - Parameter time: How far behind the client has to be at least.
    func closeSlow(behindBy time: TimeAmount) {
        let limit = NIODeadline.now() - time
        state.withLock { state in
            state.dismissSlowest { $0.phase == .transferring && $0.due < limit }
        }?()
    }

    /// Records that a request had a valid key.
    func identify(_ id: ID) {
        state.withLock { state in
            state.connections[id]?.countedAddress = nil
            state.connections[id]?.isSurplus = false
        }
    }

    /// Returns whether a connection's address was at its limit, and none of its connections was idle.
    func isSurplus(_ id: ID) -> Bool { state.withLock { $0.connections[id]?.isSurplus ?? false } }
}

extension OpenConnections.State {
    /// Returns the number of connections that neither wait for changes nor have been asked to close.
    fileprivate func count() -> Int {
        connections.values.count { $0.phase != .leaving && $0.phase != .watching }
    }

    /// Returns the number of matching connections that have not been asked to close.
    fileprivate func count(where isCounted: (OpenConnections.Connection) -> Bool) -> Int {
        connections.values.count { $0.phase != .leaving && isCounted($0) }
    }

    /// Begins a phase of a connection, in which its client isn't behind yet.
    fileprivate mutating func begin(_ phase: OpenConnections.Phase, _ id: OpenConnections.ID) {
        connections[id]?.phase = phase
        connections[id]?.due = .now()
    }

    /// Marks the connection whose client is furthest behind as leaving and returns its `close`; nil if no
    /// connection waits for its client.
    fileprivate mutating func dismissSlowest(
        where isCounted: (OpenConnections.Connection) -> Bool = { [.idle, .transferring].contains($0.phase) }
    ) -> (@Sendable () -> Void)? {
        var slowest: (id: OpenConnections.ID, connection: OpenConnections.Connection)?
        for (id, connection) in connections where isCounted(connection) {
            if let slowest, (slowest.connection.due, slowest.id.number) < (connection.due, id.number) {
                continue
            }
            slowest = (id, connection)
        }
        guard let slowest else { return nil }
        connections[slowest.id]?.phase = .leaving
        return slowest.connection.close
    }
}
