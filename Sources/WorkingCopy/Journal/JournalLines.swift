internal import LosslessYAML
internal import TodoModel
internal import Values

/// The records of a journal with their ranges, up to the first damaged line.
struct JournalLines: Sequence, IteratorProtocol {
    struct Line {
        var record: JournalRecord
        /// The line's range in the journal, including its line feed.
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

    /// Returns whether some bytes contain a good line.
    static func hasRecord(in bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: UInt8(ascii: "\n")).contains { record(in: $0) != nil }
    }

    /// Returns the record in a line without its line feed; nil if the line is damaged.
    static func record(in line: ArraySlice<UInt8>) -> JournalRecord? {
        value(in: line).flatMap(JournalRecord.init)
    }

    /// Returns the JSON value in a line without its line feed; nil if the line is damaged.
    static func value(in line: ArraySlice<UInt8>) -> Value? {
        line.withUnsafeBufferPointer { line in
            guard line.count > 9, line[8] == UInt8(ascii: " "), let checksum = checksum(line.prefix(8))
            else { return nil }
            let body = UnsafeBufferPointer(rebasing: line[9...])
            guard checksum == Checksum.of(UnsafeRawBufferPointer(body)) else { return nil }
            return try? JSON.read(body, maximumSize: .max, maximumValueCount: .max)
        }
    }

    /// Returns the number that hexadecimal digits form; nil if there is a different character.
    private static func checksum(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
        var number: UInt32 = 0
        for digit in digits {
            guard let value = digit.hexadecimalDigit else { return nil }
            number = number << 4 | UInt32(value)
        }
        return number
    }

    /// Returns the line for a record.
    static func line(_ record: JournalRecord) -> [UInt8] {
        var bytes: [UInt8] = []
        append(record, to: &bytes)
        return bytes
    }

    /// Appends a record's line.
    static func append(_ record: JournalRecord, to bytes: inout [UInt8]) {
        append(to: &bytes) { record.write(to: &$0) }
    }

    /// Appends a line whose JSON a closure appends.
    static func append(to bytes: inout [UInt8], writing write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        // Reserve space for the checksum.
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
