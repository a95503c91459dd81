#if HTTP
    internal import ArgumentParser
    internal import Remotes
    internal import SyncServer

    /// The options of `todosync serve` for the server itself.
    struct ServerOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp("Listen on this address; port 0 picks a free port.", valueName: "host:port"),
            transform: Self.listenAddress)
        var listen = ListenAddress.standard

        @Option(
            help: ArgumentHelp(
                "Use TLS with this certificate chain, in PEM.", valueName: "file"),
            completion: .file())
        var tlsCertificate: String?

        @Option(
            help: ArgumentHelp("The certificate's private key, in PEM.", valueName: "file"),
            completion: .file())
        var tlsKey: String?

        @Option(
            name: .customLong("cors-origin"),
            help: ArgumentHelp(
                "Allow web pages from this origin to use the server; can be repeated.", valueName: "origin"),
            transform: Self.allowedOrigin)
        var corsOrigins: [AllowedOrigin] = []

        @Option(
            help: ArgumentHelp(
                "Answer up to <number> requests a minute for each key, or for each address if a request has no key. "
                    + "If the store has keys, the default is \(Server.Settings.standardRequestsPerMinute).",
                valueName: "number"))
        var rateLimit: Int?

        @Option(
            help: ArgumentHelp(
                "Allow each address up to <number> open connections without a valid key; this machine and trusted "
                    + "proxies have no limit.",
                valueName: "number"))
        var connectionsPerAddress = Server.Settings.standardConnectionsPerAddress

        @Option(
            help: ArgumentHelp(
                "Let up to <number> requests wait for changes at the same time, as todosync watch does; fewer if the "
                    + "system limits open files.",
                valueName: "number"))
        var watchers = Server.Settings.standardWatchers

        @Option(
            help: ArgumentHelp(
                "On SIGTERM, keep serving for <number> seconds while /ready answers 503, so that a load balancer can "
                    + "send new requests elsewhere.",
                valueName: "number"))
        var drain = 0

        @Option(
            help: ArgumentHelp(
                "Let each table have up to <number> todos; a full table takes no new ones (507).",
                valueName: "number"))
        var maxTodos: Int?

        @Option(
            help: ArgumentHelp(
                "Let the todos of each table have up to <number> megabytes; a full table takes no more (507).",
                valueName: "number"))
        var maxMegabytes: Int?

        @Option(
            name: .customLong("trusted-proxy"),
            help: ArgumentHelp(
                "Trust X-Forwarded-For and X-Forwarded-Prefix from this proxy, or from a network such as "
                    + "192.0.2.0/24; can be repeated.", valueName: "address"),
            transform: Self.trustedProxy)
        var trustedProxies: [TrustedProxy] = []

        func validate() throws {
            guard (tlsCertificate == nil) == (tlsKey == nil) else {
                throw ValidationError("use --tls-certificate and --tls-key together")
            }
            if let rateLimit, !(1...1_000_000).contains(rateLimit) {
                throw ValidationError("--rate-limit must be 1 to 1000000 requests a minute")
            }
            if !(1...1_000_000).contains(connectionsPerAddress) {
                throw ValidationError("--connections-per-address must be 1 to 1000000 connections")
            }
            for (name, limit) in [("--max-todos", maxTodos), ("--max-megabytes", maxMegabytes)] {
                if let limit, !(0...1_000_000_000).contains(limit) {
                    throw ValidationError("\(name) must be 0 to 1000000000")
                }
            }
            if !(0...3600).contains(drain) { throw ValidationError("--drain must be 0 to 3600 seconds") }
            if !(0...1_000_000).contains(watchers) {
                throw ValidationError("--watchers must be 0 to 1000000")
            }
        }

        /// Serves a store until a signal ends the server.
        func serve(_ store: Store, json: JSONOption, in session: Session) throws -> ExitStatus {
            let process = session.process
            let surroundings = Server.Surroundings(
                now: process.milliseconds,
                log: { process.standardError.writeIgnoringErrors($0 + "\n") },
                isListening: { [json] url in
                    if json.isWanted {
                        try? session.show(json: listeningJSON(url))
                    } else {
                        process.standardOutput.writeIgnoringErrors("listening on \(url)\n")
                    }
                })
            var store = store
            store.quota = TableQuota(records: maxTodos, bytes: maxMegabytes.map { $0 * 1_000_000 })
            let settings = try settings(in: session)
            session.warn([settings.certificate.flatMap { warningOfExposure($0.key) }].compactMap(\.self))
            do {
                let server = try Server(store: store, settings: settings, surroundings: surroundings)
                switch try waiting(on: .many, for: { try await server.runUntilSignaled() }) {
                case .terminated: return .done
                case .interrupted: return .interrupted
                }
            } catch let error as ServerError {
                throw Failure(error)
            }
        }

        private func settings(in session: Session) throws -> Server.Settings {
            let files = [tlsCertificate, tlsKey].compactMap { $0 }.map {
                TypedPath(typed: $0, currentDirectory: session.currentDirectory).absolute
            }
            let needed = Server.Settings.filesBesidesWatchers
            let openFiles = allowOpenFiles(upTo: watchers + needed)
            guard openFiles >= needed else { throw Failure(openFiles: openFiles, needed: needed) }
            return Server.Settings(
                address: listen,
                certificate: files.count == 2 ? CertificateFiles(certificate: files[0], key: files[1]) : nil,
                allowedOrigins: corsOrigins, requestsPerMinute: rateLimit,
                connectionsPerAddress: connectionsPerAddress,
                watchers: min(watchers, openFiles - needed),
                drainTime: .seconds(drain), trustedProxies: trustedProxies)
        }
    }

    // MARK: - Parsing

    extension ServerOptions {
        fileprivate static func listenAddress(_ text: String) throws -> ListenAddress {
            guard let address = ListenAddress(text) else {
                throw ValidationError(
                    "'\(text)' is not an address; use a form such as 127.0.0.1:8080 or [::1]:8080")
            }
            return address
        }

        fileprivate static func allowedOrigin(_ text: String) throws -> AllowedOrigin {
            guard let origin = AllowedOrigin(text) else {
                throw ValidationError(
                    "'\(text)' is not an origin; use a form such as https://example.org, without a path")
            }
            return origin
        }

        fileprivate static func trustedProxy(_ text: String) throws -> TrustedProxy {
            guard let proxy = TrustedProxy(text) else {
                throw ValidationError(
                    "'\(text)' is not an address; use a form such as 192.0.2.1, or 192.0.2.0/24 for a network"
                )
            }
            return proxy
        }
    }

    extension Failure {
        fileprivate init(_ error: ServerError) {
            let message = visible(error.description)
            switch error {
            case .addressInUse:
                self.init(.cannotCreate, message, hint: "choose a different address with --listen HOST:PORT")
            case .notPermitted:
                self.init(
                    .notAllowed, message,
                    hint:
                        "choose a different address with --listen HOST:PORT; ports from 1024 need no permission"
                )
            case .noSuchAddress:
                self.init(
                    .configuration, message,
                    hint:
                        "use --listen 127.0.0.1:8080 for this machine only, or 0.0.0.0:8080 for all machines")
            case .badCertificate:
                self.init(
                    .configuration, message,
                    hint: "check that --tls-certificate and --tls-key name two PEM files that belong together"
                )
            case .openToOthers:
                self.init(
                    .configuration, message,
                    hint:
                        "run \"todosync serve key add NAME --table todoitem --access write --store DIR\" to create a key"
                )
            }
        }
    }
#endif
