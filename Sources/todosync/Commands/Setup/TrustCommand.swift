internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine

/// The command `todosync trust [ORIGIN]`.
struct TrustCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "List or choose the servers that may receive your todos and keys.",
        usage: """
            todosync trust [--json]
            todosync trust <origin>
            todosync trust --remove <origin>
            todosync trust --handler [--remove]
            """,
        discussion: """
            Example: todosync trust https://example.org

            todosync contacts a server only if you trust it. So a folder that somebody gave you can't make \
            todosync send your todos and keys to their server. clone, remote add, remote set-url and remote login \
            trust the server that you name. For any other server, todosync asks at a terminal; without a terminal, it exits with \
            78 and sends nothing. Stores on this machine need no trust.

            A server is its origin: scheme, host and port, such as https://example.org:8443. You can also type \
            the URL of one of its tables. Without an argument, the command lists the servers that you trust. The \
            list is the file ~/.config/todosync/trusted (or below XDG_CONFIG_HOME), with one origin per line; a \
            # starts a comment. The variable TODOSYNC_TRUST trusts one more server for a single command, for \
            example in CI.

            --handler is about the program that merge.handler in this folder's configuration names. A folder that \
            somebody gave you can name any program, so none runs before you approve it on this machine. The \
            approval covers this folder, the exact command, and each file in the folder whose name the command \
            contains: if any of them changes, the command needs a new approval. todosync lists these files. It \
            doesn't check what such a script loads, files outside the folder, or files that the command names \
            by a variable, a substitution or a pattern. So keep the script outside the folder, for example in \
            ~/bin. --handler --remove withdraws the approval. The file ~/.config/todosync/handlers lists the \
            approvals.

            Exit status: 0 done, 64 the argument is not a server's URL, 66 the server or handler to remove \
            is not in the list, or there is no handler to approve, 73 or 74 a list can't be read or written, \
            78 a list has an invalid line, or belongs to another user, or other users can change it.
            """)

    @Flag(help: "Stop trusting the server or the handler.")
    var remove = false

    @Flag(help: "Approve the program that merge.handler names in this folder.")
    var handler = false

    @Argument(
        help: ArgumentHelp(
            "The server, such as https://example.org, or the URL of one of its tables.", valueName: "origin"))
    var origin: String?

    @OptionGroup var json: JSONOption
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func validate() throws {
        if handler, origin != nil { throw ValidationError("--handler is about this folder, not a server") }
        if remove, origin == nil, !handler { throw ValidationError("--remove needs a server or --handler") }
    }

    func run(in session: Session) throws -> ExitStatus {
        if handler { return try decideAboutHandler(in: session) }
        let named = try origin.map { try ServerArgument($0, of: remove ? "trust --remove" : "trust") }
        guard let server = named?.origin else {
            let servers = try TrustedServers(session.process).all
            let handlers = try ApprovedHandlers(session.process).all
            if json.isWanted {
                let origins = servers.map { Value.mapping(["origin": .string("\($0)")]) }
                let programs = handlers.map(handlerJSON)
                try session.show(json: .list(origins + programs))
            } else {
                let programs = handlers.map { "\(visible($0.folder)): \(visible($0.handler))\n" }
                try session.show((servers.map { "\($0)\n" } + programs).joined())
            }
            return .done
        }
        if remove {
            guard try TrustedServers.remove(server, session.process) else {
                throw Failure(
                    .notFound, "\(server) is not a server that you trust",
                    hint: "run \"todosync trust\" to list the servers that you trust")
            }
            if json.isWanted { try session.show(json: serverJSON(server)) }
        } else {
            let path = try TrustedServers.add(server, session.process)
            if json.isWanted { try session.show(json: serverJSON(server, file: path)) }
            session.remark("\(server) is now trusted; the list is \(visible(path))")
        }
        return .done
    }

    /// Approves this folder's handler, or withdraws the approval.
    private func decideAboutHandler(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let folder = visible(workspace.root)
        if remove {
            guard try ApprovedHandlers.remove(for: workspace.root, session.process) else {
                throw Failure(.notFound, "\(folder) has no approved handler")
            }
            if json.isWanted { try session.show(json: handlerJSON(withdrawnIn: workspace.root)) }
            session.remark("\(folder) no longer has an approved handler")
            return .done
        }
        guard let command = try workspace.handler else {
            throw Failure(
                .notFound, "merge.handler is not set in \(folder)/.todosync/config.yaml",
                hint: "set it to the program that resolves conflicts, and try again")
        }
        let approval = try ApprovedHandlers.Approval(command, in: workspace.root)
        let list = try ApprovedHandlers.add(approval, session.process)
        if json.isWanted { try session.show(json: handlerJSON(approval)) }
        session.remark("merge.handler of \(folder) is now approved: \(visible(command))")
        let files = approval.files.paths.map(visible)
        if !files.isEmpty {
            session.remark("the approval also covers these files: \(files.joined(separator: ", "))")
        }
        if NamedFiles.hidesNames(command) {
            session.remark(
                "note: a script that the command names only through a variable, a substitution or a pattern can change "
                    + "without a new approval")
        }
        session.remark("the list is \(visible(list))")
        return .done
    }
}
