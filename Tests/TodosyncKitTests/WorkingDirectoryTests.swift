import TestSupport
import Testing
import TodosyncKit

/// Todos, as a program reads and writes them.
@Suite struct WorkingDirectoryTests {
    private let folder: TemporaryFolder
    private let directory: WorkingDirectory

    init() throws {
        folder = try TemporaryFolder()
        directory = try WorkingDirectory.create(at: folder.path + "/todos")
    }

    private func expect(
        _ code: TodosyncError.Code, _ body: () throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: TodosyncError.self, sourceLocation: sourceLocation) { try body() }
        #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(error?.message.isEmpty == false, sourceLocation: sourceLocation)
    }

    @Test func `a todo is added, read, changed and removed`() throws {
        let added = try directory.add(
            "Buy milk", fields: ["tags": ["shop", "home"], "due": "2026-12-01", "complete": false])
        #expect(added.path == "buy-milk.yaml")
        #expect(added.text == "Buy milk")
        #expect(!added.isComplete && !added.isConflicted)
        let id = try #require(added.id)
        try directory.set(id, ["complete": true, "due": nil, "litres": 2])
        let todo = try directory.todo("buy-milk.yaml")
        #expect(todo.isComplete)
        #expect(
            todo.fields == [
                "text": "Buy milk", "tags": ["shop", "home"], "complete": true, "litres": .number("2.0"),
            ])
        #expect(try directory.todos() == [todo])
        #expect(
            folder.read("todos/buy-milk.yaml")
                == "id: \(id)\ntext: Buy milk\ncomplete: true\ntags: [shop, home]\nlitres: 2\n")
        try directory.remove(String(id.prefix(8)))
        #expect(try directory.todos() == [])
    }

    @Test func `a change leaves the rest of the file as it is`() throws {
        let text = "# mine\nid:   a\ntext: 'A'   # why\nsize: 0x10\nmore: {a: [1, 2]}\n"
        try folder.write(text, to: "todos/a.yaml")
        #expect(
            try directory.todo("a").fields == [
                "text": "A", "size": 16, "more": ["a": [1, 2]],
            ])
        try directory.set("a", ["text": "B", "more": ["a": [1, 3]]])
        #expect(
            folder.read("todos/a.yaml")
                == "# mine\nid:   a\ntext: 'B'   # why\nsize: 0x10\nmore: {a: [1, 3]}\n")
    }

    @Test func `every kind of value is read as it was written`() throws {
        let fields: [String: FieldValue] = [
            "a": true, "b": .number("12345678901234567890.5"), "c": "text\nof lines\n", "d": [],
            "e": ["x": ["y": [1, "2", false, nil]]], "f": "no",
        ]
        let todo = try directory.add("all", fields: fields)
        #expect(todo.fields == fields.merging(["text": "all"]) { $1 })
        #expect(FieldValue.number("1") == .number("1.0"))
        #expect(FieldValue.number("1") != .string("1"))
    }

    @Test func `a folder is a working directory once`() throws {
        #expect(try WorkingDirectory(containing: folder.path + "/todos").path == directory.path)
        expect(.exists) { _ = try WorkingDirectory.create(at: directory.path) }
        expect(.notFound) { _ = try WorkingDirectory(containing: folder.path) }
        expect(.configuration) {
            _ = try WorkingDirectory.create(at: folder.path + "/other", remote: "ftp://example.org")
        }
        expect(.file) { _ = try WorkingDirectory.create(at: folder.path + "/no/such/parent") }
        try Store.create(at: folder.path + "/store")
        try Store.create(at: folder.path + "/store")
        expect(.exists) { try Store.create(at: directory.path) }
    }

    @Test func `what is not valid is not written`() throws {
        try directory.add("A", path: "a.yaml")
        let before = folder.visibleContents()
        expect(.notFound) { _ = try directory.todo("b.yaml") }
        expect(.notFound) { try directory.set("no-such", ["text": "x"]) }
        expect(.invalid) { try directory.set("a.yaml", ["due": "soon"]) }
        expect(.invalid) { try directory.set("a.yaml", ["size": .number("1.")]) }
        expect(.invalid) { try directory.set("a.yaml", ["size": [.number("x")]]) }
        expect(.invalid) { try directory.set("a.yaml", ["id": "other"]) }
        expect(.invalid) { try directory.set("a.yaml", ["text": nil]) }
        expect(.invalid) { try directory.set("a.yaml", ["version": "1"]) }
        expect(.invalid) { try directory.add("B", fields: ["text": "C"]) }
        expect(.invalid) { try directory.add("B", path: "../b.yaml") }
        expect(.exists) { try directory.add("B", path: "a.yaml") }
        #expect(folder.visibleContents() == before)
    }

    @Test func `markers that git left are a conflict, and a side resolves it`() throws {
        try directory.add("A", path: "a.yaml")
        let before = try #require(folder.visibleContents()["todos/a.yaml"])
        let marked = before.replacing(
            "text: A\n", with: "<<<<<<< HEAD\ntext: L\n=======\ntext: R\n>>>>>>> topic\n")
        try folder.write(marked, to: "todos/a.yaml")
        let conflict = try #require(try directory.conflicts().first)
        #expect(conflict.kind == .git && conflict.fields == ["text"] && conflict.base == nil)
        #expect(conflict.local?.fields["text"] == "L" && conflict.remote?.fields["text"] == "R")
        expect(.conflict) { try directory.resolve("a.yaml", with: .base) }
        #expect(folder.visibleContents()["todos/a.yaml"] == marked)
        try directory.resolve("a.yaml", with: .remote)
        #expect(folder.visibleContents()["todos/a.yaml"] == before.replacing("text: A", with: "text: R"))
        #expect(try directory.conflicts().isEmpty)
    }

    @Test func `what was done is undone, redone and discarded`() async throws {
        try Store.create(at: folder.path + "/store")
        let directory = try WorkingDirectory.create(
            at: folder.path(of: "synced"), remote: folder.path + "/store")
        try directory.add("A", path: "a.yaml")
        try await directory.sync()
        try directory.set("a.yaml", ["text": "B", "due": "2026-12-01"])
        let undone = try directory.undo()
        #expect(undone.changed.map(\.path) == ["a.yaml"] && undone.changed.map(\.operation) == [.update])
        #expect(undone.left.isEmpty)
        #expect(try directory.todo("a.yaml").fields == ["text": "A"])
        #expect(try directory.redo().changed.count == 1)
        #expect(try directory.todo("a.yaml").text == "B")
        #expect(try directory.redo().changed.isEmpty)
        try directory.discard("a.yaml")
        #expect(try directory.todo("a.yaml").fields == ["text": "A"])
        expect(.notFound) { try directory.undo("none") }
        expect(.notFound) { try directory.discard("none") }
    }

    @Test func `copies are adopted, and named todos are pushed`() async throws {
        try Store.create(at: folder.path + "/store")
        let directory = try WorkingDirectory.create(
            at: folder.path(of: "synced"), remote: folder.path + "/store")
        for name in ["a", "b"] { try folder.write("id: \(name)\ntext: \(name)\n", to: "synced/\(name).yaml") }
        #expect(try await directory.push(["b.yaml"]).pushed.map(\.path) == ["b.yaml"])
        #expect(try await directory.push(["a"]).pushed.map(\.path) == ["a.yaml"])
        try folder.write("id: a\ntext: copied\n", to: "synced/a 2.yaml")
        let report = try directory.adoptCopies()
        #expect(report.changed.map(\.path) == ["a.yaml"] && report.left.isEmpty)
        #expect(try directory.todo("a").text == "copied")
        #expect(folder.read("synced/a 2.yaml") == nil)
        expect(.conflict) { try directory.adoptCopies(["b.yaml"]) }
    }

    @Test func `without a remote, there is nothing to sync with`() async throws {
        let error = await #expect(throws: TodosyncError.self) { try await directory.sync() }
        #expect(error?.code == .configuration)
    }
}
