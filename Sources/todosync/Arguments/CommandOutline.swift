internal import ArgumentParser
internal import LosslessYAML
internal import Values

/// A description of a command's arguments, for completions and manual pages.
struct CommandOutline {
    struct Argument {
        enum Kind: String { case positional, option, flag }

        enum Paths { case files, folders }

        var kind: Kind
        /// The names of an option or a flag, with their dashes.
        var names: [String]
        var valueName: String
        var abstract: String
        var defaultValue: String?
        /// The values that the argument accepts; empty if it accepts any value.
        var values: [String]
        /// The kind of path that the argument accepts; nil if it doesn't accept paths.
        var paths: Paths?
        var isOptional: Bool
        var isRepeating: Bool
    }

    private(set) var arguments: [Argument] = []

    /// Reads the arguments from the argument parser's own description of a command in JSON.
    ///
    /// A plain `ParsableArguments` type describes options without a command.
    init(_ command: any ParsableArguments.Type) {
        let dump = try? JSON.read(Array(command._dumpHelp().utf8), maximumSize: .max)
        guard let description = dump?["command"], case .list(let arguments)? = description["arguments"] else {
            return
        }
        self.arguments = arguments.compactMap(Argument.init)
        // A command's help names them in a single line, so the parser doesn't describe them.
        let common = command == GlobalOptions.self ? [] : CommandOutline(GlobalOptions.self).arguments
        let names = Set(self.arguments.flatMap(\.names))
        self.arguments += common.filter { names.isDisjoint(with: $0.names) }
    }

    /// Returns the option or flag with a name.
    func option(_ name: String) -> Argument? { arguments.first { $0.names.contains(name) } }

    var options: [Argument] { arguments.filter { $0.kind != .positional } }

    var positionals: [Argument] { arguments.filter { $0.kind == .positional } }
}

extension CommandOutline.Argument {
    fileprivate init?(_ value: Value) {
        guard let kind = value.string("kind").flatMap(Kind.init), value.isTrue("shouldDisplay") else {
            return nil
        }
        self.init(
            kind: kind,
            names: value.list("names").map { name in
                (name.string("kind") == "long" ? "--" : "-") + (name.string("name") ?? "")
            },
            valueName: value.string("valueName") ?? "", abstract: value.string("abstract") ?? "",
            defaultValue: value.string("defaultValue"),
            values: value.list("allValues").compactMap {
                if case .string(let text) = $0 { text } else { nil }
            },
            paths: value["completionKind"].flatMap { kind in
                kind["file"] != nil ? .files : kind["directory"] != nil ? .folders : nil
            },
            isOptional: value.isTrue("isOptional"), isRepeating: value.isTrue("isRepeating"))
    }
}

extension Value {
    fileprivate subscript(key: String) -> Value? {
        if case .mapping(let mapping) = self { mapping[key] } else { nil }
    }

    fileprivate func string(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }

    fileprivate func list(_ key: String) -> [Value] {
        if case .list(let items)? = self[key] { items } else { [] }
    }

    fileprivate func isTrue(_ key: String) -> Bool { self[key] == .bool(true) }
}

/// A command with the name that the user types.
struct NamedCommand {
    var name: String
    var type: any ParsableCommand.Type

    /// What the command does, as a sentence.
    var abstract: String { type.configuration.abstract }
    /// The rest of the command's help.
    var discussion: String { type.configuration.discussion }

    /// Returns a command's subcommands, without the hidden ones.
    static func below(_ command: any ParsableCommand.Type) -> [NamedCommand] {
        command.configuration.subcommands.compactMap { subcommand in
            let configuration = subcommand.configuration
            guard configuration.shouldDisplay, let name = configuration.commandName else { return nil }
            return NamedCommand(name: name, type: subcommand)
        }
    }
}
