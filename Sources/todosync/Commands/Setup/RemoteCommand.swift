internal import ArgumentParser
internal import Remotes
internal import SyncEngine
internal import TodoModel

/// The command `todosync remote` and its subcommands.
struct RemoteCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "remote",
        abstract: "Show or change the remote to push to and pull from.",
        usage: """
            todosync remote
            todosync remote add [origin] <url>
            todosync remote set-url [origin] <url>
            todosync remote remove [origin]
            todosync remote login <url>
            todosync remote logout <url>
            """,
        discussion: """
            Example: todosync remote add ~/store

            Without a subcommand, prints the remote's name and URL, or nothing if there is no remote. A working \
            directory has at most one remote. Its name is origin, which can be left out.
            """,
        subcommands: [
            RemoteAddCommand.self, RemoteSetURLCommand.self, RemoteRemoveCommand.self,
            RemoteLoginCommand.self, RemoteLogoutCommand.self,
        ])

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

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

/// The name of the only remote that a working directory can have.
///
/// The commands take it so that they match git's.
private let remoteName = "origin"

/// The command `todosync remote add [origin] URL`.
struct RemoteAddCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a remote to a working directory that has none.",
        usage: "todosync remote add [origin] <url>",
        discussion: "Example: todosync remote add https://example.org/tables/todoitem")

    @OptionGroup var remote: RemoteURLArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let url = try remote.set(in: session) { try await $0.addRemote($1) }.url
        if remote.json.isWanted { try session.show(json: remoteJSON(url)) }
        return .done
    }
}

/// The command `todosync remote set-url [origin] URL`.
struct RemoteSetURLCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "set-url",
        abstract: "Change the remote's URL.",
        usage: "todosync remote set-url [origin] <url>",
        discussion: """
            Example: todosync remote set-url https://example.org/tables/todoitem

            The same store under a new URL keeps everything. With a different store, the working directory starts \
            over: no todo counts as deleted or purged, and the next push sends todos that the store doesn't have as \
            new.
            """)

    @OptionGroup var remote: RemoteURLArguments
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

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
    @Argument(help: RemoteAddress.help, completion: .directory)
    var words: [String]

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions

    func validate() throws {
        if words.count > 2 || words.count == 2 && words[0] != remoteName {
            throw ValidationError("a working directory has only one remote, \(remoteName); type its URL")
        }
        if words == [remoteName] { throw ValidationError("the URL is missing after \(remoteName)") }
    }

    /// Sets the URL with a function, and trusts its server, which the user named.
    ///
    /// Returns the recorded URL and the function's result.
    func set<Result: Sendable>(
        in session: Session, by set: @escaping @Sendable (Workspace, String) async throws -> Result
    ) throws -> (url: String, result: Result) {
        let address = try RemoteAddress(words.last ?? "", currentDirectory: session.currentDirectory)
        let workspace = try session.workspace(lock, naming: address.server)
        let trust = Trust(session.process)
        try trust.prepareGrant(address.server)
        let result = try waiting { try await set(workspace, address.url) }
        try trust.grant(address.server)
        session.warn([try remoteNote(address, session.process)].compactMap(\.self))
        return (address.url, result)
    }
}

/// The command `todosync remote remove [origin]`.
struct RemoteRemoveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the remote.",
        usage: "todosync remote remove [origin]",
        discussion: """
            Example: todosync remote remove

            Leaves the todos as they are, here and on the remote.
            """)

    @Argument(help: "The remote's name, always origin.", completion: .list([remoteName]))
    var name: String?

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        if let name, name != remoteName {
            throw ValidationError("a working directory has only one remote, \(remoteName)")
        }
    }

    func run(in session: Session) throws -> ExitStatus {
        try session.workspace(lock).removeRemote()
        if json.isWanted { try session.show(json: remoteJSON(nil)) }
        return .done
    }
}

/// The command `todosync remote login URL`.
struct RemoteLoginCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Save a key for a server, after trying it.",
        usage: "todosync remote login <url>",
        discussion: """
            Example: todosync remote login https://example.org/tables/todoitem

            Asks for the key at the terminal, without showing it, or reads it from the first line of standard \
            input. Saves it in ~/.config/todosync/credentials (or below XDG_CONFIG_HOME), one line per server; \
            only you can read that file. A line "helper COMMAND" in the file names a program that saves keys \
            instead and speaks git's credential protocol, such as "git credential-libsecret". The variable \
            TODOSYNC_KEY overrides both: KEY is for every server that you trust, 'ORIGIN KEY' only for that one.

            todosync tries the key on the table in the URL, or on todoitem. It does not save a key that the \
            server refuses. If the server can't be reached, it saves the key without trying it. From then on, \
            you trust the server: see "todosync trust --help".

            Exit status: 0 done, 64 the argument is not a server's URL, or the input is not a key, 69 the \
            key is saved, but the server can't be reached, 77 the server refuses the key, 78 the key is \
            saved, but there is no such table; or the URL or the configuration can't be used, and nothing is \
            saved.
            """)

    @Argument(help: ServerArgument.help)
    var url: String

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let url = try ServerArgument(url, of: "remote login")
        let server = url.origin
        guard server.isSafeForKeys else {
            throw Failure(
                .configuration,
                "todosync does not send keys over plain http to another machine: \(visible("\(server)"))",
                hint: "use an https URL")
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
            throw Failure(.usage, "the key is empty, too long or has invalid characters")
        }
        let problem = try problem(with: key, for: url, process)
        let path = try Keys(process).store(key, for: server)
        try Trust(process).grant(server)
        if json.isWanted {
            try session.show(json: serverJSON(server, file: path))
        } else {
            session.remark("the key for \(server) is saved in \(path)")
        }
        if let problem { throw problem }
        return .done
    }

    /// Tries the key and returns any problem that doesn't prove the key wrong.
    ///
    /// - Throws: A ``Failure`` if the server refuses the key.
    private func problem(
        with key: String, for url: ServerArgument, _ process: ProcessSurroundings
    ) throws -> Failure? {
        let (table, server) = (url.table, url.origin)
        do {
            try waiting { try await checkAccess(with: key, to: table ?? server.standardTable, process) }
            return nil
        } catch RemoteError.notAllowed(let problem) {
            // If the user named no table, the key might be for a different one.
            if table == nil, case .insufficient = problem { return nil }
            throw Failure(
                .notAllowed, "the server refused the key: \(visible("\(problem)"))",
                hint: "nothing was saved; ask the server's administrator for a key")
        } catch let error as RemoteError {
            if case .noSuchTable = error {
                // If the user named no table, the standard one doesn't have to exist.
                guard table != nil else { return nil }
                return Failure(
                    .configuration, visible("\(error)"),
                    hint: "check the URL, or ask the server's administrator to create the table")
            }
            guard error.isUnavailable else { throw error }
            return Failure(
                .remoteUnavailable, visible("\(error)"), hint: "the key is saved, but could not be tried")
        }
    }
}

/// The command `todosync remote logout URL`.
struct RemoteLogoutCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Remove the saved key for a server.",
        usage: "todosync remote logout <url>",
        discussion: "Example: todosync remote logout https://example.org")

    @Argument(help: ServerArgument.help)
    var url: String

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let server = try ServerArgument(url, of: "remote logout").origin
        try Keys(session.process).erase(for: server)
        if json.isWanted { try session.show(json: serverJSON(server)) }
        return .done
    }
}

extension ServerOrigin {
    /// The URL of the table that a command uses if the user names none.
    fileprivate var standardTable: String { "\(self)/tables/\(TableName.standard.string)" }
}
