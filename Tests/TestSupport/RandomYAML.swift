/// Generates values, and documents in all styles that people and programs write, from a seed.
package struct RandomYAML {
    var random: SplitMix64
    private var output = ""
    private var lineBreak = "\n"
    private var anchors: [String] = []
    private var usesAnchors = false

    package init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Returns the text of a valid document.
    package mutating func document() -> [UInt8] {
        output = random.chance(0.1) ? "\u{FEFF}" : ""
        lineBreak = random.chance(0.25) ? "\r\n" : random.chance(0.03) ? "\r" : "\n"
        anchors = []
        usesAnchors = random.chance(0.25)
        trivia(indentation: 0)
        if random.chance(0.15) {
            if random.chance(0.3) { output += "%YAML 1.2" + lineBreak }
            output += "---"
            endLine()
        }
        if random.chance(0.1) {
            flowMapping(depth: 1, canBreak: true, indentation: -1)
            endLine()
        } else {
            blockMapping(
                indentation: random.chance(0.05) ? 2 : 0, depth: 1,
                count: Int.random(in: 1...6, using: &random))
        }
        trivia(indentation: 0)
        if random.chance(0.1) {
            output += "..."
            endLine()
            trivia(indentation: 0)
        }
        if random.chance(0.2), output.hasSuffix(lineBreak) { output.removeLast() }
        return Array(output.utf8)
    }

    // MARK: Block style

    private mutating func blockMapping(indentation: Int, depth: Int, count: Int, continuesLine: Bool = false)
    {
        var keys: Set<String> = []
        var isFirst = true
        while keys.count < count {
            let key = self.key()
            guard keys.insert(key).inserted else { continue }
            if !isFirst || !continuesLine {
                trivia(indentation: indentation)
                indent(indentation)
            }
            isFirst = false
            if random.chance(0.05) {
                output += "? " + spelledKey(key)
                endLine()
                indent(indentation)
            } else {
                output += spelledKey(key) + (random.chance(0.05) ? " " : "")
            }
            output += ":"
            blockValue(indentation: indentation, depth: depth, isItem: false)
        }
    }

    private mutating func blockSequence(indentation: Int, depth: Int, continuesLine: Bool = false) {
        for number in 0..<Int.random(in: 1...4, using: &random) {
            if number > 0 || !continuesLine {
                if number > 0 { trivia(indentation: indentation) }
                indent(indentation)
            }
            output += "-"
            blockValue(indentation: indentation, depth: depth, isItem: true)
        }
    }

    private mutating func blockValue(indentation: Int, depth: Int, isItem: Bool) {
        let nested = indentation + (isItem ? 2 : Int.random(in: 1...4, using: &random))
        switch Int.random(in: 0..<(depth < 4 ? 16 : 11), using: &random) {
        case 0: endLine()
        case 1...5:
            output += " "
            anchor { $0.output += $0.scalar(inFlow: false) }
            endLine()
        case 6:
            output += " " + multilineScalar(indentation: nested)
            endLine()
        case 7, 8: blockScalar(indentation: indentation, nested: nested)
        case 9:
            output += " "
            flow(depth: depth + 1, canBreak: true, indentation: indentation)
            endLine()
        case 10:
            endLine()
            if random.chance(0.5) { comment(indentation: nested) }
            indent(nested)
            output += scalar(inFlow: false)
            endLine()
        case 11, 12:
            if isItem, random.chance(0.8) {
                output += " "
                blockMapping(indentation: nested, depth: depth + 1, count: 2, continuesLine: true)
            } else {
                openLine()
                blockMapping(
                    indentation: nested, depth: depth + 1, count: Int.random(in: 1...3, using: &random))
            }
        default:
            if isItem, random.chance(0.8) {
                output += " "
                blockSequence(indentation: nested, depth: depth + 1, continuesLine: true)
            } else {
                openLine()
                if random.chance(0.3) { comment(indentation: nested) }
                blockSequence(
                    indentation: !isItem && random.chance(0.5) ? indentation : nested, depth: depth + 1)
            }
        }
    }

    private mutating func blockScalar(indentation: Int, nested: Int) {
        let isKept = random.chance(0.2)
        let isIndented = random.chance(0.2)
        output += random.chance(0.7) ? " |" : " >"
        let indicator = isIndented && indentation >= 0 ? String(nested - indentation) : ""
        let chomping = isKept ? "+" : random.chance(0.3) ? "-" : ""
        output += random.chance(0.5) ? indicator + chomping : chomping + indicator
        endLine()
        if random.chance(0.1) { output += lineBreak }
        let lines = Int.random(in: 1...4, using: &random)
        for number in 0..<lines {
            indent(nested)
            // The first line determines the block's indentation.
            if isIndented || number > 0, random.chance(0.2) { output += "  " }
            output += pick([
                "two litres", "the blue one", "# no comment", "key: value", "\u{E9}\u{1F600}", "- x", "last",
                "'",
            ])
            output += lineBreak
            if number + 1 < lines, random.chance(0.15) {
                output += random.chance(0.3) ? " " + lineBreak : lineBreak
            }
            if number + 1 < lines, random.chance(0.05) {
                indent(nested + 2)
                output += lineBreak
            }
        }
        if random.chance(0.2) { output += lineBreak }
    }

    // MARK: Flow style

    private mutating func flow(depth: Int, canBreak: Bool, indentation: Int) {
        if random.chance(0.35) {
            flowMapping(depth: depth, canBreak: canBreak, indentation: indentation)
            return
        }
        output += "["
        let count = Int.random(in: 0...4, using: &random)
        for number in 0..<count {
            flowTrivia(canBreak, indentation)
            if random.chance(0.05) {
                output += "\(key()): \(scalar(inFlow: true))"
            } else {
                flowValue(depth: depth, canBreak: canBreak, indentation: indentation)
            }
            flowTrivia(canBreak, indentation)
            if number + 1 < count || random.chance(0.1) { output += "," }
        }
        output += "]"
    }

    private mutating func flowMapping(depth: Int, canBreak: Bool, indentation: Int) {
        output += "{"
        let count = Int.random(in: 0...4, using: &random)
        var keys: Set<String> = []
        while keys.count < count {
            let key = self.key()
            guard keys.insert(key).inserted else { continue }
            flowTrivia(canBreak, indentation)
            let spelling = spelledKey(key)
            output += (random.chance(0.05) ? "? " : "") + spelling
            if !random.chance(0.1) {
                output += spelling.hasSuffix("\"") && random.chance(0.5) ? ":" : ": "
                flowValue(depth: depth, canBreak: canBreak, indentation: indentation)
            }
            flowTrivia(canBreak, indentation)
            if keys.count < count || random.chance(0.1) { output += "," }
        }
        output += "}"
    }

    private mutating func flowValue(depth: Int, canBreak: Bool, indentation: Int) {
        if depth < 4, random.chance(0.2) {
            flow(depth: depth + 1, canBreak: canBreak, indentation: indentation)
        } else {
            anchor { $0.output += $0.scalar(inFlow: true) }
        }
    }

    private mutating func flowTrivia(_ canBreak: Bool, _ indentation: Int) {
        if random.chance(0.4) { output += " " }
        if canBreak, random.chance(0.07) {
            if random.chance(0.4) { output += " # in, between" }
            output += lineBreak
            indent(indentation + 2)
        }
    }

    // MARK: Scalars and trivia

    private mutating func anchor(_ write: (inout RandomYAML) -> Void) {
        if usesAnchors, let name = anchors.randomElement(using: &random), random.chance(0.3) {
            output += "*\(name) "
            return
        }
        if usesAnchors, random.chance(0.3) {
            let name = pick(["a", "b", "c"])
            output += "&\(name) "
            write(&self)
            if !anchors.contains(name) { anchors.append(name) }
            return
        }
        write(&self)
    }

    mutating func key() -> String {
        pick([
            "id", "text", "complete", "tags", "notes", "due", "priority", "a b", "\u{E9}", "x-y", "n0", "q\"",
            "k#",
        ])
    }

    private mutating func spelledKey(_ key: String) -> String {
        if key.contains("\"") { return "'\(key)'" }
        return random.chance(0.8) ? key : random.chance(0.5) ? "'\(key)'" : "\"\(key)\""
    }

    private mutating func scalar(inFlow: Bool) -> String {
        pick(
            [
                "milk", "two words", "1", "1.10", "0x1F", "-7", "true", "false", "null", "~", "no",
                "2026-12-01",
                "'single'", "'it''s'", "\"double\"", "\"tab\\tbreak\\n\\u00e9\"", "''", "\"\"", "'1'",
                "\"true\"",
                "\u{E9}\u{E8}", "\u{1F600}", "!!str 1", "1e3", ".5", "\"# no\"", "a#b", "x:y",
            ].filter { !inFlow || $0 != "x:y" })
    }

    private mutating func multilineScalar(indentation: Int) -> String {
        let fold = lineBreak + String(repeating: " ", count: indentation)
        return pick([
            "two\(fold)lines", "'two\(fold)lines'", "\"two\\n\(fold)lines \\\(fold)three\"",
            "two\(lineBreak)\(lineBreak)\(fold.dropFirst(lineBreak.count))lines",
        ])
    }

    private mutating func trivia(indentation: Int) {
        while random.chance(0.2) {
            if random.chance(0.4) {
                output += (random.chance(0.2) ? pick([" ", "       "]) : "") + lineBreak
            } else {
                comment(indentation: random.chance(0.8) ? indentation : 0)
            }
        }
    }

    private mutating func comment(indentation: Int) {
        indent(indentation)
        output += pick(["# the comment stays", "#", "# \u{E9}: [", "#- a"]) + lineBreak
    }

    /// Ends a line that contains only the indicator of a nested collection.
    private mutating func openLine() {
        if usesAnchors, random.chance(0.1) { output += " &o" }
        endLine()
    }

    private mutating func endLine() {
        if random.chance(0.15) { output += pick([" # note", "  # x: y", " #", " "]) }
        output += lineBreak
    }

    private mutating func indent(_ width: Int) {
        output += String(repeating: " ", count: max(0, width))
    }

    mutating func pick(_ choices: [String]) -> String {
        choices.randomElement(using: &random) ?? ""
    }
}
