import Foundation
import TestSupport
import Testing

/// Every command that does something can print it as JSON, and prints nothing else.
@Suite(.ownThreads) struct JSONCommandTests {
    private let folder: ThrowAwayFolder
    private let todos: String

    init() throws {
        folder = try ThrowAwayFolder()
        todos = folder.path + "/todos"
        _ = try Program.todosync("init", "--bare", "store", in: folder.path)
        _ = try Program.todosync("clone", "store", "todos", in: folder.path)
        try folder.write(
            "id: milk\ntext: Buy milk\nlist: [{text: a, done: false}]\n", to: "todos/milk.yaml")
        try folder.write("id: bread\ntext: Buy bread\n", to: "todos/bread.yaml")
        _ = try Program.todosync("push", in: todos)
        _ = try Program.todosync("add", "Tea", in: todos)
        try folder.write("id: bread\ntext: Buy rye bread\n", to: "todos/bread.yaml")
    }

    private func object(_ text: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(text.utf8))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var words: [String]
        /// The keys of the printed object; nil if it is an array.
        var keys: Set<String>?
        var testDescription: String { words.joined(separator: " ") }

        init(_ words: String, _ keys: Set<String>?) {
            (self.words, self.keys) = (words.split(separator: " ").map(String.init), keys)
        }
    }

    @Test(arguments: [
        Row("add Eggs", ["todos"]), Row("set milk due=2026-12-01 tags+=x", ["todos"]),
        Row("set milk list.1.text=b", ["todos"]), Row("unset milk due", ["todos"]),
        Row("tick milk 1", ["todos"]),
        Row("done milk bread", ["todos"]), Row("reopen milk", ["todos"]), Row("mv milk home/", ["todos"]),
        Row("rm milk", ["todos"]), Row("edit milk", ["todos"]), Row("discard bread", ["todos"]),
        Row("diff", ["diff"]), Row("list", nil), Row("log", nil),
        Row("undo", ["operation", "undone", "refused"]),
        Row("gc", ["removed", "forgotten"]), Row("fsck", ["healthy", "found", "repaired"]),
        Row("fsck --store ../store", ["healthy", "found"]), Row("remote", ["remote"]),
        Row("remote set-url origin ../store", ["remote"]), Row("remote remove origin", ["remote"]),
        Row("init ../new", ["kind", "folder", "remote", "adopts", "invalid", "ignores"]),
        Row("init --bare ../other", ["kind", "folder"]), Row("--version", ["version", "schema"]),
        Row("demo ../show", ["folder", "conflict"]),
        Row("merge-file milk.yaml milk.yaml bread.yaml", ["result"]),
        Row("serve table add shop --store ../store", ["name"]),
        Row("serve store upgrade --store ../store", ["store", "upgradedFrom"]),
        Row("gc --store ../store", ["removed", "packed"]),
        Row(
            "serve key add k --access read --store ../store", ["name", "table", "access", "anonymous", "key"]),
    ])
    func `a command prints one value on standard output`(row: Row) throws {
        let result = try Program.todosync(
            row.words + ["--json"], in: todos, environment: ["EDITOR": "sed -i s/milk/oats/"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        let value = try object(result.output)
        #expect((value as? [String: Any]).map { Set($0.keys) } == row.keys)
        #expect(row.keys != nil || value is [Any])
    }

    @Test func `a conflict that merge-file leaves is named`() throws {
        try folder.write("id: milk\ntext: Buy oats\n", to: "other.yaml")
        try folder.write("id: milk\ntext: Buy rice\n", to: "current.yaml")
        let result = try Program.todosync(
            "merge-file", "--json", "../current.yaml", "milk.yaml", "../other.yaml", in: todos)
        #expect(result.status == 1 && result.errors.isEmpty)
        #expect(try object(result.output) as? [String: String] == ["result": "conflict"])
        let refused = try Program.todosync(
            "merge-file", "--json", "../nothing.yaml", "milk.yaml", "../other.yaml", in: todos)
        #expect(refused.status == 128 && refused.output.isEmpty)
        #expect((try object(refused.errors) as? [String: Any])?["error"] is [String: Any])
    }

    @Test func `git-setup names what it wrote`() throws {
        let environment = TestedEnvironment(home: folder.path)
        _ = try Program.shell("git init --quiet", in: todos, environment: environment)
        let refused = try Program.todosync("git-setup", "--json", in: todos)
        #expect(refused.status == 64 && refused.output.isEmpty)
        let result = try Program.todosync("git-setup", "--yes", "--json", in: todos)
        #expect(result.status == 0 && result.errors.isEmpty)
        let value = try #require(object(result.output) as? [String: Any])
        #expect((value["path"] as? String)?.hasSuffix("/todos/.gitattributes") == true)
        #expect((value["lines"] as? [String])?.contains { $0.hasSuffix("merge=todosync") } == true)
        let settings = try #require(value["settings"] as? [[String: Any]])
        #expect(settings.map { $0["key"] as? String } == ["merge.todosync.name", "merge.todosync.driver"])
        #expect(value["foreign"] is NSNull && (value["exceptions"] as? [Any])?.isEmpty == true)
        let undone = try Program.todosync("git-setup", "--undo", "--yes", "--json", in: todos)
        let removed = try #require(object(undone.output) as? [String: Any])
        #expect((removed["settings"] as? [[String: Any]])?.allSatisfy { $0["value"] is NSNull } == true)
    }

    @Test func `what changed is named, and so is what did not`() throws {
        let result = try Program.todosync("done", "milk", "bread", "--json", in: todos)
        let value = try #require(object(result.output) as? [String: [[String: Any]]])
        let changed = try #require(value["todos"])
        #expect(changed.map { $0["path"] as? String } == ["milk.yaml", "bread.yaml"])
        #expect(changed.map { $0["change"] as? String } == ["update", "update"])
        #expect(changed.map { $0["fields"] as? [String] } == [["complete"], ["complete"]])
        let again = try Program.todosync("done", "milk", "--json", in: todos)
        let same = try #require(object(again.output) as? [String: [[String: Any]]])
        #expect(same["todos"]?.first?["change"] is NSNull)
    }

    @Test(arguments: [
        ("done nope", "noSuchTodo", 66), ("done", "usage", 64), ("lisst", "usage", 64),
        ("list --nope", "usage", 64),
        ("set milk due=never", "badValue", 64), ("set milk text.x=1", "unsuitableField", 65),
        ("mv milk bread.yaml", "fileExists", 73), ("mv milk ../x.yaml", "usage", 64),
        ("mv milk x.txt", "badPath", 64),
        ("tick bread 1", "unsuitableField", 65), ("init .", "isWorkingDirectory", 73),
        ("init new", "isWorkingDirectory", 73), ("init ../store/x", "cannotCreate", 73),
        ("remote add origin ../store", "remoteExists", 78),
        ("-C .. status", "noWorkingDirectory", 66),
    ])
    func `an error is the only value, on standard error`(words: String, code: String, status: Int) throws {
        let result = try Program.todosync(
            words.split(separator: " ").map(String.init) + ["--json"], in: todos)
        #expect(Int(result.status) == status && result.output.isEmpty, "\(result)")
        #expect(result.errors.hasSuffix("\n") && result.errors.dropLast().allSatisfy { !$0.isNewline })
        let value = try #require(object(result.errors) as? [String: [String: Any]])
        #expect(value["error"]?["code"] as? String == code)
        #expect(value["error"]?["status"] as? Int == status)
        #expect((value["error"]?["message"] as? String)?.isEmpty == false)
    }

    @Test func `what a remote stops midway is reported, too`() throws {
        let result = try Program.todosync("clone", "nowhere", "../copy", "--json", in: todos)
        #expect(result.status == 69)
        #expect(try object(result.output) is [String: Any])
        let value = try #require(object(result.errors) as? [String: [String: Any]])
        #expect(value["error"]?["code"] as? String == "remoteUnavailable")
    }

    @Test func `a warning is left out, because the report has it`() throws {
        try folder.write("text: [half\n", to: "todos/half.yaml")
        let plain = try Program.todosync("sync", in: todos)
        #expect(plain.status == 1 && plain.errors.contains("invalid: half.yaml"))
        let result = try Program.todosync("sync", "--json", in: todos)
        #expect(result.status == 1 && result.errors.isEmpty, "\(result)")
        _ = try object(result.output)
    }
}
