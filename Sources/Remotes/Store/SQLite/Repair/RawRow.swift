/// A row of a page, read without SQLite.
struct RawRow {
    let key: Int64
    let values: [RawValue]
}

enum RawValue {
    case null
    case integer(Int64)
    case real
    case text([UInt8])
    case blob([UInt8])

    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }

    var bytes: [UInt8]? { if case .text(let bytes) = self { bytes } else { nil } }

    /// The value as a string; nil if it isn't UTF-8 text.
    var string: String? { bytes.flatMap { String(validating: $0, as: UTF8.self) } }

    var blob: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }

    var isNull: Bool { if case .null = self { true } else { false } }
}

extension PageFile {
    /// Calls `body` with each readable row in pages of tables with rowids, even in pages that no other page
    /// refers to.
    func forEachRow(_ body: (RawRow) throws -> Void) throws {
        for number in 1...max(1, pageCount) {
            for page in images(of: number) {
                for row in rows(in: page, number: number) { try body(row) }
            }
        }
    }

    /// Returns the readable rows of a table without rowids, starting at its root.
    func rows(belowIndex root: Int) -> [[RawValue]] {
        var rows: [[RawValue]] = []
        var next = [root]
        var seen: Set<Int> = []
        while let number = next.popLast() {
            guard seen.insert(number).inserted, let page = page(number) else { continue }
            let isInner = page[0] == PageKind.innerIndex
            guard isInner || page[0] == PageKind.leafIndex else { continue }
            if isInner { next.append(page.number(at: 8)) }
            for start in cells(in: page, number: number, headerSize: isInner ? 12 : 8) {
                var cell = ByteReader(page, at: start)
                if isInner, let child = cell.integer(size: 4) { next.append(Int(child)) }
                if let values = payload(&cell, ofIndex: true).flatMap(RawValue.values) { rows.append(values) }
            }
        }
        return rows
    }

    private func rows(in page: [UInt8], number: Int) -> [RawRow] {
        guard page[number == 1 ? 100 : 0] == PageKind.leafTable else { return [] }
        return cells(in: page, number: number, headerSize: 8).compactMap { start in
            var cell = ByteReader(page, at: start)
            guard let size = cell.variable(), let key = cell.variable() else { return nil }
            return payload(&cell, size: size, ofIndex: false).flatMap(RawValue.values)
                .map { RawRow(key: key, values: $0) }
        }
    }

    /// Returns the offsets of a page's cells.
    private func cells(in page: [UInt8], number: Int, headerSize: Int) -> [Int] {
        let header = number == 1 ? 100 : 0
        let count = Int(page[header + 3]) << 8 | Int(page[header + 4])
        let pointers = header + headerSize
        guard pointers + 2 * count <= page.count else { return [] }
        return (0..<count).map { index in
            Int(page[pointers + 2 * index]) << 8 | Int(page[pointers + 2 * index + 1])
        }.filter { $0 >= pointers + 2 * count && $0 < page.count }
    }

    private func payload(_ cell: inout ByteReader, ofIndex isIndex: Bool) -> [UInt8]? {
        cell.variable().flatMap { payload(&cell, size: $0, ofIndex: isIndex) }
    }

    /// Returns a cell's content, including the part in overflow pages; nil if it can't be read.
    private func payload(_ cell: inout ByteReader, size: Int64, ofIndex isIndex: Bool) -> [UInt8]? {
        guard (0...Self.largestPayload).contains(size) else { return nil }
        let size = Int(size)
        let most = isIndex ? (pageSize - 12) * 64 / 255 - 23 : pageSize - 35
        if size <= most { return cell.bytes(size) }
        let least = (pageSize - 12) * 32 / 255 - 23
        let fitting = least + (size - least) % (pageSize - 4)
        guard var payload = cell.bytes(fitting <= most ? fitting : least),
            var next = cell.integer(size: 4).map(Int.init)
        else { return nil }
        // The limit also ends cycles of pages.
        while payload.count < size {
            guard next > 1, let page = page(next) else { return nil }
            payload += page[4..<min(pageSize, 4 + size - payload.count)]
            next = page.number(at: 0)
        }
        return payload
    }

    private static let largestPayload = Int64(4 * RecordRules.maximumSize)
}

/// The first byte of a B-tree page.
private enum PageKind {
    static let innerIndex: UInt8 = 0x02
    static let leafIndex: UInt8 = 0x0A
    static let leafTable: UInt8 = 0x0D
}

extension RawValue {
    /// Parses a row: the types of its values, then the values; nil if the bytes are not a row.
    static func values(_ payload: [UInt8]) -> [RawValue]? {
        var kinds = ByteReader(payload, at: 0)
        guard let headerSize = kinds.variable(), (1...Int64(payload.count)).contains(headerSize) else {
            return nil
        }
        var values = ByteReader(payload, at: Int(headerSize))
        var row: [RawValue] = []
        while kinds.position < headerSize {
            guard let kind = kinds.variable(), let value = value(&values, of: kind) else { return nil }
            row.append(value)
        }
        return kinds.position == Int(headerSize) ? row : nil
    }

    private static func value(_ reader: inout ByteReader, of kind: Int64) -> RawValue? {
        switch kind {
        case 0: .null
        case 1...4: reader.integer(size: Int(kind)).map { .integer($0) }
        case 5: reader.integer(size: 6).map { .integer($0) }
        case 6: reader.integer(size: 8).map { .integer($0) }
        case 7: reader.bytes(8).map { _ in .real }
        case 8, 9: .integer(kind - 8)
        case 12...(2 * Int64(Int32.max)):
            reader.bytes(Int(kind - 12) / 2).map { kind.isMultiple(of: 2) ? .blob($0) : .text($0) }
        default: nil
        }
    }
}

/// Reads bytes one after another; returns nil at the end.
private struct ByteReader {
    private let content: [UInt8]
    private(set) var position: Int

    init(_ content: [UInt8], at position: Int) {
        self.content = content
        self.position = position
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, count <= content.count - position else { return nil }
        defer { position += count }
        return Array(content[position..<position + count])
    }

    /// Reads a signed integer, most significant byte first.
    mutating func integer(size: Int) -> Int64? {
        guard let bytes = bytes(size), let first = bytes.first else { return nil }
        return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) { $0 << 8 | Int64($1) }
    }

    /// Reads a variable-length integer of up to nine bytes.
    ///
    /// Each of the first eight bytes has seven bits and a continuation bit; the ninth byte has eight bits.
    mutating func variable() -> Int64? {
        var number: Int64 = 0
        for index in 0..<9 {
            guard position < content.count else { return nil }
            let byte = content[position]
            position += 1
            if index == 8 { return number << 8 | Int64(byte) }
            number = number << 7 | Int64(byte & 0x7F)
            if byte < 0x80 { return number }
        }
        return number
    }
}
