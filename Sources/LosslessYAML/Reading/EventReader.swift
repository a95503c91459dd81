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
