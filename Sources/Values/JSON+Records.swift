package import LosslessYAML

extension JSON {
    /// The name of the member that describes why part of a record couldn't be read.
    ///
    /// The name is reserved, so no todo has such a field.
    package static let problemName = "__problem"

    /// Parses a JSON value that contains other people's records, without letting one bad record block the
    /// rest.
    ///
    /// A member of a record is left out if it is too deep or has too many values, an invalid string, an
    /// invalid number or a repeated key. The record then has a member ``problemName`` that describes the
    /// problem.
    /// - Parameter recordDepth: The depth of the objects that are records; 1 is the value itself.
    package static func readRecords(
        _ bytes: [UInt8], recordDepth: Int, maximumSize: Int, maximumValueCount: Int
    ) throws(Problem) -> Value {
        guard bytes.count <= maximumSize else {
            throw Problem(reason: .tooLarge(maximum: maximumSize), offset: maximumSize)
        }
        return try bytes.withUnsafeBufferPointer { (buffer) throws(Problem) in
            var reader = JSONReader(
                bytes: buffer, maximumDepth: defaultMaximumDepth, maximumValueCount: maximumValueCount,
                recordDepth: recordDepth, isUTF8: buffer.firstInvalidUTF8Offset == nil)
            return try reader.readDocument()
        }
    }
}

extension JSON {
    /// Parses the members of an object that have certain names, and skips the others.
    ///
    /// Parsing stops once all names have been found, and the rest of the text isn't checked.
    package static func readMembers(
        _ names: [String], of bytes: UnsafeBufferPointer<UInt8>
    ) throws(Problem) -> Mapping {
        var reader = JSONReader(
            bytes: bytes, maximumDepth: defaultMaximumDepth, maximumValueCount: .max, isUTF8: false)
        return try reader.readMembers(names)
    }
}

extension JSONReader {
    fileprivate mutating func readMembers(_ names: [String]) throws(JSON.Problem) -> Mapping {
        var mapping = Mapping()
        skipWhitespace()
        guard try take(UInt8(ascii: "{")) else { throw unexpected() }
        skipWhitespace()
        if try take(UInt8(ascii: "}")) { return mapping }
        while mapping.count < names.count {
            let start = position
            let name = try readName()
            if names.contains(where: { $0.isSameBytes(as: name) }) {
                position = start
                try readMember(into: &mapping, depth: 1)
            } else {
                skipWhitespace()
                guard try take(UInt8(ascii: ":")) else { throw unexpected() }
                try passOver()
            }
            skipWhitespace()
            if try take(UInt8(ascii: "}")) { break }
            guard try take(UInt8(ascii: ",")) else { throw unexpected() }
            skipWhitespace()
        }
        return mapping
    }

    /// Reads a member of a record, or skips it and records its problem.
    mutating func readRecordMember(into record: inout Mapping, depth: Int) throws(JSON.Problem) {
        let (start, count) = (position, valueCount)
        do throws(JSON.Problem) {
            try readMember(into: &record, depth: depth)
        } catch {
            guard error.reason.isAboutContent, !isFull(error) else { throw error }
            (position, valueCount) = (start, count)
            try passOver()
            skipWhitespace()
            guard try take(UInt8(ascii: ":")) else { throw unexpected() }
            try passOver()
            record[JSON.problemName] = .string(error.message)
        }
    }

    /// Skips a value, regardless of its depth and of the contents of its strings and numbers.
    private mutating func passOver() throws(JSON.Problem) {
        var depth = 0
        repeat {
            skipWhitespace()
            switch try peek() {
            case UInt8(ascii: "\""): try passOverString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { throw unexpected() }
                depth -= 1
                position += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { throw unexpected() }
                position += 1
            case let byte where byte.isPartOfWord:
                while position < bytes.count, bytes[position].isPartOfWord { position += 1 }
            default: throw unexpected()
            }
        } while depth > 0
    }

    private mutating func passOverString() throws(JSON.Problem) {
        position += 1
        skipPlainBytes()
        while try !take(UInt8(ascii: "\"")) {
            // An escaped quotation mark doesn't end a string.
            position += try peek() == UInt8(ascii: "\\") ? 2 : 1
            skipPlainBytes()
        }
    }
}

extension JSON.Reason {
    /// Whether the problem is in a value's contents, so that the end of the value can still be found.
    fileprivate var isAboutContent: Bool {
        switch self {
        case .notUTF8, .controlCharacter, .badEscape, .loneSurrogate, .badNumber, .repeatedKey, .tooDeep,
            .tooManyValues:
            true
        // Some servers write NaN and Infinity, which JSON doesn't have.
        case .unexpectedByte(let byte): byte == UInt8(ascii: "N") || byte == UInt8(ascii: "I")
        case .endsTooEarly, .textAfterEnd, .tooLarge: false
        }
    }
}

extension UInt8 {
    /// Whether the byte can be part of a number, of `true`, `false` or `null`, or of any other word in the
    /// position of a value.
    fileprivate var isPartOfWord: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
