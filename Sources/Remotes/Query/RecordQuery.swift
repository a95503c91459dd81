/// Which records of a table are asked for, and in which order.
package struct RecordQuery: Sendable, Hashable {
    package var filter: FilterExpression?
    /// The first counts most; records that are equal in all stand in the order of their ids.
    package var order: [RecordOrder]
    /// The records that are left out at the beginning.
    package var skip: Int
    /// The records that are given at most.
    package var top: Int
    /// Whether tombstones are records too.
    package var includesDeleted: Bool
    /// Whether the records that the filter lets through are counted, without regard to `skip` and `top`.
    package var countsAll: Bool

    package init(
        filter: FilterExpression? = nil, order: [RecordOrder] = [], skip: Int = 0, top: Int = 50,
        includesDeleted: Bool = false, countsAll: Bool = false
    ) {
        self.filter = filter
        self.order = order
        self.skip = skip
        self.top = top
        self.includesDeleted = includesDeleted
        self.countsAll = countsAll
    }
}

/// One of the properties by which records are ordered.
///
/// Null comes first, and lists and mappings with it, then numbers with `false` as 0 and `true` as 1, then
/// strings without regard to case.
package struct RecordOrder: Sendable, Hashable {
    package var property: RecordProperty
    package var isDescending: Bool

    package init(property: RecordProperty, isDescending: Bool = false) {
        self.property = property
        self.isDescending = isDescending
    }
}

/// The answer to a ``RecordQuery``.
package struct RecordList: Sendable, Hashable {
    package var records: [StoredRecord]
    /// All records that the filter lets through, if they were to be counted.
    package var count: Int?
    /// Whether there are fewer records than ``RecordQuery/top`` though others follow, because they are large.
    package var isCutShort: Bool
}
