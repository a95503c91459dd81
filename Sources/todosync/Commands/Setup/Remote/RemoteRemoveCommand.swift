internal import ArgumentParser
internal import SyncEngine

/// The command `todosync remote remove origin`.
struct RemoteRemoveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the remote.",
        usage: "todosync remote remove origin",
        discussion: """
            Example: todosync remote remove origin

            Leaves the todos as they are, here and on the remote.
            """)

    @OptionGroup var name: RemoteNameArgument

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try session.workspace(lock).removeRemote()
        if json.isWanted { try session.show(json: remoteJSON(nil)) }
        return .done
    }
}
