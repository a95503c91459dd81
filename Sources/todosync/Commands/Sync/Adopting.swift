internal import SyncEngine
internal import WorkingCopy

/// `todosync resolve --adopt`: merges the copies that other tools made of todos' files.
struct Adopting {
    let session: Session
    let workspace: Workspace
    let isDryRun: Bool
    let confirmation: ConfirmationOptions
    let json: JSONOption

    /// The largest number of copies to merge without a prompt.
    private static let harmlessCount = 10

    func run(_ typed: [String]) throws -> ExitStatus {
        let report = try workspace.adopt(
            session.todoNames(typed, in: workspace), AdoptOptions(isDryRun: isDryRun, confirm: confirm))
        if report.isCancelled { throw Failure(declined: "nothing was changed") }
        let style = session.style(in: workspace)
        if json.isWanted {
            try session.show(json: todosync.json(report))
        } else {
            try session.say(render(report, isDryRun: isDryRun, style))
        }
        session.warn(warnings(report, isDryRun: isDryRun, style))
        if let failure = Failure(leaving: report.unresolved.compactMap(\.cause)) { throw failure }
        return report.needsUser ? .needsUser : .done
    }

    /// Asks whether to merge the copies, if there are many.
    private func confirm(_ copies: [CopiedFile]) throws -> Bool {
        guard copies.count > Self.harmlessCount, !confirmation.yes else { return true }
        guard let terminal = session.terminal(confirmation) else {
            throw Failure(
                .usage, "can't ask for confirmation without a terminal; nothing was changed",
                hint: "add --yes, or run \"todosync resolve --adopt --dry-run\" to list "
                    + "the \(copies.count.grouped) copies")
        }
        return terminal.confirms(
            "merge \(copies.count.grouped) copies into their todos, and remove them? [Y/n] ")
    }
}
