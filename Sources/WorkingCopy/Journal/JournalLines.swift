internal import LosslessYAML
internal import TodoModel
internal import Values

/// A journal's records with their places, up to the first line that is not good.
struct JournalLines: Sequence, IteratorProtocol {
    struct Line {
        var record: JournalRecord
        /// Where the line is, its line feed included.
        var range: Range<Int>
    }

    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Line? {
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")),
            let record = Self.record(in: bytes[offset..<end])
        else { return nil }
        defer { offset = end + 1 }
        return Line(record: record, range: offset..<end + 1)
    }

    /// Whether a good line is among some bytes.
    static func hasRecord(in bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: UInt8(ascii: "\n")).contains { record(in: $0) != nil }
    }

    private static func record(in line: ArraySlice<UInt8>) -> JournalRecord? {
        value(in: line).flatMap(JournalRecord.init)
    }

    /// Returns the JSON of a line without its line feed; nil where the checksum is not the JSON's.
    static func value(in line: ArraySlice<UInt8>) -> Value? {
        guard line.count > 9, line[line.startIndex + 8] == UInt8(ascii: " "),
            let checksum = UInt32(String(decoding: line.prefix(8), as: UTF8.self), radix: 16)
        else { return nil }
        let body = Array(line.dropFirst(9))
        guard checksum == Checksum.of(body),
            let value = try? JSON.read(body, maximumSize: .max, maximumValueCount: .max)
        else {
            return nil
        }
        return value
    }

    /// Returns the line of a record.
    static func line(_ record: JournalRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        append(record, to: &bytes)
        return bytes
    }

    /// Appends the line of a record to bytes.
    static func append(_ record: JournalRecord, to bytes: inout [UInt8]) {
        append(to: &bytes) { record.write(to: &$0) }
    }

    /// Appends a line to bytes; a closure appends the JSON in it.
    static func append(to bytes: inout [UInt8], writing write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        // The checksum's place, until what it is of is there.
        bytes += repeatElement(UInt8(ascii: " "), count: 9)
        write(&bytes)
        let checksum = bytes.withUnsafeBytes {
            Checksum.of(UnsafeRawBufferPointer(rebasing: $0[(start + 9)...]))
        }
        for index in 0..<8 {
            let digit = UInt8(truncatingIfNeeded: checksum >> (28 - 4 * UInt32(index)) & 15)
            bytes[start + index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}
