import LosslessYAML
import TestSupport

/// A random todo with comments and layout that can be edited like a user would.
struct RandomTodo {
    struct Field {
        var comments: [String] = []
        var key: String
        var content: Content
        var remark: String?
    }

    enum Content {
        case scalar(String)
        case flowList([String])
        case blockList([String])
        case literal([String])
        case mapping([Field])
        case flowMapping([Field])
        case checklist([[Field]])
    }

    var fields: [Field]
    var lineBreak = "\n"
    var hasByteOrderMark = false
    var lacksLastLineBreak = false
    var trailingComment: String?

    /// The todo as text.
    var bytes: [UInt8] {
        var lines = fields.flatMap { $0.lines(indentation: 0) }
        if let trailingComment { lines.append(trailingComment) }
        let text = lines.joined(separator: lineBreak) + (lacksLastLineBreak ? "" : lineBreak)
        return Array(((hasByteOrderMark ? "\u{feff}" : "") + text).utf8)
    }
}

extension RandomTodo.Field {
    fileprivate func lines(indentation: Int) -> [String] {
        let space = String(repeating: " ", count: indentation)
        let end = remark.map { "  # \($0)" } ?? ""
        let head: [String]
        switch content {
        case .scalar(let scalar): head = ["\(key): \(scalar)\(end)"]
        case .flowList(let list): head = ["\(key): [\(list.joined(separator: ", "))]\(end)"]
        case .blockList(let list) where list.isEmpty: head = ["\(key): []\(end)"]
        case .blockList(let list): head = ["\(key):\(end)"] + list.map { "  - \($0)" }
        case .literal(let lines) where lines.isEmpty: head = ["\(key): \"\"\(end)"]
        case .literal(let lines): head = ["\(key): |\(end)"] + lines.map { "  \($0)" }
        case .mapping(let fields) where fields.isEmpty: head = ["\(key): {}\(end)"]
        case .mapping(let fields): head = ["\(key):\(end)"] + fields.flatMap { $0.lines(indentation: 2) }
        case .flowMapping(let fields):
            head = ["\(key): {\(fields.flatMap { $0.lines(indentation: 0) }.joined(separator: ", "))}\(end)"]
        case .checklist(let items) where items.isEmpty: head = ["\(key): []\(end)"]
        case .checklist(let items):
            head =
                ["\(key):\(end)"]
                + items.flatMap { item in
                    var lines = item.flatMap { $0.lines(indentation: 4) }
                    lines[0] = "  - " + lines[0].dropFirst(4)
                    return lines
                }
        }
        return (comments + head).map { $0.isEmpty ? "" : space + $0 }
    }
}

extension SplitMix64 {
    /// Returns a todo with some of the fields that people use.
    mutating func todo() -> RandomTodo {
        var fields = [
            RandomTodo.Field(key: "id", content: .scalar("7c1e0f0a")),
            RandomTodo.Field(key: "text", content: .scalar(word())),
            RandomTodo.Field(key: "complete", content: .scalar("false")),
            RandomTodo.Field(
                key: "tags", content: chance(0.5) ? .flowList(distinctWords(3)) : .blockList(distinctWords(3))
            ),
            RandomTodo.Field(key: "notes", content: .literal(words(6))),
            RandomTodo.Field(
                key: "owner", content: chance(0.7) ? .mapping(pairs(3)) : .flowMapping(pairs(3))),
            RandomTodo.Field(key: "items", content: .checklist((0..<4).map { item("item\($0)") })),
            RandomTodo.Field(key: "amount", content: .scalar("1.50")),
            RandomTodo.Field(key: "due", content: .scalar("2026-12-01")),
        ]
        for _ in 0..<Int.random(in: 0...5, using: &self) {
            let position = Int.random(in: 2..<fields.count, using: &self)
            fields.remove(at: position)
        }
        if chance(0.4) { fields.shuffle(using: &self) }
        for position in fields.indices where chance(0.3) { fields[position].comments = ["# " + word()] }
        for position in fields.indices where chance(0.1) { fields[position].comments.insert("", at: 0) }
        for position in fields.indices where chance(0.2) { fields[position].remark = word() }
        var todo = RandomTodo(fields: fields)
        if chance(0.2) { todo.lineBreak = "\r\n" }
        todo.hasByteOrderMark = chance(0.1)
        todo.lacksLastLineBreak = chance(0.2)
        if chance(0.2) { todo.trailingComment = "# " + word() }
        return todo
    }

    /// Returns the todo after a few edits.
    mutating func edited(_ todo: RandomTodo) -> RandomTodo {
        var todo = todo
        for _ in 0..<Int.random(in: 1...4, using: &self) { edit(&todo) }
        if chance(0.05) { todo.lineBreak = todo.lineBreak == "\n" ? "\r\n" : "\n" }
        if chance(0.05) { todo.lacksLastLineBreak.toggle() }
        return todo
    }

    private mutating func edit(_ todo: inout RandomTodo) {
        let position = Int.random(in: todo.fields.indices, using: &self)
        let isIdentity = todo.fields[position].key == "id"
        let isText = todo.fields[position].key == "text"
        switch Int.random(in: 0..<16, using: &self) {
        case 0: todo.fields[position].comments.append("# " + word())
        case 1: todo.fields[position].comments = []
        case 2: todo.fields[position].remark = chance(0.5) ? word() : nil
        case 3 where !isIdentity && !isText: todo.fields.remove(at: position)
        case 4:
            let key = ["shop", "effort", "color", "rank"].randomElement(using: &self) ?? "shop"
            if !todo.fields.contains(where: { $0.key == key }) {
                let target = chance(0.7) ? todo.fields.count : position
                todo.fields.insert(RandomTodo.Field(key: key, content: newContent()), at: target)
            }
        case 5: todo.fields.append(todo.fields.remove(at: position))
        default: if !isIdentity { edit(&todo.fields[position].content) }
        }
    }

    private mutating func newContent() -> RandomTodo.Content {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: .flowList(distinctWords(2))
        case 1: .mapping(pairs(2))
        case 2: .literal(words(2))
        default: .scalar(word())
        }
    }

    private mutating func edit(_ content: inout RandomTodo.Content) {
        switch content {
        case .scalar: content = .scalar(chance(0.2) ? "\"\(word())\"" : word())
        case .flowList(var list):
            edit(&list, new: distinctWords(1))
            content = .flowList(list)
        case .blockList(var list):
            edit(&list, new: distinctWords(1))
            content = .blockList(list)
        case .literal(var lines):
            edit(&lines, new: [chance(0.1) ? "" : word()])
            if lines.first == "" { lines[0] = "first" }
            if lines.last == "" { lines.append("last") }
            content = .literal(lines)
        case .mapping(var fields):
            editPairs(&fields)
            content = .mapping(fields)
        case .flowMapping(var fields):
            editPairs(&fields)
            content = .flowMapping(fields)
        case .checklist(var items):
            let position = Int.random(in: 0...items.count, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: items.insert(item("item\(Int.random(in: 10..<1000, using: &self))"), at: position)
            case 1 where position < items.count: items.remove(at: position)
            default: if position < items.count { editPairs(&items[position], keepsFirst: true) }
            }
            content = .checklist(items)
        }
    }

    private mutating func edit(_ list: inout [String], new: [String]) {
        let position = Int.random(in: 0...list.count, using: &self)
        if position < list.count, chance(0.4) {
            list.remove(at: position)
        } else {
            list.insert(contentsOf: new, at: position)
        }
        if chance(0.1) { list.shuffle(using: &self) }
    }

    private mutating func editPairs(_ fields: inout [RandomTodo.Field], keepsFirst: Bool = false) {
        let position = Int.random(in: (keepsFirst ? 1 : 0)...fields.count, using: &self)
        if position < fields.count {
            if chance(0.3) { fields.remove(at: position) } else { fields[position].content = .scalar(word()) }
        } else {
            let key = "key\(Int.random(in: 0..<4, using: &self))"
            if !fields.contains(where: { $0.key == key }) {
                fields.append(RandomTodo.Field(key: key, content: .scalar(word())))
            }
        }
    }

    private mutating func item(_ text: String) -> [RandomTodo.Field] {
        [
            RandomTodo.Field(key: "text", content: .scalar(text)),
            RandomTodo.Field(key: "done", content: .scalar("false")),
        ]
    }

    private mutating func pairs(_ count: Int) -> [RandomTodo.Field] {
        (0..<count).map { RandomTodo.Field(key: "key\($0)", content: .scalar(word())) }
    }

    private mutating func words(_ count: Int) -> [String] { (0..<count).map { _ in word() } }

    /// Returns words that don't repeat, for lists that merge as sets.
    private mutating func distinctWords(_ count: Int) -> [String] {
        (0..<count).map { "\(word())\(next() % 100_000)x\($0)" }
    }

    private mutating func word() -> String {
        let words = [
            "milk", "bread", "bolt", "call Ann", "7", "1.0", "tree", "true", "über", "paint", "visit",
        ]
        return words.randomElement(using: &self) ?? "milk"
    }
}
