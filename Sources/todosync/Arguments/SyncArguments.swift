internal import ArgumentParser
internal import SyncEngine

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

    func validate() throws {
        if let allowDeletes, allowDeletes < 0 {
            throw ValidationError("--allow-deletes takes a number from 0")
        }
    }

    /// Returns what the engine takes.
    ///
    /// - Throws: A ``Failure`` where the user is to be asked and there is no terminal.
    func options(todos: [String] = [], in session: Session) throws -> SyncOptions {
        SyncOptions(
            todos: todos, policy: try onConflict.policy(in: session), isDryRun: dryRun,
            allowedDeletes: allowDeletes)
    }
}

/// What `--on-conflict` takes.
enum ConflictChoice: String, ExpressibleByArgument, CaseIterable {
    case markers, local, remote, prompt

    func policy(in session: Session) throws -> ConflictPolicy {
        switch self {
        case .markers: .markers
        case .local: .use(.local)
        case .remote: .use(.remote)
        case .prompt: .ask(try ConflictPrompt.atTerminal(of: session).ask)
        }
    }
}
