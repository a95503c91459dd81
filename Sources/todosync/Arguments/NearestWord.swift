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
