internal import ArgumentParser
internal import CSystemCalls
internal import Remotes
internal import WorkingCopy

/// The command `todosync`, with its subcommands in the order that users need them.
struct Todosync: ParsableCommand {
    /// The version on its own, because the configuration makes Swift's runtime look up every command.
    static let number = "0.1.0"
    private static let version = "todosync \(number)"

    static let configuration = CommandConfiguration(
        commandName: "todosync",
        abstract: "Todos as YAML files in a folder, synced with a remote.",
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "start",
                subcommands: [
                    InitCommand.self, CloneCommand.self, RemoteCommand.self, DemoCommand.self,
                ]),
            CommandGroup(
                name: "work with todos",
                subcommands: [
                    AddCommand.self, ListCommand.self, NextCommand.self, ShowCommand.self, EditCommand.self,
                    SetCommand.self, UnsetCommand.self, TickCommand.self, DoneCommand.self, SkipCommand.self,
                    SnoozeCommand.self,
                    ReopenCommand.self, MoveCommand.self, RemoveCommand.self, PurgeCommand.self,
                ]),
            CommandGroup(
                name: "sync",
                subcommands: [
                    StatusCommand.self, DiffCommand.self, DiscardCommand.self, PushCommand.self,
                    PullCommand.self, SyncCommand.self, WatchCommand.self, ConflictsCommand.self,
                    ResolveCommand.self,
                ]),
            CommandGroup(
                name: "look back",
                subcommands: [
                    LogCommand.self, UndoCommand.self, RedoCommand.self, RestoreCommand.self,
                ]),
            CommandGroup(name: "serve", subcommands: [ServeCommand.self]),
            CommandGroup(
                name: "more",
                subcommands: [
                    ExplainCommand.self, ResolutionsCommand.self, TrustCommand.self, FsckCommand.self,
                    GCCommand.self, PromptCommand.self, GitSetupCommand.self, MergeFileCommand.self,
                ]),
        ])

    /// The global options, which can come before a subcommand's name as well as after it.
    @OptionGroup var global: GlobalOptions
}

extension Todosync {
    /// What the program was built from, and what it reads and writes.
    static var versionDetails: [(name: String, value: String)] {
        let commit = String(cString: csystem_build_commit())
        let date = String(cString: csystem_build_date())
        var traits: [String] = []
        #if HTTP
            traits.append("HTTP")
        #endif
        #if PostgreSQL
            traits.append("PostgreSQL")
        #endif
        return [
            ("commit", commit.isEmpty ? "not named by the build" : "\(commit) (\(date))"),
            ("traits", traits.isEmpty ? "none" : traits.joined(separator: ", ")),
            (".todosync", "format \(WorkingDirectory.format)"),
        ] + Store.versions + [
            ("protocol", "ZUMO-API-VERSION 2.0.0"), ("JSON", "schema \(jsonSchema)"),
        ]
    }
}

/// The text that `todosync` prints without a command, and the one of `todosync help --all`.
enum FirstScreen {
    /// The commands that people use every day.
    private static let everyday: Set = [
        "init", "clone", "demo", "add", "list", "next", "edit", "set", "done", "rm", "status", "sync",
        "resolve", "log", "undo",
    ]

    /// Returns the everyday commands, or all commands and topics, in lines that fit a width.
    static func text(listsAll: Bool, width: Int) -> String {
        let introduction =
            Todosync.configuration.abstract
            + " Each todo is one file; edit it with any editor, online or offline. todosync merges the "
            + "changes of both sides field by field. If both sides changed the same value, the file gets "
            + "conflict markers like git's."
        let groups = Todosync.configuration.groupedSubcommands.compactMap { group -> String? in
            let commands = group.subcommands.filter {
                listsAll || everyday.contains($0.configuration.commandName ?? "")
            }
            return commands.isEmpty
                ? nil : group.name + "\n" + commands.map { line($0, width: width) }.joined()
        }
        let end =
            listsAll
            ? topics(width: width)
            : wrapped(
                "\"todosync <command> --help\" explains a command, and \"todosync help --all\" lists all "
                    + "commands and topics. New here? Try \"todosync demo\".", width: width)
        let usage = wrapped(
            "usage: todosync [<options>] <command> ...", width: width, indent: "       ")
        let beginning = listsAll ? [usage] : [usage, wrapped(introduction, width: width)]
        return (beginning + groups + [end]).joined(separator: "\n")
    }

    private static func topics(width: Int) -> String {
        let names = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
        return wrapped(
            "\"todosync <command> --help\" explains a command, and \"todosync help <topic>\" a topic:",
            width: width
        ) + wrapped(names, width: width, first: "  ", indent: "  ")
            + "\n" + wrapped("Every command takes \(GlobalOptions.summary).", width: width)
    }

    private static func line(_ command: any ParsableCommand.Type, width: Int) -> String {
        let name = command.configuration.commandName ?? ""
        let padding = String(repeating: " ", count: max(2, 13 - name.utf8.count))
        let sentence = command.configuration.abstract
        let summary = String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...])
        return wrapped(
            summary, width: width, first: "   \(name)\(padding)",
            indent: String(repeating: " ", count: 16))
    }
}
