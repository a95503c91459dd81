package import LosslessYAML

extension JSON {
    /// The name of the member that says what is wrong with a record, where something of it could not be
    /// taken in; no todo can have a field of this name.
    package static let problemName = "__problem"

    /// Reads one JSON value that has records of others in it, which hold up no other record.
    ///
    /// A record's member that is too deep, or has too many values, a broken string, a broken number or a
    /// repeated key in it, is left out; the record has a member ``problemName`` instead, which says why.
    /// - Parameter recordDepth: The level of the objects that are records: 1 for the value itself.
    package static func readRecords(
        _ bytes: [UInt8], recordDepth: Int, maximumSize: Int, maximumValueCount: Int
    ) throws(Problem) -> Value {
        guard bytes.count <= maximumSize else {
            throw Problem(reason: .tooLarge(maximum: maximumSize), offset: maximumSize)
        }
        return try bytes.withUnsafeBufferPointer { (buffer) throws(Problem) in
            var reader = JSONReader(
                bytes: buffer, maximumDepth: defaultMaximumDepth, maximumValueCount: maximumValueCount,
                recordDepth: recordDepth, isUTF8: UTF8Check.firstInvalidByte(of: buffer) == nil)
            return try reader.readDocument()
        }
    }
}

extension JSONReader {
    /// Reads a member of a record, or passes it over and takes note of why.
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

    /// Moves behind a value, however deep it is and whatever its strings and numbers are.
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
        while try !take(UInt8(ascii: "\"")) {
            // What is escaped is no end, and has to be there.
            position += try peek() == UInt8(ascii: "\\") ? 2 : 1
        }
    }
}

extension JSON.Reason {
    /// Whether it is about what a text says, and not about where its values begin and end.
    fileprivate var isAboutContent: Bool {
        switch self {
        case .notUTF8, .controlCharacter, .badEscape, .loneSurrogate, .badNumber, .repeatedKey, .tooDeep,
            .tooManyValues:
            true
        // Some servers write NaN and Infinity, which JSON does not have.
        case .unexpectedByte(let byte): byte == UInt8(ascii: "N") || byte == UInt8(ascii: "I")
        case .endsTooEarly, .textAfterEnd, .tooLarge: false
        }
    }
}

extension UInt8 {
    /// Whether it can be part of a number, of `true`, `false` or `null`, or of what stands in their place.
    fileprivate var isPartOfWord: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
