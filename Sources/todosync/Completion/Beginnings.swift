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
