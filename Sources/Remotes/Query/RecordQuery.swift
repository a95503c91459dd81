/// Which records of a table are asked for, and in which order.
public struct RecordQuery: Sendable, Hashable {
    public var filter: FilterExpression?
    /// The first counts most; records that are equal in all stand in the order of their ids.
    public var order: [RecordOrder]
    /// The records that are left out at the beginning.
    public var skip: Int
    /// The records that are given at most.
    public var top: Int
    /// Whether tombstones are records too.
    public var includesDeleted: Bool
    /// Whether the records that the filter lets through are counted, without regard to `skip` and `top`.
    public var countsAll: Bool

    public init(
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
public struct RecordOrder: Sendable, Hashable {
    public var property: RecordProperty
    public var isDescending: Bool

    public init(property: RecordProperty, isDescending: Bool = false) {
        self.property = property
        self.isDescending = isDescending
    }
}

/// The answer to a ``RecordQuery``.
public struct RecordList: Sendable, Hashable {
    public var records: [StoredRecord]
    /// All records that the filter lets through, if they were to be counted.
    public var count: Int?
    /// Whether there are fewer records than ``RecordQuery/top`` though others follow, because they are large.
    public var isCutShort: Bool
}
