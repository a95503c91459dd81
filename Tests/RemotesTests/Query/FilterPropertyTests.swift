import LosslessYAML
import Remotes
import TestSupport
import Testing
import TodoModel

@Suite(.oneStoreAtATime) struct `Filters and orders at random` {
    @Test(arguments: UInt64(0)..<8)
    func `SQLite lets through and orders what the rules say`(_ seed: UInt64) async throws {
        try await withTemporaryFolder { folder in
            var random = RandomFilter(seed: seed)
            var table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            // All tests at once may keep a query waiting.
            table.queryTime = .seconds(300)
            _ = try await table.write(
                (0..<40).map {
                    RecordWrite(id: "todo \($0)", change: .insert(fields: random.fields(), layout: nil))
                })
            _ = try await table.write((0..<5).map { RecordWrite(id: "todo \($0 * 7)", change: .delete) })
            let all = try await table.records(RecordQuery(top: 100, includesDeleted: true)).records
            #expect(all.count == 40)
            for number in 0..<150 {
                let filter = random.condition(depth: 4)
                let query = RecordQuery(filter: filter, top: 100, includesDeleted: true, countsAll: true)
                let list = try await table.records(query)
                let expected = all.filter { FilterEvaluator(record: $0).condition(filter) == true }
                try #require(
                    list.records.map(\.record.id) == expected.map(\.record.id), "filter \(number): \(filter)")
                #expect(list.count == expected.count)

                let order = random.order()
                let ordered = try await table.records(RecordQuery(order: order, top: 100)).records
                let expectedOrder = all.filter { !$0.record.isDeleted }.sorted { precedes($0, $1, order) }
                try #require(
                    ordered.map(\.record.id) == expectedOrder.map(\.record.id), "order \(number): \(order)")
            }
        }
    }

    private func precedes(_ left: StoredRecord, _ right: StoredRecord, _ orders: [RecordOrder]) -> Bool {
        for order in orders {
            let property = FilterExpression.property(order.property)
            let values = [left, right].map { FilterEvaluator(record: $0).result(property) }
            let (first, second) = order.isDescending ? (values[1], values[0]) : (values[0], values[1])
            if FilterEvaluator.precedes(first, second) { return true }
            if FilterEvaluator.precedes(second, first) { return false }
        }
        return left.record.id < right.record.id
    }
}
