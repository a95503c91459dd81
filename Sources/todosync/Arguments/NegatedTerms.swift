/// Rewrites negated terms of filters so that the argument parser doesn't read them as options: `-tag:work`
/// becomes `not:tag:work`.
///
/// This affects only commands that take a filter, and only words that have the form of a term.
func sparingNegatedTerms(in words: [String]) -> [String] {
    guard let command = commandIndex(in: words), commandsWithFilters.contains(words[command]) else {
        return words
    }
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return words.enumerated().map { index, word in
        guard index > command, index < end, word.hasPrefix("-"), Filter.isTerm(word) else { return word }
        return Filter.negation + word.dropFirst()
    }
}

/// The commands that take a filter.
let commandsWithFilters: Set<String> = [
    "list", "next", "set", "unset", "done", "reopen", "rm", "diff",
]
