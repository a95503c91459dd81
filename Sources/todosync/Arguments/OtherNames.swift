/// The names that other programs use for what todosync's commands do.
enum OtherNames {
    /// Names that stand for exactly one of todosync's commands, or for one with an option.
    static let aliases = [
        "ls": "list", "search": "list", "find": "list", "grep": "list", "new": "add", "create": "add",
        "delete": "rm", "remove": "rm", "del": "rm", "complete": "done", "finish": "done", "do": "done",
        "close": "done",
        "undone": "reopen", "uncomplete": "reopen", "move": "mv", "rename": "mv", "cat": "show",
        "view": "show",
        "modify": "set", "st": "status", "history": "log", "upload": "push", "server": "serve",
        "wait": "snooze", "hide": "snooze", "check-off": "tick", "untick": "tick --undo",
        "uncheck": "tick --undo",
    ]

    /// Names that have several meanings here, or none, with advice on what to do instead.
    static let advice = [
        "commit":
            "every change is pending at once; \"todosync push\" sends it, and \"todosync log\" lists what was done",
        "fetch": "\"todosync pull\" fetches and merges the remote's changes; --dry-run only shows them",
        "download":
            "\"todosync pull\" fetches and merges the remote's changes; \"todosync clone URL\" copies all todos",
        "update":
            "\"todosync set\" changes a todo; \"todosync pull\" fetches and merges the remote's changes",
        "merge": "\"todosync sync\" merges changes of both sides; \"todosync resolve\" resolves conflicts",
        "checkout":
            "\"todosync discard\" brings back a todo's newest version; \"todosync restore TODO --to OPERATION\" restores an older one",
        "switch": "there are no branches; \"todosync remote set-url origin URL\" changes the remote",
        "branch": "there are no branches; \"todosync list --tag TAG\" lists the todos with a tag",
        "reset": "\"todosync discard\" discards changes to a todo; \"todosync undo\" undoes a command",
        "revert": "\"todosync discard\" discards changes to a todo; \"todosync undo\" undoes a command",
        "rebase": "\"todosync sync\" merges changes of both sides",
        "stash": "\"todosync discard\" discards changes to a todo, and \"todosync undo\" brings them back",
        "mark": "\"todosync done\" marks todos as done; \"todosync reopen\" marks them as open again",
        "check": "\"todosync done\" marks a todo as done; \"todosync tick\" ticks an item of its checklist; "
            + "\"todosync fsck\" checks .todosync",
        "open": "\"todosync edit\" opens a todo in your editor; \"todosync reopen\" marks it as open again",
        "tag": "\"todosync set TODO tags+=TAG\" adds a tag",
        "untag": "\"todosync set TODO tags-=TAG\" removes a tag",
        "due": "\"todosync set TODO due=DATE\" sets the date",
        "note": "\"todosync set TODO notes+=TEXT\" adds a line to the notes",
        "annotate": "\"todosync set TODO notes+=TEXT\" adds a line to the notes",
        "login": "\"todosync remote login URL\" saves a key",
        "logout": "\"todosync remote logout URL\" removes a key",
        "key":
            "\"todosync serve key add\" creates a key for a server's store; \"todosync remote login URL\" saves one here",
        "archive": "\"todosync done\" marks todos as done; "
            + "\"todosync purge\" removes done todos from this folder, but not from the remote",
        "clean":
            "\"todosync purge\" removes done todos from this folder; \"todosync discard\" discards changes",
        "prune": "\"todosync purge\" removes done todos from this folder; "
            + "\"todosync gc\" removes old operations from the log",
        "import":
            "\"todosync add FILE\" adopts a todo file; \"todosync init\" adopts all todo files in a folder",
        "export":
            "each todo is a YAML file, which you can copy; \"todosync list --all --json\" prints all todos",
        "postpone": "\"todosync set TODO due=+3d\" sets the date; "
            + "\"todosync snooze TODO +3d\" hides it until then; "
            + "\"todosync skip\" moves a recurring todo to its next date",
        "config": "the configuration is a file that you can edit, .todosync/config.yaml",
    ]

    /// The names of the option that prints the version.
    static let version: Set = ["--version", "-V", "version"]

    /// Returns the command that a name stands for, without the option of an alias.
    static func command(named name: String) -> String {
        aliases[name].map { String($0.prefix { $0 != " " }) } ?? name
    }

    /// Returns the words, with an alias replaced by the command that it stands for.
    static func replaced(in words: [String]) -> [String] {
        if let index = commandIndex(in: words), words[index] == "resolve",
            let option = words[index...].prefix(while: { $0 != "--" }).firstIndex(of: "--list")
        {
            var words = words
            words[index] = "conflicts"
            words.remove(at: option)
            return words
        }
        guard let index = commandIndex(in: words), let alias = aliases[words[index]] else { return words }
        // Help is for the command, without the alias's option.
        let meant = words[..<index].contains("help") ? command(named: words[index]) : alias
        var words = words
        words.replaceSubrange(index...index, with: meant.split(separator: " ").map(String.init))
        return words
    }
}

/// The words that other programs take after a command's name, with advice on what to type instead.
///
/// They matter only after a command has failed, so a todo or a field can have any of these names.
enum OtherWords {
    /// A row of the table.
    struct Row {
        let commands: Set<String>
        /// The words, without the value of an option; `-N` stands for a dash and a number.
        let words: Set<String>
        let advice: String
    }

    private static let (localWords, others): (Set, Set) = (["ours", "mine"], ["theirs"])
    private static let (localOptions, othersAsOption): (Set, Set) = (["--ours", "--mine"], ["--theirs"])

    static let rows = [
        Row(
            commands: ["push", "pull", "sync"], words: ["origin", "main", "master", "-u", "--set-upstream"],
            advice:
                "there is one remote and no branch: \"todosync push\", \"todosync pull\" and \"todosync sync\" "
                + "need no name"),
        Row(
            commands: ["push"], words: ["--force", "-f", "--force-with-lease"],
            advice: "\"todosync push\" merges; add --on-conflict local to use the local values in conflicts"),
        Row(
            commands: ["pull"], words: ["--force", "-f"],
            advice:
                "\"todosync pull\" merges; add --on-conflict remote to use the remote's values in conflicts"),
        Row(
            commands: ["sync"], words: ["--force", "-f"],
            advice:
                "\"todosync sync\" merges; add --on-conflict local or remote to choose a side in conflicts"),
        Row(
            commands: ["pull", "sync"], words: ["--rebase", "--no-rebase", "--ff-only", "--merge"],
            advice: "\"todosync pull\" always merges, field by field, and has no commits to reorder"),
        Row(
            commands: ["push", "pull", "sync"], words: localOptions.union(localWords),
            advice: "--on-conflict local uses your side, the local one, in conflicts"),
        Row(
            commands: ["push", "pull", "sync"], words: othersAsOption.union(others),
            advice: "--on-conflict remote uses the other side, the remote's, in conflicts"),
        Row(
            commands: ["resolve"], words: localOptions.union(localWords).union(["--local"]),
            advice: "\"todosync resolve --use local\" uses your side"),
        Row(
            commands: ["resolve"], words: othersAsOption.union(others).union(["--remote"]),
            advice: "\"todosync resolve --use remote\" uses the other side, the remote's"),
        Row(
            commands: ["resolve"], words: ["--continue", "--mark", "-m"],
            advice: "\"todosync resolve\" accepts all files whose markers are gone"),
        Row(
            commands: ["status"], words: ["-s", "--short"],
            advice: "\"todosync status --porcelain\" prints a line for each todo"),
        Row(
            commands: ["log"], words: ["-N"],
            advice: "\"todosync log -n N\" lists N operations"),
        Row(
            commands: ["log"], words: ["-p", "--patch", "--stat", "--graph", "--all"],
            advice: "\"todosync log\" lists the todos of each operation, and --oneline leaves them out; "
                + "\"todosync show TODO --at OPERATION\" prints a text"),
        Row(
            commands: ["undo", "redo"], words: ["-N", "--last"],
            advice: "\"todosync undo OPERATION\" undoes one operation; \"todosync log\" lists them"),
        Row(
            commands: ["list", "next"], words: ["-N", "-n"],
            advice: "\"todosync list --limit N\" and \"todosync next --limit N\" print N todos"),
        Row(
            commands: ["list"], words: ["-a", "-A"], advice: "\"todosync list --all\" lists done todos, too"),
        Row(
            commands: ["list"], words: ["-l"], advice: "\"todosync list --long\" prints more of each todo"),
        Row(
            commands: ["diff"],
            words: ["--stat", "--shortstat", "--numstat", "--name-only", "--name-status"],
            advice: "\"todosync status\" lists the changed todos and their fields"),
        Row(
            commands: ["diff"], words: ["--cached", "--staged", "HEAD", "origin"],
            advice: "\"todosync diff\" shows everything that the remote doesn't have yet"),
        Row(
            commands: ["show"], words: ["HEAD", "origin"],
            advice: "\"todosync show TODO --base\" prints the version that the remote last confirmed"),
        Row(
            commands: ["restore"], words: ["--staged", "--source", "HEAD"],
            advice: "\"todosync discard TODO\" brings back the newest version from the remote"),
        Row(
            commands: ["rm"], words: ["-r", "-f", "-rf", "-fr", "--force", "--cached"],
            advice: "\"todosync rm TODO\" needs no option to delete a todo; --yes answers its questions"),
        Row(
            commands: ["add"], words: ["-m", "--message", "--title", "--name"],
            advice: "the words are the text: \"todosync add Buy milk\""),
        Row(
            commands: ["add"], words: ["-d"],
            advice: "--due takes the date: \"todosync add Buy milk --due fri\""),
        Row(
            commands: ["add"], words: ["-p"],
            advice: "--priority takes high, medium or low: \"todosync add Buy milk --priority high\""),
        Row(
            commands: ["add"], words: ["-t"], advice: "--tag adds a tag: \"todosync add Buy milk --tag shop\""
        ),
        Row(
            commands: ["clone"], words: ["--depth", "-b", "--branch", "--bare"],
            advice: "\"todosync clone URL\" copies the newest version of all todos"),
        Row(
            commands: ["remote"], words: ["rm", "delete", "del"],
            advice: "\"todosync remote remove origin\" removes the remote"),
        Row(
            commands: ["remote"], words: ["show", "list", "ls", "get-url"],
            advice: "\"todosync remote\" prints the remote's URL"),
        Row(
            commands: ["remote"], words: ["rename", "set", "change"],
            advice:
                "the remote is always named origin; \"todosync remote set-url origin URL\" changes its URL"),
    ]

    /// Returns what to type instead of a command that failed; nil if it has no word of another program.
    static func advice(for arguments: [String]) -> String? {
        guard let index = commandIndex(in: arguments) else { return nil }
        let typed = arguments[(index + 1)...].prefix { $0 != "--" }
        for (word, last) in zip(typed, [""] + typed) {
            // After an option, such as --limit, a number is its value.
            let number = word.hasPrefix("-") && !last.hasPrefix("--") ? Int(word.dropFirst()) : nil
            let names = number == nil ? word.split(separator: "=").map(String.init) : ["-N"]
            let row = rows.first {
                $0.commands.contains(arguments[index]) && !$0.words.isDisjoint(with: names)
            }
            if let row { return row.advice.replacing(" N", with: " \(number ?? 5)") }
        }
        return nil
    }
}

/// Joins long options and values that begin with a dash, such as `--due -3d`, which the argument parser would
/// take for a missing value.
func joiningPastDates(in words: [String]) -> [String] {
    var joined: [String] = []
    for word in words {
        if word.isTimeAgo, joined.last?.hasPrefix("--") == true, !joined.contains("--") {
            joined[joined.count - 1] += "=" + word
        } else {
            joined.append(word)
        }
    }
    return joined
}

extension String {
    /// Whether the word is a number of days, weeks, months or years ago, such as `-3d`.
    fileprivate var isTimeAgo: Bool { wholeMatch(of: /-[0-9]+[a-z]/) != nil }
}
