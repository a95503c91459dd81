internal import ArgumentParser
internal import SyncEngine

/// The command `todosync remote add origin URL`.
struct RemoteAddCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a remote to a working directory that has none.",
        usage: "todosync remote add origin <url>",
        discussion: "Example: todosync remote add origin https://example.org/tables/todoitem")

    @OptionGroup var name: RemoteNameArgument

    @Argument(help: RemoteAddress.help, completion: .directory)
    var url: String

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let address = try RemoteAddress(url, currentDirectory: session.currentDirectory)
        let workspace = try session.workspace(lock, naming: address.server)
        let trust = Trust(session.process)
        try trust.prepareGrant(address.server)
        try waiting { try await workspace.addRemote(address.url) }
        try trust.grant(address.server)
        session.warn([try remoteNote(address, session.process)].compactMap(\.self))
        if json.isWanted { try session.show(json: remoteJSON(address.url)) }
        return .done
    }
}
