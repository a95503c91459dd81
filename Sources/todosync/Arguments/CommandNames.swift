internal import ArgumentParser

/// Throws if the words name an unknown command, because the parser would read it as an argument.
func refuseUnknownCommand(in words: [String]) throws {
    guard let index = commandIndex(in: words), !commandNames.contains(words[index]) else { return }
    let name = words[index]
    let message = "there is no command '\(withoutKeys(visible(name)))'"
    if let advice = OtherNames.advice[name] { throw Failure(.usage, message, hint: advice) }
    let nearest = nearestWord(to: name, in: commandNames).map { "did you mean \"todosync \($0)\"? " } ?? ""
    throw Failure(.usage, message, hint: nearest + "run \"todosync help --all\" to list all commands")
}

/// All commands, in the order of the help.
var allCommands: [any ParsableCommand.Type] {
    Todosync.configuration.groupedSubcommands.flatMap(\.subcommands)
}

/// The names of all commands.
var commandNames: [String] { allCommands.compactMap { $0.configuration.commandName } }

/// Returns the index of the word that should name a command.
///
/// Returns nil if there is no such word, or if an option that only the parser reads comes before it.
func commandIndex(in words: [String]) -> Int? {
    var index = words.startIndex
    while index < words.endIndex {
        switch words[index] {
        case "-C", "--color": index += 2
        case "-q", "--quiet", "-v", "--verbose", "--no-pager", "-h", "--help", "help": index += 1
        case let word where word.hasPrefix("--color="): index += 1
        case let word: return word.hasPrefix("-") ? nil : index
        }
    }
    return nil
}

/// Returns the command that the words name, with its subcommands: `todosync remote add`.
func commandNamed(in words: [String]) -> String {
    var names = ["todosync"]
    var command: any ParsableCommand.Type = Todosync.self
    for word in words[(commandIndex(in: words) ?? words.endIndex)...] {
        let subcommands = command.configuration.subcommands
        guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else { break }
        names.append(word)
        command = next
    }
    return names.joined(separator: " ")
}

/// Returns the word that the user probably meant; nil if none of them is similar.
func nearestWord(to word: String, in words: [String]) -> String? {
    if let anagram = words.first(where: { $0.sorted() == word.sorted() }) { return anagram }
    let distances = words.map { (name: $0, distance: editDistance(word, $0)) }
    let nearest = distances.min { $0.distance < $1.distance }
    return nearest.flatMap { $0.distance * 3 <= word.count ? $0.name : nil }
}

/// Returns the number of characters to add, remove or replace to turn one word into the other.
private func editDistance(_ left: String, _ right: String) -> Int {
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for (column, other) in right.enumerated() {
            let distance =
                character == other ? diagonal : min(diagonal, row[column], row[column + 1]) + 1
            (diagonal, row[column + 1]) = (row[column + 1], distance)
        }
    }
    return row[right.count]
}
