internal import ArgumentParser

/// The options that `push`, `pull` and `sync` share.
struct SyncArguments: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Only say what would be done.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "What becomes of parts that both sides changed.",
            discussion: """
                markers writes both into the file, local and remote choose that side (what merged stays merged), \
                prompt asks you at the terminal.
                """,
            valueName: "how"))
    var onConflict = ConflictChoice.markers

    @Option(
        help: ArgumentHelp(
            "Allow so many deletes at once.",
            discussion: "More than ten that are more than half of all are withheld otherwise.",
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

/// What `--on-conflict` takes.
enum ConflictChoice: String, ExpressibleByArgument, CaseIterable {
    case markers, local, remote, prompt
}
