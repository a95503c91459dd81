internal import Synchronization

/// The connections that are open, and which of them gives way where there are too many.
///
/// One that waits for a request gives way: its client loses nothing, and sends its next request by a new one.
/// Which one has waited longest is told by the order in which they began to wait.
final class OpenConnections: Sendable {
    struct ID: Sendable, Hashable { fileprivate let number: Int }

    fileprivate enum Phase: Equatable {
        /// No request's header has come since then; the smallest number has waited longest.
        case waiting(since: Int)
        /// A request is received or answered, however long that takes: it does not give way.
        case busy
        /// It was told to close.
        case leaving
    }

    fileprivate struct Connection {
        /// The address among whose connections it counts; nil where it need not, or has shown a valid key.
        var countedAddress: String?
        /// Whether its address was at its limit, and no connection could give way.
        var isSurplus = false
        var phase: Phase
        let close: @Sendable () -> Void
    }

    fileprivate struct State {
        var connections: [ID: Connection] = [:]
        /// Numbers connections, and the moments at which they begin to wait.
        var clock = 0
    }

    private let state = Mutex(State())
    private let maximum: Int
    private let maximumPerAddress: Int

    /// - Parameters:
    ///   - maximum: how many may stay open.
    ///   - maximumPerAddress: how many of those that count for one address may.
    init(maximum: Int, maximumPerAddress: Int) {
        self.maximum = maximum
        self.maximumPerAddress = maximumPerAddress
    }

    /// Adds a connection; others may have to give way to it.
    ///
    /// - Parameters:
    ///   - address: the one for which it counts until it shows a valid key, nil for none.
    ///   - close: closes it, from whatever thread.
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

    func close(_ id: ID) { state.withLock { _ = $0.connections.removeValue(forKey: id) } }

    /// Notes that a request's header has come.
    ///
    /// - Returns: False for a connection that was told to close: the request is not to be carried out.
    func beginRequest(_ id: ID) -> Bool {
        state.withLock { state in
            guard let phase = state.connections[id]?.phase, phase != .leaving else { return false }
            state.connections[id]?.phase = .busy
            return true
        }
    }

    /// Notes that all answers are sent; of too many, the one that has waited longest is closed.
    func awaitRequest(_ id: ID) {
        let closing = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.connections[id]?.phase == .busy else { return nil }
            state.clock += 1
            state.connections[id]?.phase = .waiting(since: state.clock)
            return state.count() > maximum ? state.dismissLongestWaiting() : nil
        }
        closing?()
    }

    /// Notes that a request showed a valid key.
    func identify(_ id: ID) {
        state.withLock { state in
            state.connections[id]?.countedAddress = nil
            state.connections[id]?.isSurplus = false
        }
    }

    /// Whether its address was at its limit, and no other connection could give way.
    func isSurplus(_ id: ID) -> Bool { state.withLock { $0.connections[id]?.isSurplus ?? false } }
}

extension OpenConnections.State {
    /// Counts the connections that stay.
    fileprivate func count(
        where isCounted: (OpenConnections.Connection) -> Bool = { _ in true }
    ) -> Int {
        connections.values.count { $0.phase != .leaving && isCounted($0) }
    }

    /// Returns what closes the connection that has waited longest for a request; nil if none waits.
    fileprivate mutating func dismissLongestWaiting(
        where isMeant: (OpenConnections.Connection) -> Bool = { _ in true }
    ) -> (@Sendable () -> Void)? {
        var longest: (id: OpenConnections.ID, since: Int)?
        for (id, connection) in connections where isMeant(connection) {
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
