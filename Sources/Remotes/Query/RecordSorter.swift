/// The key that a query sorts a record by.
struct SortKey {
    /// The record's version, which no other record of the table has.
    let version: RecordVersion
    private let id: String
    private let values: [FilterValue]
    private let orders: [RecordOrder]

    init(_ record: QueriedRecord, _ orders: [RecordOrder]) {
        version = record.version
        id = record.id
        values = orders.map { order in
            let value = record.value(of: order.property)
            return if case .bool(let bool) = value { .integer(bool ? 1 : 0) } else { value }
        }
        self.orders = orders
    }

    /// The approximate size of the key in memory, in bytes.
    var size: Int {
        values.reduce(MemoryLayout<Self>.size + 60 + id.utf8.count) {
            $0 + MemoryLayout<FilterValue>.stride + ($1.text.map { 40 + $0.utf8.count } ?? 0)
        }
    }

    func precedes(_ other: SortKey) -> Bool {
        for (index, order) in orders.enumerated() {
            let (left, right) = (values[index], other.values[index])
            let comparison = left.rank == right.rank ? left.order(right) ?? 0 : left.rank - right.rank
            if comparison != 0 { return order.isDescending ? comparison > 0 : comparison < 0 }
        }
        return id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }
}

extension FilterValue {
    /// The rank of the value's type; values of equal rank are compared with each other.
    fileprivate var rank: Int {
        switch self {
        case .null, .collection: 0
        case .bool, .integer, .real, .instant, .version: 1
        case .string: 2
        }
    }
}

/// Finds the first of many sort keys in limited memory.
struct RecordSorter {
    private let maximumCount: Int
    private let byteSize: Int
    private let cancellation: Cancellation
    /// The last key to skip; all smaller keys are skipped, too.
    private let last: SortKey?
    private var keys: [SortKey] = []
    private var size = 0
    /// The greatest key that is kept so far; greater keys can't be part of the result.
    private var end: SortKey?
    /// Whether there are fewer than `maximumCount` keys because they use too much memory, and more follow.
    private(set) var isCutShort = false

    /// The minimum number of keys that are sorted at once.
    private static let minimumBatch = 1000

    init(maximumCount: Int, byteSize: Int, after last: SortKey?, cancellation: Cancellation) {
        self.cancellation = cancellation
        self.byteSize = byteSize
        self.maximumCount = maximumCount
        self.last = last
    }

    mutating func add(_ key: SortKey) throws {
        if let last, !last.precedes(key) { return }
        if let end, !key.precedes(end) { return }
        keys.append(key)
        size += key.size
        let batch = max(maximumCount, Self.minimumBatch)
        if keys.count - maximumCount >= batch || size >= 2 * byteSize { try cut() }
    }

    /// Returns the first keys in order: `maximumCount` of them, unless ``isCutShort`` is true.
    mutating func sorted() throws -> [SortKey] {
        try cut()
        return keys
    }

    private mutating func cut() throws {
        // Comparing long strings takes time.
        try keys.sort {
            try cancellation.check()
            return $0.precedes($1)
        }
        var (count, sum) = (0, 0)
        while count < min(keys.count, maximumCount), count == 0 || sum < byteSize {
            sum += keys[count].size
            count += 1
        }
        if count == keys.count { return }
        if count < maximumCount { isCutShort = true }
        keys.removeSubrange(count...)
        size = sum
        end = keys.last
    }
}
