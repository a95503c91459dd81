internal import ServiceLifecycle
internal import UnixSignals

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
