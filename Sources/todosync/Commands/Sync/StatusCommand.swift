internal import ArgumentParser
internal import SyncEngine

/// The command `todosync status`.
struct StatusCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what is pending, in conflict or invalid.",
        usage: "todosync status [--json] [--verbose]",
        discussion:
            "Needs no remote and changes nothing. With --verbose, files that are left alone are named, too.")

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        let workspace = try session.workspace()
        let report = try workspace.status()
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            try session.show(render(report, session.style(in: workspace)))
        }
        return .done
    }
}
