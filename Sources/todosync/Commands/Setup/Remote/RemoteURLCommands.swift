internal import ArgumentParser
internal import SyncEngine

/// The command `todosync remote add origin URL`.
struct RemoteAddCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a remote to a working directory that has none.",
        usage: "todosync remote add origin <url>",
        discussion: "Example: todosync remote add origin https://example.org/tables/todoitem")

    @OptionGroup var remote: RemoteURLArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let url = try remote.set(in: session) { try await $0.addRemote($1) }.url
        if remote.json.isWanted { try session.show(json: remoteJSON(url)) }
        return .done
    }
}

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

    @OptionGroup var remote: RemoteURLArguments
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let (url, forgotten) = try remote.set(in: session) { try await $0.setRemote($1) }
        if remote.json.isWanted {
            try session.show(json: remoteJSON(url, forgottenPurges: forgotten))
        } else if forgotten > 0 {
            session.warn([
                "warning: this is a different store, so the folder forgets that \(counted(forgotten, "todo")) "
                    + "\(forgotten == 1 ? "was" : "were") purged; the next pull brings back those that this store has"
            ])
        }
        return .done
    }
}

/// The arguments of a command that sets the remote's URL.
struct RemoteURLArguments: ParsableArguments {
    @OptionGroup var name: RemoteNameArgument

    @Argument(help: RemoteAddress.help, completion: .directory)
    var url: String

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions

    /// Sets the URL with a function, and trusts its server, which the user named.
    ///
    /// Returns the recorded URL and the function's result.
    func set<Result: Sendable>(
        in session: Session, by set: @escaping @Sendable (Workspace, String) async throws -> Result
    ) throws -> (url: String, result: Result) {
        let address = try RemoteAddress(url, currentDirectory: session.currentDirectory)
        let workspace = try session.workspace(lock, naming: address.server)
        let trust = Trust(session.process)
        try trust.prepareGrant(address.server)
        let result = try waiting { try await set(workspace, address.url) }
        try trust.grant(address.server)
        session.warn([try remoteNote(address, session.process)].compactMap(\.self))
        return (address.url, result)
    }
}
