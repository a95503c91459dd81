internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values

extension Session {
    /// Returns whether an argument is a term of a filter.
    ///
    /// The name of a file stands for a todo, whatever the name looks like.
    func isFilterTerm(_ argument: String) -> Bool {
        Filter.isTerm(argument) && !TypedPath(typed: argument, currentDirectory: currentDirectory).isFile
    }

    /// Returns whether arguments are a filter, not the names of todos.
    ///
    /// - Throws: A ``Failure`` if they are both.
    func isFilter(_ arguments: [String]) throws -> Bool {
        guard let term = arguments.first(where: isFilterTerm) else { return false }
        guard let name = arguments.first(where: { !isFilterTerm($0) }) else { return true }
        throw Failure(
            .usage, "\(visible(term)) is a filter, and \(visible(name)) names a todo",
            hint: "use one or the other; text:\(visible(shellQuoted(name))) finds todos with that word")
    }

    /// Reads a filter and shows its dates as todosync understood them.
    ///
    /// - Parameter isQuiet: Whether to show nothing, because the output is for a program.
    func filter(_ words: [String], isQuiet: Bool = false, in workspace: Workspace) throws -> Filter {
        var saved = SavedFilters(dates: dates) { [process] in
            try UserConfiguration(process).filters.merging(workspace.filters) { $1 }
        }
        let filter = try saved.read(words)
        // A saved filter that is named twice shows its dates once.
        var shown: Set<String> = []
        if !isQuiet { filter.understood.filter { shown.insert($0).inserted }.forEach(remark) }
        return filter
    }

    /// Returns the todos that a filter finds, in the order of a list.
    ///
    /// Done todos count only if the filter asks for a state or `withDone` is true.
    func find(
        _ filter: Filter, in workspace: Workspace, withDone: Bool = false
    ) throws -> [ListEntry] {
        let query = ListQuery(
            state: withDone || filter.asksForState ? .all : .open, filter: filter,
            present: Present(dates))
        return try query.select(from: workspace)
    }

    /// Separates a todo's name, or the terms of a filter, from the rest of a command's arguments.
    ///
    /// Without a filter, the first argument names the todo.
    ///
    /// - Throws: A ``Failure`` if the arguments are a filter and also name a todo's file.
    func separated(_ first: String, _ others: [String]) throws -> (todos: [String], rest: [String]) {
        let arguments = [first] + others
        let terms = arguments.filter(isFilterTerm)
        if terms.isEmpty { return ([first], others) }
        let rest = arguments.filter { !isFilterTerm($0) }
        let files = rest.filter { TypedPath(typed: $0, currentDirectory: currentDirectory).isFile }
        _ = try isFilter(terms + files)
        return (terms, rest)
    }
}
