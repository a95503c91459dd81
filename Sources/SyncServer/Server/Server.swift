internal import HummingbirdCore
internal import NIOCore
internal import NIOPosix
internal import Platform
package import Remotes
internal import ServiceLifecycle
internal import UnixSignals

/// Serves a store over HTTP.
package struct Server: Service {
    private let responder: Responder
    private let certificate: ServedCertificate?

    var settings: Server.Settings { responder.settings }
    var metrics: Metrics.Counts { responder.metrics.current }
    /// The memory used for request bodies, the values parsed from them, and unsent responses, in bytes.
    var heldBytes: Int { responder.memory.used }
    /// The number of connections that wait for changes.
    var watching: Int { responder.connections.watching }
    var log: ServerLog { ServerLog(responder.surroundings) }

    /// Creates a server and reads its certificate; ``run()`` starts it.
    package init(
        store: Store, settings: Server.Settings, surroundings: Server.Surroundings
    ) throws(ServerError) {
        if let files = settings.certificate {
            certificate = try ServedCertificate(files)
        } else {
            certificate = nil
        }
        responder = Responder(store: store, settings: settings, surroundings: surroundings)
    }

    /// Serves requests until the task is cancelled or its service group is shut down.
    ///
    /// - Throws: ``ServerError``, or an error of the store.
    package func run() async throws {
        // The runtime opens a file for each of its clocks when it is first used, and traps if it can't. So
        // use both before connections can take all files.
        try await Task.sleep(for: .nanoseconds(1), clock: .continuous)
        try await Task.sleep(for: .nanoseconds(1), clock: .suspending)
        let address = settings.address
        if try await !responder.store.hasKeys() {
            guard address.isLoopback else { throw ServerError.openToOthers(address) }
            responder.trust.give()
        }
        if !address.isLoopback, certificate == nil {
            log.write("warning: without TLS, keys are sent unencrypted; use TLS here or in a proxy in front")
        }
        // Connections that have been asked to close stay open for a moment. If all these connections are
        // open, the next one is accepted after another closes.
        let connections = MaximumAvailableConnections(
            settings.limits.connections + settings.limits.closingConnections + settings.watchers,
            logger: log.logger)
        let server = ConnectionSetup(responder: responder, certificate: certificate).server(
            configuration: ServerConfiguration(
                address: .hostname(address.host, port: address.port),
                availableConnectionsDelegate: connections),
            onServerRunning: { [responder, certificate] channel in
                let port = channel.localAddress?.port ?? address.port
                let url = ListenAddress(host: address.host, port: port).description
                responder.surroundings.isListening((certificate == nil ? "http://" : "https://") + url)
            },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: log.logger)
        do {
            try await withGracefulShutdownHandler {
                try await server.run()
            } onGracefulShutdown: {
                beginDraining()
                Task { await endWatching() }
            }
        } catch let error as IOError {
            throw ServerError(error, address)
        } catch is SocketAddressError, is SocketAddressError.UnknownHost {
            throw ServerError.noSuchAddress(address, reason: "no such host")
        }
    }

    /// Makes ``/ready`` report that the server will shut down.
    func beginDraining() { responder.connections.beginDraining() }

    /// Ends the requests that wait for changes after all other requests, which can still change something,
    /// but early enough to send their responses.
    private func endWatching() async {
        let pause = Duration.milliseconds(10)
        var remaining = Int(settings.limits.shutdownTime / pause / 2)
        while responder.connections.isBusy, remaining > 0 {
            try? await Task.sleep(for: pause)
            remaining -= 1
        }
        responder.store.tableWatch.end()
    }

    /// Reloads the certificate files for new connections.
    package func reloadCertificate() {
        guard let certificate else { return log.write("warning: there is no certificate to reload") }
        do {
            try certificate.reload()
            log.write("reloaded the certificate")
        } catch {
            log.write(
                "error: can't reload the certificate; the old one stays in use: \(escapedLine("\(error)"))")
        }
    }
}

extension Server {
    /// A server's settings.
    package struct Settings: Sendable {
        package var address: ListenAddress
        /// The certificate for TLS; nil for plain HTTP.
        package var certificate: CertificateFiles?
        /// The origins whose pages may use the server, as browsers send them: `https://example.org`.
        package var allowedOrigins: [AllowedOrigin]
        /// The maximum number of requests per minute for a key, or for an address without a key.
        ///
        /// Nil means ``standardRequestsPerMinute`` for a server with keys, and no limit for a server without
        /// keys.
        package var requestsPerMinute: Int?
        /// The maximum number of connections without a valid key per address.
        ///
        /// Loopback addresses and trusted proxies are exempt.
        package var connectionsPerAddress: Int
        /// The maximum number of requests that wait for changes at the same time.
        package var watchers: Int
        /// The time from SIGTERM to the shutdown: the server still takes requests, but `/ready` reports that
        /// it will shut down.
        package var drainTime: Duration
        /// The proxies whose `X-Forwarded-For` and `X-Forwarded-Prefix` headers are trusted.
        package var trustedProxies: [TrustedProxy]
        var limits = ConnectionLimits()

        package static let standardRequestsPerMinute = 6000
        package static let standardConnectionsPerAddress = 64
        package static let standardWatchers = 20_000
        /// The number of open files that the server needs besides one for each watcher.
        ///
        /// Besides connections, these are three for each thread that waits for events, and those of the
        /// store: up to 116 for a database with replicas.
        package static var filesBesidesWatchers: Int {
            let limits = ConnectionLimits()
            return limits.connections + limits.closingConnections + 180 + 3 * System.coreCount
        }

        package init(
            address: ListenAddress = .standard, certificate: CertificateFiles? = nil,
            allowedOrigins: [AllowedOrigin] = [], requestsPerMinute: Int? = nil,
            connectionsPerAddress: Int = standardConnectionsPerAddress, watchers: Int = standardWatchers,
            drainTime: Duration = .zero, trustedProxies: [TrustedProxy] = []
        ) {
            self.address = address
            self.certificate = certificate
            self.allowedOrigins = allowedOrigins
            self.requestsPerMinute = requestsPerMinute
            self.connectionsPerAddress = connectionsPerAddress
            self.watchers = watchers
            self.drainTime = drainTime
            self.trustedProxies = trustedProxies
        }
    }
}

extension Server {
    /// The parts of a server's environment that tests replace: the clock, the log and the startup message.
    package struct Surroundings: Sendable {
        /// Returns the time in milliseconds since 1970-01-01T00:00:00Z.
        package var now: @Sendable () -> Int64
        /// Writes a line to the log; the line has no line feed.
        package var log: @Sendable (String) -> Void
        /// Receives the server's URL once, when the server is listening.
        package var isListening: @Sendable (String) -> Void

        package init(
            now: @escaping @Sendable () -> Int64, log: @escaping @Sendable (String) -> Void,
            isListening: @escaping @Sendable (String) -> Void
        ) {
            self.now = now
            self.log = log
            self.isListening = isListening
        }
    }
}

extension Server {
    /// The reason why a server ended.
    package enum Ending: Sendable, Hashable {
        /// The server received SIGTERM.
        case terminated
        /// The server received SIGINT, which Ctrl-C sends.
        case interrupted
    }

    /// Serves requests until SIGTERM or SIGINT; requests in progress have some seconds to finish.
    ///
    /// SIGTERM lets the server drain first; a second signal ends this early.
    ///
    /// SIGHUP reloads the certificate.
    ///
    /// - Throws: ``ServerError``, or an error of the store.
    package func runUntilSignaled() async throws -> Ending {
        try await run(until: await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup))
    }

    func run(until signals: some AsyncSequence<UnixSignal, Never> & Sendable) async throws -> Ending {
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: self, successTerminationBehavior: .gracefullyShutdownGroup)],
            logger: log.logger)
        configuration.maximumGracefulShutdownDuration = settings.limits.shutdownTime
        let group = ServiceGroup(configuration: configuration)
        return try await withThrowingTaskGroup(of: Ending?.self) { tasks in
            tasks.addTask {
                try await group.run()
                return nil
            }
            tasks.addTask {
                var ending: Ending?
                for await signal in signals {
                    if signal == .sighup {
                        reloadCertificate()
                    } else if signal == .sigterm, ending == nil, settings.drainTime > .zero {
                        ending = .terminated
                        beginDraining()
                        Task {
                            try await Task.sleep(for: settings.drainTime)
                            await group.triggerGracefulShutdown()
                        }
                    } else {
                        await group.triggerGracefulShutdown()
                        return ending ?? (signal == .sigint ? .interrupted : .terminated)
                    }
                }
                return ending
            }
            var ending: Ending?
            for try await result in tasks {
                ending = ending ?? result
                if result == nil { tasks.cancelAll() }
            }
            return ending ?? .terminated
        }
    }
}

/// The reason why a server can't listen.
package enum ServerError: Error, Sendable, Hashable {
    case addressInUse(ListenAddress)
    /// The system doesn't allow this user to listen on the address.
    case notPermitted(ListenAddress)
    /// The address doesn't belong to this machine.
    case noSuchAddress(ListenAddress, reason: String)
    case badCertificate(path: String, reason: String)
    /// The store has no keys, and other machines can reach the address.
    case openToOthers(ListenAddress)
}

extension ServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .addressInUse(let address): "another program is listening on \(address)"
        case .notPermitted(let address): "this user has no permission to listen on \(address)"
        case .noSuchAddress(let address, let reason): "can't listen on \(address): \(reason)"
        case .badCertificate(let path, let reason): "\(path): \(reason)"
        case .openToOthers(let address): "other machines can reach \(address), but the store has no keys"
        }
    }
}

extension ServerError {
    /// Creates the error for a system error that keeps the server from listening.
    init(_ error: IOError, _ address: ListenAddress) {
        self =
            switch error.errnoCode {
            case EADDRINUSE: .addressInUse(address)
            case EACCES, EPERM: .notPermitted(address)
            case let code: .noSuchAddress(address, reason: String(cString: strerror(code)).lowercased())
            }
    }
}
