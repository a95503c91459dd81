internal import ArgumentParser
internal import Values

/// The options of every command.
struct GlobalOptions: ParsableArguments {
    @Option(
        name: .customShort("C"),
        help: ArgumentHelp("Run as if started in <dir>.", valueName: "dir"),
        completion: .directory)
    var directory: String?

    @Flag(name: .shortAndLong, help: "Print only requested data, warnings and errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print more detail, and long lists in full.")
    var verbose = false

    @Flag(help: "Print long output at once, without a pager.")
    var noPager = false

    /// The options in a line, for the help of each command.
    static let summary = "-C <dir>, --quiet, --verbose, --no-pager and --color <when>"

    @Option(
        help: ArgumentHelp(
            "Color the output; auto colors it at a terminal, unless NO_COLOR or CLICOLOR_FORCE overrides that.",
            valueName: "when"))
    var color = ColorChoice.auto
}

/// When output is colored.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    /// Follows the environment; colors the output at a terminal if the environment doesn't decide.
    case auto
    case always
    case never
}

/// The option of commands that print data.
struct JSONOption: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print the result as JSON.")
    var isWanted = false
}

/// The option of commands that write in the working directory.
struct LockOptions: ParsableArguments {
    @Option(
        name: .customLong("lock-timeout"),
        help: ArgumentHelp(
            "Wait up to <seconds> for another todosync to finish.", valueName: "seconds"))
    var seconds = LockOptions.standardSeconds

    static let standardSeconds = 10

    var timeout: Duration { .seconds(seconds) }

    func validate() throws {
        guard (0...86_400).contains(seconds) else {
            throw ValidationError("--lock-timeout must be 0 to 86400 seconds")
        }
    }
}

/// The options of commands that ask before they change todos found by a filter or by words.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Don't ask before changing or deleting todos that match a filter or words.")
    var yes = false

    @Flag(help: "Never ask; exit with 64 instead.")
    var noInput = false
}
