internal import Synchronization

/// Tracks the open connections, and closes idle connections if there are too many.
///
/// The connection that has waited longest for a request is closed first. Its client loses nothing, and sends
/// its next request on a new connection.
final class OpenConnections: Sendable {
    struct ID: Sendable, Hashable { fileprivate let number: Int }

    fileprivate enum Phase: Equatable {
        /// No request's header has arrived since this point; the connection with the smallest number has
        /// waited longest.
        case waiting(since: Int)
        /// A request is in progress. A busy connection is never closed to make room for another.
        case busy
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
        var phase: Phase
        let close: @Sendable () -> Void
    }

    fileprivate struct State {
        var connections: [ID: Connection] = [:]
        /// The number of connections that wait for changes.
        var watching = 0
        /// Whether the server will shut down.
        var isDraining = false
        /// The last number that was assigned to a connection or to a point where a connection began to wait.
        var clock = 0
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

    /// Adds a connection, and closes idle connections if there are too many.
    ///
    /// - Parameters:
    ///   - address: The address that the connection counts toward until it sends a valid key; nil if it is
    ///     exempt.
    ///   - close: Closes the connection; safe on any thread.
    func open(from address: String?, close: @escaping @Sendable () -> Void) -> ID {
        let (id, closing) = state.withLock { state in
            state.clock += 1
            let id = ID(number: state.clock)
            var connection = Connection(
                countedAddress: address, phase: .waiting(since: state.clock), close: close)
            var closing: [@Sendable () -> Void] = []
            let countsForAddress = { (other: Connection) in other.countedAddress == address }
            if address != nil, state.count(where: countsForAddress) >= maximumPerAddress {
                if let close = state.dismissLongestWaiting(where: countsForAddress) {
                    closing.append(close)
                } else {
                    connection.isSurplus = true
                }
            }
            if state.count() >= maximum, let close = state.dismissLongestWaiting() { closing.append(close) }
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
            state.connections[id]?.phase = .busy
            return true
        }
    }

    /// Records that a request waits for changes; returns false if too many do.
    func beginWatching(_ id: ID) -> Bool {
        state.withLock { state in
            guard state.watching < maximumWatching, state.connections[id]?.phase == .busy else {
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
            state.connections[id]?.phase = .busy
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
    var isBusy: Bool { state.withLock { $0.connections.values.contains { $0.phase == .busy } } }

    /// Records that all responses have been sent, and closes the longest idle connection if there are too
    /// many.
    func awaitRequest(_ id: ID) {
        let closing = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.connections[id]?.phase == .busy else { return nil }
            state.clock += 1
            state.connections[id]?.phase = .waiting(since: state.clock)
            return state.count() > maximum ? state.dismissLongestWaiting() : nil
        }
        closing?()
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

    /// Marks the longest idle connection as leaving and returns its `close`; nil if no connection is idle.
    fileprivate mutating func dismissLongestWaiting(
        where isCounted: (OpenConnections.Connection) -> Bool = { _ in true }
    ) -> (@Sendable () -> Void)? {
        var longest: (id: OpenConnections.ID, since: Int)?
        for (id, connection) in connections where isCounted(connection) {
            guard case .waiting(let since) = connection.phase, since < longest?.since ?? .max else {
                continue
            }
            longest = (id, since)
        }
        guard let longest else { return nil }
        connections[longest.id]?.phase = .leaving
        return connections[longest.id]?.close
    }
}
