/// Why a text is not a valid document, and where.
package struct YAMLError: Error, Sendable, Hashable {
    package let reason: Reason
    /// The line, counted from 1 as in an editor.
    package let line: Int
    /// The column, counted in characters (Unicode scalars) from 1.
    package let column: Int

    /// What is wrong; ``YAMLError/description`` puts it into words.
    package enum Reason: Sendable, Hashable {
        /// libyaml's own words, for example "did not find expected ',' or ']'".
        case syntax(String)
        case notUTF8
        case controlCharacter(UInt32)
        case noMapping
        case severalDocuments
        case repeatedKey(String)
        case keyIsNoString
        /// A key that is empty, longer than 255 characters, or has a control character.
        case badKey(String)
        case tag(String)
        case tooDeep
        case tooLarge
        /// An alias with a name that no previous node has as its anchor.
        case unknownAlias(String)
        /// An alias inside the node that it refers to.
        case recursiveAlias(String)
        case aliasesTooLarge
        case notFinite
        case numberTooLarge
    }

    /// Creates the error for an offset in a text; a byte order mark at the beginning doesn't count.
    init(_ reason: Reason, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        var line = 1
        var column = 1
        var position = bytes.lengthOfByteOrderMark
        while position < min(offset, bytes.count) {
            let byte = bytes[position]
            position += 1
            if byte == .carriageReturn, position < bytes.count, bytes[position] == .lineFeed {
                // The line feed after it ends the line.
                column += 1
            } else if byte.isLineBreak {
                line += 1
                column = 1
            } else if !byte.isUTF8Continuation {
                column += 1
            }
        }
        self.reason = reason
        self.line = line
        self.column = column
    }
}

extension YAMLError: CustomStringConvertible {
    /// What is wrong, as one phrase without the place.
    package var description: String { reason.description }
}

extension YAMLError.Reason: CustomStringConvertible {
    /// What is wrong, as one phrase.
    package var description: String {
        switch self {
        case .syntax(let problem): problem
        case .notUTF8: "not valid UTF-8"
        case .controlCharacter(let scalar): "control character \(Self.name(of: scalar))"
        case .noMapping: "not a mapping of keys to values"
        case .severalDocuments: "more than one document in the file"
        case .repeatedKey(let key): "the key '\(Self.shortened(key))' is already there"
        case .keyIsNoString: "a key that is not a string"
        case .badKey(let key):
            "the key '\(Self.shortened(key))' is not 1 to 255 characters without control characters"
        case .tag(let tag): "the tag '\(Self.shortened(tag))' does not fit here or is not known"
        case .tooDeep: "nested more than \(Limits.depth) levels deep"
        case .tooLarge: "larger than 1 MiB"
        case .unknownAlias(let name): "the alias '*\(Self.shortened(name))' has no anchor before it"
        case .recursiveAlias(let name): "the alias '*\(Self.shortened(name))' stands inside its own anchor"
        case .aliasesTooLarge: "aliases that expand to more than 1 MiB or \(Limits.expandedNodes) nodes"
        case .notFinite: "infinity and not-a-number are no values"
        case .numberTooLarge: "a number that is too large"
        }
    }

    /// Messages quote text of the file without characters that could affect a terminal, and shortened.
    private static func shortened(_ text: String) -> String {
        let limit = 40
        var result = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            if scalar.isPrintable {
                result.unicodeScalars.append(scalar)
            } else {
                result += name(of: scalar.value)
            }
        }
        return text.unicodeScalars.count > limit ? result + "…" : result
    }

    private static func name(of scalar: UInt32) -> String {
        let digits = String(scalar, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
