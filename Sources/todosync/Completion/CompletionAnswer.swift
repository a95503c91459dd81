/// The shells that completion supports.
enum CompletionShell: String, CaseIterable {
    case bash, zsh, fish
}

/// The answer to a shell's script: a line with the kind of the words, then a line for each word.
///
/// The kind is `words`, `open` if the words continue and no space follows them, or `files` or `folders`,
/// which the script completes itself.
struct CompletionAnswer {
    private let completion: Completion
    private let line: TypedLine

    init(_ completion: Completion, for line: TypedLine) {
        self.completion = completion
        self.line = line
    }

    /// Returns the lines for zsh or fish: each is a word and, after a tab, the text to show.
    ///
    /// zsh shows only this text; fish shows it beside the word. Both quote the word themselves.
    func lines(for shell: CompletionShell) -> [String] {
        let candidates = candidates.filter { !$0.value.contains { $0 == "\n" || $0 == "\t" } }
        let width = Self.width(of: candidates)
        return [kind]
            + candidates.map { candidate in
                let description = Self.shown(candidate.description)
                if shell == .fish {
                    return candidate.value + (description.isEmpty ? "" : "\t" + description)
                }
                return candidate.value + "\t" + Self.entry(candidate, description, width)
            }
    }

    /// Returns the lines for bash: each is a quoted word, followed by its description if there are several
    /// words.
    ///
    /// bash doesn't support descriptions, but it inserts only the beginning that all lines share.
    ///
    /// - Parameters:
    ///   - typed: What bash regards as the word at the cursor; bash also begins a word after `:` and `=`.
    ///   - columns: The width of the terminal.
    ///   - inserts: Whether bash inserts the words one after the other instead of showing them.
    func bashLines(typed: String, columns: Int, inserts: Bool) -> [String] {
        let candidates = candidates
        let end = TypedLine(typed).last
        // bash keeps the characters that it doesn't count as part of the word.
        let kept = line.last.hasSuffix(end) ? line.last.count - end.count : 0
        let words = candidates.map { quoted(String($0.value.dropFirst(kept))) }
        if words.count < 2 || inserts { return [kind] + words }
        let width = Self.width(of: candidates)
        return [kind]
            + zip(candidates, words).map { candidate, word in
                // bash would read the description of a word with spaces as part of the word.
                if candidate.description.isEmpty || candidate.value.contains(" ") { return word }
                let entry = Self.entry(
                    Candidate(value: word), Self.shown(candidate.description), max(0, width - kept))
                return shortened(entry, toWidth: max(columns - 1, displayWidth(word)))
            }
    }

    private var candidates: [Candidate] {
        guard case .words(let words) = completion else { return [] }
        var seen: Set<String> = []
        return words.filter { completes(line.last, to: $0.value) && seen.insert($0.value).inserted }
    }

    private var kind: String {
        switch completion {
        case .files: return "files"
        case .folders: return "folders"
        case .words:
            let candidates = candidates
            let areOpen = candidates.allSatisfy { $0.value.last.map(":=<>/".contains) ?? false }
            return areOpen && !candidates.isEmpty ? "open" : "words"
        }
    }

    /// Returns a word quoted for bash, which doesn't quote words itself.
    private func quoted(_ word: String) -> String {
        guard line.quote == nil else { return word }
        return word.reduce(into: "") { quoted, character in
            let isPlain = character.isLetter || character.isNumber || "-_./:=,@%+^~".contains(character)
            quoted += isPlain ? "\(character)" : "\\\(character)"
        }
    }

    private static func width(of candidates: [Candidate]) -> Int {
        candidates.filter { !$0.description.isEmpty }.map { displayWidth($0.value) }.max() ?? 0
    }

    private static func entry(_ candidate: Candidate, _ description: String, _ width: Int) -> String {
        if description.isEmpty { return visible(candidate.value) }
        let padding = String(repeating: " ", count: max(0, width - displayWidth(candidate.value)))
        return visible(candidate.value) + padding + "  " + description
    }

    /// Returns a description as one line of moderate length.
    private static func shown(_ description: String) -> String {
        shortened(visible(description), toWidth: 60)
    }
}

/// A word that can complete what the user has typed.
struct Candidate: Hashable {
    var value: String
    /// What the word stands for; empty if the word explains itself.
    var description = ""
}

/// The completions at the cursor.
enum Completion {
    case words([Candidate])
    /// The path of any file, which the shell completes.
    case files
    /// The path of any folder, which the shell completes.
    case folders

    static let nothing = Completion.words([])
}

/// Returns whether a candidate completes a word, whatever Unicode form each is in.
func completes(_ word: String, to candidate: String) -> Bool {
    // Equal characters can have different bytes, and a character can begin with the typed ones.
    candidate.utf8.starts(with: word.utf8) || candidate.hasPrefix(word)
}

/// Returns the different beginnings of the names that begin with a word, with the number of names for each.
///
/// A beginning ends with the first character where the names differ.
func beginnings(of names: [String], after word: String) -> [(text: String, count: Int)] {
    let names = names.filter { completes(word, to: $0) }
    guard let first = names.first else { return [] }
    let shared = names.reduce(first.count) { count, name in
        min(count, zip(first, name).prefix { $0 == $1 }.count)
    }
    let counts = Dictionary(names.map { (String($0.prefix(shared + 1)), 1) }, uniquingKeysWith: +)
    return counts.map { (text: $0.key, count: $0.value) }.sorted { $0.text < $1.text }
}
