internal import ArgumentParser

/// The options that `push`, `pull` and `sync` share.
struct SyncArguments: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Show what would be done, but change nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Choose what to do where both sides changed the same part.",
            discussion: """
                markers writes both versions into the file. local and remote use that side; parts that merged \
                stay merged. prompt asks you at the terminal.
                """,
            valueName: "how"))
    var onConflict = ConflictChoice.markers

    @Option(
        help: ArgumentHelp(
            "Allow up to <count> deletes.",
            discussion: """
                Otherwise, todosync withholds more than ten deletes if they are more than half of all todos, or all \
                todos in a top-level folder.
                """,
            valueName: "count"))
    var allowDeletes: Int?

    @OptionGroup var json: JSONOption
    @OptionGroup var lock: LockOptions

    func validate() throws {
        if let allowDeletes, allowDeletes < 0 {
            throw ValidationError("--allow-deletes takes a number from 0")
        }
    }
}

/// The values of `--on-conflict`.
enum ConflictChoice: String, ExpressibleByArgument, CaseIterable {
    case markers, local, remote, prompt
}
