internal import ArgumentParser
internal import LosslessYAML
internal import SyncEngine
internal import Values

/// The command `todosync prompt`.
struct PromptCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "prompt",
        abstract: "Print a line for your shell's prompt.",
        usage: "todosync prompt [--json]",
        discussion: """
            Example: PS1='$(todosync prompt) \\$ '

            Prints how many changes are pending, how many conflicts are open, how many todos wait because their files \
            can't be read or written, and how long ago the last sync was: "2 pending, 1 conflict, synced 3h ago". \
            Outside a working directory it prints nothing, and it never \
            prints an error, so that it can be part of every prompt.

            To be fast, it does not scan the folder, unless one of the files that it reads is missing, is \
            ignored or is not a todo. It reads only the files that todosync's commands changed, and 100 of them at most: "100+ pending" \
            means that more changes might be pending. It does not see what an editor changed; "todosync status" does.
            """)

    @OptionGroup var json: JSONOption
    @OptionGroup var global: GlobalOptions

    func run(in session: Session) throws -> ExitStatus {
        // An error before each prompt would be in the way; other commands report it.
        guard let glance = try? Glance(of: session.workspace()) else { return .done }
        if json.isWanted {
            try session.show(json: todosync.json(glance))
        } else {
            try session.show(render(glance, now: session.process.now()))
        }
        return .done
    }
}
