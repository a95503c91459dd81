package import LosslessYAML

/// Random values and random changes to them.
extension RandomYAML {
    /// Returns a mapping of up to six random fields.
    package mutating func mapping(depth: Int = 0) -> Mapping {
        var mapping = Mapping()
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            mapping[random.chance(0.7) ? key() : strangeKey()] = value(depth: depth + 1)
        }
        return mapping
    }

    /// Returns a value with at most five levels of collections.
    package mutating func value(depth: Int = 0) -> Value {
        switch Int.random(in: 0..<(depth < 5 ? 12 : 9), using: &random) {
        case 0: .null
        case 1: .bool(random.chance(0.5))
        case 2, 3:
            .number(
                Number(json: pick(["0", "-1", "1.10", "1e5", "12345678901234567890", "-0.0"])) ?? Number(1))
        case 4...6: .string(pick(["milk", "two words", "no", "2026-12-01", "eggs", "\u{E9}"]))
        case 7: .string(strangeString())
        case 8: .string(lines())
        case 9: .mapping(mapping(depth: depth + 1))
        default: .list((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth + 1) })
        }
    }

    /// Returns the mapping after a few random changes at any depth.
    package mutating func changed(_ mapping: Mapping, depth: Int = 0) -> Mapping {
        var result = mapping
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            guard let key = result.keys.randomElement(using: &random), !random.chance(0.3) else {
                result[random.chance(0.8) ? self.key() : strangeKey()] = value(depth: depth + 1)
                continue
            }
            result[key] = random.chance(0.25) ? nil : result[key].map { changed($0, depth: depth + 1) }
        }
        return result
    }

    private mutating func changed(_ value: Value, depth: Int) -> Value {
        if random.chance(0.2) { return self.value(depth: depth) }
        switch value {
        case .mapping(let mapping): return .mapping(changed(mapping, depth: depth))
        case .list(var list):
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let position = Int.random(in: 0...list.count, using: &random)
                if position == list.count || random.chance(0.3) {
                    list.insert(self.value(depth: depth), at: position)
                } else if random.chance(0.5) {
                    list.remove(at: position)
                } else {
                    list[position] = changed(list[position], depth: depth + 1)
                }
            }
            return .list(list)
        case .string(let string) where string.contains("\n"):
            var lines = string.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let position = Int.random(in: 0..<lines.count, using: &random)
            if random.chance(0.3) {
                lines.remove(at: position)
            } else {
                lines.insert("inserted", at: position)
            }
            return .string(lines.joined(separator: "\n"))
        case .string, .number, .bool, .null:
            return random.chance(0.5)
                ? .string(pick(["milk", "1", "a: b", "it's", "x\ny\n"])) : self.value(depth: 5)
        }
    }

    private mutating func strangeKey() -> String {
        random.chance(0.2)
            ? String(repeating: pick(["k", "\u{E9}", "\u{2028}", "\u{1F600}"]), count: 255)
            : pick([
                "1", "true", "null", "~", "- a", "a: b", "#", "---", "...", "? x", " ", "<<", "a,b", "{", "'",
                "%T", "a\\",
            ])
    }

    private mutating func strangeString() -> String {
        pick([
            "", " ", "1", "0x1", "true", "~", "null", ".inf", "a: b", "a #b", "- a", "-", "?", ":", "a:", "#",
            "'", "\"", "\\",
            "it's \"so\"", "&a", "*a", "!t", "|", ">", "%", "@", "`", "[a]", "{a}", "a, b", "\t", "a\tb",
            "\r", "a\r\nb",
            "\0", "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{FFFF}", "\u{A0}", " a", "a ", "\n",
            "a\u{301}", "---", "...",
            "\u{1F600}", "\u{10FFFF}", "\u{9F}", "a\n", "\na", "a\n\n", "\n\n", "- ", "-a", ":a", "?a", "a ",
            "=", "<<", "12:30",
        ])
    }

    private mutating func lines() -> String {
        let count = Int.random(in: 1...5, using: &random)
        let lines = (0..<count).map { _ in
            pick(["milk", "two litres", "", "  in", "\tt", "# no", "a: b", "\u{E9}", "x "])
        }
        return lines.joined(separator: "\n") + pick(["", "\n", "\n", "\n\n"])
    }
}
