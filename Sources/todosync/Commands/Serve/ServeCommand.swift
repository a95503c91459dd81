internal import ArgumentParser
internal import Remotes
internal import TodoModel

/// The command `todosync serve` and its subcommands.
struct ServeCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve a store over HTTP, or manage its keys and tables.",
        usage: """
            todosync serve --store <store> [<options>]
            todosync serve key add|list|revoke ... --store <store>
            todosync serve table add|list ... --store <store>
            todosync serve store create --store <store>
            todosync serve store upgrade --store <store>
            todosync serve store copy --from <store> --to <store>
            todosync serve backup --store <store> --to <dir>
            """,
        discussion: """
            Example: todosync serve --store store --listen 0.0.0.0:8443 --tls-certificate cert.pem --tls-key \
            key.pem

            Prints the server's URL once it is listening, and logs each request to standard error; with --json, \
            it prints the URL as JSON and logs nothing. Without keys, it serves this machine only. On Ctrl-C or \
            SIGTERM, it finishes the requests in progress, ends those that wait for changes, and exits. On SIGHUP, it reloads its certificate.

            Several servers can use one PostgreSQL database. The database needs a store first; see "todosync serve \
            store create --help".
            """,
        subcommands: [
            ServeKeyCommand.self, ServeTableCommand.self, ServeStoreCommand.self, ServeBackupCommand.self,
        ])

    @OptionGroup var store: StoreOption

    #if HTTP
        @OptionGroup var server: ServerOptions
    #endif
    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        #if HTTP
            try server.serve(store.open(in: session), json: json, in: session)
        #else
            throw Failure(RemoteError.withoutHTTP)
        #endif
    }
}
