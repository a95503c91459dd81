internal import ArgumentParser
internal import SyncEngine

/// The command `todosync status`.
struct StatusCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show pending changes, conflicts and invalid files.",
        usage: "todosync status [--json] [--verbose]",
        discussion:
            """
            Needs no remote and changes nothing. With --verbose, also lists the files that it ignores, and \
            says if git lacks the merge driver that "todosync git-setup" installs.
            """)

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        var report = try workspace.status()
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            if session.isVerbose {
                report.lacksMergeDriver = try MergeDriverUse(workspace)?.lacksDriver() ?? false
            }
            try session.show(render(report, session.style(in: workspace)))
        }
        return .done
    }
}
