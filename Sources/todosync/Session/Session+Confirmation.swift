internal import SyncEngine
internal import TodoModel

extension Session {
    /// Returns the names, for the engine, of todos that a command is about to remove or replace.
    ///
    /// The user has to confirm a todo that was found by words or by a prefix of its file's name.
    ///
    /// - Parameter action: Returns what the command does to todos, as a prompt names it.
    /// - Throws: A ``Failure`` if the user declines, or if a prompt is necessary and impossible.
    func confirmedNames(
        _ typed: [String], to action: (_ todos: String) -> String, _ options: ConfirmationOptions,
        in workspace: Workspace
    ) throws -> [String] {
        let names = todoNames(typed, in: workspace)
        if options.yes || TypedPath.areFiles(typed, currentDirectory) { return names }
        let matches = try workspace.identify(names)
        let found = matches.filter(\.kind.needsConfirmation)
        if found.isEmpty { return names }
        guard let terminal = terminal(options) else {
            throw Failure(
                .usage, "this would \(action(words(found))); nothing was changed",
                details: found.count == 1 ? [] : lines(naming: found.map(\.todo)),
                hint: "add --yes to confirm, or type a handle or a path")
        }
        for match in found {
            guard terminal.confirms("\(action(match.todo.words))? [y/N] ", isYesDefault: false) else {
                throw Failure(declined: "nothing was changed")
            }
        }
        return matches.map(\.exactName)
    }

    /// Returns the terminal for prompts; nil if there isn't one or the user wants no prompts.
    func terminal(_ options: ConfirmationOptions) -> Terminal? {
        options.noInput || !process.standardError.isTerminal ? nil : Terminal(process)
    }

    private func words(_ found: [NameMatch]) -> String {
        found.count == 1 ? found[0].todo.words : "these todos"
    }
}
