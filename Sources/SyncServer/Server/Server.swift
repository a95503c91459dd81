internal import HummingbirdCore
internal import NIOCore
internal import NIOPosix
package import Remotes
internal import ServiceLifecycle

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
