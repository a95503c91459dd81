/// A style of line breaks.
package enum LineEnding: Sendable {
    /// `\n`, as on Unix.
    case lineFeed
    /// `\r\n`, as on Windows.
    case carriageReturnLineFeed
    /// A lone carriage return, as on the Macintosh before 2001. YAML reads it as a line break.
    case carriageReturn

    static let lf = UInt8(ascii: "\n")
    static let cr = UInt8(ascii: "\r")

    var bytes: [UInt8] {
        switch self {
        case .lineFeed: [Self.lf]
        case .carriageReturnLineFeed: [Self.cr, Self.lf]
        case .carriageReturn: [Self.cr]
        }
    }

    /// Returns the line ending that occurs most often; ``lineFeed`` for a text without line breaks.
    init(mostUsedIn bytes: [UInt8]) {
        var lineFeeds = 0
        var pairs = 0
        var returns = 0
        var previous: UInt8?
        bytes.withUnsafeBufferPointer { bytes in
            for byte in bytes {
                if byte == Self.cr { returns += 1 }
                if byte == Self.lf {
                    if previous == Self.cr {
                        returns -= 1
                        pairs += 1
                    } else {
                        lineFeeds += 1
                    }
                }
                previous = byte
            }
        }
        if pairs > 0, pairs >= lineFeeds, pairs >= returns {
            self = .carriageReturnLineFeed
        } else {
            self = returns > lineFeeds ? .carriageReturn : .lineFeed
        }
    }
}

extension [UInt8] {
    /// Returns the text with every line break, of any kind, replaced by the given one.
    package func converted(to ending: LineEnding) -> [UInt8] {
        if ending == .lineFeed, !contains(LineEnding.cr) { return self }
        let lineBreak = ending.bytes
        var result: [UInt8] = []
        result.reserveCapacity(count + count / 16)
        withUnsafeBufferPointer { bytes in
            for position in bytes.indices {
                let byte = bytes[position]
                if byte == LineEnding.cr {
                    result += lineBreak
                } else if byte == LineEnding.lf {
                    if position == 0 || bytes[position - 1] != LineEnding.cr { result += lineBreak }
                } else {
                    result.append(byte)
                }
            }
        }
        return result
    }

    /// Whether the text is empty or its last line has a line break.
    var endsWithWholeLine: Bool { isEmpty || last == LineEnding.lf }

    /// The text without its last line break.
    package var withoutLastLineBreak: [UInt8] {
        guard last == LineEnding.lf else { return self }
        return Array(dropLast(dropLast().last == LineEnding.cr ? 2 : 1))
    }
}

/// Returns the ranges of a text's lines.
///
/// The ranges cover the whole text. Each includes the line feed, which the last line can lack.
func lineRanges(_ bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    bytes.withUnsafeBufferPointer { bytes in
        var start = 0
        for position in bytes.indices where bytes[position] == LineEnding.lf {
            ranges.append(start..<position + 1)
            start = position + 1
        }
        if start < bytes.count { ranges.append(start..<bytes.count) }
    }
    return ranges
}
