internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values
internal import WorkingCopy

/// The todos that a command changes, named by the user or found by a filter.
struct ChosenTodos {
    /// The names for the engine.
    let names: [String]
    /// The lines that report the changes; nil if the user named the todos.
    fileprivate(set) var lines: String?
}

/// The change that a command makes to the todos that a filter finds.
struct ManyChanges {
    /// Returns the change to a number of todos, as a prompt names it: `delete 3 todos`.
    let action: (_ todos: String) -> String
    /// The first word of a changed todo's line: `deleted`.
    let word: String
    /// Whether the command prompts even for a single todo.
    var isAlwaysConfirmed = false
    /// Whether the command applies to done todos even if the filter doesn't ask for them.
    var isAboutDone = false
    /// Returns a description of the change to a todo; nil if nothing changes.
    let effect: (ListEntry) -> String?
}

extension Session {
    /// The largest number of todos that a filter can change without a prompt.
    private static let mostWithoutQuestion = 5

    /// Returns the todos that the arguments name, or that they find as a filter.
    ///
    /// At a terminal, it lists the changes and prompts before a filter changes many todos.
    ///
    /// - Returns: The todos; nil, after a remark to the user, if there is nothing to change.
    /// - Throws: A ``Failure`` if the user declines, or if a prompt is necessary and impossible.
    func choose(
        _ arguments: [String], for changes: ManyChanges, _ options: ConfirmationOptions,
        in workspace: Workspace
    ) throws -> ChosenTodos? {
        guard try isFilter(arguments) else {
            guard changes.isAlwaysConfirmed else {
                let names = todoNames(arguments, in: workspace)
                guard changes.isAboutDone, !TypedPath.areFiles(arguments, currentDirectory) else {
                    return ChosenTodos(names: names)
                }
                let matches = try workspace.identify(names, prefersDone: true)
                return ChosenTodos(names: matches.map(\.exactName))
            }
            let names = try confirmedNames(arguments, to: changes.action, options, in: workspace)
            return ChosenTodos(names: names)
        }
        let words = arguments.map { visible(shellQuoted($0)) }.joined(separator: " ")
        let filter = try filter(arguments, in: workspace)
        let found = try find(filter, in: workspace, withDone: changes.isAboutDone)
        if found.isEmpty {
            throw Failure(
                .notFound, "no todo matches \(words)",
                hint: filter.adviceAboutNothing(
                    among: try find(Filter(), in: workspace, withDone: true),
                    isAboutDone: changes.isAboutDone,
                    Present(dates)))
        }
        let behind = found.count { $0.todo.isBehind }
        if behind > 0 {
            remark("\(counted(behind, "todo")) left out, because git changed or removed the files")
        }
        let changed = found.filter { !$0.todo.isBehind }.compactMap { entry in
            changes.effect(entry).map { (entry: entry, effect: $0) }
        }
        if changed.isEmpty {
            remark("nothing to change in \(counted(found.count, "todo"))")
            return nil
        }
        let style = style(in: workspace)
        let table = { (word: String) in
            Table.limited(changed, style) { entry, effect in
                [
                    Table.Cell(word, .changed), Table.Cell(visible(entry.todo.handle ?? ""), .heading),
                    Table.Cell(firstLine(entry.text), keeping: .start), Table.Cell(effect),
                    Table.Cell(style.path(entry.todo.path), .path, keeping: .end),
                ]
            }
        }
        var chosen = ChosenTodos(
            names: changed.map { $0.entry.todo.id?.string ?? $0.entry.todo.path }, lines: table(changes.word))
        let action = changes.action(counted(changed.count, "todo"))
        let isQuestion = changes.isAlwaysConfirmed || changed.count > Self.mostWithoutQuestion
        guard isQuestion, !options.yes else { return chosen }
        guard let terminal = terminal(options) else {
            throw Failure(
                .usage,
                "this would \(action); nothing was changed",
                hint: "add --yes to confirm, or run \"todosync list \(words)\" to list what the filter finds")
        }
        terminal.output.writeIgnoringErrors(table("will be \(changes.word)"))
        // Nobody should confirm with a single key what the terminal doesn't show.
        let isYesDefault = !changes.isAlwaysConfirmed && !Table.isLimited(changed.count, style)
        let choices = isYesDefault ? "[Y/n]" : "[y/N]"
        guard terminal.confirms("\(action)? \(choices) ", isYesDefault: isYesDefault) else {
            throw Failure(declined: "nothing was changed")
        }
        chosen.lines = "\(counted(changed.count, "todo")) \(changes.word)\n"
        return chosen
    }
}

/// The options of a command that changes the todos that the user names or that a filter finds.
struct ChangeArguments: ParsableArguments {
    @OptionGroup var confirmation: ConfirmationOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions

    /// Chooses todos, changes them, and prints the changes: as JSON, as a line for each todo, or as their
    /// number if the prompt has listed them.
    ///
    /// Returns the changed todos; none if the user answered no.
    @discardableResult
    func run(
        _ arguments: [String], _ changes: ManyChanges, in session: Session,
        by change: (_ workspace: Workspace, _ names: [String]) throws -> [ReportRow]
    ) throws -> [ReportRow] {
        let workspace = try session.workspace(lock)
        guard let chosen = try session.choose(arguments, for: changes, confirmation, in: workspace) else {
            return []
        }
        let changed = try change(workspace, chosen.names)
        if json.isWanted {
            try session.show(json: todosync.json(changed, TodoNames(of: workspace)))
            return changed
        }
        let style = session.style(in: workspace)
        let others = changed.filter {
            chosen.lines == nil || $0.operation == .insert || $0.operation == .delete
        }
        try session.print((chosen.lines ?? "") + confirmations(others, changes.word, style))
        return changed
    }
}

extension Filter {
    /// Returns what to type if the filter finds no todo; nil if nothing similar finds one.
    ///
    /// - Parameters:
    ///   - all: All todos, including done ones.
    ///   - isAboutDone: Whether the filter looked at done todos.
    fileprivate func adviceAboutNothing(
        among all: [ListEntry], isAboutDone: Bool, _ present: Present
    ) -> String? {
        let unknown = ownValues.first { term in !all.contains { $0.todo.fields[term.field] != nil } }
        if let (field, value) = unknown {
            let word = shellQuoted("text:\(field):\(value)")
            return "no todo has a field \(visible(field)); use \(visible(word)) to find the word"
        }
        guard !asksForState && !asksForStart, !isAboutDone, all.contains(where: { matches($0, present) })
        else { return nil }
        let isWaiting = all.contains { $0.isWaiting(present) && matches($0, present) }
        return isWaiting
            ? "only todos that start later match; add is:waiting to choose them"
            : "only done todos match; add is:done to choose them"
    }
}

extension ManyChanges {
    /// Returns the change that a command makes to fields or parts of them.
    static func ofFields(_ changes: [FieldChange]) -> ManyChanges {
        ManyChanges(action: { "change \($0)" }, word: "changed") { entry in
            let before = entry.todo.fields
            var after = before
            // The engine refuses an impossible change before it changes anything.
            guard (try? changes.apply(to: &after)) != nil else { return "" }
            let changed = CanonicalField.differences(from: before, to: after)
            return changed.isEmpty
                ? nil
                : changed.map { field in
                    "\(visible(field)) \(shortWords(before[field])) → \(shortWords(after[field]))"
                }.joined(separator: ", ")
        }
    }
}

/// Returns a value in a few words.
private func shortWords(_ value: Value?) -> String {
    switch value {
    case nil, .null: "none"
    case .bool(let bool): String(bool)
    case .number(let number): number.json
    case .string(let string): string.isEmpty ? "\"\"" : firstLine(string)
    case .list(let list) where list.isEmpty: "[]"
    case .list(let list): list.map(shortWords).joined(separator: ", ")
    case .mapping: "{…}"
    }
}
