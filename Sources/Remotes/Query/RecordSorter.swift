/// Where a record stands in the order that a query asks for.
struct RecordPlace {
    /// The record's row.
    let key: Int64
    private let id: String
    private let values: [FilterValue]
    private let orders: [RecordOrder]

    init(_ record: QueriedRecord, _ orders: [RecordOrder]) {
        key = record.key
        id = record.id
        values = orders.map { order in
            let value = record.value(of: order.property)
            return if case .bool(let bool) = value { .integer(bool ? 1 : 0) } else { value }
        }
        self.orders = orders
    }

    /// The bytes that the place takes in memory, about.
    var size: Int {
        values.reduce(MemoryLayout<Self>.size + 60 + id.utf8.count) {
            $0 + MemoryLayout<FilterValue>.stride + ($1.text.map { 40 + $0.utf8.count } ?? 0)
        }
    }

    func precedes(_ other: RecordPlace) -> Bool {
        for (index, order) in orders.enumerated() {
            let (left, right) = (values[index], other.values[index])
            let comparison = left.rank == right.rank ? left.order(right) ?? 0 : left.rank - right.rank
            if comparison != 0 { return order.isDescending ? comparison > 0 : comparison < 0 }
        }
        return id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }
}

extension FilterValue {
    /// The place of the value's type among others; values of one rank have an order.
    fileprivate var rank: Int {
        switch self {
        case .null, .collection: 0
        case .bool, .integer, .real, .instant, .version: 1
        case .string: 2
        }
    }
}

/// Finds the first of many places, in an amount of memory that has a bound.
struct RecordSorter {
    private let maximumCount: Int
    private let byteSize: Int
    /// Places up to this one, itself included, are passed over.
    private let last: RecordPlace?
    private var places: [RecordPlace] = []
    private var size = 0
    /// No place from this one on is among the first.
    private var end: RecordPlace?
    /// Whether there are less than `maximumCount` places because they take much memory; others follow.
    private(set) var isCutShort = false

    /// Sorted are at least as many at once.
    private static let minimumBatch = 1000

    init(maximumCount: Int, byteSize: Int, after last: RecordPlace?) {
        self.byteSize = byteSize
        self.maximumCount = maximumCount
        self.last = last
    }

    mutating func add(_ place: RecordPlace) {
        if let last, !last.precedes(place) { return }
        if let end, !place.precedes(end) { return }
        places.append(place)
        size += place.size
        let batch = max(maximumCount, Self.minimumBatch)
        if places.count - maximumCount >= batch || size >= 2 * byteSize { cut() }
    }

    /// Returns the first places in their order: `maximumCount` of them, if ``isCutShort`` isn't true.
    mutating func sorted() -> [RecordPlace] {
        cut()
        return places
    }

    private mutating func cut() {
        places.sort { $0.precedes($1) }
        var (count, sum) = (0, 0)
        while count < min(places.count, maximumCount), count == 0 || sum < byteSize {
            sum += places[count].size
            count += 1
        }
        if count == places.count { return }
        if count < maximumCount { isCutShort = true }
        places.removeSubrange(count...)
        size = sum
        end = places.last
    }
}
