/// Finds the records of a table that match a query, reading one row at a time.
struct RecordSearch {
    let query: RecordQuery
    let table: TableRow
    let reader: any StoreReader
    /// The size of the records' JSON, in bytes, that ends the list early.
    let byteLimit: Int
    /// The memory for sorting, in bytes.
    let sortByteSize: Int
    let cancellation: Cancellation

    /// The bounds of the rows that the database reads.
    private var bounds: ColumnBounds {
        var bounds = query.filter.map(ColumnBounds.init) ?? .none
        if !query.includesDeleted { bounds.formIntersection(.notDeleted) }
        return bounds
    }

    /// Returns the records.
    ///
    /// - Throws: ``ODataProblem`` if the filter creates a string that is too long, and `CancellationError`.
    func list() throws -> RecordList {
        var page = RecordPage(maximumCount: query.top, byteLimit: byteLimit)
        let count: Int?
        if query.countsAll, query.filter != nil {
            count = try fillSorted(&page)
        } else {
            count = query.countsAll ? try reader.recordCount(in: table, within: bounds) : nil
            if let order = RowOrder(query.order, in: bounds) {
                try fill(&page, by: order)
            } else if page.isOpen {
                _ = try fillSorted(&page)
            }
        }
        return page.list(count: count)
    }

    /// Fills a page from rows that are already in order, and stops when it is full.
    private func fill(_ page: inout RecordPage, by order: RowOrder) throws {
        var skip = query.skip
        try forEachMatch(by: order) { record in
            if skip > 0 { skip -= 1 } else { page.append(record) }
            return page.isOpen
        }
    }

    /// Fills a page with records that need sorting, in as many passes as the memory limit requires.
    ///
    /// - Returns: The number of records that match the filter.
    private func fillSorted(_ page: inout RecordPage) throws -> Int {
        var skip = max(0, query.skip)
        var last: SortKey?
        while true {
            let (end, isTooFar) = skip.addingReportingOverflow(query.top)
            var sorter = RecordSorter(
                maximumCount: isTooFar ? .max : end, byteSize: sortByteSize, after: last,
                cancellation: cancellation)
            var count = 0
            try forEachMatch(by: nil) { record in
                if page.isOpen { try sorter.add(SortKey(record, query.order)) }
                count += 1
                return true
            }
            let keys = try sorter.sorted()
            for key in keys.dropFirst(skip) where page.isOpen {
                try reader.forEachRecord(in: table, within: .version(key.version), by: nil, expecting: 1) {
                    page.append(QueriedRecord($0))
                    return false
                }
            }
            guard sorter.isCutShort, page.isOpen else { return count }
            skip -= min(skip, keys.count)
            last = keys.last
        }
    }

    /// Calls `body` with each record that matches the filter, until `body` returns false.
    private func forEachMatch(by order: RowOrder?, _ body: (QueriedRecord) throws -> Bool) throws {
        let names = query.fieldNames
        try reader.forEachRecord(in: table, within: bounds, by: order, expecting: nil) { columns in
            try cancellation.check()
            let record = QueriedRecord(columns, fields: names)
            if let filter = query.filter {
                let evaluator = FilterEvaluator(record: record, cancellation: cancellation)
                guard try evaluator.satisfies(filter) else { return true }
            }
            return try body(record)
        }
    }
}

/// Collects the records of a list until they reach a number of records or a size in bytes.
private struct RecordPage {
    let maximumCount: Int
    let byteLimit: Int
    private var records: [StoredRecord] = []
    private var size = 0
    private var isCutShort = false

    init(maximumCount: Int, byteLimit: Int) {
        self.maximumCount = max(0, maximumCount)
        self.byteLimit = byteLimit
    }

    /// Whether there is room for another record.
    var isOpen: Bool { records.count < maximumCount && !isCutShort }

    mutating func append(_ record: QueriedRecord) {
        guard isOpen else { return }
        guard size < byteLimit else {
            isCutShort = true
            return
        }
        let stored = record.stored
        size += stored.size
        records.append(stored.record)
    }

    func list(count: Int?) -> RecordList {
        RecordList(records: records, count: count, isCutShort: isCutShort)
    }
}
