internal import LosslessYAML
package import TodoModel
internal import Values

/// A record of a store, with the times that users and clients of the tables protocol see.
package struct StoredRecord: Sendable, Hashable {
    package var record: RemoteRecord
    /// The time of the first write, in milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64
    /// The time of the last write, in milliseconds since 1970-01-01T00:00:00Z; strictly increasing in a table
    /// with each write.
    package var updatedAt: Int64

    package init(record: RemoteRecord, createdAt: Int64, updatedAt: Int64) {
        self.record = record
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// Creates a record from its row.
    ///
    /// - Parameters:
    ///   - fields: The row's fields, if the caller has them as values.
    ///   - layout: The row's layout, if it has one and the caller has it as a value.
    init(_ row: RecordRow, fields: Mapping? = nil, layout: Layout? = nil) {
        self.init(
            record: row.record(fields: fields, layout: layout), createdAt: row.createdAt,
            updatedAt: row.updatedAt)
    }
}

/// A record's row, with its stored text.
struct RecordRow {
    /// The row's key in SQLite; 0 if it isn't known.
    var key: Int64 = 0
    var id: String
    /// The id in lowercase, if it differs.
    var foldedID: String?
    var version: RecordVersion
    var isDeleted: Bool
    var createdAt: Int64
    var updatedAt: Int64
    var fields: [UInt8]
    var layout: [UInt8]?

    /// The size of the stored text in bytes.
    var size: Int { fields.count + (layout?.count ?? 0) }

    /// Returns the record in the form that clients receive.
    ///
    /// A record with damaged text has no fields, so only that todo is unusable.
    func record(fields: Mapping? = nil, layout parsed: Layout? = nil) -> RemoteRecord {
        let fields = fields ?? mapping()
        return RemoteRecord(
            id: id, version: version.version, isDeleted: isDeleted, fields: fields ?? [:],
            layout: layout.flatMap { parsed ?? Self.value(of: $0).flatMap(LayoutProperty.layout) },
            problem: fields == nil ? "its text in the store is damaged" : nil)
    }

    /// Returns the fields; nil if their text is damaged.
    func mapping() -> Mapping? {
        guard case .mapping(let mapping)? = Self.value(of: fields) else { return nil }
        return mapping
    }

    /// Returns the value of stored text; nil if the text is damaged.
    static func value(of text: [UInt8]) -> Value? {
        try? JSON.read(text, maximumSize: .max, maximumValueCount: .max)
    }
}

extension RecordRow {
    init(_ columns: some RecordColumns) {
        key = columns.integer(.key)
        id = columns.string(.id)
        foldedID = columns.isNull(.foldedID) ? nil : columns.string(.foldedID)
        version = RecordVersion(bits: columns.integer(.version))
        isDeleted = columns.integer(.deleted) != 0
        createdAt = columns.integer(.createdAt)
        updatedAt = columns.integer(.updatedAt)
        fields = columns.bytes(.fields)
        layout = columns.isNull(.layout) ? nil : columns.bytes(.layout)
    }
}

/// The version that a store assigns to a record with each write: an increasing counter followed by random
/// bits.
///
/// The counter is the write's position in the table's change feed. The random bits distinguish the version
/// from the version at the same position in a different history of the table, such as after restoring a
/// backup.
struct RecordVersion: Hashable {
    /// The counter in the upper five bytes, the random bits in the lower three.
    let bits: Int64

    init(bits: Int64) { self.bits = bits }

    /// Creates the version of a write.
    ///
    /// - Parameter random: Three random bytes.
    init(sequence: Int64, random: some Collection<UInt8>) {
        precondition(sequence < 1 << 39, "the counter has five bytes, less the sign bit")
        bits = random.prefix(3).reduce(sequence) { $0 << 8 | Int64($1) }
    }

    var sequence: Int64 { bits >> 24 }

    /// Returns the largest possible version of a sequence, used to find the versions after it.
    static func last(ofSequence sequence: Int64) -> RecordVersion {
        RecordVersion(sequence: sequence, random: [0xFF, 0xFF, 0xFF])
    }
}

// MARK: - As text

extension RecordVersion {
    /// Parses base64; nil for a version that no store created.
    init?(_ version: Version) {
        guard let bytes = Base64.decode(version.string), bytes.count == 8, bytes[0] < 0x80 else { return nil }
        bits = bytes.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The version in base64, which is the form that clients of the tables protocol expect.
    var version: Version {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        return Version(Base64.encode(bytes))
    }
}

/// Base64 (RFC 4648, section 4), for the few bytes of a version.
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for position in 0..<4 {
                let isPadding = position > group.count
                text.append(isPadding ? padding : alphabet[bits >> (18 - 6 * position) & 0x3F])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes; nil if the text is not a result of ``encode(_:)``.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits = 0
        var digits = 0
        for character in text.utf8.prefix(while: { $0 != padding }) {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 6 | value
            digits += 1
            if digits % 4 == 0 {
                bytes += [UInt8(bits >> 16), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
                bits = 0
            }
        }
        switch digits % 4 {
        case 2: bytes.append(UInt8(bits >> 4))
        case 3: bytes += [UInt8(bits >> 10), UInt8(bits >> 2 & 0xFF)]
        default: break
        }
        return encode(bytes) == text ? bytes : nil
    }
}
