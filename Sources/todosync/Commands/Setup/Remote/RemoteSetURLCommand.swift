internal import ArgumentParser
internal import SyncEngine

/// The command `todosync remote set-url origin URL`.
struct RemoteSetURLCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "set-url",
        abstract: "Change the remote's URL.",
        usage: "todosync remote set-url origin <url>",
        discussion: """
            Example: todosync remote set-url origin https://example.org/tables/todoitem

            The same store under a new URL keeps everything. With a different store, the working directory starts \
            over: no todo counts as deleted or purged, and the next push sends todos that the store doesn't have as \
            new.
            """)

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
        let forgotten = try waiting { try await workspace.setRemote(address.url) }
        try trust.grant(address.server)
        session.warn([try remoteNote(address, session.process)].compactMap(\.self))
        if json.isWanted {
            try session.show(json: remoteJSON(address.url, forgottenPurges: forgotten))
        } else if forgotten > 0 {
            session.warn([
                "warning: this is a different store, so the folder forgets that \(counted(forgotten, "todo")) "
                    + "\(forgotten == 1 ? "was" : "were") purged; the next pull brings back those that this store has"
            ])
        }
        return .done
    }
}
