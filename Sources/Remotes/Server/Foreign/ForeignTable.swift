internal import LosslessYAML
internal import TodoModel
internal import Values

/// A table on a server of the tables protocol other than todosync: the Node and .NET servers of Azure Mobile
/// Services and Mobile Apps over SQL, which all support `or`, `gt` on ids and `$inlinecount`.
struct ForeignTable: Sendable {
    let session: ServerSession
    let flavor: WireFlavor
    let pageSize: Int

    private static let identityPrefix = "http:"

    /// Returns the identity of a table that only its URL identifies.
    static func identity(_ url: ServerURL) -> RemoteIdentity {
        RemoteIdentity("\(identityPrefix)\(url.origin)\(url.prefix)/tables/\(url.table.folded)")
    }

    static func isIdentity(_ identity: RemoteIdentity) -> Bool {
        identity.string.utf8.starts(with: identityPrefix.utf8)
    }

    /// Returns rows, including tombstones.
    ///
    /// - Parameters:
    ///   - select: The columns; nil for all columns.
    ///   - filter: The condition on the rows; nil for all rows.
    func list(
        _ filter: String?, orderedBy order: String, top: Int, select: [String]? = nil
    ) async throws -> ForeignList {
        var query: [(String, String)] = []
        if let filter { query.append(("$filter", filter)) }
        query += [("$orderby", order), ("$top", String(top)), ("$inlinecount", "allpages")]
        if let select { query.append(("$select", select.joined(separator: ","))) }
        query.append(("__includeDeleted", "true"))
        let options =
            query.map { "\($0)=\(PercentEncoding.ofValue($1))" }
            + (flavor.systemProperties.isEmpty ? [] : [flavor.systemProperties])
        let answer = try await session.exchange(
            ServerRequest(target: "\(session.url.tablePath)?\(options.joined(separator: "&"))"),
            flavor: flavor)
        guard answer.status == 200 else { throw session.error(for: answer) }
        let list = try ForeignList(answer, flavor)
        if select == nil, list.rows.contains(where: { !$0.hasDeletedField && $0.record.problem == nil }) {
            session.note(lackOf: .tombstones)
        }
        return list
    }

    /// Returns the record with an id, or its tombstone; nil if neither exists.
    ///
    /// If the server ignores case in ids, the record's id can differ in case.
    func record(_ id: String) async throws -> RemoteRecord? {
        // Use a query, because the Node server hides tombstones at the record's own URL.
        let rows = try await list("id eq \(Self.literal(id))", orderedBy: "id", top: 2).rows.map(\.record)
        guard rows.allSatisfy({ $0.id.lowercased() == id.lowercased() }) else {
            throw InvalidResponse("the response contains a different record")
        }
        return rows.first { $0.id.isSameBytes(as: id) } ?? rows.first
    }

    /// Returns a string as a literal of a filter.
    static func literal(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    }

    static func literal(_ time: Timestamp) -> String { "datetimeoffset\(literal(time.text))" }
}

/// A server's response to a query of its list: `[…]`, or `{"results": […], "count": N}`.
struct ForeignList {
    var rows: [WireRecord]
    /// The number of rows that match the query; nil if the server doesn't report it.
    var count: Int?

    init(_ answer: ServerResponse, _ flavor: WireFlavor) throws(InvalidResponse) {
        switch try answer.json(recordDepth: answer.isBareList ? 2 : 3) {
        case .list(let list): rows = try Self.rows(list, flavor)
        case .mapping(let mapping):
            guard case .list(let list)? = mapping["results"] else {
                throw InvalidResponse("expected an array of records")
            }
            rows = try Self.rows(list, flavor)
            if case .number(let number)? = mapping["count"] { count = Int(number.json) }
        default: throw InvalidResponse("expected an array of records")
        }
    }

    private static func rows(
        _ list: [Value], _ flavor: WireFlavor
    ) throws(InvalidResponse) -> [WireRecord] {
        var rows: [WireRecord] = []
        var ids: Set<ByteKey> = []
        for element in list {
            let row = try WireRecord(element, flavor)
            guard ids.insert(ByteKey(row.record.id)).inserted else {
                throw InvalidResponse("a list contains a record twice")
            }
            rows.append(row)
        }
        return rows
    }
}

extension ServerResponse {
    fileprivate var isBareList: Bool {
        body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
    }
}

/// The time of a write as a server sends it, such as `2015-12-13T04:28:12.816Z`.
struct Timestamp: Sendable, Hashable {
    /// The server's text, with all its digits.
    let text: String
    /// Milliseconds since 1970-01-01T00:00:00Z, rounded down.
    let milliseconds: Int

    /// Parses a time.
    ///
    /// Returns nil for other text, and for years outside 1 to 9998, so that the adjacent years can be
    /// written, too.
    init?(_ text: String) {
        guard text.utf8.count <= 40, !text.hasPrefix("0000"), !text.hasPrefix("9999"),
            let instant = Instant(text)
        else { return nil }
        self.text = text
        milliseconds = Int(instant.milliseconds)
    }

    init(milliseconds: Int) {
        self.milliseconds = milliseconds
        text = Instant(milliseconds: Int64(milliseconds)).internetTime
    }

    /// The time in seconds since 1970-01-01T00:00:00Z, rounded down.
    var second: Int { milliseconds.dividedFloored(by: 1000).quotient }
}
