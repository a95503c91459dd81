internal import ArgumentParser
internal import SyncEngine

/// The command `todosync remote remove origin`.
struct RemoteRemoveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Forget the remote.",
        usage: "todosync remote remove origin",
        discussion: "Neither the todos here nor those on the remote are touched.")

    @Argument(help: "The remote's name: origin.")
    var name: RemoteName

    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        try session.workspace(lock).removeRemote()
        return .done
    }
}
