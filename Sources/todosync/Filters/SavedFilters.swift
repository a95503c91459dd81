internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values

/// A filter that the configuration has under a name.
///
/// All terms that name it share it.
final class SavedFilter: Sendable {
    let filter: Filter
    /// The number of terms, where a saved filter counts with all of its terms.
    let termCount: Int
    /// The number of levels of saved filters, including this one.
    let levels: Int

    fileprivate init(_ filter: Filter) {
        self.filter = filter
        let inner = filter.saved
        termCount = filter.terms.count - inner.count + inner.reduce(0) { $0 + $1.termCount }
        levels = 1 + (inner.map(\.levels).max() ?? 0)
    }
}

/// The saved filters of a folder and its user, each read when a term first names it.
///
/// The folder can be a stranger's, so its filters are limited: a few that name each other many times would
/// have billions of terms.
struct SavedFilters {
    private let reader: FilterReader
    private let texts: () throws -> [ByteKey: String]
    private var loadedTexts: [ByteKey: String]?
    private var filters: [ByteKey: SavedFilter] = [:]

    /// The maximum number of terms of a saved filter, with those of the filters that it names.
    private static let maximumTermCount = 10_000

    private static let maximumLevels = 100

    /// - Parameter texts: Returns the words of each filter, by name; called if a term names a filter.
    init(dates: DateReader, _ texts: @escaping () throws -> [ByteKey: String]) {
        reader = FilterReader(dates: dates)
        self.texts = texts
    }

    /// Reads the words of a filter that can name saved filters.
    ///
    /// - Throws: A ``Failure`` for a value that a term doesn't accept, and for a saved filter that is missing
    ///   or too large, contains itself, or has a mistake.
    mutating func read(_ words: [String]) throws -> Filter { try read(words, inside: []) }

    /// - Parameter names: The names of the saved filters that contain the words, outermost first.
    private mutating func read(_ words: [String], inside names: [String]) throws -> Filter {
        try reader.read(words) { try filter(named: $0, inside: names) }
    }

    private mutating func filter(named name: String, inside names: [String]) throws -> SavedFilter {
        if let filter = filters[ByteKey(name)] { return filter }
        if let start = names.firstIndex(where: { $0.isSameBytes(as: name) }) {
            throw Self.failure(containingItself: names[start...] + [name])
        }
        let words = Self.words(of: try text(of: name))
        guard !words.isEmpty else {
            throw Failure(
                .configuration, "the filter @\(visible(name)) is empty",
                hint: "give it a term under filters in config.yaml, such as tag:home")
        }
        guard words.count <= Self.maximumTermCount else { throw Self.failure(ofTooManyTerms: name) }
        guard names.count < Self.maximumLevels else { throw Self.failure(ofTooManyLevels: names[0]) }
        let filter = SavedFilter(try read(words, inside: names + [name]))
        guard filter.termCount <= Self.maximumTermCount else { throw Self.failure(ofTooManyTerms: name) }
        guard filter.levels <= Self.maximumLevels else { throw Self.failure(ofTooManyLevels: name) }
        filters[ByteKey(name)] = filter
        return filter
    }

    private mutating func text(of name: String) throws -> String {
        let texts = try loadedTexts ?? self.texts()
        loadedTexts = texts
        if let text = texts[ByteKey(name)] { return text }
        let filters = texts.keys.map { "@\(visible($0.string))" }.sorted()
        throw Failure(
            .usage, "there is no filter '@\(visible(name))'",
            hint: filters.isEmpty
                ? "set filters in .todosync/config.yaml, or use text:@\(visible(name)) to find the word"
                : "the filters are \(enumeration(filters)); use text:@\(visible(name)) to find the word")
    }

    /// - Parameter names: The names of filters that contain each other; the last is the first again.
    private static func failure(containingItself names: [String]) -> Failure {
        let chain = names.map { "@\(visible($0))" }
        let links = zip(chain, chain.dropFirst()).map { "\($0) contains \($1)" }
        return Failure(
            .configuration, "the filter \(chain[0]) contains itself",
            hint: links.count == 1
                ? "remove \(chain[0]) from its own words, under filters in config.yaml"
                : "\(enumeration(links)); change one of them under filters in config.yaml")
    }

    private static func failure(ofTooManyTerms name: String) -> Failure {
        Failure(
            .configuration,
            "the filter @\(visible(name)) has more than \(maximumTermCount) terms, with those of the filters "
                + "that it names",
            hint: "remove some of them under filters in config.yaml")
    }

    private static func failure(ofTooManyLevels name: String) -> Failure {
        Failure(
            .configuration,
            "the filter @\(visible(name)) names filters that name others, through more than \(maximumLevels) "
                + "levels",
            hint: "shorten this chain under filters in config.yaml")
    }

    /// Returns the words of a saved filter; quotation marks keep words together.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var (isWord, quote): (Bool, Character?) = (false, nil)
        for character in text {
            switch character {
            case quote: quote = nil
            case "\"" where quote == nil, "'" where quote == nil: (quote, isWord) = (character, true)
            case _ where quote == nil && character.isWhitespace:
                if isWord { words.append(word) }
                (word, isWord) = ("", false)
            default:
                word.append(character)
                isWord = true
            }
        }
        return isWord ? words + [word] : words
    }
}

extension Session {
    /// Returns whether an argument is a term of a filter.
    ///
    /// The name of a file stands for a todo, whatever the name looks like.
    func isFilterTerm(_ argument: String) -> Bool {
        Filter.isTerm(argument) && !TypedPath(typed: argument, currentDirectory: currentDirectory).isFile
    }

    /// Returns whether arguments are a filter, not the names of todos.
    ///
    /// - Throws: A ``Failure`` if they are both.
    func isFilter(_ arguments: [String]) throws -> Bool {
        guard let term = arguments.first(where: isFilterTerm) else { return false }
        guard let name = arguments.first(where: { !isFilterTerm($0) }) else { return true }
        throw Failure(
            .usage, "\(visible(term)) is a filter, and \(visible(name)) names a todo",
            hint: "use one or the other; text:\(visible(shellQuoted(name))) finds todos with that word")
    }

    /// Reads a filter and shows its dates as todosync understood them.
    ///
    /// - Parameter isQuiet: Whether to show nothing, because the output is for a program.
    func filter(_ words: [String], isQuiet: Bool = false, in workspace: Workspace) throws -> Filter {
        var saved = SavedFilters(dates: dates) { [process] in
            try UserConfiguration(process).filters.merging(workspace.filters) { $1 }
        }
        let filter = try saved.read(words)
        // A saved filter that is named twice shows its dates once.
        var shown: Set<String> = []
        if !isQuiet { filter.understood.filter { shown.insert($0).inserted }.forEach(remark) }
        return filter
    }

    /// Returns the todos that a filter finds, in the order of a list.
    ///
    /// Done todos count only if the filter asks for a state or `withDone` is true.
    func find(
        _ filter: Filter, in workspace: Workspace, withDone: Bool = false
    ) throws -> [ListEntry] {
        let query = ListQuery(
            state: withDone || filter.asksForState ? .all : .open, filter: filter,
            present: Present(dates))
        return try query.select(from: workspace)
    }

    /// Separates a todo's name, or the terms of a filter, from the rest of a command's arguments.
    ///
    /// Without a filter, the first argument names the todo.
    ///
    /// - Throws: A ``Failure`` if the arguments are a filter and also name a todo's file.
    func separated(_ first: String, _ others: [String]) throws -> (todos: [String], rest: [String]) {
        let arguments = [first] + others
        let terms = arguments.filter(isFilterTerm)
        if terms.isEmpty { return ([first], others) }
        let rest = arguments.filter { !isFilterTerm($0) }
        let files = rest.filter { TypedPath(typed: $0, currentDirectory: currentDirectory).isFile }
        _ = try isFilter(terms + files)
        return (terms, rest)
    }
}
