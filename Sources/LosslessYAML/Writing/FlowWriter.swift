/// Writes values on one line, with collections in flow style.
enum FlowWriter {
    /// Returns a value's spelling.
    ///
    /// - Parameters:
    ///   - inFlow: Whether the value goes between brackets or braces.
    ///   - isJSON: Whether to write all keys and strings in double quotes.
    static func value(
        _ value: Value, preferring style: Node.ScalarStyle = .plain, inFlow: Bool, isJSON: Bool = false
    ) -> [UInt8] {
        switch value {
        case .null, .bool, .number: ScalarWriter.nonString(value) ?? []
        case .string(let string):
            ScalarWriter.string(string, preferring: isJSON ? .doubleQuoted : style, inFlow: inFlow)
        case .list(let list):
            [.openBracket] + joined(list.map { Self.value($0, inFlow: true, isJSON: isJSON) })
                + [.closeBracket]
        case .mapping(let mapping):
            [.openBrace] + joined(mapping.entries.map { entry($0, isJSON: isJSON) }) + [.closeBrace]
        }
    }

    static func entry(_ entry: Mapping.Entry, isJSON: Bool) -> [UInt8] {
        let key = ScalarWriter.key(entry.key, preferring: isJSON ? .doubleQuoted : .plain, inFlow: true)
        // An alias and a `?` key need the space before the colon; other keys look better without it.
        let colon = key.first == .questionMark ? " : " : ": "
        return key + Array(colon.utf8) + value(entry.value, inFlow: true, isJSON: isJSON)
    }

    static func joined(_ elements: [[UInt8]]) -> [UInt8] {
        Array(elements.joined(separator: [.comma, .space]))
    }
}
