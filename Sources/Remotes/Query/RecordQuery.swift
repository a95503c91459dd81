/// A query for a table's records, and the order of the results.
package struct RecordQuery: Sendable, Hashable {
    package var filter: FilterExpression?
    /// The properties to sort by, most significant first.
    ///
    /// Records with the same values for all of these properties are sorted by id.
    package var order: [RecordOrder]
    /// The number of records to skip at the beginning.
    package var skip: Int
    /// The maximum number of records to return.
    package var top: Int
    /// Whether to include tombstones.
    package var includesDeleted: Bool
    /// Whether to count the records that match the filter, regardless of `skip` and `top`.
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

/// A property that a query sorts records by.
///
/// Null, lists and mappings come first, then numbers and Boolean values (`false` is 0 and `true` is 1), then
/// strings regardless of case.
package struct RecordOrder: Sendable, Hashable {
    package var property: RecordProperty
    package var isDescending: Bool

    package init(property: RecordProperty, isDescending: Bool = false) {
        self.property = property
        self.isDescending = isDescending
    }
}

/// The result of a ``RecordQuery``.
package struct RecordList: Sendable, Hashable {
    package var records: [StoredRecord]
    /// The number of records that match the filter, if the query counts them.
    package var count: Int?
    /// Whether the list has fewer than ``RecordQuery/top`` records because they are large, and more follow.
    package var isCutShort: Bool
}
