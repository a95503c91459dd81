internal import ArgumentParser

/// The command that the words before the cursor name, and what it expects next.
struct TypedCommand {
    /// The command that the words name so far.
    private(set) var command: any ParsableCommand.Type = Todosync.self
    /// The command's name, without `todosync`: `remote add`.
    private(set) var name: [String] = []
    /// The folder of `-C`.
    private(set) var directory: String?
    private(set) var positionals: [String] = []
    /// The values of the options so far.
    private(set) var values: [String: String] = [:]
    /// The options and flags so far.
    private(set) var options: [String] = []
    /// The option that expects a value at the cursor.
    private(set) var pending: CommandOutline.Argument?
    /// Whether `--` has ended the options.
    private(set) var hasEnded = false
    private(set) var outline = CommandOutline(GlobalOptions.self)

    /// Reads the words after `todosync`.
    init(_ words: [String]) {
        for word in words { read(word) }
    }

    /// The next positional argument; nil if the command takes no more.
    var positional: CommandOutline.Argument? {
        let all = outline.positionals
        if positionals.count < all.count { return all[positionals.count] }
        return all.last?.isRepeating == true ? all.last : nil
    }

    /// Whether the command accepts a filter.
    var takesFilter: Bool { name.count == 1 && commandsWithFilters.contains(name[0]) }

    private mutating func read(_ word: String) {
        if let option = pending {
            pending = nil
            if option.names == ["-C"] { directory = word }
            for name in option.names { values[name] = word }
        } else if hasEnded || !word.hasPrefix("-") || word == "-" || takesFilter && Filter.isTerm(word) {
            readArgument(word)
        } else if word == "--" {
            hasEnded = true
        } else {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = outline.option(String(parts[0]))
            options += option?.names ?? [word]
            if parts.count == 2 {
                for name in option?.names ?? [] { values[name] = String(parts[1]) }
            } else if option?.kind == .option {
                pending = option
            }
        }
    }

    private mutating func readArgument(_ word: String) {
        let other = name.isEmpty ? OtherNames.command(named: word) : word
        guard positionals.isEmpty, let next = NamedCommand.below(command).first(where: { $0.name == other })
        else {
            positionals.append(word)
            return
        }
        name.append(other)
        command = next.type
        outline = CommandOutline(command)
    }
}
