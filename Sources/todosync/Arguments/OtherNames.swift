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
        "check-off": "tick", "untick": "tick --undo", "uncheck": "tick --undo",
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
            "\"todosync discard\" brings back a todo's newest version; \"todosync restore\" brings back an older one",
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
        guard let index = commandIndex(in: words), let alias = aliases[words[index]] else { return words }
        // Help is for the command, without the alias's option.
        let meant = words[..<index].contains("help") ? command(named: words[index]) : alias
        var words = words
        words.replaceSubrange(index...index, with: meant.split(separator: " ").map(String.init))
        return words
    }
}
