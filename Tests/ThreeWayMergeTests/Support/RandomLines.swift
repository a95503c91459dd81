import TestSupport

extension SplitMix64 {
    /// Returns a text of up to `most` lines from a few words, so that lines repeat.
    mutating func text(lines most: Int, words: Int) -> [UInt8] {
        let count = Int.random(in: 0...most, using: &self)
        return (0..<count).flatMap { _ in line(words: words) }
    }

    /// Returns the text with some of its lines changed, removed, added, moved or duplicated.
    mutating func edited(_ text: [UInt8], edits: Int, words: Int) -> [UInt8] {
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map
        {
            Array($0) + [UInt8(ascii: "\n")]
        }
        for _ in 0..<Int.random(in: 0...edits, using: &self) {
            let position = Int.random(in: 0...lines.count, using: &self)
            switch Int.random(in: 0..<5, using: &self) {
            case 0: lines.insert(line(words: words), at: position)
            case 1 where position < lines.count: lines[position] = line(words: words)
            case 2 where position < lines.count: lines.remove(at: position)
            case 3 where position < lines.count: lines.insert(lines[position], at: position)
            case 4 where position < lines.count:
                let line = lines.remove(at: position)
                lines.insert(line, at: Int.random(in: 0...lines.count, using: &self))
            default: break
            }
        }
        return Array(lines.joined())
    }

    private mutating func line(words: Int) -> [UInt8] {
        Array("line \(Int.random(in: 0..<words, using: &self))\n".utf8)
    }
}

/// Returns the seeds for a property: `TODOSYNC_PROPERTY_SEEDS`, or a fifth of the given number.
func seeds(_ count: UInt64) -> Range<UInt64> { PropertySeeds.range(default: count / 5) }
