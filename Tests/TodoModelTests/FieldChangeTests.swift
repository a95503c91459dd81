import LosslessYAML
import Testing

@testable import TodoModel

/// A todo's text with every kind of value.
private let todo = """
    # the party
    text: Party   # at ours
    tags: [home, "a, b"]  # sorted
    notes: two litres
    due: 2026-12-01
    address:
        street: Main   # 5
        place: {city: Rome, zip: 1}
    checklist:
    - text: Milk
      done: false   # soon
    # the bread
    - {text: Bread, done: true}
    - text: Eggs
    numbers:
      - 1
      - 2
    empty:
    "a.b": dotted
    "a.b.c": {d: 1}
    ticked.off: yes

    """

private func changed(_ text: String, by changes: [String]) throws -> String {
    let document = try Document(parsing: Array(text.utf8))
    var fields = document.fields
    for change in changes {
        let isUnset = !change.contains("=")
        let read = try isUnset ? FieldChange(unsetting: change) : FieldChange(parsing: change)
        try read.apply(to: &fields)
    }
    return String(decoding: document.updated(to: fields), as: UTF8.self)
}

@Suite struct FieldChangeTests {
    @Test(arguments: [
        (["list.1", "list.2"], "[three, four]"), (["list.2", "list.1"], "[three, four]"),
        (["list.1", "list.3"], "[two, four]"), (["list.4", "list.1", "list.2", "list.3"], "[]"),
    ])
    func `the numbers of items to remove mean the list as it is`(
        _ names: [String], _ left: String
    ) throws {
        let document = try Document(parsing: Array("text: a\nlist: [one, two, three, four]\n".utf8))
        var fields = document.fields
        try FieldChange.unsetting(names).apply(to: &fields)
        #expect(
            String(decoding: document.updated(to: fields), as: UTF8.self) == "text: a\nlist: \(left)\n")
    }

    @Test func `the tenth item is removed before the second, and a part before its whole`() throws {
        let names = ["a.2", "a", "a.10", "a.2.b"]
        #expect(try FieldChange.unsetting(names).map(\.path.typed) == ["a.10", "a.2.b", "a.2", "a"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var changes: [String]
        var before: String
        var after: String
        var testDescription: String { changes.joined(separator: " ") }

        init(_ changes: String..., before: String = "", after: String = "") {
            (self.changes, self.before, self.after) = (changes, before, after)
        }
    }

    @Test(arguments: [
        Row("tags+=shop", before: #"[home, "a, b"]"#, after: #"[home, "a, b", shop]"#),
        Row("tags+=shop,home, 5,,shop", before: #"[home, "a, b"]"#, after: #"[home, "a, b", shop, "5"]"#),
        Row("tags+=[\"c, d\"]", before: #"[home, "a, b"]"#, after: #"[home, "a, b", "c, d"]"#),
        Row("tags-=home", before: #"[home, "a, b"]"#, after: #"["a, b"]"#),
        Row("tags-=[\"a, b\"]", before: #"[home, "a, b"]"#, after: "[home]"),
        Row("tags.2=no", before: #"[home, "a, b"]"#, after: #"[home, "no"]"#),
        Row("tags.1=5", before: "[home,", after: #"["5","#),
        Row(
            "notes+=the blue one", before: "notes: two litres\n",
            after: "notes: |\n    two litres\n    the blue one\n"),
        Row("address.street=Side", before: "Main", after: "Side"),
        Row("address.place.city=Bonn", before: "Rome", after: "Bonn"),
        Row("address.place.country=Italy", before: "zip: 1", after: "zip: 1, country: Italy"),
        Row("address.house=5", before: "zip: 1}\n", after: "zip: 1}\n    house: 5\n"),
        Row("checklist.1.done=true", before: "done: false", after: "done: true"),
        Row("checklist.2.done=false", before: "done: true", after: "done: false"),
        Row("checklist.3.done=true", before: "text: Eggs\n", after: "text: Eggs\n  done: true\n"),
        Row("checklist.3.text=12", before: "text: Eggs\n", after: "text: \"12\"\n"),
        Row("checklist+={text: Tea}", before: "- text: Eggs\n", after: "- text: Eggs\n- text: Tea\n"),
        Row("numbers+=3,x,2", before: "  - 2\n", after: "  - 2\n  - 3\n  - x\n"),
        Row("numbers-=1,x", before: "  - 1\n", after: ""),
        Row("numbers.2=7", before: "  - 2\n", after: "  - 7\n"),
        Row("a.b=new", before: "dotted", after: "new"),
        Row("a.b.c.d=2", before: "{d: 1}", after: "{d: 2}"),
        Row("ticked.off=false", before: "off: yes", after: "off: false"),
        Row("address.street", before: "    street: Main   # 5\n", after: ""),
        Row("checklist.2", before: "- {text: Bread, done: true}\n", after: ""),
        Row("address.place.zip", before: "Rome, zip: 1", after: "Rome"),
        Row("a.b.c.d", before: "{d: 1}", after: "{}"),
        Row("a.b", before: "\"a.b\": dotted\n", after: ""),
        Row("address.city=Bonn", "address.city", "tags+=x", "tags-=x"),
        Row("tags+=home"), Row("tags-=work"), Row("tags+="), Row("gone-=x"), Row("checklist.1.done=false"),
        Row("numbers.1=1.0"), Row("complete=false"), Row("gone"), Row("gone.deeper"), Row("address.gone"),
        Row("empty.gone"), Row("due=2026-12-01"), Row("checklist+={done: true, text: Bread}"),
    ])
    func `a change touches only the lines that it concerns`(row: Row) throws {
        let after = try changed(todo, by: row.changes)
        if row.before.isEmpty {
            #expect(after == todo)
        } else {
            let parts = todo.ranges(of: row.before)
            try #require(parts.count == 1)
            #expect(after == todo.replacing(row.before, with: row.after))
        }
    }

    @Test(arguments: [
        ("text: a\n", "tags+=x,z", "text: a\ntags: [x, z]\n"),
        ("text: a\ntags:\n", "tags+=x", "text: a\ntags: [x]\n"),
        ("text: a\n", "notes+=x", "text: a\nnotes: x\n"),
        ("text: a\nnotes: |\n  x\n", "notes+=y", "text: a\nnotes: |\n  x\n  y\n"),
        ("text: a\nnotes: >\n  x\n  z\n", "notes+=y", "text: a\nnotes: >\n  x\n  z\n\n  y\n"),
        ("text: a\nnotes: ''\n", "notes+=y", "text: a\nnotes: |\n  y\n"),
        ("text: a\r\nnotes: |\r\n  x\r\n", "notes+=y\nz", "text: a\r\nnotes: |\r\n  x\r\n  y\r\n  z\r\n"),
        ("text: a\nb: {c: 1}", "b.d=2", "text: a\nb: {c: 1, d: 2}"),
        ("text: a\nb: {}\n", "b.d=2", "text: a\nb:\n  d: 2\n"),
        ("text: a\nb: &x {c: 1}\nd: *x\n", "d.c=2", "text: a\nb: &x {c: 1}\nd:\n  c: 2\n"),
    ])
    func `what is added goes where it belongs`(before: String, change: String, after: String) throws {
        #expect(try changed(before, by: [change]) == after)
    }

    @Test(arguments: [
        ("city.name=Bonn", FieldChangeProblem.noParent("city", path: "city.name")),
        ("address.home.city=x", .noParent("address.home", path: "address.home.city")),
        ("empty.city=x", .noParent("empty", path: "empty.city")),
        (".x=1", .name(.emptyPart(".x"))), ("chk.+=x", .name(.emptyPart("chk."))),
        ("address.=1", .name(.emptyPart("address."))), ("a..c=1", .name(.emptyPart("a..c"))),
        ("address. x=1", .name(.hasOuterSpaces(" x"))),
        ("checklist.1.done .at=1", .name(.hasOuterSpaces("done "))),
        ("due.x=1", .hasNoParts("due", kind: "a string", part: "x")),
        ("address.street.x.y=1", .hasNoParts("address.street", kind: "a string", part: "x.y")),
        ("numbers.1.x=1", .hasNoParts("numbers.1", kind: "a number", part: "x")),
        ("checklist.1.done.x=1", .hasNoParts("checklist.1.done", kind: "a boolean", part: "x")),
        ("checklist.4.done=true", .noItem(4, list: "checklist", count: 3)),
        ("checklist.0=x", .noItem(0, list: "checklist", count: 3)),
        ("checklist.99999999999999999999=x", .noNumber("99999999999999999999", list: "checklist")),
        ("checklist.-1.done=true", .noNumber("-1", list: "checklist")),
        ("checklist.milk.done=true", .noNumber("milk", list: "checklist")),
        ("checklist.4", .noItem(4, list: "checklist", count: 3)),
        ("due.x", .hasNoParts("due", kind: "a string", part: "x")),
        ("checklist+=Tea", .itemsAreMappings("checklist")),
        ("contexts+=x", .isMissing("contexts")),
        ("empty+=x", .isMissing("empty")),
        ("address.street+=x", .notAList("address.street")),
        ("notes-=x", .notAList("notes")),
        ("address-=x", .notAList("address")),
        ("tags+={a: 1}", .wrongKind("tags must be a list of strings")),
        ("numbers+=[1", .name(.badValue(field: "numbers", reason: ""))),
    ])
    func `what would create a key by mistake is refused`(change: String, expected: FieldChangeProblem) {
        let problem = #expect(throws: FieldChangeProblem.self) { try changed(todo, by: [change]) }
        switch (problem, expected) {
        // The reason comes from the YAML reader.
        case (.name(.badValue(let field, _)), .name(.badValue(let name, _))): #expect(field == name)
        default: #expect(problem == expected)
        }
        #expect(problem?.message.isEmpty == false)
    }

    @Test(arguments: [
        ("a++=1", FieldAssignmentProblem.endsInSign("a+")), ("a-+=1", .endsInSign("a-")),
        ("+=1", .badName("")),
        ("id+=x", .identity), ("version-=1", .reserved("version")), ("__a.b=1", .reserved("__a.b")),
        ("due+=3d", .takesOneValue("due")), ("priority+=high", .takesOneValue("priority")),
        ("text-=x", .takesOneValue("text")), ("every+=day", .takesOneValue("every")),
        ("text= ", .emptyText), ("text=", .emptyText), ("tags", .noEqualsSign("tags")),
    ])
    func `a name or a value that no command writes is refused`(typed: String, problem: FieldAssignmentProblem)
    {
        #expect(throws: problem) { try FieldChange(parsing: typed) }
    }

    @Test(arguments: ["tags =x", " due=fri", "foo+ =1", "\u{a0}a=1"])
    func `a new field gets no name with spaces around it`(typed: String) {
        let name = String(typed.prefix { $0 != "=" })
        #expect(throws: FieldAssignmentProblem.hasOuterSpaces(name)) { try FieldAssignment(parsing: typed) }
        #expect(throws: FieldAssignmentProblem.hasOuterSpaces(name)) { try FieldChange(parsing: typed) }
    }

    @Test(arguments: ["every=", "every=1", "every=[]"])
    func `an interval that can't be read is refused`(typed: String) {
        #expect(throws: FieldAssignmentProblem.self) { try FieldAssignment(parsing: typed) }
    }

    @Test(arguments: ["due", "every", "priority"])
    func `an empty value of a field that needs one removes the field`(field: String) throws {
        var fields: Mapping = ["text": .string("Buy milk"), field: .string("2026-12-01")]
        try FieldChange(parsing: field + "=").apply(to: &fields)
        #expect(fields == ["text": .string("Buy milk")])
    }

    @Test(arguments: ["a+=1", "a-=1"])
    func `a new todo gets no name that ends in a sign`(typed: String) {
        #expect(throws: FieldAssignmentProblem.endsInSign(String(typed.prefix(2)))) {
            try FieldAssignment(parsing: typed)
        }
    }
}

@Suite struct TickTests {
    @Test(arguments: [
        ("1", true, "done: false   # soon", "done: true   # soon"),
        ("2", false, "done: true", "done: false"),
        ("checklist.2", false, "done: true", "done: false"),
        ("3", true, "text: Eggs\n", "text: Eggs\n  done: true\n"),
        ("1", false, "", ""), ("2", true, "", ""), ("3", false, "", ""),
    ])
    func `an item is ticked by the field that its list uses`(
        item: String, isTicked: Bool, before: String, after: String
    ) throws {
        let document = try Document(parsing: Array(todo.utf8))
        var fields = document.fields
        try #require(Tick(item: item, isTicked: isTicked)).apply(to: &fields)
        let result = String(decoding: document.updated(to: fields), as: UTF8.self)
        #expect(result == (before.isEmpty ? todo : todo.replacing(before, with: after)))
    }

    @Test(arguments: [
        ("l: [{complete: false}]", "1", "l: [{complete: true}]"),
        (
            "l: [{checked: false, done: later}, {checked: true}]", "1",
            "l: [{checked: true, done: later}, {checked: true}]"
        ),
        ("a: {l: [{done: false}]}", "a.l.1", "a: {l: [{done: true}]}"),
        ("l: [{text: a}, {text: b}]", "2", "l: [{text: a}, {text: b, done: true}]"),
        ("l: [{text: a}]", "l.1", "l: [{text: a, done: true}]"),
        ("l: [{text: a}]\nm: [{done: false}]", "1", "l: [{text: a}]\nm: [{done: true}]"),
    ])
    func `each of the usual names is recognized, and items need none`(
        before: String, item: String, after: String
    )
        throws
    {
        let document = try Document(parsing: Array(before.utf8))
        var fields = document.fields
        try #require(Tick(item: item, isTicked: true)).apply(to: &fields)
        #expect(String(decoding: document.updated(to: fields), as: UTF8.self) == after)
    }

    @Test(arguments: [
        ("l: [{done: false}]", "2", FieldChangeProblem.noItem(2, list: "l", count: 1)),
        ("l: [{done: false}]", "0", .noItem(0, list: "l", count: 1)),
        ("l: [{done: false}]", "m.1", .notAList("m")),
        ("l: [{done: false, checked: true}]", "1", .unclearTick("l")),
        ("l: [{text: a}, b]", "1", .noChecklist), ("l: []", "1", .noChecklist),
        ("l: [{text: a, done: soon}]", "1", .noChecklist),
        ("l: [{text: a}]\nm: [{text: b}]", "1", .severalChecklists(["l", "m"])),
        ("l: [{done: yes}]", "1", .noChecklist), ("l: [a, b]", "l.1", .unclearTick("l")),
        ("text: a", "1", .noChecklist),
        ("l: [{done: true}]\nm: [{done: true}]", "1", .severalChecklists(["l", "m"])),
        ("l: [{done: true}, x]", "2", .hasNoParts("l.2", kind: "a string", part: "done")),
    ])
    func `what is ambiguous is refused`(text: String, item: String, problem: FieldChangeProblem) throws {
        var fields = try Document(parsing: Array(text.utf8)).fields
        let before = fields
        let tick = try #require(Tick(item: item, isTicked: true))
        #expect(throws: problem) { try tick.apply(to: &fields) }
        #expect(fields == before)
    }

    @Test(arguments: ["", "x", "1.", "-1", "1x", "list", "+1"])
    func `an item is named by its number`(typed: String) {
        #expect(Tick(item: typed, isTicked: true) == nil)
    }
}
