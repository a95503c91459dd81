internal import TodoModel
internal import Values

/// A filter's conditions on the columns of records, which a database uses to find rows.
///
/// Every record that matches the filter is within the bounds. Not every record within them matches, because
/// the filter also has conditions on fields.
struct ColumnBounds: Equatable {
    enum Column: String, CaseIterable {
        case version
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case deleted
    }

    /// The least and the greatest integer of a column; missing columns are unbounded.
    private(set) var ranges: [Column: Range] = [:]
    /// The possible ids in lowercase; nil for any.
    private(set) var ids: Set<String>?

    struct Range: Equatable {
        var least = Int64.min
        var greatest = Int64.max
    }

    static let none = ColumnBounds()
    static func version(_ version: RecordVersion) -> ColumnBounds { bounds(.version, .equal, version.bits) }
    /// Returns the records whose last write is after a sequence.
    static func after(sequence: Int64) -> ColumnBounds {
        bounds(.version, .greaterOrEqual, RecordVersion.last(ofSequence: sequence).bits + 1)
    }
    static let notDeleted = bounds(.deleted, .equal, 0)

    init() {}

    init(_ filter: FilterExpression) {
        switch filter {
        case .and(let parts):
            for part in parts { formIntersection(ColumnBounds(part)) }
        case .or(let parts):
            guard let first = parts.first else { return }
            self = parts.dropFirst().reduce(ColumnBounds(first)) { $0.union(ColumnBounds($1)) }
        case .property(.deleted): self = Self.bounds(.deleted, .equal, 1)
        case .not(.property(.deleted)): self = .notDeleted
        case .comparison(let comparison, .property(let property), .literal(let literal)):
            self = Self.bounds(property, comparison, literal)
        case .comparison(let comparison, .literal(let literal), .property(let property)):
            self = Self.bounds(property, comparison.mirrored, literal)
        case .literal, .property, .not, .comparison, .arithmetic, .negative, .call: break
        }
    }

    private static func bounds(
        _ property: RecordProperty, _ comparison: FilterExpression.Comparison,
        _ literal: FilterExpression.Literal
    ) -> ColumnBounds {
        switch (property, literal) {
        case (.id, .string(let id)), (.id, .guid(let id)):
            var bounds = none
            if comparison == .equal { bounds.ids = [id.lowercased()] }
            return bounds
        case (.version, .string(let string)):
            return RecordVersion(Version(string)).map { bounds(.version, comparison, $0.bits) } ?? none
        case (.createdAt, .instant(let instant)):
            return bounds(.createdAt, comparison, instant.milliseconds)
        case (.updatedAt, .instant(let instant)):
            return bounds(.updatedAt, comparison, instant.milliseconds)
        case (.deleted, .bool(let bool)): return bounds(.deleted, comparison, bool ? 1 : 0)
        default: return none
        }
    }

    /// Returns bounds for a comparison with an integer, or with a number between it and the next integer.
    ///
    /// The bounds always include the integer itself.
    private static func bounds(
        _ column: Column, _ comparison: FilterExpression.Comparison, _ integer: Int64
    ) -> ColumnBounds {
        var bounds = none
        switch comparison {
        case .equal: bounds.ranges[column] = Range(least: integer, greatest: integer)
        case .greater, .greaterOrEqual: bounds.ranges[column] = Range(least: integer)
        case .less, .lessOrEqual: bounds.ranges[column] = Range(greatest: integer)
        case .notEqual: break
        }
        return bounds
    }

    /// Intersects the bounds with other bounds.
    mutating func formIntersection(_ other: ColumnBounds) {
        ranges.merge(other.ranges) {
            Range(least: max($0.least, $1.least), greatest: min($0.greatest, $1.greatest))
        }
        if let otherIDs = other.ids { ids = ids?.intersection(otherIDs) ?? otherIDs }
    }

    /// Returns bounds that contain these bounds and other bounds.
    private func union(_ other: ColumnBounds) -> ColumnBounds {
        var union = ColumnBounds()
        for (column, range) in ranges {
            guard let otherRange = other.ranges[column] else { continue }
            union.ranges[column] = Range(
                least: min(range.least, otherRange.least), greatest: max(range.greatest, otherRange.greatest))
        }
        if let ids, let otherIDs = other.ids { union.ids = ids.union(otherIDs) }
        return union
    }
}

extension FilterExpression.Comparison {
    /// The equivalent comparison with its sides exchanged.
    fileprivate var mirrored: Self {
        switch self {
        case .equal, .notEqual: self
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        }
    }
}
