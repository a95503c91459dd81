internal import ArgumentParser
internal import SyncEngine

/// The command `todosync remote` and its subcommands.
struct RemoteCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "remote",
        abstract: "Show or change where todos are pushed to and pulled from.",
        usage: """
            todosync remote
            todosync remote add origin <url>
            todosync remote set-url origin <url>
            todosync remote remove origin
            todosync remote login <url>
            todosync remote logout <url>
            """,
        discussion: """
            Without a subcommand, prints the remote's URL, or nothing where there is none. A working directory has \
            one remote; its name is origin.

            Example: todosync remote add origin ~/store
            """,
        subcommands: [
            RemoteAddCommand.self, RemoteSetURLCommand.self, RemoteRemoveCommand.self,
            RemoteLoginCommand.self, RemoteLogoutCommand.self,
        ])

    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        if let url = try session.workspace().remoteURL { try session.show("origin\t\(visible(url))\n") }
        return .done
    }
}

/// The only name a remote can have.
enum RemoteName: String, ExpressibleByArgument, CaseIterable {
    case origin
}
