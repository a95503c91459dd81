import LosslessYAML
import TestSupport

/// Writes and removes comments anywhere in a text and changes its layout, like people and formatters.
///
/// Drops changes that would make the text invalid.
struct RandomComments {
    var random: SplitMix64
    private var count = 0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// Returns the document with up to `most` new comments with different texts.
    mutating func commented(_ document: Document, most: Int) -> Document {
        var document = document
        for _ in 0..<Int.random(in: 0...most, using: &random) {
            let lines = document.bytes.lines
            let position = Int.random(in: 0...lines.count, using: &random)
            if random.chance(0.5) {
                let line = ownLine(beside: position, in: lines)
                document = document.same { $0.lines.inserting(line, at: position) }
            } else if position < lines.count {
                let remark = " " + newComment()
                document = document.same { $0.lines.replacing(position) { $0 + remark } }
            }
        }
        return document
    }

    /// Returns the document after removing or changing some of its comments.
    mutating func revised(_ document: Document) -> Document {
        var document = document
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            guard let range = document.comments.randomElement(using: &random) else { break }
            let comment = random.chance(0.5) ? "" : newComment()
            document = document.same { bytes in
                Array(bytes[..<range.lowerBound]) + Array(comment.utf8) + Array(bytes[range.upperBound...])
            }
        }
        return document
    }

    /// Returns the document after reformatting it or moving some lines, and which of the two happened.
    mutating func laidOutAnew(_ document: Document) -> (CommentedStory.Feature, Document) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: (.reindented, changingLines(of: document) { String($0.prefix { $0 == " " }) + $0 })
        case 1:
            (.unindentedItems, changingLines(of: document) { $0.replacing(#/^( *)  - /#) { $0.1 + "- " } })
        case 2:
            (
                .requoted,
                changingLines(of: document) { $0.replacing(#/: (\w+)(?=[ ,]|$)/#) { ": \"\($0.1)\"" } }
            )
        case 3:
            (
                .brokenBrackets,
                changingLines(of: document) { $0.replacing(#/([\[{,]) ?(\w)/#) { "\($0.1)\n  \($0.2)" } }
            )
        case 4: (.reordered, moved(document))
        default: (.reordered, document)
        }
    }

    private func changingLines(of document: Document, _ change: (String) -> String) -> Document {
        document.same { $0.lines.map(change).joined }
    }

    /// Returns the document after moving a line and the comments above it.
    private mutating func moved(_ document: Document) -> Document {
        var lines = document.bytes.lines
        guard let end = lines.indices.randomElement(using: &random) else { return document }
        var start = end
        while start > 0, lines[start - 1].hasPrefix("#") { start -= 1 }
        let taken = Array(lines[start...end])
        lines.removeSubrange(start...end)
        lines.insert(contentsOf: taken, at: Int.random(in: 0...lines.count, using: &random))
        return document.same { _ in lines.joined }
    }

    private mutating func ownLine(beside position: Int, in lines: [String]) -> String {
        let neighbor = random.chance(0.6) ? position : position - 1
        let indentation = lines.indices.contains(neighbor) ? lines[neighbor].prefix { $0 == " " } : ""
        return (random.chance(0.8) ? indentation : indentation + "  ") + newComment()
    }

    private mutating func newComment() -> String {
        count += 1
        return "# \(random.next() % 1_000_000)-\(count)"
    }
}

extension Document {
    /// Returns the document after a change to its text, or this one if a value would change.
    fileprivate func same(after change: ([UInt8]) -> [UInt8]) -> Document {
        guard let document = try? Document(parsing: change(bytes)), document.fields == fields else {
            return self
        }
        return document
    }
}

extension [UInt8] {
    fileprivate var lines: [String] {
        var lines = String(decoding: self, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}

extension [String] {
    fileprivate var joined: [UInt8] { Array<UInt8>(map { $0 + "\n" }.joined().utf8) }

    fileprivate func inserting(_ line: String, at position: Int) -> [UInt8] {
        (Array(self[..<position]) + [line] + Array(self[position...])).joined
    }

    fileprivate func replacing(_ position: Int, with change: (String) -> String) -> [UInt8] {
        var lines = self
        lines[position] = change(lines[position])
        return lines.joined
    }
}
