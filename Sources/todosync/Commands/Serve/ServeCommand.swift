internal import ArgumentParser
internal import Remotes
internal import SyncServer

/// The command `todosync serve` and its subcommands.
struct ServeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Offer a store over HTTP, or manage its keys and tables.",
        usage: """
            todosync serve --store <dir> [<options>]
            todosync serve key add|list|revoke ... --store <dir>
            todosync serve table add|list ... --store <dir>
            """,
        discussion: """
            Prints the server's URL once it listens, and a line for each request to standard error. Without keys \
            it serves this machine only. It ends with Ctrl-C or SIGTERM, after what is under way; SIGHUP makes it \
            read its certificate again.

            Example: todosync serve --store store --listen 0.0.0.0:8443 --tls-certificate cert.pem --tls-key key.pem
            """,
        subcommands: [ServeKeyCommand.self, ServeTableCommand.self])

    @OptionGroup var store: StoreOption

    @Option(
        help: ArgumentHelp("Where to listen; port 0 is any that is free.", valueName: "host:port"),
        transform: Typed.listenAddress)
    var listen = ListenAddress.standard

    @Option(
        help: ArgumentHelp(
            "Speak TLS with this certificate and those that it rests on, in PEM.", valueName: "file"),
        completion: .file())
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp("The certificate's private key, in PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(
        name: .customLong("cors-origin"),
        help: ArgumentHelp(
            "Let pages of this origin use the server; can be given several times.", valueName: "origin"),
        transform: Typed.allowedOrigin)
    var corsOrigins: [AllowedOrigin] = []

    @Option(
        help: ArgumentHelp(
            "Answer at most so many requests a minute of each key, or of each address without one. With keys, the "
                + "default is \(Server.Settings.standardRequestsPerMinute).",
            valueName: "number"))
    var rateLimit: Int?

    @Option(
        help: ArgumentHelp(
            "How many connections without a valid key one address may have open; this machine and trusted "
                + "proxies may have any number.",
            valueName: "number"))
    var connectionsPerAddress = Server.Settings.standardConnectionsPerAddress

    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            "Trust X-Forwarded-For and X-Forwarded-Prefix from the proxy at this address, or from a network such as "
                + "192.0.2.0/24; can be given several times.", valueName: "address"),
        transform: Typed.trustedProxy)
    var trustedProxies: [TrustedProxy] = []

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key need each other")
        }
        if let rateLimit, !(1...1_000_000).contains(rateLimit) {
            throw ValidationError("--rate-limit takes 1 to 1000000 requests a minute")
        }
        if !(1...1_000_000).contains(connectionsPerAddress) {
            throw ValidationError("--connections-per-address takes 1 to 1000000 connections")
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        let process = session.process
        let surroundings = Server.Surroundings(
            now: process.milliseconds,
            log: { process.standardError.writeIgnoringErrors($0 + "\n") },
            isListening: { process.standardOutput.writeIgnoringErrors("listening on \($0)\n") })
        let store = try store.open(in: session)
        let settings = settings(in: session)
        session.warn([settings.certificate.flatMap { warningOfExposure($0.key) }].compactMap(\.self))
        do {
            let server = try Server(store: store, settings: settings, surroundings: surroundings)
            switch try waiting(for: { try await server.runUntilSignalled() }) {
            case .terminated: return .done
            case .interrupted: return .interrupted
            }
        } catch let error as ServerError {
            throw Failure(error)
        }
    }

    private func settings(in session: Session) -> Server.Settings {
        let files = [tlsCertificate, tlsKey].compactMap { $0 }.map {
            TypedPath(typed: $0, currentDirectory: session.currentDirectory).absolute
        }
        return Server.Settings(
            address: listen,
            certificate: files.count == 2 ? CertificateFiles(certificate: files[0], key: files[1]) : nil,
            allowedOrigins: corsOrigins, requestsPerMinute: rateLimit,
            connectionsPerAddress: connectionsPerAddress, trustedProxies: trustedProxies)
    }
}

extension Failure {
    fileprivate init(_ error: ServerError) {
        let message = visible(error.description)
        switch error {
        case .addressInUse:
            self.init(.cannotCreate, message, hint: "--listen HOST:PORT names another address")
        case .notPermitted:
            self.init(
                .notAllowed, message,
                hint: "--listen HOST:PORT names another address; ports from 1024 are free to all")
        case .noSuchAddress:
            self.init(
                .configuration, message,
                hint: "--listen 127.0.0.1:8080 is for this machine, 0.0.0.0:8080 for all")
        case .badCertificate:
            self.init(
                .configuration, message,
                hint: "--tls-certificate and --tls-key name two files in PEM that belong together")
        case .openToOthers:
            self.init(
                .configuration, message,
                hint: "todosync serve key add NAME --table todoitem --access write --store DIR makes a key")
        }
    }
}
