internal import ArgumentParser
internal import SyncEngine

/// The command `todosync remote` and its subcommands.
struct RemoteCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "remote",
        abstract: "Show or change the remote to push to and pull from.",
        usage: """
            todosync remote
            todosync remote add origin <url>
            todosync remote set-url origin <url>
            todosync remote remove origin
            todosync remote login <url>
            todosync remote logout <url>
            """,
        discussion: """
            Example: todosync remote add origin ~/store

            Without a subcommand, prints the remote's name and URL, or nothing if there is no remote. A working \
            directory has at most one remote, and its name is origin.
            """,
        subcommands: [
            RemoteAddCommand.self, RemoteSetURLCommand.self, RemoteRemoveCommand.self,
            RemoteLoginCommand.self, RemoteLogoutCommand.self,
        ])

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let url = try session.workspace().remoteURL
        if json.isWanted {
            try session.show(json: remoteJSON(url))
        } else if let url {
            try session.show("origin\t\(visible(url))\n")
        }
        return .done
    }
}

/// The remote's name; the commands take it so that they match git's.
struct RemoteNameArgument: ParsableArguments {
    @Argument(help: "The remote's name, always origin.", completion: .list([onlyName]), transform: checked)
    var name: String

    private static let onlyName = "origin"

    private static func checked(_ text: String) throws -> String {
        guard text == onlyName else {
            throw ValidationError("a remote is always named \(onlyName); type the name before the URL")
        }
        return text
    }
}
