import TestSupport
import Testing
import TodoModel
import WorkingCopy

@testable import SyncEngine

/// Which todo a name refers to, and which kind of name it is.
@Suite struct NameTests {
    private static let files = [
        "buy-milk.yaml": "id: 7c1e-milk\ntext: Buy two litres of Milk\n",
        "oat-milk.yaml": "id: 7c2f-oat\ntext: Try oat milk\ncomplete: true\n",
        "work/taxes.yml": "id: 8d00-taxes\ntext: Taxes\n",
        "work/tax-office.yaml": "id: 9e00-office\ntext: Call the tax office\n",
        "both.yaml": "id: both-a\ntext: one\n",
        "both.yml": "id: both-b\ntext: two\n",
        "words.yaml": "id: fa00-words\ntext: the id 7c1e-milk as words\n",
        "dad.yaml": "id: 8d\ntext: Dad's birthday\n",
        "old-office.yaml": "id: be00-old\ntext: Paint the office\ncomplete: true\n",
    ]

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var path: String
        var kind: NameKind
        var testDescription: String { name }

        init(_ name: String, _ path: String, _ kind: NameKind) {
            (self.name, self.path, self.kind) = (name, path, kind)
        }
    }

    static let rows = [
        Row("buy-milk.yaml", "buy-milk.yaml", .path),
        Row("buy-milk", "buy-milk.yaml", .path),
        Row("work/taxes", "work/taxes.yml", .path),
        Row("both.yml", "both.yml", .path),
        Row("8d00-taxes", "work/taxes.yml", .id),
        // The whole id of one todo, and a prefix of another's.
        Row("8d", "dad.yaml", .id),
        Row("7c1", "buy-milk.yaml", .handle),
        Row("7c1e-m", "buy-milk.yaml", .handle),
        Row("buy", "buy-milk.yaml", .fileName),
        Row("BUY", "buy-milk.yaml", .fileName),
        Row("work/tax-", "work/tax-office.yaml", .fileName),
        Row("tax-office", "work/tax-office.yaml", .fileName),
        Row("milk buy", "buy-milk.yaml", .words),
        Row("birthday", "dad.yaml", .words),
        Row("office call", "work/tax-office.yaml", .words),
        Row("oat try", "oat-milk.yaml", .words),
        // Two todos match, but one of them is done.
        Row("office", "work/tax-office.yaml", .words),
        Row("old", "old-office.yaml", .fileName),
    ]

    @Test func `where a name fits an open and a done todo, the command decides`() throws {
        let workspace = try machine().workspace
        #expect(try workspace.identify(["office"], prefersDone: true).map(\.todo.path) == ["old-office.yaml"])
        #expect(try workspace.identify(["old"], prefersDone: true).map(\.todo.path) == ["old-office.yaml"])
        #expect(throws: EngineError.self) { try workspace.identify(["milk"], prefersDone: false) }
    }

    private func machine(_ files: [String: String] = NameTests.files) throws -> Machine {
        var machine = try World().machine(files)
        var surroundings = machine.workspace.surroundings
        surroundings.searchesTexts = true
        machine.workspace = Workspace(directory: machine.workspace.directory, surroundings: surroundings)
        return machine
    }

    @Test(arguments: rows) func `the first kind of name that matches counts`(row: Row) throws {
        let match = try #require(try machine().workspace.identify([row.name]).first)
        #expect(match.todo.path == row.path)
        #expect(match.kind == row.kind)
    }

    @Test(arguments: [
        ("both", ["both.yaml", "both.yml"]),
        ("tax", ["work/tax-office.yaml", "work/taxes.yml"]),
        ("MILK", ["buy-milk.yaml", "oat-milk.yaml", "words.yaml"]),
    ])
    func `several todos of one kind are all named`(name: String, paths: [String]) throws {
        let machine = try machine()
        let error = #expect(throws: EngineError.self) { try machine.workspace.identify([name]) }
        guard case .ambiguous(name, let todos)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(todos.map(\.path) == paths)
    }

    @Test func `a prefix of several ids is ambiguous if it is nothing else`() throws {
        let machine = try machine(["a.yaml": "id: xyz1\ntext: A\n", "b.yaml": "id: xyz2\ntext: B\n"])
        let error = #expect(throws: EngineError.self) { try machine.workspace.identify(["xy"]) }
        guard case .ambiguous("xy", let todos)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(todos.map(\.handle) == ["xyz1", "xyz2"])
        #expect(todos.map(\.text) == ["A", "B"])
    }

    @Test func `programs do not search for todos`() throws {
        let machine = try World().machine(Self.files)
        for name in ["buy", "birthday"] {
            let error = #expect(throws: EngineError.self) { try machine.workspace.identify([name]) }
            guard case .noSuchTodo(name)? = error else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
        }
    }

    @Test(arguments: [
        ("other.yaml", "a todo needs a field text"),
        ("other", "a todo needs a field text"),
        ("drafts/x.yaml", ".todosyncignore:3 ignores its folder drafts: drafts/"),
        ("old.yaml", ".todosyncignore:4 ignores it: /old.yaml"),
        (".secret.yaml", "it is hidden, because its name begins with a dot"),
    ])
    func `an error about a file that is not a todo has the reason`(name: String, reason: String) throws {
        let machine = try machine([
            "other.yaml": "services: {}\n", "drafts/x.yaml": "text: x\n", "old.yaml": "text: old\n",
            ".secret.yaml": "text: secret\n", ".todosyncignore": "# drafts\n\ndrafts/\n/old.yaml\n",
            // This name begins with the ignored file's name.
            "sub/old.yaml.yaml": "text: not this one\n",
        ])
        let error = #expect(throws: EngineError.self) { try machine.workspace.identify([name]) }
        guard case .notATodo(_, reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `todos without a file are found only if no others are`() async throws {
        let machine = try machine(["a.yaml": "id: aa\ntext: Buy milk\n", "b.yaml": "id: bb\ntext: Bread\n"])
        try await machine.push()
        machine["a.yaml"] = nil
        #expect(try machine.workspace.identify(["milk"]).map(\.todo.path) == ["a.yaml"])
        machine["c.yaml"] = "id: cc\ntext: more milk\n"
        #expect(try machine.workspace.identify(["milk"]).map(\.todo.path) == ["c.yaml"])
    }

    @Test func `purged todos are found only if no others are, and are not kept`() async throws {
        let machine = try machine([
            "a.yaml": "id: aa1\ntext: Buy milk\ncomplete: true\n", "b.yaml": "id: bb\ntext: Bread\n",
        ])
        try await machine.push()
        _ = try machine.workspace.purge(PurgeOptions(todos: ["milk"]))
        for name in ["a.yaml", "a", "aa1", "aa", "milk"] {
            let error = #expect(throws: EngineError.self) { try machine.workspace.identify([name]) }
            guard case .notKept("a.yaml")? = error else {
                Issue.record("\(name): \(String(describing: error))")
                continue
            }
        }
        machine["c.yaml"] = "id: aa2\ntext: more milk\n"
        for name in ["milk", "aa"] {
            #expect(try machine.workspace.identify([name]).map(\.todo.path) == ["c.yaml"])
        }
        #expect(try machine.workspace.undoPurge(["buy milk"]).todos.map(\.path) == ["a.yaml"])
    }

    @Test func `the log's paths come before words of other todos`() async throws {
        let machine = try machine(["a.yaml": "id: aa\ntext: A\n", "b.yaml": "id: bb\ntext: see a.yaml\n"])
        try await machine.push()
        machine["a.yaml"] = nil
        try await machine.push()
        #expect(try machine.workspace.log("a.yaml").first?.todos.map(\.path) == ["a.yaml"])
        #expect(try machine.workspace.log("see").first?.todos.map(\.path) == ["b.yaml"])
    }
}
