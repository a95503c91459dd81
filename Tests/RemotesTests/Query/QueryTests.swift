import Foundation
import LosslessYAML
import Remotes
import SQLite
import TestSupport
import Testing
import TodoModel

/// The queries in the test suites of the protocol's clients, with their results.
@Suite(.oneStoreAtATime) struct `A query of a store's table` {
    /// The records by id; the n-th one was written n milliseconds after 1970-01-01T00:16:40Z.
    private static let records: [(String, Mapping)] = [
        (
            "7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c11",
            [
                "text": .string("Milk"), "complete": .bool(false), "price": number("5.99"),
                "year": number("1999"),
                "when": .string("2012-11-10T09:08:07.654Z"), "place": .mapping(["city": .string("Köln")]),
            ]
        ),
        (
            "b",
            [
                "text": .string("eggs 100%"), "complete": .bool(true), "price": number("1.99"),
                "year": number("2000"), "when": .string("2013-01-01T00:30:00+01:00"),
                "tags": .list([.string("x")]),
            ]
        ),
        (
            "c",
            [
                "text": .string("ÄPFEL_1"), "complete": .bool(false), "price": number("6"),
                "year": number("2001"),
                "when": .string("soon"),
            ]
        ),
        ("d", ["text": .string("it's "), "price": .null, "when": .string("2012-12-31")]),
        (
            "e",
            [
                "text": .string("äpfel"), "complete": number("1"), "price": .string("6"),
                "q\"\\.[x": number("1"),
            ]
        ),
        ("f", ["text": .string("deleted")]),
    ]

    private static func number(_ json: String) -> Value {
        Number(json: json).map { .number($0) } ?? .null
    }

    private static let milk = "7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c11"

    /// Filters in the v1 flavor, with the ids that they match; M stands for the first record's id.
    private static let filters: [(String, String)] = [
        ("(1 eq 1)", "M b c d e"), ("(1 eq 2)", ""), ("complete", "b"), ("not(complete)", "M c"),
        ("complete eq false", "M c"), ("complete ne true", "M c e"), ("complete eq 1", "e"),
        ("complete eq null", "d"), ("complete ne null", "M b c e"), ("null eq price", "d"),
        ("tags eq null", "M c d e"), ("tags ne null", "b"), ("tags eq 'x'", ""), ("tags ne 'x'", "b"),
        ("nothing eq null", "M b c d e"), ("nothing eq 1", ""), ("nothing ne 1", ""), ("nothing gt 1", ""),
        ("(price gt 5.99d)", "c"), ("(price ge 5.99d)", "M c"), ("price lt 50f", "M b c"),
        ("price eq 1.99m", "b"), ("price lt 200l", "M b c"), ("price eq '6'", "e"), ("price eq 6.0", "c"),
        ("price ne 6", "M b e"), ("price eq 5.99 or price eq 1.99 or price eq 6", "M b c"),
        ("((price ge 1.99) and (price le 5.99))", "M b"), ("-price lt -5.99", "c"),
        ("price add 1 eq 7", "c"), ("price mul 2 gt 11.5", "M c"), ("6 sub price le 0", "c"),
        ("year div 1000.5 ge 2", "c"), ("year div 1000 eq 2", "b c"), ("year mod 10 eq 9", "M"),
        ("year div 0 eq null", "M b c d e"),
        ("text eq 'milk'", "M"), ("text eq 'MILK'", "M"), ("(tolower(text) eq tolower('mILK'))", "M"),
        ("text eq 'äpfel'", "e"), ("text eq 'ÄPFEL'", "e"), ("text gt 'milk'", ""), ("text lt 'eggs'", "c e"),
        ("startswith(text,'äp')", "c e"), ("startswith(text,'')", "M b c d e"), ("endswith(text,'LK')", "M"),
        ("endswith(text,'')", "M b c d e"), ("substringof('%',text)", "b"), ("substringof('_',text)", "c"),
        ("substringof('FEL',text)", "c e"), ("contains(text,'fel')", "c e"),
        ("substringof(text,'a milk b')", "M"),
        ("text eq 'it''s '", "d"), ("trim(text) eq 'it''s'", "d"), ("indexof(text,'fel') eq 2", "c e"),
        ("indexof(text,'z') eq -1", "M b c d e"), ("length(text) eq 4", "M"), ("length(price) eq 1", "e"),
        ("toupper(text) eq 'MILK'", "M"), ("replace(text,'i','o') eq 'molk'", "M"),
        ("trim(replace(text,'''','')) eq 'its'", "d"), ("substring(text,2) eq 'lk'", "M"),
        ("substring(text,1,2) eq 'il'", "M"), ("substring(text,-1,9) eq 'milk'", "M"),
        ("substring(text,99999999999999999999) eq ''", "M b c d e"),
        ("substring(text,1,-1) eq ''", "M b c d e"),
        ("concat(text,concat('-',text)) eq 'milk-MILK'", "M"), ("substring(text,0,1) eq 'M'", "M"),
        ("floor(price) eq 5", "M"), ("ceiling(price) eq 6", "M c"), ("round(price) eq 2", "b"),
        ("round(price sub 0.49) eq 6", "M c"), ("round(-2.5) eq -3", "M b c d e"),
        ("round(2.5) eq 3", "M b c d e"), ("floor(-2.5) eq -3", "M b c d e"),
        ("year(when) eq 2012", "M b d"), ("month(when) eq 12", "b d"), ("((month(when) sub 1) eq 10)", "M"),
        ("day(when) eq 31 and hour(when) eq 23", "b"), ("minute(when) eq 8 and second(when) eq 7", "M"),
        ("when lt datetime'2012-12-31T23:30:00Z'", "M d"),
        ("when eq datetime'2012-12-31T23:30:00.000Z'", "b"),
        ("when ge datetimeoffset'2013-01-01T00:30:00.0000000+01:00'", "b"),
        ("when ne datetime'2012-12-31T00:00:00Z'", "M b c"), ("year(__updatedAt) eq 1970", "M b c d e"),
        ("second(__createdAt) eq 40", "M b c d e"), ("place/city eq 'KÖLN'", "M"),
        ("place/none eq null", "M b c d e"),
        ("text/none eq 1", ""), ("place eq 'x'", ""),
        ("id eq 'b'", "b"), ("id eq 'B'", "b"), ("id ne 'B'", "M c d e"), ("id gt 'b'", "c d e"),
        ("'b' lt id", "c d e"),
        ("startswith(id,'B')", "b"), ("tolower(id) eq 'B'", "b"),
        ("id eq guid'7C1E0F0A-9A0E-4B5B-8F39-0D0F6A4B1C11'", "M"),
        ("__updatedAt gt datetimeoffset'1970-01-01T00:16:40.002Z'", "d e"),
        ("__updatedAt ge datetimeoffset'1970-01-01T00:16:40.002Z'", "c d e"),
        ("__updatedAt gt datetimeoffset'1970-01-01T00:16:40.0019999Z'", "c d e"),
        ("__updatedAt ge datetimeoffset'1970-01-01T00:16:40.0019999Z'", "c d e"),
        ("__updatedAt lt datetimeoffset'1970-01-01T00:16:40.0019999Z'", "M b"),
        ("__updatedAt le datetimeoffset'1970-01-01T00:16:40.0019999Z'", "M b"),
        ("__updatedAt eq datetimeoffset'1970-01-01T00:16:40.0019999Z'", ""),
        ("__updatedAt ne datetimeoffset'1970-01-01T00:16:40.0019999Z'", "M b c d e"),
        ("__updatedAt eq datetimeoffset'1970-01-01T01:16:40.0010000+01:00'", "b"),
        ("datetime'1970-01-01T00:16:40.001Z' ge __createdAt", "M b"),
        ("__updatedAt gt (datetimeoffset'1970-01-01T00:16:40.003Z')", "e"),
        ("__updatedAt ge '1970-01-01T00:16:40.003Z'", "d e"), ("__updatedAt ge 'soon'", ""),
        ("__updatedAt eq __createdAt", "M b c d e"), ("__updatedAt gt 5", ""),
        ("__deleted eq false", "M b c d e"),
        ("not __deleted", "M b c d e"), ("updatedAt eq null", "M b c d e"),
        ("__version ne null", "M b c d e"),
        ("__version eq 'nonsense'", ""), ("__version ne 'nonsense'", "M b c d e"),
        ("length(__version) eq 12", "M b c d e"), ("(complete eq true) eq true", "b"),
        ("(complete eq true) eq null", "d"), ("not (price gt 5)", "b e"), ("price gt 5 or complete", "M b c"),
        ("price gt 5 and complete eq false", "M c"), ("complete eq (1 eq 2)", "M c"), ("price gt text", ""),
        ("'a' lt 5", ""), ("'a' ne 5", "M b c d e"),
    ]

    private func withRecords(_ body: (StoreTable, String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            var table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            // Other tests that run at the same time can delay a query.
            table.queryTime = .seconds(300)
            _ = try await table.write(
                Self.records.map { RecordWrite(id: $0, change: .insert(fields: $1, layout: nil)) })
            _ = try await table.write([RecordWrite(id: "f", change: .delete)])
            try await body(table, folder)
        }
    }

    private func ids(_ table: StoreTable, _ query: RecordQuery) async throws -> String {
        try await table.records(query).records.map { $0.record.id == Self.milk ? "M" : $0.record.id }
            .joined(separator: " ")
    }

    @Test func `each filter matches the expected records`() async throws {
        try await withRecords { table, _ in
            for (text, expected) in Self.filters {
                let filter = try FilterExpression(odata: text, flavor: .v1)
                #expect(try await ids(table, RecordQuery(filter: filter)) == expected, "\(text)")
            }
        }
    }

    @Test(arguments: [
        ("text", "e c b d M"), ("text desc", "M d b c e"), ("__updatedAt", "M b c d e"),
        ("__updatedAt asc,id asc", "M b c d e"), ("__updatedAt desc", "e d c b M"),
        ("__version desc", "e d c b M"),
        ("__createdAt desc", "e d c b M"), ("id desc", "e d c b M"), ("price", "d b M c e"),
        ("price desc,id", "e c M b d"), ("complete,id desc", "d c M e b"),
        ("complete desc,price", "b e M c d"),
        ("place/city desc", "M b c d e"), ("nothing", "M b c d e"), ("nothing desc,text desc", "M d b c e"),
        ("tags", "M b c d e"), ("__deleted,text", "e c b d M"),
    ])
    func `records are sorted, and equal ones are sorted by id`(_ text: String, _ expected: String)
        async throws
    {
        try await withRecords { table, _ in
            let order = try RecordOrder.list(odata: text, flavor: .v1)
            #expect(try await ids(table, RecordQuery(order: order)) == expected)
        }
    }

    @Test func `a page is part of the order, and the count includes all records`() async throws {
        try await withRecords { table, _ in
            #expect(try await ids(table, RecordQuery(skip: 1, top: 2)) == "b c")
            #expect(try await ids(table, RecordQuery(skip: 4, top: 2)) == "e")
            #expect(try await ids(table, RecordQuery(skip: 9, top: 2)) == "")
            #expect(try await ids(table, RecordQuery(skip: -1, top: -1)) == "")
            let filter = try FilterExpression(odata: "price gt 5", flavor: .v2)
            let counted = try await table.records(
                RecordQuery(
                    filter: filter, order: [RecordOrder(property: .field(["text"]))], top: 0, countsAll: true)
            )
            #expect(counted.records.isEmpty)
            #expect(counted.count == 2)
            #expect(try await table.records(RecordQuery(countsAll: true)).count == 5)
            #expect(try await table.records(RecordQuery(includesDeleted: true, countsAll: true)).count == 6)
            #expect(try await table.records(RecordQuery()).count == nil)
            let missing = table.store.table(try #require(TableName("missing")))
            let none = try await missing.records(RecordQuery(countsAll: true))
            #expect(none.records.isEmpty)
            #expect(none.count == 0)
            #expect(try await missing.exists() == false)
            #expect(try await table.exists())
        }
    }

    @Test func `tombstones are found only on request`() async throws {
        try await withRecords { table, _ in
            let deleted = try FilterExpression(odata: "deleted", flavor: .v2)
            #expect(try await ids(table, RecordQuery(filter: deleted)) == "")
            #expect(try await ids(table, RecordQuery(filter: deleted, includesDeleted: true)) == "f")
            let order = try RecordOrder.list(odata: "deleted desc", flavor: .v2)
            #expect(try await ids(table, RecordQuery(order: order, includesDeleted: true)) == "f M b c d e")
            let pulled = try FilterExpression(
                odata: "(updatedAt ge datetimeoffset'1970-01-01T00:16:40.005Z')", flavor: .v2)
            #expect(try await ids(table, RecordQuery(filter: pulled, includesDeleted: true)) == "f")
        }
    }

    @Test func `versions compare in the order of their assignment`() async throws {
        try await withRecords { table, _ in
            let version = try #require(try await table.record(id: "c")).record.version.string
            for (comparison, expected) in [("gt", "d e"), ("ge", "c d e"), ("eq", "c"), ("lt", "M b")] {
                let filter = try FilterExpression(odata: "version \(comparison) '\(version)'", flavor: .v2)
                #expect(try await ids(table, RecordQuery(filter: filter)) == expected)
            }
        }
    }

    @Test func `a field with any name can be queried`() async throws {
        try await withRecords { table, _ in
            for (names, expected) in [
                (["q\"\\.[x"], "e"), (["q"], ""), (["place", "city\""], ""), (["q\"\\.[x", "y"], ""),
            ] {
                let filter = FilterExpression.comparison(
                    .notEqual, .property(.field(names)), .literal(.null))
                let found = try await ids(table, RecordQuery(filter: filter))
                #expect(found == expected, "\(names)")
            }
        }
    }

    @Test
    func `a value of the wrong type is null, even in an expression that no text can express`()
        async throws
    {
        try await withRecords { table, _ in
            let one = FilterExpression.literal(.number(Number(1)))
            let text = FilterExpression.literal(.string("a"))
            let odd: [FilterExpression] = [
                one, text, .and([one, .literal(.bool(true))]), .not(text), .call(.length, []),
                .call(.contains, [one]),
                .comparison(.equal, .call(.length, [one]), one), .comparison(.equal, .negative(text), one),
            ]
            for filter in odd {
                let found = try await ids(table, RecordQuery(filter: filter))
                #expect(found == "", "\(filter)")
            }
            let all = try await ids(table, RecordQuery(filter: .and([])))
            let none = try await ids(table, RecordQuery(filter: .or([])))
            #expect(all == "M b c d e")
            #expect(none == "")
        }
    }

    @Test func `a record that was damaged from outside has no fields and doesn't fail a query`() async throws
    {
        try await withRecords { table, folder in
            try SQLConnection("\(folder)/todosync-store.sqlite").execute(
                """
                UPDATE record SET fields = '{"text' WHERE id = 'b';
                UPDATE record SET fields = '[1]' WHERE id = 'c'
                """)
            let filter = try FilterExpression(odata: "text eq null or text eq 'milk'", flavor: .v2)
            let order = try RecordOrder.list(odata: "text", flavor: .v2)
            #expect(try await ids(table, RecordQuery(filter: filter, order: order)) == "b c M")
        }
    }

    @Test func `a page of large records ends early`() async throws {
        try await withRecords { table, _ in
            var table = table
            table.pageByteSize = 1
            let list = try await table.records(RecordQuery(countsAll: true))
            #expect(list.records.map(\.record.id) == [Self.milk])
            #expect(list.isCutShort)
            #expect(list.count == 5)
            #expect(try await table.records(RecordQuery(skip: 4)).isCutShort == false)
        }
    }

    @Test func `a filter that creates long texts is refused without affecting other queries`() async throws {
        try await withRecords { table, _ in
            var grown = "text"
            for _ in 0..<12 { grown = "replace(\(grown),'i','iiiiiiiiiiii')" }
            let long = try FilterExpression(odata: "length(\(grown)) gt 0", flavor: .v2)
            await #expect(throws: ODataProblem.self) { try await table.records(RecordQuery(filter: long)) }
            let chain = Array(repeating: "price eq 6.5", count: 1000).joined(separator: " or ")
            let filter = try FilterExpression(odata: chain + " or id eq 'b'", flavor: .v2)
            #expect(try await ids(table, RecordQuery(filter: filter)) == "b")
        }
    }

    /// Filters of the maximum depth or length.
    private static let largestFilters: [String] = {
        func nested(_ levels: Int, _ open: String, _ core: String, _ close: String) -> String {
            String(repeating: open, count: levels) + core + String(repeating: close, count: levels)
        }
        return [
            nested(63, "(", "a", ")"), nested(63, "not ", "a", ""), nested(32, "not(", "a", ")"),
            nested(62, "tolower(", "a", ")") + " eq 'a'", nested(62, "1 add ", "a", "") + " eq 1",
            nested(62, "length(concat(", "a", ",'b'))") + " eq 1",
            nested(31, "concat(trim(", "a", "),'b')") + " eq ''",
            nested(60, "concat(", "a", ",a)") + " eq 'a'", nested(60, "substring(", "a", ",1)") + " eq 'a'",
            nested(60, "(a eq ", "a", ")"), nested(30, "not (a eq ", "a", ")"),
            nested(20, "(1 eq 1) eq ((a eq ", "a", "))"),
            nested(60, "a eq 1 or (b eq 2 and ", "a", ")"), nested(60, "round(", "a", ")") + " eq 1",
            nested(60, "(1 add ", "a", ")") + " eq 1", nested(60, "-(", "a", ")") + " eq 1",
            nested(60, "indexof('x', tolower(", "a", "))") + " eq 1",
            Array(repeating: "a eq 1", count: 1638).joined(separator: " or "),
            Array(repeating: "a", count: 64).joined(separator: "/") + " eq 1",
            Array(repeating: "a ne b", count: 1000).joined(separator: " and "),
            Array(repeating: "a eq a", count: 60).joined(separator: " eq "),
        ]
    }()

    @Test func `the largest valid filters and orders are answered`() async throws {
        try await withTemporaryFolder { folder in
            var table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            // Other tests that run at the same time can delay a query.
            table.queryTime = .seconds(300)
            _ = try await table.write([
                RecordWrite(id: "1", change: .insert(fields: ["a": .string("x")], layout: nil))
            ])
            var answered = 0
            let order = Array(repeating: "a/b/c desc", count: 20).joined(separator: ",")
            for text in Self.largestFilters {
                guard let filter = try? FilterExpression(odata: text, flavor: .v2) else { continue }
                let orders = try RecordOrder.list(odata: order, flavor: .v2)
                _ = try await table.records(RecordQuery(filter: filter, order: orders))
                answered += 1
            }
            #expect(answered > 15)
        }
    }

    @Test func `a query has a time limit`() async throws {
        try await withTemporaryFolder { folder in
            var table = try Store.create(at: folder, surroundings: .testing).table(.standard)
            let text = String(repeating: "x", count: 100_000)
            _ = try await table.write(
                (0..<20).map {
                    RecordWrite(id: "\($0)", change: .insert(fields: ["a": .string(text)], layout: nil))
                })
            let filter = try FilterExpression(
                odata: Array(repeating: "indexof(tolower(a),toupper('xxy')) eq 1", count: 300)
                    .joined(separator: " or "), flavor: .v2)
            table.queryTime = .milliseconds(1)
            await #expect(throws: ODataProblem(message: "the query takes too long", offset: 0)) {
                try await table.records(RecordQuery(filter: filter))
            }
            table.queryTime = .seconds(60)
            // The request has waited for so long.
            await #expect(throws: ODataProblem(message: "the query takes too long", offset: 0)) {
                try await table.records(
                    RecordQuery(filter: filter), since: Arrival(time: .now - .seconds(60)))
            }
            // The client has disconnected.
            let query = Task { [table] in try await table.records(RecordQuery(filter: filter)) }
            query.cancel()
            await #expect(throws: CancellationError.self) { _ = try await query.value }
            #expect(try await table.records(RecordQuery()).records.count == 20)
        }
    }
}
