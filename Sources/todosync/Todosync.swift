internal import ArgumentParser
internal import CSystemCalls
internal import Remotes
internal import WorkingCopy

/// The command `todosync`, with its subcommands in the order that users need them.
struct Todosync: ParsableCommand {
    /// The version on its own, because the configuration makes Swift's runtime look up every command.
    static let version = "todosync 0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "todosync",
        abstract: "Todos as YAML files in a folder, synced with a remote.",
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "start",
                subcommands: [
                    InitCommand.self, CloneCommand.self, RemoteCommand.self, TrustCommand.self,
                    GitSetupCommand.self, DemoCommand.self,
                ]),
            CommandGroup(
                name: "work with todos",
                subcommands: [
                    AddCommand.self, ListCommand.self, NextCommand.self, ShowCommand.self, EditCommand.self,
                    SetCommand.self, UnsetCommand.self, TickCommand.self, DoneCommand.self, SkipCommand.self,
                    ReopenCommand.self, MoveCommand.self, RemoveCommand.self, PurgeCommand.self,
                ]),
            CommandGroup(
                name: "sync",
                subcommands: [
                    StatusCommand.self, PromptCommand.self, DiffCommand.self, DiscardCommand.self,
                    PushCommand.self,
                    PullCommand.self,
                    SyncCommand.self, WatchCommand.self,
                    ConflictsCommand.self, ResolveCommand.self, ResolutionsCommand.self,
                    MergeFileCommand.self,
                ]),
            CommandGroup(
                name: "look back",
                subcommands: [
                    LogCommand.self, UndoCommand.self, RedoCommand.self, RestoreCommand.self,
                    ExplainCommand.self, GCCommand.self, FsckCommand.self,
                ]),
            CommandGroup(name: "serve", subcommands: [ServeCommand.self]),
        ])

    /// The global options, which can come before a subcommand's name as well as after it.
    @OptionGroup var global: GlobalOptions
}

extension Todosync {
    /// The version with what the program was built from and what it reads and writes, one line each.
    static var versionDetails: String {
        let commit = String(cString: csystem_build_commit())
        let date = String(cString: csystem_build_date())
        let build = commit.isEmpty ? "not named by the build" : "\(commit) (\(date))"
        var traits: [String] = []
        #if HTTP
            traits.append("HTTP")
        #endif
        #if PostgreSQL
            traits.append("PostgreSQL")
        #endif
        let rows =
            [
                ("commit", build),
                ("traits", traits.isEmpty ? "none" : traits.joined(separator: ", ")),
                (".todosync", "format \(WorkingDirectory.format)"),
            ] + Store.versions.map { ($0.name, $0.version) } + [
                ("protocol", "ZUMO-API-VERSION 2.0.0"), ("JSON", "schema \(jsonSchema)"),
            ]
        return ([version] + rows.map { "\($0.0): \($0.1)" }).joined(separator: "\n")
    }
}

/// The text that `todosync` prints without a command, with all commands at a glance.
enum FirstScreen {
    static var text: String {
        let groups = Todosync.configuration.groupedSubcommands.map { group in
            group.name + "\n" + group.subcommands.map(line).joined()
        }
        return """
            usage: todosync [-C <dir>] [--quiet] [--verbose] [--no-pager] [--color <when>]
                            <command> ...

            \(Todosync.configuration.abstract) Each todo is one
            file; edit it with any editor, online or offline. todosync merges the changes of
            both sides field by field. If both sides changed the same value, the file gets
            conflict markers like git's.

            \(groups.joined(separator: "\n"))
            Run "todosync <command> --help" for help on a command. New here? Try
            "todosync demo". "todosync help <topic>" explains a topic:
            \(topics)
            """
    }

    private static var topics: String {
        let names = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
        return String(wrapped(names, width: 80, first: "  ", indent: "  ").dropLast())
    }

    private static func line(_ command: any ParsableCommand.Type) -> String {
        let name = command.configuration.commandName ?? ""
        let padding = String(repeating: " ", count: max(2, 13 - name.utf8.count))
        let sentence = command.configuration.abstract
        return "   \(name)\(padding)\(sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...])\n"
    }
}
