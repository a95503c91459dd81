import LosslessYAML
import Remotes
import TestSupport
import Testing
import TodoModel

@Suite(.oneStoreAtATime) struct `Filters and orders at random` {
    private func withRandomRecords(
        seed: UInt64, _ body: (StoreTable, inout RandomFilter, [StoredRecord]) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            var random = RandomFilter(seed: seed)
            var table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            // Other tests that run at the same time can delay a query.
            table.queryTime = .seconds(300)
            _ = try await table.write(
                (0..<40).map {
                    RecordWrite(id: "Todo \($0)", change: .insert(fields: random.fields(), layout: nil))
                })
            _ = try await table.write((0..<5).map { RecordWrite(id: "Todo \($0 * 7)", change: .delete) })
            let all = try await table.records(RecordQuery(top: 100, includesDeleted: true)).records
            #expect(all.count == 40)
            try await body(table, &random, all)
        }
    }

    /// The minimum number of filters that match some records, but not all.
    private static let fewestSelective = 30

    @Test(arguments: UInt64(0)..<8)
    func `a filter matches the same records with and without bounds on columns`(_ seed: UInt64)
        async throws
    {
        try await withRandomRecords(seed: seed) { table, random, all in
            var selective = 0
            for number in 0..<150 {
                let filter = random.filter(of: all)
                var query = RecordQuery(filter: filter, top: 100, includesDeleted: true, countsAll: true)
                let list = try await table.records(query)
                // The same condition, but without bounds on columns.
                query.filter = .and([.or([filter, .literal(.null)])])
                let expected = try await table.records(query)
                try #require(list == expected, "filter \(number): \(filter)")
                #expect(list.count == list.records.count)
                if (1..<40).contains(list.records.count) { selective += 1 }
            }
            #expect(selective >= Self.fewestSelective)
        }
    }

    @Test(arguments: UInt64(0)..<4)
    func `records are sorted correctly even with little memory`(_ seed: UInt64) async throws {
        try await withRandomRecords(seed: seed) { table, random, all in
            var table = table
            for number in 0..<25 {
                let order = random.order()
                let expected = all.filter { !$0.record.isDeleted }.sorted { precedes($0, $1, order) }
                for sortByteSize in [16 << 20, 1000, 0] {
                    table.sortByteSize = sortByteSize
                    let list = try await table.records(RecordQuery(order: order, top: 100, countsAll: true))
                    try #require(
                        list.records.map(\.record.id) == expected.map(\.record.id), "\(number): \(order)")
                    #expect(list.count == expected.count)
                    let page = try await table.records(
                        RecordQuery(order: order, skip: 7, top: 11, countsAll: true))
                    #expect(page.records == Array(list.records[7..<18]))
                    #expect(page.count == expected.count)
                }
            }
        }
    }

    private func precedes(_ left: StoredRecord, _ right: StoredRecord, _ orders: [RecordOrder]) -> Bool {
        for order in orders {
            guard case .field(let names) = order.property else { continue }
            let values = [left, right].map { value(names, of: $0) }
            let (first, second) = order.isDescending ? (values[1], values[0]) : (values[0], values[1])
            if FilterOracle.precedes(first, second) { return true }
            if FilterOracle.precedes(second, first) { return false }
        }
        return left.record.id < right.record.id
    }

    private func value(_ names: [String], of record: StoredRecord) -> Value? {
        names.reduce(Value.mapping(record.record.fields)) { value, name in
            if case .mapping(let mapping)? = value { mapping[name] } else { nil }
        }
    }

    @Test func `functions on strings and times agree with Foundation`() async throws {
        try await withTemporaryFolder { folder in
            let table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            _ = try await table.write([RecordWrite(id: "1", change: .insert(fields: [:], layout: nil))])
            var generator = SplitMix64(seed: 1)
            var conditions: [String] = []
            for text in RandomFilter.strings {
                for other in RandomFilter.strings { conditions += FilterOracle.conditions(text, other) }
            }
            for _ in 0..<200 {
                // The years 1900 to 2099.
                let second = Int.random(in: -2_208_988_800..<4_102_444_800, using: &generator)
                conditions += FilterOracle.conditions(second: second)
            }
            #expect(conditions.count > 8000)
            for condition in conditions {
                let filter = try FilterExpression(odata: condition, flavor: .v2)
                let list = try await table.records(RecordQuery(filter: filter))
                #expect(list.records.count == 1, "\(condition)")
            }
        }
    }
}
