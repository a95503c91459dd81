internal import LosslessYAML
internal import TodoModel
internal import Values

/// The progress of reading the changes to a table on a server other than todosync.
///
/// Times are milliseconds since 1970-01-01T00:00:00Z. A server can store times more precisely than it shows
/// them, so queries can't rely on smaller units.
struct ForeignCursor: Hashable {
    /// The position to continue from, ordered by time, then id; nil for the beginning.
    var position: Position?
    /// Spans of time to read again, ordered by id, before continuing.
    var spans: [Range<Int>] = []
    /// The last id that was read in the first span.
    var idInSpan: String?
    /// Digests of the records that were delivered, for each of the newest seconds.
    var seconds: [Int: Digest] = [:]
    /// The digest of the records that were delivered for the position's millisecond, which isn't part of a
    /// second's digest yet.
    var millisecond = Digest()
    /// Whether the end was reached, so the next page starts a new search for changes.
    var isAtEnd = false

    enum Position: Hashable {
        case from(Int)
        case after(Timestamp, id: String)
    }

    /// A sum over records, regardless of their order.
    struct Digest: Hashable {
        var sum: UInt64 = 0

        mutating func add(_ record: RemoteRecord) {
            let text = Array("\(record.id)\u{0}\(record.version.string)".utf8)
            sum &+= text.sha256.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }

        static func + (left: Digest, right: Digest) -> Digest { Digest(sum: left.sum &+ right.sum) }
    }
}

// MARK: - As text

extension ForeignCursor {
    var cursor: Cursor {
        var fields = Mapping()
        switch position {
        case nil: break
        case .from(let time): fields["from"] = .number(Number(time))
        case .after(let time, let id):
            fields["time"] = .string(time.text)
            fields["id"] = .string(id)
        }
        if !spans.isEmpty {
            fields["spans"] = .list(
                spans.flatMap { [.number(Number($0.lowerBound)), .number(Number($0.upperBound))] })
        }
        if let idInSpan { fields["idInSpan"] = .string(idInSpan) }
        if !seconds.isEmpty {
            let sorted = seconds.sorted { $0.key < $1.key }
            fields["seconds"] = .mapping(
                Mapping(sorted.map { (key: String($0.key), value: Self.value($0.value)) }))
        }
        if millisecond.sum != 0 { fields["millisecond"] = Self.value(millisecond) }
        if isAtEnd { fields["end"] = .bool(true) }
        return Cursor(String(decoding: JSON.write(.mapping(fields)), as: UTF8.self))
    }

    /// Parses a ``cursor``; nil for the cursor of a different remote.
    init?(_ cursor: Cursor) {
        guard case .mapping(let fields)? = try? JSON.read(Array(cursor.string.utf8)) else { return nil }
        if let time = Self.integer(fields["from"]) {
            position = .from(time)
        } else if case .string(let text)? = fields["time"], let time = Timestamp(text),
            case .string(let id)? = fields["id"]
        {
            position = .after(time, id: id)
        }
        if case .list(let list)? = fields["spans"] {
            let times = list.compactMap { Self.integer($0) }
            guard times.count == list.count, times.count % 2 == 0 else { return nil }
            for start in stride(from: 0, to: times.count, by: 2) {
                guard times[start] < times[start + 1] else { return nil }
                spans.append(times[start]..<times[start + 1])
            }
        }
        if case .string(let id)? = fields["idInSpan"] { idInSpan = id }
        if case .mapping(let mapping)? = fields["seconds"] {
            for (key, value) in mapping.entries {
                guard let second = Int(key), let digest = Self.digest(value) else { return nil }
                seconds[second] = digest
            }
        }
        if let value = fields["millisecond"] {
            guard let digest = Self.digest(value) else { return nil }
            millisecond = digest
        }
        isAtEnd = fields["end"] == .bool(true)
    }

    /// Returns an integer within the range of times that can be written, so arithmetic with it doesn't
    /// overflow; nil for any other value.
    private static func integer(_ value: Value?) -> Int? {
        guard case .number(let number)? = value, let integer = Int(number.json),
            (-400_000_000_000_000...400_000_000_000_000).contains(integer)
        else { return nil }
        return integer
    }

    private static func value(_ digest: Digest) -> Value { .string(String(digest.sum, radix: 16)) }

    private static func digest(_ value: Value) -> Digest? {
        guard case .string(let text) = value else { return nil }
        return UInt64(text, radix: 16).map { Digest(sum: $0) }
    }
}
