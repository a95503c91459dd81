internal import ArgumentParser

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
