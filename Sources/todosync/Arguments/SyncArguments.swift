internal import ArgumentParser

/// The options that `push`, `pull` and `sync` share.
struct SyncArguments: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Show what would be done, but change nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Choose what to do if both sides changed the same part.",
            discussion: """
                markers, the default, writes both versions into the file. local and remote use that side; \
                parts that merged stay merged. prompt asks you at the terminal. With this option, todosync \
                doesn't run merge.handler.
                """,
            valueName: "how"))
    var onConflict: ConflictChoice?

    @Option(
        help: ArgumentHelp(
            "Allow up to <count> deletes.",
            discussion: """
                Otherwise, todosync withholds more than ten deletes if they are more than half of all todos, \
                or all todos in a top-level folder. It also doesn't send deletes of all todos, unless \
                todosync commands made them.
                """,
            valueName: "count"))
    var allowDeletes: Int?

    @Flag(help: "Sync as usual even if git is in the middle of a merge, a rebase or another operation.")
    var duringGit = false

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions

    func validate() throws {
        if let allowDeletes, allowDeletes < 0 {
            throw ValidationError("--allow-deletes must be 0 or more")
        }
    }
}

/// The option that only `push` and `sync` have, because a pull sends no edits.
struct EditArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Allow up to <count> edits to be sent.",
            discussion: """
                Otherwise, todosync withholds edits of more than half of the todos if there are more than \
                twenty todos, unless todosync commands made them.
                """,
            valueName: "count"))
    var allowEdits: Int?

    func validate() throws {
        if let allowEdits, allowEdits < 0 {
            throw ValidationError("--allow-edits must be 0 or more")
        }
    }
}

/// The values of `--on-conflict`.
enum ConflictChoice: String, ExpressibleByArgument, CaseIterable {
    case markers, local, remote, prompt
}
