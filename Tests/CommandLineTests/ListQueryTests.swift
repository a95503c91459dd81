import LosslessYAML
import Testing
import TodoModel
import Values

@testable import SyncEngine
@testable import todosync

@Suite struct ListQueryTests {
    private static let todos = [
        todo(
            "milk",
            [
                "text": .string("Buy milk"), "tags": .list([.string("home"), .string("shop")]),
                "priority": .string("low"),
            ]),
        todo(
            "anna",
            ["text": .string("call Anna"), "notes": .string("about the MILK"), "due": .string("2026-12-01")]),
        todo(
            "tax",
            [
                "text": .string("Taxes"), "due": .string("2026-11-30T23:30:00-02:00"),
                "priority": .string("high"),
            ]),
        todo(
            "done", ["text": .string("Done long ago"), "complete": .bool(true), "due": .string("2020-01-01")]),
        todo(
            "odd",
            [
                "text": .string("Odd"), "tags": .string("shop"), "due": .number(Number(2020)),
                "priority": .bool(true),
            ]),
        todo(
            "bread",
            ["text": .string("Bread"), "priority": .string("high"), "tags": .list([.string("shop")])]),
    ]

    private static func todo(_ name: String, _ fields: Mapping) -> ListedTodo {
        ListedTodo(
            id: nil, path: name + ".yaml", fields: fields, isConflicted: false, bytes: [], version: nil)
    }

    private static let present = Present(DateReader(now: 0, zone: LocalZone { _ in 0 }))

    private func query(
        _ state: ListQuery.State = .open, _ conditions: [Filter.Condition] = [], by order: ListOrder = .due
    ) -> ListQuery {
        ListQuery(
            state: state, filter: Filter(terms: conditions.map { Filter.Term(condition: $0) }),
            present: Self.present, order: order)
    }

    private func select(_ query: ListQuery, from todos: [ListedTodo] = ListQueryTests.todos) -> [String] {
        query.sorted(todos.compactMap(query.entry)).map { String($0.todo.path.dropLast(5)) }
    }

    @Test func `open todos come by due date, then priority, then text`() {
        #expect(select(query()) == ["anna", "tax", "bread", "milk", "odd"])
    }

    @Test func `the order does not depend on the order of what is sorted`() {
        for order in ListOrder.allCases {
            let query = query(.all, by: order)
            #expect(select(query) == select(query, from: Self.todos.reversed()))
        }
    }

    @Test(arguments: [
        (ListOrder.priority, ["tax", "bread", "milk", "anna", "odd"]),
        (.text, ["bread", "milk", "anna", "odd", "tax"]),
        (.path, ["anna", "bread", "milk", "odd", "tax"]),
    ])
    func `another key can come first`(order: ListOrder, expected: [String]) {
        #expect(select(query(by: order)) == expected)
    }

    @Test func `done todos are listed on request`() {
        #expect(select(query(.done)) == ["done"])
        #expect(select(query(.all)).count == Self.todos.count)
    }

    @Test func `a todo has every tag that is asked for`() {
        #expect(select(query(.open, [.tag(SearchForm("shop"))])) == ["bread", "milk"])
        #expect(select(query(.open, [.tag(SearchForm("shop")), .tag(SearchForm("home"))])) == ["milk"])
    }

    @Test func `what is due on the day itself is not due before it`() throws {
        let day = try #require(Due("2026-12-01"))
        #expect(select(query(.open, [.date(field: "due", .less, day)])) == [])
        let instant = try #require(Due("2026-12-01T02:00:00Z"))
        #expect(select(query(.open, [.date(field: "due", .less, instant)])) == ["anna", "tax"])
    }

    @Test func `a conventional field with a different kind of value counts as absent`() {
        let entry = ListEntry(Self.todos[4])
        #expect(entry.tags.isEmpty)
        #expect(entry.due == nil)
        #expect(entry.priority == nil)
    }
}
