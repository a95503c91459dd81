internal import LosslessYAML
internal import TodoModel

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
