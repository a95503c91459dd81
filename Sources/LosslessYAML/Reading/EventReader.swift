internal import CLibYAML

/// Reads a text's events with libyaml, one at a time, and reports positions as byte offsets.
struct EventReader: ~Copyable {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let contentStart: Int
    /// The byte offset of each character; empty if the offsets equal the characters' indices.
    private let offsets: [UInt32]
    /// The text that libyaml reads instead of ``bytes``; nil if it reads these.
    private let replacement: UnsafeMutableBufferPointer<UInt8>?
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// The current event.
    ///
    /// Its strings are valid until the next event is read.
    let event: UnsafeMutablePointer<yaml_event_t>

    /// Creates a reader for bytes, which must outlive the reader.
    ///
    /// - Parameter pairs: The surrogate pairs to read as single characters.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ scan: TextScan, _ pairs: SurrogatePairs) {
        self.bytes = bytes
        contentStart = bytes.lengthOfByteOrderMark
        if pairs.isEmpty {
            offsets = scan.isASCII ? [] : Self.characterOffsets(bytes, from: contentStart)
            replacement = nil
        } else {
            let replaced = pairs.replaced(in: bytes, from: contentStart)
            offsets = replaced.offsets
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: replaced.text.count)
            _ = copy.initialize(fromContentsOf: replaced.text)
            replacement = copy
        }
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        event = .allocate(capacity: 1)
        event.initialize(to: yaml_event_t())
        precondition(yaml_parser_initialize(parser) == 1, "out of memory")
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        if let replacement, let base = replacement.baseAddress {
            yaml_parser_set_input_string(parser, base, replacement.count)
        } else if let base = bytes.baseAddress {
            yaml_parser_set_input_string(parser, base + contentStart, bytes.count - contentStart)
        } else {
            yaml_parser_set_input_string(parser, [], 0)
        }
    }

    deinit {
        yaml_event_delete(event)
        event.deallocate()
        yaml_parser_delete(parser)
        parser.deallocate()
        replacement?.deallocate()
    }

    /// Reads the next event.
    ///
    /// - Throws: ``YAMLError/Reason/syntax(_:)``.
    func next() throws(YAMLError) {
        yaml_event_delete(event)
        guard yaml_parser_parse(parser, event) == 1 else { throw error }
    }

    var type: yaml_event_type_t { event.pointee.type }
    /// The offset of the event's first character, including an anchor or a tag.
    var start: Int { offset(of: event.pointee.start_mark) }
    var end: Int { offset(of: event.pointee.end_mark) }

    private var error: YAMLError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "not YAML"
        // libyaml reports where the digits of an escape begin, behind the backslash and the letter.
        let isEscape = problem == "found invalid Unicode character escape code"
        let position = offset(of: parser.pointee.problem_mark) - (isEscape ? 2 : 0)
        return YAMLError(.syntax(problem), at: position, in: bytes)
    }

    private func offset(of mark: yaml_mark_t) -> Int {
        if offsets.isEmpty { return contentStart + mark.index }
        return mark.index < offsets.count ? Int(offsets[mark.index]) : bytes.count
    }

    private static func characterOffsets(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> [UInt32] {
        var offsets: [UInt32] = []
        offsets.reserveCapacity(bytes.count - start)
        for position in start..<bytes.count where !bytes[position].isUTF8Continuation {
            offsets.append(UInt32(position))
        }
        return offsets
    }
}

extension EventReader {
    /// The name of the event's anchor, or of the anchor that the alias refers to.
    var anchor: String? {
        let data = event.pointee.data
        let name =
            switch type {
            case YAML_SCALAR_EVENT: data.scalar.anchor
            case YAML_SEQUENCE_START_EVENT: data.sequence_start.anchor
            case YAML_MAPPING_START_EVENT: data.mapping_start.anchor
            case YAML_ALIAS_EVENT: data.alias.anchor
            default: nil as UnsafeMutablePointer<yaml_char_t>?
            }
        return name.map { String(cString: $0) }
    }

    /// The event's tag with its shorthand expanded.
    var tag: String? {
        let data = event.pointee.data
        let tag =
            switch type {
            case YAML_SCALAR_EVENT: data.scalar.tag
            case YAML_SEQUENCE_START_EVENT: data.sequence_start.tag
            case YAML_MAPPING_START_EVENT: data.mapping_start.tag
            default: nil as UnsafeMutablePointer<yaml_char_t>?
            }
        return tag.map { String(cString: $0) }
    }
}

/// The positions where JSON writes a character as a surrogate pair, such as `\ud83c\udf89`.
///
/// JSON is YAML, but libyaml refuses the halves of a pair. It reads the character as `\U0001f389` instead,
/// which is two bytes shorter.
struct SurrogatePairs {
    /// The offsets of the backslashes that begin the pairs.
    private let offsets: [Int]

    static let none = SurrogatePairs(offsets: [])
    private static let length = 12
    private static let replacementLength = 10

    var isEmpty: Bool { offsets.isEmpty }

    private init(offsets: [Int]) { self.offsets = offsets }

    /// Finds the pairs in a text's double-quoted scalars; anywhere else, they are ordinary characters.
    ///
    /// The text is read with all possible pairs replaced, which doesn't change what the scalars are.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ scan: TextScan) {
        let candidates = Self.candidates(in: bytes)
        // libyaml compares each directive with all the others; see ``TreeBuilder/checkDirectives()``.
        if candidates.isEmpty || bytes.first == UInt8(ascii: "%") {
            self = .none
            return
        }
        let reader = EventReader(bytes, scan, SurrogatePairs(offsets: candidates))
        var left = candidates[...]
        var found: [Int] = []
        var depth = 0
        while depth <= Limits.depth {
            do {
                try reader.next()
            } catch {
                break
            }
            let (start, end) = (reader.start, reader.end)
            left = left.drop { $0 < start }
            switch reader.type {
            case YAML_SCALAR_EVENT:
                let inside = left.prefix { $0 < end }
                left = left.dropFirst(inside.count)
                if reader.event.pointee.data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE {
                    found += inside
                }
            case YAML_SEQUENCE_START_EVENT, YAML_MAPPING_START_EVENT: depth += 1
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: depth -= 1
            case YAML_DOCUMENT_END_EVENT, YAML_STREAM_END_EVENT, YAML_NO_EVENT:
                self.init(offsets: found)
                return
            default: break
            }
        }
        // The text isn't valid. With these pairs replaced, the error is at its real position.
        self.init(offsets: found + left)
    }

    /// Returns the offsets of pairs whose backslash isn't itself escaped.
    private static func candidates(in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var found: [Int] = []
        var position = 0
        while position + length <= bytes.count {
            guard bytes[position] == .backslash else {
                position += 1
                continue
            }
            let high = unit(at: position, in: bytes, 0xD8...0xDB)
            let low = unit(at: position + length / 2, in: bytes, 0xDC...0xDF)
            if high, low {
                found.append(position)
                position += length
            } else {
                // The backslash escapes the next character.
                position += 2
            }
        }
        return found
    }

    /// Returns whether there is a `\u` escape with its first two digits in a range.
    private static func unit(
        at position: Int, in bytes: UnsafeBufferPointer<UInt8>, _ range: ClosedRange<UInt8>
    ) -> Bool {
        guard bytes[position] == .backslash, bytes[position + 1] == UInt8(ascii: "u") else { return false }
        let digits = (2..<6).compactMap { bytes[position + $0].hexadecimalDigit }
        return digits.count == 4 && range.contains(digits[0] << 4 | digits[1])
    }

    /// Returns the text with each pair replaced by a single escape, and the offset in the original text of
    /// each of its characters.
    ///
    /// - Parameter start: The offset of the first character.
    func replaced(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> (text: [UInt8], offsets: [UInt32]) {
        var text: [UInt8] = []
        var characters: [UInt32] = []
        text.reserveCapacity(bytes.count)
        characters.reserveCapacity(bytes.count)
        var position = start
        func copy(to end: Int) {
            for offset in position..<end {
                text.append(bytes[offset])
                if !bytes[offset].isUTF8Continuation { characters.append(UInt32(offset)) }
            }
        }
        for offset in offsets {
            copy(to: offset)
            text += Self.escape(of: bytes, at: offset)
            characters += (0..<Self.replacementLength).map { UInt32(offset + $0) }
            position = offset + Self.length
        }
        copy(to: bytes.count)
        return (text, characters)
    }

    private static func escape(of bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> [UInt8] {
        func unit(_ start: Int) -> UInt32 {
            (start + 2..<start + 6).reduce(0) { $0 << 4 | UInt32(bytes[$1].hexadecimalDigit ?? 0) }
        }
        let (high, low) = (unit(offset), unit(offset + length / 2))
        let digits = String(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00), radix: 16)
        return Array("\\U\(String(repeating: "0", count: 8 - digits.utf8.count))\(digits)".utf8)
    }
}
