internal import ArgumentParser
internal import Remotes

/// The command `todosync remote login URL`.
struct RemoteLoginCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Keep a key for a server.",
        usage: "todosync remote login <url>",
        discussion: """
            Asks for the key at the terminal, without showing it, or takes it from the first line of standard \
            input. It is kept in ~/.config/todosync/credentials (or below XDG_CONFIG_HOME), which only you can \
            read, a line a server. A line "helper COMMAND" there names a program that keeps keys instead and \
            speaks git's credential protocol, such as "git credential-libsecret". The variable TODOSYNC_KEY \
            comes before both: KEY is for every server that you trust, 'ORIGIN KEY' for that one only. The server is \
            one that you trust from then on: see "todosync trust --help".

            Example: todosync remote login https://example.org/tables/todoitem
            """)

    @Argument(help: ServerArgument.help)
    var url: ServerArgument

    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let server = url.origin
        guard server.isSafeForKeys else {
            throw Failure(
                .configuration,
                "a key is not sent over plain http to another machine: \(visible("\(server)"))",
                hint: "use https")
        }
        let process = session.process
        let typed =
            if let terminal = Terminal(process) {
                try terminal.askSecretly("key for \(server): ")
            } else {
                process.standardInput.readLine()
            }
        let key = String((typed ?? "").filter { !$0.isWhitespace })
        guard !key.isEmpty, key.utf8.count <= 2048, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(.usage, "no key was given, or it holds what no key does")
        }
        try Trust(process).grant(server)
        let place = try Keys(process).store(key, for: server)
        session.remark("the key for \(server) is kept in \(place)")
        return .done
    }
}

/// The command `todosync remote logout URL`.
struct RemoteLogoutCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forget the key for a server.",
        usage: "todosync remote logout <url>")

    @Argument(help: ServerArgument.help)
    var url: ServerArgument

    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try Keys(session.process).erase(for: url.origin)
        return .done
    }
}

/// A server as the user names it: its own URL or that of one of its tables.
struct ServerArgument: ExpressibleByArgument {
    let origin: ServerOrigin

    static let help = ArgumentHelp(
        "The server, or one of its tables, as https://example.org/tables/todoitem.", valueName: "url")

    init?(argument: String) {
        guard let origin = ServerOrigin(url: argument) else { return nil }
        self.origin = origin
    }
}
