/// The reason why a text isn't a valid document, with its position.
package struct YAMLError: Error, Sendable, Hashable {
    package let reason: Reason
    /// The line, counted from 1.
    package let line: Int
    /// The column in characters (Unicode scalars), counted from 1.
    package let column: Int

    /// The kind of problem, described by ``YAMLError/description``.
    package enum Reason: Sendable, Hashable {
        /// libyaml's message, for example "did not find expected ',' or ']'".
        case syntax(String)
        case notUTF8
        case isUTF16
        case controlCharacter(UInt32)
        case noMapping
        case severalDocuments
        case repeatedKey(String)
        case keyIsNoString
        /// A key is empty, has more than 255 characters, or has a control character.
        case badKey(String)
        case tag(String)
        case tooDeep
        case tooLarge
        /// An alias refers to an anchor that no previous node has.
        case unknownAlias(String)
        /// An alias is inside the node that it refers to.
        case recursiveAlias(String)
        case aliasesTooLarge
        case notFinite
        case numberTooLarge
    }

    /// Creates the error for an offset in a text.
    ///
    /// A byte order mark at the beginning isn't counted.
    init(_ reason: Reason, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        var line = 1
        var column = 1
        var position = bytes.lengthOfByteOrderMark
        while position < min(offset, bytes.count) {
            let byte = bytes[position]
            position += 1
            if byte == .carriageReturn, position < bytes.count, bytes[position] == .lineFeed {
                // The line feed that follows ends the line.
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
    /// The problem as a phrase, without its position.
    package var description: String { reason.description }
}

extension YAMLError.Reason: CustomStringConvertible {
    /// The problem as a phrase.
    package var description: String {
        switch self {
        case .syntax(let problem): problem
        case .notUTF8: "not valid UTF-8"
        case .isUTF16: "in UTF-16; save the file as UTF-8"
        case .controlCharacter(let scalar): "control character \(Self.name(of: scalar))"
        case .noMapping: "not a mapping of keys to values"
        case .severalDocuments: "more than one document in the file"
        case .repeatedKey(let key): "the key '\(Self.shortened(key))' occurs more than once"
        case .keyIsNoString: "a key that is not a string"
        case .badKey(let key):
            "the key '\(Self.shortened(key))' must have 1 to 255 characters and no control characters"
        case .tag(let tag): "the tag '\(Self.shortened(tag))' is unknown or does not fit its value"
        case .tooDeep: "nested more than \(Limits.depth) levels deep"
        case .tooLarge: "larger than 1 MiB"
        case .unknownAlias(let name): "the alias '*\(Self.shortened(name))' has no anchor before it"
        case .recursiveAlias(let name):
            "the alias '*\(Self.shortened(name))' is inside the node that it refers to"
        case .aliasesTooLarge: "aliases that expand to more than 1 MiB or \(Limits.expandedNodes) nodes"
        case .notFinite: "infinity and not-a-number are not supported"
        case .numberTooLarge: "a number that is too large"
        }
    }

    /// Returns text from the file for a message: shortened, and without characters that could affect a
    /// terminal.
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
        "U+" + scalar.hexadecimal(width: 4, uppercase: true)
    }
}
