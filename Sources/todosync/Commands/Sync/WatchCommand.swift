internal import ArgumentParser
internal import SyncEngine

/// The command `todosync watch`.
struct WatchCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Sync whenever this folder or the remote changes, until Ctrl-C.",
        usage: "todosync watch [<options>]",
        discussion: """
            Example: todosync watch

            Syncs once, then waits for changes to the files here and on the remote. It prints a line for each \
            change, and each conflict once. Conflicts and held todos wait for you, as with \
            sync; all other todos continue to sync. If the remote can't be reached, todosync retries until it \
            answers.

            With --json, it prints a line of JSON, with the keys of sync's report, for each sync that changed \
            something.

            Exit status: 0 ended by SIGTERM, 130 ended by Ctrl-C, 73 or 74 a file can't be read or written, \
            77 the key is missing or wrong, 78 the configuration is wrong or has no remote, or the remote is \
            not the same one as before, or not trusted.
            """)

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions
    @OptionGroup(visibility: .hidden) var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace(lock)
        var options = SyncOptions(countsPending: json.isWanted)
        let handler = MergeHandler(in: workspace, session, isSilent: json.isWanted)
        options.handler = .command(handler.decide)
        if !json.isWanted, let terminal = Terminal(session.process) {
            let style = session.style(in: workspace)
            options.askAboutAdoption = { try askAboutAdoption(of: $0, at: terminal, style) }
        }
        let watcher = Watcher(
            session: session, workspace: workspace, options: options, isJSON: json.isWanted)
        if !json.isWanted {
            session.remark("watching \(visible(workspace.root)); press Ctrl-C to end")
        }
        do {
            try waiting(showing: session.progress, on: .many) { try await watcher.run() }
        } catch  where Interruption.status != nil {
            return Interruption.status == .terminated ? .done : Interruption.status ?? .interrupted
        }
        return .done
    }
}
