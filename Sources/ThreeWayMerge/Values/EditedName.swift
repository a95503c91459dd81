/// The characters of an element's name, for comparing it with its other versions.
struct EditedName {
    private let characters: [Character]
    private let counts: [Character: Int]

    init(_ name: String) {
        characters = Array(name)
        counts = characters.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    /// Returns whether one name is an edited version of the other: at least two thirds of the longer one's
    /// characters are in both, in order.
    func isVersion(of other: EditedName) -> Bool {
        if characters == other.characters { return true }
        guard mayBeVersion(of: other) else { return false }
        var numbers: [Character: Int32] = [:]
        func number(_ character: Character) -> Int32 {
            let number = numbers[character] ?? Int32(numbers.count)
            numbers[character] = number
            return number
        }
        var edit = ShortestEdit(old: characters.map(number), new: other.characters.map(number))
        edit.run()
        return isMost(edit.removed.count { !$0 }, with: other)
    }

    /// Returns whether enough characters are in both names, in any order.
    ///
    /// This quick check rules out most pairs.
    private func mayBeVersion(of other: EditedName) -> Bool {
        isMost(min(characters.count, other.characters.count), with: other)
            && isMost(counts.reduce(0) { $0 + min($1.value, other.counts[$1.key] ?? 0) }, with: other)
    }

    private func isMost(_ kept: Int, with other: EditedName) -> Bool {
        kept * 3 >= max(characters.count, other.characters.count) * 2
    }
}

extension EditedName {
    /// The maximum product of the old and the new names' lengths.
    ///
    /// If it is greater, no name counts as edited.
    private static let mostComparisons = 50_000_000
    /// What comparing a name costs in addition to its length.
    private static let costOfName = 8

    /// Returns the indices of the old and new names that are versions of each other and of no other name.
    static func pairs(_ olds: [String], _ news: [String]) -> [(old: Int, new: Int)] {
        let cost = { (names: [String]) in names.reduce(0) { $0 + $1.utf8.count + costOfName } }
        guard !news.isEmpty, cost(olds) <= mostComparisons / cost(news) else { return [] }
        let newNames = news.map(EditedName.init)
        let possible = olds.map(EditedName.init).map { old in
            newNames.indices.filter { newNames[$0].isVersion(of: old) }
        }
        var counts: [Int: Int] = [:]
        for new in possible.joined() { counts[new, default: 0] += 1 }
        return possible.enumerated().compactMap { old, news in
            news.count == 1 && counts[news[0]] == 1 ? (old, news[0]) : nil
        }
    }
}
