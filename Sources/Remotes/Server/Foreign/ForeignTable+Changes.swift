internal import LosslessYAML
internal import TodoModel
internal import Values

/// Finds changes by their times, because these servers offer no other order.
///
/// - Records are read in the order of their times, then ids. Each page continues after the last record, so a
///   record that is written meanwhile only moves to the end.
/// - A server can store times more precisely than it shows them. If all records of a page have the same
///   millisecond as the end of the previous page, such a server would return that page again and again, so
///   that millisecond is read in the order of ids.
/// - A write can become visible after another write with a later time. So each search looks at the seconds
///   before the newest time again: first only at ids and versions, then at the whole records of each second
///   with changes.
///
/// A record can therefore be delivered twice, which is harmless. A record is missed only if it becomes
/// visible more than ``lateness`` after a record with a newer time.
extension ForeignTable {
    /// The maximum number of seconds until a write becomes visible after newer writes; servers don't let a
    /// transaction last that long.
    static let lateness = 30
    /// The maximum number of rows in the seconds that are read again.
    private static let maximumWindow = 10_000_000

    func changes(after cursor: Cursor?) async throws -> ChangePage {
        var state = ForeignCursor()
        if let cursor {
            guard let parsed = ForeignCursor(cursor) else { throw RemoteError.otherHistory }
            state = parsed
        }
        if state.isAtEnd {
            state.isAtEnd = false
            state.spans = try await spansWithNews(state)
            for span in state.spans {
                for second in Self.seconds(span) { state.seconds[second] = nil }
            }
        }
        while let span = state.spans.first {
            let rows = try await readSpan(span, &state)
            if !rows.isEmpty { return ChangePage(records: rows, next: state.cursor, isLast: false) }
        }
        return try await readOn(&state)
    }

    /// Reads a page of a span of time, and removes the span at its end.
    private func readSpan(
        _ span: Range<Int>, _ state: inout ForeignCursor
    ) async throws -> [RemoteRecord] {
        let page = try await listSpan(span, after: state.idInSpan, select: nil)
        for row in page.rows { state.seconds[row.time.second, default: .init()].add(row.record) }
        state.idInSpan = page.rows.last?.record.id
        if page.isLast {
            state.spans.removeFirst()
            state.idInSpan = nil
        }
        return page.rows.map(\.record)
    }

    /// Reads the next page in the order of times.
    private func readOn(_ state: inout ForeignCursor) async throws -> ChangePage {
        let page = try await page(after: state.position)
        if case .after(let last, _)? = state.position, !page.isLast,
            page.rows.allSatisfy({ $0.time.milliseconds == last.milliseconds })
        {
            let span = last.milliseconds..<(last.milliseconds + 1)
            state.spans = [span]
            state.position = .from(span.upperBound)
            // The next pages read all records of the millisecond again.
            state.millisecond = .init()
            return ChangePage(records: page.rows.map(\.record), next: state.cursor, isLast: false)
        }
        for row in page.rows { state.note(row) }
        if page.isLast { state.end() }
        state.forgetOldSeconds(before: Self.lateness)
        return ChangePage(records: page.rows.map(\.record), next: state.cursor, isLast: page.isLast)
    }

    /// Returns the spans, within the newest seconds, whose records differ from the delivered records.
    private func spansWithNews(_ state: ForeignCursor) async throws -> [Range<Int>] {
        guard case .from(let end)? = state.position else { return [] }
        let firstSecond = Timestamp(milliseconds: end - 1).second - Self.lateness
        let window = (firstSecond * 1000)..<end
        var found: [Int: ForeignCursor.Digest] = [:]
        var id: String?
        var ids: Set<ByteKey> = []
        var rowCount = 0
        while true {
            let page = try await listSpan(
                window, after: id, select: ["id", flavor.version, flavor.updatedAt])
            for row in page.rows { found[row.time.second, default: .init()].add(row.record) }
            if page.isLast { break }
            for row in page.rows { ids.insert(ByteKey(row.record.id)) }
            rowCount += page.rows.count
            guard ids.count == rowCount, rowCount <= Self.maximumWindow else {
                throw InvalidResponse("its list of the newest records does not end")
            }
            id = page.rows.last?.record.id
        }
        return Self.seconds(window).filter { found[$0] != state.seconds[$0] }
            .map { (max($0 * 1000, window.lowerBound))..<(min(($0 + 1) * 1000, end)) }
    }

    private static func seconds(_ span: Range<Int>) -> ClosedRange<Int> {
        Timestamp(milliseconds: span.lowerBound).second...Timestamp(milliseconds: span.upperBound - 1).second
    }
}

// MARK: - Pages

extension ForeignTable {
    /// A row with its parsed time.
    fileprivate struct TimedRow {
        var record: RemoteRecord
        var time: Timestamp
    }

    private struct Page {
        var rows: [TimedRow]
        var isLast: Bool

        /// Creates a page from a list of rows in a span of time.
        ///
        /// - Throws: ``InvalidResponse`` if a row has no valid time, or a time that was not requested.
        init(_ list: ForeignList, in span: Range<Int>) throws(InvalidResponse) {
            rows = []
            for row in list.rows {
                guard let text = row.updatedAt, let time = Timestamp(text) else {
                    throw InvalidResponse("a record has no valid update time")
                }
                guard span.contains(time.milliseconds) else {
                    throw InvalidResponse("a list has records that were not requested")
                }
                rows.append(TimedRow(record: row.record, time: time))
            }
            // A server can send smaller pages than requested. If the server sends a count, the request for an
            // empty page can be skipped.
            isLast = rows.isEmpty || list.count == rows.count
        }
    }

    private func page(after position: ForeignCursor.Position?) async throws -> Page {
        let time = flavor.updatedAt
        let filter: String? =
            switch position {
            case nil: nil
            case .from(let start): "\(time) ge \(Self.literal(Timestamp(milliseconds: start)))"
            case .after(let last, let id):
                "(\(time) gt \(Self.literal(last)))"
                    + " or ((\(time) eq \(Self.literal(last))) and (id gt \(Self.literal(id))))"
            }
        let start: Int =
            switch position {
            case nil: .min
            case .from(let start): start
            case .after(let last, _): last.milliseconds
            }
        let page = try Page(await list(filter, orderedBy: "\(time),id", top: pageSize), in: start..<Int.max)
        guard
            zip(page.rows, page.rows.dropFirst()).allSatisfy({ $0.time.milliseconds <= $1.time.milliseconds })
        else { throw InvalidResponse("a list is not in the requested order") }
        return page
    }

    private func listSpan(
        _ span: Range<Int>, after id: String?, select: [String]?
    ) async throws -> Page {
        let time = flavor.updatedAt
        var filter =
            "(\(time) ge \(Self.literal(Timestamp(milliseconds: span.lowerBound))))"
            + " and (\(time) lt \(Self.literal(Timestamp(milliseconds: span.upperBound))))"
        if let id { filter += " and (id gt \(Self.literal(id)))" }
        let page = try Page(
            await list(filter, orderedBy: "id", top: pageSize, select: select), in: span)
        if let id, page.rows.contains(where: { $0.record.id.isSameBytes(as: id) }) {
            throw InvalidResponse("a list has records that were not requested")
        }
        return page
    }
}

extension ForeignCursor {
    /// Adds the next record in chronological order.
    fileprivate mutating func note(_ row: ForeignTable.TimedRow) {
        if case .after(let last, _)? = position, last.milliseconds != row.time.milliseconds {
            closeMillisecond()
        }
        millisecond.add(row.record)
        position = .after(row.time, id: row.record.id)
    }

    /// Records that the end was reached.
    fileprivate mutating func end() {
        isAtEnd = true
        guard case .after(let last, _)? = position else { return }
        closeMillisecond()
        // The search of the newest seconds finds later records of this millisecond.
        position = .from(last.milliseconds + 1)
    }

    private mutating func closeMillisecond() {
        guard case .after(let last, _)? = position, millisecond != Digest() else { return }
        seconds[last.second] = (seconds[last.second] ?? Digest()) + millisecond
        millisecond = Digest()
    }

    fileprivate mutating func forgetOldSeconds(before lateness: Int) {
        let newest: Int? =
            switch position {
            case nil: nil
            case .from(let time): Timestamp(milliseconds: time - 1).second
            case .after(let time, _): time.second
            }
        if let newest { seconds = seconds.filter { $0.key >= newest - lateness } }
    }
}

// MARK: - Progress

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
