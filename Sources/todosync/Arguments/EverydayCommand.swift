internal import ArgumentParser

/// Everyday commands in their plain forms, such as `todosync -C todos sync --quiet`.
///
/// They are read here because the argument parser takes longer to read them than they take to run on a
/// thousand todos: it asks Swift's runtime for conformances, and each look-up searches all the conformances
/// in the program. Any other form, and every mistake, is left to the parser.
enum EverydayCommand {
    /// Returns the command that the words stand for; nil if only the parser can read them.
    static func reading(_ words: [String]) -> (any Command)? {
        var name: String?
        var directory: String?
        var (isQuiet, wantsJSON) = (false, false)
        var operands: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "-C":
                guard directory == nil, let next = rest.popFirst(), !next.hasPrefix("-") else { return nil }
                directory = next
            case "-q", "--quiet":
                guard !isQuiet else { return nil }
                isQuiet = true
            case "--json":
                guard name != nil, !wantsJSON else { return nil }
                wantsJSON = true
            case _ where name == nil: name = word
            default:
                guard name == "clone", operands.count < 2, !word.hasPrefix("-") else { return nil }
                operands.append(word)
            }
        }
        let global = GlobalOptions(directory: directory, quiet: isQuiet)
        switch name {
        case "clone":
            guard let url = operands.first else { return nil }
            var command = CloneCommand()
            (command.url, command.dir, command.force) = (url, operands.dropFirst().first, false)
            (command.json, command.lock, command.global) = (
                JSONOption(isGiven: wantsJSON), .standard, global
            )
            return command
        case "list":
            var command = ListCommand()
            (command.filter, command.all, command.done, command.tags) = ([], false, false, [])
            (command.dueBefore, command.sort, command.long, command.count) = (nil, .due, false, false)
            (command.limit, command.json, command.global) = (nil, JSONOption(isGiven: wantsJSON), global)
            return command
        case "status":
            var command = StatusCommand()
            (command.all, command.json, command.global) = (false, JSONOption(isGiven: wantsJSON), global)
            (command.porcelain, command.endsInNul) = (nil, false)
            return command
        case "prompt":
            var command = PromptCommand()
            (command.json, command.global) = (JSONOption(isGiven: wantsJSON), global)
            return command
        case "push":
            var command = PushCommand()
            (command.todos, command.edits) = ([], .standard)
            (command.sync, command.global) = (SyncArguments(isJSON: wantsJSON), global)
            return command
        case "pull":
            var command = PullCommand()
            (command.sync, command.global) = (SyncArguments(isJSON: wantsJSON), global)
            return command
        case "sync":
            var command = SyncCommand()
            (command.sync, command.global) = (SyncArguments(isJSON: wantsJSON), global)
            (command.forward, command.edits) = (false, .standard)
            return command
        default: return nil
        }
    }
}

extension GlobalOptions {
    init(directory: String?, quiet: Bool) {
        self.init()
        (self.directory, self.quiet, verbose, noPager, color) = (directory, quiet, false, false, .auto)
    }
}

extension JSONOption {
    fileprivate init(isGiven: Bool) {
        self.init()
        isWanted = isGiven
    }
}

extension LockOptions {
    fileprivate static var standard: LockOptions {
        var options = LockOptions()
        options.seconds = standardSeconds
        return options
    }
}

extension SyncArguments {
    fileprivate init(isJSON: Bool) {
        self.init()
        (dryRun, onConflict, allowDeletes, duringGit) = (false, nil, nil, false)
        (json, lock) = (JSONOption(isGiven: isJSON), .standard)
    }
}

extension EditArguments {
    fileprivate static var standard: EditArguments {
        var arguments = EditArguments()
        arguments.allowEdits = nil
        return arguments
    }
}
