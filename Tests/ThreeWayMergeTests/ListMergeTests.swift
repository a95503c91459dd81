import LosslessYAML
import Testing

@testable import ThreeWayMerge

/// Checklists that both sides edited, with and without ids, in both styles and with the sides swapped.
@Suite struct ListMergeTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String
        var base: String
        var local: String
        var remote: String
        /// The merged list, with local's side of any conflicts.
        var merged: String
        /// The list with the remote's side of all conflicts; nil without conflicts.
        var remoteSide: String?
        /// The number of conflicts.
        var conflicts: Int { remoteSide == nil ? 0 : 1 }
    }

    /// Lists whose elements one field identifies; `K` stands for its name.
    static let keyed = [
        Row(
            testDescription: "different items ticked",
            base: "[{K: a, done: false}, {K: b, done: false}]",
            local: "[{K: a, done: true}, {K: b, done: false}]",
            remote: "[{K: a, done: false}, {K: b, done: true}]",
            merged: "[{K: a, done: true}, {K: b, done: true}]"),
        Row(
            testDescription: "one item ticked and noted",
            base: "[{K: a, done: false}, {K: b, done: false}]",
            local: "[{K: a, done: true}, {K: b, done: false}]",
            remote: "[{K: a, done: false, n: 1}, {K: b, done: false}]",
            merged: "[{K: a, done: true, n: 1}, {K: b, done: false}]"),
        Row(
            testDescription: "inserted in the same place",
            base: "[{K: a, done: false}, {K: b, done: false}]",
            local: "[{K: a, done: false}, {K: c, done: false}, {K: b, done: false}]",
            remote: "[{K: a, done: false}, {K: d, done: false}, {K: b, done: true}]",
            merged: "[{K: a, done: false}, {K: c, done: false}, {K: d, done: false}, {K: b, done: true}]"),
        Row(
            testDescription: "removed and ticked",
            base: "[{K: a, done: false}, {K: b, done: false}, {K: c, done: false}]",
            local: "[{K: a, done: true}, {K: c, done: false}]",
            remote: "[{K: a, done: false}, {K: b, done: true}, {K: c, done: true}]",
            merged: "[{K: a, done: true}, {K: c, done: true}]",
            remoteSide: "[{K: a, done: true}, {K: b, done: true}, {K: c, done: true}]"),
        Row(
            testDescription: "removed and unchanged",
            base: "[{K: a, done: false}, {K: b, done: false}]",
            local: "[{K: a, done: false}]",
            remote: "[{K: a, done: true}, {K: b, done: false}]",
            merged: "[{K: a, done: true}]"),
        Row(
            testDescription: "a different item removed on each side",
            base: "[{K: a, n: 1}, {K: b, n: 1}, {K: c, n: 1}]",
            local: "[{K: b, n: 1}, {K: c, n: 1}]", remote: "[{K: a, n: 1}, {K: b, n: 1}]",
            merged: "[{K: b, n: 1}]"),
        Row(
            testDescription: "reordered and ticked",
            base: "[{K: a, done: false}, {K: b, done: false}, {K: c, done: false}]",
            local: "[{K: c, done: false}, {K: b, done: false}, {K: a, done: false}]",
            remote: "[{K: a, done: true}, {K: b, done: false}, {K: c, done: true}]",
            merged: "[{K: c, done: true}, {K: b, done: false}, {K: a, done: true}]"),
        Row(
            testDescription: "different changes to one field",
            base: "[{K: a, n: 1}, {K: b, n: 1}]", local: "[{K: a, n: 2}, {K: b, n: 1}]",
            remote: "[{K: a, n: 3}, {K: b, n: 4}]", merged: "[{K: a, n: 2}, {K: b, n: 4}]",
            remoteSide: "[{K: a, n: 3}, {K: b, n: 4}]"),
        Row(
            testDescription: "a list in an item",
            base: "[{K: a, sub: [{K: x, done: false}, {K: y, done: false}]}, {K: b}]",
            local: "[{K: a, sub: [{K: x, done: true}, {K: y, done: false}]}, {K: b}]",
            remote: "[{K: a, sub: [{K: x, done: false}, {K: y, done: true}]}, {K: c}, {K: b}]",
            merged: "[{K: a, sub: [{K: x, done: true}, {K: y, done: true}]}, {K: c}, {K: b}]"),
        Row(
            testDescription: "removed and ticked in a list in an item",
            base: "[{K: a, sub: [{K: x, done: false}, {K: y, done: false}]}, {K: b, n: 1}]",
            local: "[{K: a, sub: [{K: y, done: false}]}, {K: b, n: 1}]",
            remote: "[{K: a, sub: [{K: x, done: true}, {K: y, done: true}]}, {K: b, n: 2}]",
            merged: "[{K: a, sub: [{K: y, done: true}]}, {K: b, n: 2}]",
            remoteSide: "[{K: a, sub: [{K: x, done: true}, {K: y, done: true}]}, {K: b, n: 2}]"),
        Row(
            testDescription: "all items removed and one ticked",
            base: "[{K: a, done: false}, {K: b, done: false}]", local: "[]",
            remote: "[{K: a, done: true}, {K: b, done: false}]", merged: "[]",
            remoteSide: "[{K: a, done: true}]"),
    ]

    /// Lists with two items of the same name, or with a renamed item.
    static let named = [
        Row(
            testDescription: "the same item inserted on both sides, with other details",
            base: "[{K: a, done: false}]",
            local: "[{K: a, done: false}, {K: c, done: true}]",
            remote: "[{K: a, done: true}, {K: c, done: true, n: 1}]",
            merged: "[{K: a, done: true}, {K: c, done: true, n: 1}]"),
        Row(
            testDescription: "renamed and ticked",
            base: "[{K: a, done: false}, {K: bread, done: false}, {K: c, done: false}]",
            local: "[{K: a, done: false}, {K: Bread, done: false}, {K: c, done: false}]",
            remote: "[{K: a, done: true}, {K: bread, done: true}, {K: c, done: false}]",
            merged: "[{K: a, done: true}, {K: Bread, done: true}, {K: c, done: false}]"),
        Row(
            testDescription: "renamed two ways",
            base: "[{K: a, n: 1}, {K: bread, n: 1}]",
            local: "[{K: a, n: 2}, {K: breads, n: 1}]",
            remote: "[{K: a, n: 1}, {K: Bread, n: 2}]",
            merged: "[{K: a, n: 2}, {K: breads, n: 2}]", remoteSide: "[{K: a, n: 2}, {K: Bread, n: 2}]"),
        Row(
            testDescription: "renamed, moved and ticked",
            base: "[{K: buy milk, done: false}, {K: b, done: false}]",
            local: "[{K: b, done: false}, {K: buy oat milk, done: false}]",
            remote: "[{K: buy milk, done: true}, {K: b, done: false}]",
            merged: "[{K: b, done: false}, {K: buy oat milk, done: true}]"),
        Row(
            testDescription: "renamed and removed",
            base: "[{K: bread, n: 1}, {K: b, n: 1}]", local: "[{K: breads, n: 1}, {K: b, n: 1}]",
            remote: "[{K: b, n: 2}]", merged: "[{K: breads, n: 1}, {K: b, n: 2}]",
            remoteSide: "[{K: b, n: 2}]"),
        Row(
            testDescription: "replaced, and ticked: a different item does not get the tick",
            base: "[{K: a, done: false}, {K: buy milk, done: false}, {K: c, done: false}]",
            local: "[{K: a, done: false}, {K: buy bread, done: false}, {K: c, done: false}]",
            remote: "[{K: a, done: true}, {K: buy milk, done: true}, {K: c, done: false}]",
            merged: "[{K: a, done: true}, {K: buy bread, done: false}, {K: c, done: false}]",
            remoteSide:
                "[{K: a, done: true}, {K: buy bread, done: false}, {K: buy milk, done: true}, {K: c, done: false}]"
        ),
        Row(
            testDescription: "the only item replaced, and changed",
            base: "[{K: Bob, pay: 5}]", local: "[{K: Carol, pay: 5}]", remote: "[{K: Bob, pay: 6}]",
            merged: "[{K: Carol, pay: 5}]", remoteSide: "[{K: Carol, pay: 5}, {K: Bob, pay: 6}]"),
        Row(
            testDescription: "replaced two ways",
            base: "[{K: a, n: 1}, {K: b, n: 1}]", local: "[{K: a, n: 2}, {K: c, n: 1}]",
            remote: "[{K: a, n: 1}, {K: d, n: 1}]", merged: "[{K: a, n: 2}, {K: c, n: 1}, {K: d, n: 1}]"),
        Row(
            testDescription: "renamed alike, and a part removed on one side",
            base: "[{K: a, sub: [p, q]}, {K: b, sub: [p]}]", local: "[{K: A, sub: [p, q]}, {K: b, sub: [p]}]",
            remote: "[{K: A, sub: [q]}, {K: b, sub: [p]}]", merged: "[{K: A, sub: [q]}, {K: b, sub: [p]}]"),
        Row(
            testDescription: "two renamed alike beside an addition, and a part removed on one side",
            base: "[{K: a, sub: [p, q]}, {K: b, sub: [p, q]}]",
            local: "[{K: A, sub: [p, q]}, {K: B, sub: [p, q]}, {K: c}]",
            remote: "[{K: A, sub: [q]}, {K: B, sub: [p]}]",
            merged: "[{K: A, sub: [q]}, {K: B, sub: [p]}, {K: c}]"),
        Row(
            testDescription: "renamed alike, and ticked",
            base: "[{K: a, done: false}, {K: b, done: false}]",
            local: "[{K: B, done: false}, {K: b, done: true}]",
            remote: "[{K: B, done: true}, {K: b, done: false}]",
            merged: "[{K: B, done: true}, {K: b, done: true}]"),
        Row(
            testDescription: "replaced and removed",
            base: "[{K: a, n: 1}, {K: b, n: 1}]", local: "[{K: a, n: 1}, {K: c, n: 2}]",
            remote: "[{K: a, n: 1}]", merged: "[{K: a, n: 1}, {K: c, n: 2}]"),
        Row(
            testDescription: "two replaced, one of them ticked",
            base: "[{K: a, done: false}, {K: b, done: false}, {K: c, done: false}, {K: d, done: false}]",
            local: "[{K: a, done: false}, {K: B, done: false}, {K: C, done: false}, {K: d, done: true}]",
            remote: "[{K: a, done: true}, {K: b, done: true}, {K: c, done: false}, {K: d, done: false}]",
            merged: "[{K: a, done: true}, {K: B, done: false}, {K: C, done: false}, {K: d, done: true}]",
            remoteSide:
                "[{K: a, done: true}, {K: B, done: false}, {K: C, done: false}, {K: b, done: true}, {K: d, done: true}]"
        ),
        Row(
            testDescription: "renamed to one of two similar names, and ticked: it can be either",
            base: "[{K: a, done: false}, {K: step 1, done: false}]",
            local: "[{K: a, done: true}, {K: step 2, done: false}, {K: step 3, done: false}]",
            remote: "[{K: a, done: false}, {K: step 1, done: true}]",
            merged: "[{K: a, done: true}, {K: step 2, done: false}, {K: step 3, done: false}]",
            remoteSide:
                "[{K: a, done: true}, {K: step 2, done: false}, {K: step 3, done: false}, {K: step 1, done: true}]"
        ),
        Row(
            testDescription: "replaced by two, and by one",
            base: "[{K: a, n: 1}, {K: b, n: 1}, {K: c, n: 1}]",
            local: "[{K: a, n: 1}, {K: B, n: 1}, {K: bb, n: 1}, {K: c, n: 2}]",
            remote: "[{K: a, n: 2}, {K: BB, n: 1}, {K: c, n: 1}]",
            merged: "[{K: a, n: 2}, {K: B, n: 1}, {K: bb, n: 1}, {K: BB, n: 1}, {K: c, n: 2}]"),
        Row(
            testDescription: "added at the beginning: local's first",
            base: "[{K: a, n: 1}]", local: "[{K: b, n: 1}, {K: a, n: 1}]",
            remote: "[{K: c, n: 1}, {K: a, n: 2}]", merged: "[{K: b, n: 1}, {K: c, n: 1}, {K: a, n: 2}]"),
    ]

    /// Lists without a field that identifies all elements.
    static let unkeyed = [
        Row(
            testDescription: "neighbors ticked on both sides, one of them renamed",
            base: "[{item: a, done: false}, {item: bread, done: false}]",
            local: "[{item: a, done: true}, {item: bread, done: true}]",
            remote: "[{item: a, done: false, n: 1}, {item: Bread, done: false}]",
            merged: "[{item: a, done: true, n: 1}, {item: Bread, done: true}]"),
        Row(
            testDescription: "neighbors ticked on both sides, one of them replaced",
            base: "[{item: a, done: false}, {item: b, done: false}]",
            local: "[{item: a, done: true}, {item: b, done: true}]",
            remote: "[{item: a, done: false, n: 1}, {item: B, done: false}]",
            merged: "[{item: a, done: true, n: 1}, {item: b, done: true}]",
            remoteSide: "[{item: a, done: true, n: 1}, {item: B, done: false}]"),
        Row(
            testDescription: "the only item replaced, and ticked",
            base: "[{item: a, price: 5, done: false}]", local: "[{item: b, price: 5, done: false}]",
            remote: "[{item: a, price: 5, done: true}]", merged: "[{item: b, price: 5, done: false}]",
            remoteSide: "[{item: a, price: 5, done: true}]"),
        Row(
            testDescription: "replaced by an item with another kind of name, and ticked",
            base: "[{text: buy milk, done: false}, {note: x}]",
            local: "[{task: call Bob, done: false}, {note: x}]",
            remote: "[{text: buy milk, done: true}, {note: x}]",
            merged: "[{task: call Bob, done: false}, {note: x}]",
            remoteSide: "[{task: call Bob, done: false}, {text: buy milk, done: true}, {note: x}]"),
        Row(
            testDescription: "replaced by an item with the same price, unique everywhere, and ticked",
            base: "[{text: a, price: 1, done: false}, {note: x, price: 2}]",
            local: "[{text: b, price: 1, done: false}, {note: x, price: 2}]",
            remote: "[{text: a, price: 1, done: true}, {note: x, price: 2}]",
            merged: "[{text: b, price: 1, done: false}, {note: x, price: 2}]",
            remoteSide:
                "[{text: b, price: 1, done: false}, {text: a, price: 1, done: true}, {note: x, price: 2}]"),
        Row(
            testDescription: "replaced by a different text with the same key, unique everywhere",
            base: "[{text: a, key: k, done: false}, {text: b, done: false}]",
            local: "[{text: c, key: k, done: false}, {text: b, done: false}]",
            remote: "[{text: a, key: k, done: true}, {text: b, done: true}]",
            merged: "[{text: c, key: k, done: true}, {text: b, done: true}]"),
        Row(
            testDescription: "replaced by a different name with a similar title, which only some have",
            base: "[{name: Bob, title: the boss, pay: 5}, {name: Cem, pay: 5}]",
            local: "[{name: Ann, title: the bosses, pay: 5}, {name: Cem, pay: 5}]",
            remote: "[{name: Bob, title: the boss, pay: 6}, {name: Cem, pay: 5}]",
            merged: "[{name: Ann, title: the bosses, pay: 5}, {name: Cem, pay: 5}]",
            remoteSide:
                "[{name: Ann, title: the bosses, pay: 5}, {name: Bob, title: the boss, pay: 6}, {name: Cem, pay: 5}]"
        ),
        Row(
            testDescription: "keyed by one field, with a text that only some have",
            base: "[{key: bob, text: the boss, pay: 5}, {key: cem, pay: 5}]",
            local: "[{key: ann, text: the bosses, pay: 5}, {key: cem, pay: 5}]",
            remote: "[{key: bob, text: the boss, pay: 6}, {key: cem, pay: 5}]",
            merged: "[{key: ann, text: the bosses, pay: 5}, {key: cem, pay: 5}]",
            remoteSide:
                "[{key: ann, text: the bosses, pay: 5}, {key: bob, text: the boss, pay: 6}, {key: cem, pay: 5}]"
        ),
        Row(
            testDescription: "replaced by a different text with a name that repeats",
            base: "[{text: a, name: k, done: false}, {text: b, name: k, done: false}]",
            local: "[{text: c, name: k, done: false}, {text: b, name: k, done: false}]",
            remote: "[{text: a, name: k, done: true}, {text: b, name: k, done: false}]",
            merged: "[{text: c, name: k, done: false}, {text: b, name: k, done: false}]",
            remoteSide:
                "[{text: c, name: k, done: false}, {text: a, name: k, done: true}, {text: b, name: k, done: false}]"
        ),
        Row(
            testDescription: "moved and named, and changed",
            base: "[{done: false, sub: [p]}, {name: b}]",
            local: "[{name: b}, {done: false, sub: [p], name: a}]",
            remote: "[{done: false, sub: [r, p]}, {name: b}]",
            merged: "[{name: b}, {done: false, sub: [r, p], name: a}]"),
        Row(
            testDescription: "removed, and its only text changed",
            base: "[{item: a}, {item: b}]", local: "[{item: b}]", remote: "[{item: c}, {item: b}]",
            merged: "[{item: b}]", remoteSide: "[{item: c}, {item: b}]"),
        Row(
            testDescription: "a text that repeats, each ticked once",
            base: "[{text: a, done: false}, {text: a, done: false}, {text: b, done: false}]",
            local: "[{text: a, done: true}, {text: a, done: false}, {text: b, done: false}]",
            remote: "[{text: a, done: false}, {text: a, done: true}, {text: b, done: true}]",
            merged: "[{text: a, done: true}, {text: a, done: true}, {text: b, done: true}]"),
        Row(
            testDescription: "one of two equal items removed, one ticked: it can be either",
            base: "[{text: a, done: false}, {text: a, done: false}, {text: b, done: false}]",
            local: "[{text: a, done: false}, {text: b, done: true}]",
            remote: "[{text: a, done: true}, {text: a, done: false}, {text: b, done: false, n: 1}]",
            merged: "[{text: a, done: false}, {text: b, done: true, n: 1}]",
            remoteSide: "[{text: a, done: true}, {text: a, done: false}, {text: b, done: true, n: 1}]"),
        Row(
            testDescription: "an item without the text that others have",
            base: "[{text: a, done: false}, {note: x}, {text: b, done: false}]",
            local: "[{text: a, done: true}, {note: x}, {text: b, done: true}]",
            remote: "[{text: a, done: false, n: 1}, {note: y}, {text: b, done: false, n: 1}]",
            merged: "[{text: a, done: true, n: 1}, {note: y}, {text: b, done: true, n: 1}]"),
        Row(
            testDescription: "an item without the id that others have, one renamed",
            base: "[{id: 1, text: a, done: false}, {id: 2, text: b, done: false}]",
            local: "[{id: 1, text: A, done: false}, {id: 2, text: b, done: false}, {text: c}]",
            remote: "[{id: 1, text: a, done: true}, {id: 2, text: b, done: true}]",
            merged: "[{id: 1, text: A, done: true}, {id: 2, text: b, done: true}, {text: c}]"),
        Row(
            testDescription: "different ids are different items",
            base: "[{id: 1, n: 1}, {id: 2, n: 1}]", local: "[{id: 1, n: 1}, {id: 3, n: 1}]",
            remote: "[{id: 1, n: 1}, {id: 4, n: 1}]", merged: "[{id: 1, n: 1}, {id: 3, n: 1}, {id: 4, n: 1}]"),
        Row(
            testDescription: "scalars beside mappings",
            base: "[milk, {text: bread, done: false}, eggs]",
            local: "[milk, {text: bread, done: true}, eggs, nuts]",
            remote: "[{text: milk, done: true}, {text: bread, done: false}, eggs]",
            merged: "[{text: milk, done: true}, {text: bread, done: true}, eggs, nuts]"),
        Row(
            testDescription: "replaced and removed",
            base: "[{item: a, done: false}, {item: b, done: false}]",
            local: "[{item: a, done: false}, {item: c, done: false}]", remote: "[{item: a, done: true}]",
            merged: "[{item: a, done: true}, {item: c, done: false}]", remoteSide: "[{item: a, done: true}]"),
        Row(
            testDescription: "moved and ticked, and noted",
            base: "[{item: a, done: false}, {item: b, done: false}, {item: c, done: false}]",
            local: "[{item: b, done: false}, {item: c, done: false}, {item: a, done: true}]",
            remote: "[{item: a, done: false, n: 1}, {item: b, done: false}, {item: c, done: false}]",
            merged: "[{item: b, done: false}, {item: c, done: false}, {item: a, done: true, n: 1}]"),
        Row(
            testDescription: "removed and ticked",
            base: "[{item: a, done: false}, {item: b, done: false}]", local: "[{item: b, done: true}]",
            remote: "[{item: a, done: true}, {item: b, done: false}]", merged: "[{item: b, done: true}]",
            remoteSide: "[{item: a, done: true}, {item: b, done: true}]"),
        Row(
            testDescription: "reordered and ticked",
            base: "[{item: a, done: false}, {item: b, done: false}, {item: c, done: false}]",
            local: "[{item: b, done: false}, {item: c, done: false}, {item: a, done: false}]",
            remote: "[{item: a, done: true}, {item: b, done: false}, {item: c, done: false}]",
            merged: "[{item: b, done: false}, {item: c, done: false}, {item: a, done: true}]"),
        Row(
            testDescription: "the same item inserted on both sides, ticked on one",
            base: "[{note: x}]", local: "[{note: x}, {text: a}]",
            remote: "[{note: x}, {text: a, done: true}]",
            merged: "[{note: x}, {text: a, done: true}]"),
    ]

    @Test(arguments: keyed, ["id", "text", "name", "key", "title", "task", "item"])
    func `an item is identified by its identity field, otherwise by its content`(row: Row, name: String)
        throws
    {
        try check(row.naming(name))
    }

    @Test(arguments: named, ["text", "name", "key", "title", "task"])
    func `items with the same name are the same item, and renaming an item keeps its identity`(
        row: Row, name: String
    ) throws {
        try check(row.naming(name))
    }

    @Test(arguments: unkeyed)
    func `items without an identity are matched by their content and their neighbors`(row: Row) throws {
        try check(row)
    }

    /// Checks a row in both styles, with the sides swapped, too.
    private func check(_ row: Row) throws {
        let base = try Style.allCases.map { try $0.document(row.base) }
        let local = try Style.allCases.map { try $0.document(row.local) }
        let remote = try Style.allCases.map { try $0.document(row.remote) }
        let merged = try Style.flow.document(row.merged).fields
        let remoteSide = try Style.flow.document(row.remoteSide ?? row.merged).fields
        for style in Style.allCases.indices {
            let there = merge(base: base[style], local: local[style], remote: remote[style], rules: .todo)
            expect(there, .local, merged, ordered: true)
            expect(there, .remote, remoteSide, ordered: true)
            let back = merge(base: base[style], local: remote[style], remote: local[style], rules: .todo)
            expect(back, .remote, merged, ordered: false)
            expect(back, .local, remoteSide, ordered: false)
            for merge in [there, back] {
                guard case .conflicted(let text) = merge.outcome else {
                    #expect(row.conflicts == 0)
                    continue
                }
                #expect(text.blocks.count == row.conflicts, "\(merge.outcome.shown)")
            }
        }
    }

    private func expect(_ merge: Merge, _ side: Side, _ expected: Mapping, ordered: Bool) {
        let bytes: [UInt8]? =
            switch merge.outcome {
            case .clean(let bytes): bytes
            case .conflicted(let text): text.taking(side)
            case .unwritable: nil
            }
        let fields = bytes.flatMap { try? Document(parsing: $0).fields }
        if ordered {
            #expect(fields == expected, "\(merge.outcome.shown)")
        } else {
            #expect(fields.map(\.withoutOrder) == expected.withoutOrder, "\(merge.outcome.shown)")
        }
    }

    /// The style of a list.
    enum Style: CaseIterable {
        case flow, block

        func document(_ list: String) throws -> Document {
            let document = try ThreeWayMergeTests.document("id: a\ntext: t\nl: \(list)\nx: 1\n")
            return self == .flow ? document : try Document(parsing: emit(document.fields))
        }
    }
}

extension ListMergeTests.Row {
    /// Returns the row with a name for the identity field.
    fileprivate func naming(_ name: String) -> Self {
        var row = self
        func named(_ list: String) -> String { list.replacing("K:", with: name + ":") }
        row.base = named(base)
        row.local = named(local)
        row.remote = named(remote)
        row.merged = named(merged)
        row.remoteSide = remoteSide.map(named)
        return row
    }
}
