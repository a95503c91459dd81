internal import ArgumentParser

/// What `todosync` says to someone who names no command: all of them at a glance.
enum FirstScreen {
    static var text: String {
        let groups = Todosync.configuration.groupedSubcommands.map { group in
            group.name + "\n" + group.subcommands.map(line).joined()
        }
        return """
            usage: todosync [-C <dir>] [--quiet] [--verbose] [--color <when>] <command> ...

            \(Todosync.configuration.abstract) Each todo is one
            file that you edit with anything, online or offline. What both sides changed is
            merged field by field; where only you can choose, the file gets conflict markers
            like git's.

            \(groups.joined(separator: "\n"))
            "todosync <command> --help" explains a command. New here? Try "todosync demo".
            """
    }

    private static func line(_ command: any ParsableCommand.Type) -> String {
        let name = command.configuration.commandName ?? ""
        let padding = String(repeating: " ", count: max(2, 13 - name.utf8.count))
        let sentence = command.configuration.abstract
        return "   \(name)\(padding)\(sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...])\n"
    }
}
