import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import TodoModel
import WorkingCopy

/// A malicious remote: its records are checked before anything from them gets into the folder.
@Suite(.serialized) struct UntrustedRemoteTests {
    struct BadPath: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var path: String
        /// The todo's expected path; nil if only a path inside the folder is certain.
        var expected: String?

        init(_ testDescription: String, _ path: String, expected: String? = nil) {
            (self.testDescription, self.path, self.expected) = (testDescription, path, expected)
        }

        static let all = [
            BadPath("above the folder", "../out.yaml"), BadPath("far above", "a/../../../out.yaml"),
            BadPath("absolute", "/out.yaml"), BadPath("home", "~/out.yaml", expected: "~/out.yaml"),
            BadPath("a dot", "./a.yaml"), BadPath("the folder", "."), BadPath("empty", ""),
            BadPath("an empty part", "a//b.yaml"), BadPath("a folder", "a/"),
            BadPath("hidden", ".a.yaml"), BadPath("in a hidden folder", ".git/hooks/a.yaml"),
            BadPath("our own folder", ".todosync/config.yaml"),
            BadPath("our own folder in other case", ".TodoSync/config.yaml"),
            BadPath("no YAML", "run.sh"), BadPath("a null", "a\u{0}.yaml"),
            BadPath("a line break", "a\nb.yaml"),
            BadPath("an escape", "a\u{1B}[2J.yaml"), BadPath("a backslash", "..\\out.yaml"),
            BadPath("a name that is too long", String(repeating: "x", count: 300) + ".yaml"),
            BadPath("a path that is too long", String(repeating: "x/", count: 3000) + "a.yaml"),
            BadPath("written from right to left", "a\u{202E}lmay.yaml"),
            BadPath("through a link", "link/a.yaml"), BadPath("a link itself", "link.yaml"),
            BadPath("through a file", "file.yaml/a.yaml"),
        ]
    }

    private static let values: [Value] = [
        Value.string("a\u{1B}[31m\u{7}\u{0}\u{85}\u{2028}\u{202E}b"),
        .string("a: b\n<<<<<<< local\n=======\n"),
        .string("\n---\nid: b\ntext: smuggled\n"), .string("# \" ' \\ &a *b !c |> %d @e `f"),
        .number(Number(json: "1e400") ?? Number(0)), .number(Number(json: "-0.0") ?? Number(0)),
        .number(Number(json: String(repeating: "9", count: 5000)) ?? Number(0)),
        .number(Number(json: "1e-99999999999999999999") ?? Number(0)),
        .list([.list([.null, .mapping(["": .null])])]), .mapping([:]), .list([]),
        (0..<60).reduce(.string("deep")) { deep, _ in .list([deep]) },
        .string(String(repeating: "x", count: 1 << 20)), .list((0..<100_001).map { .number(Number($0)) }),
    ]

    private static let texts: [String] = [
        "id: b\ntext: A\n", "text: A\n", "id: a\ntext: other\n", "id: a\ntext: [A]\n", "", "- a\n",
        "id: a\ntext: A",
        "id: a\ntext: A\n---\nid: b\ntext: B\n", "\u{FEFF}id: a\r\ntext: A\r\n",
        "id: a\ntext: A\nversion: 1\n",
        "<<<<<<< local\nid: a\ntext: A\n=======\n>>>>>>> remote\n", "id: a\ntext: &x A\nmore: *x\n",
        "id: a\ntext: A # \u{85}smuggled: 1\n", "id: a\ntext: A\nx: !!python/object a\n",
    ]

    private static let ids: [String] = [
        "", " ", ".", "..", "../a", "a/b", "a\\b", "a\u{0}", "a\u{1B}", "a?b", "a+b", "`a`", "\"a\"",
        String(repeating: "x", count: 256), "A", "o\u{301}", "\u{F3}", "CON", "-rf", "~", "a b", "\u{202E}a",
    ]

    @Test(arguments: BadPath.all, [false, true])
    func `a todo with a bad path gets a path in the folder, and no other`(
        _ bad: BadPath, hasBase: Bool
    ) async throws {
        let world = World()
        let machine = try world.machine()
        let outside = try TemporaryFolder()
        try machine.folder.link("link", to: outside.path)
        try machine.folder.link("link.yaml", to: outside.path + "/out.yaml")
        machine["file.yaml"] = "id: file\ntext: F\n"
        try await machine.sync()
        let above = try TemporaryFolder()
        let yaml = "id: a\ntext: A\n"
        if hasBase {
            machine["good.yaml"] = yaml
            try await machine.sync()
        }
        let text = Value.string(hasBase ? "B" : "A")
        await world.remote.put(
            RemoteRecord(
                id: "a", version: Version(""), fields: ["text": text],
                layout: Layout(path: bad.path, yaml: yaml.replacing("A", with: hasBase ? "B" : "A"))))
        try await machine.pull()
        let found = machine.files.filter { $0.value.hasPrefix("id: a\n") }
        #expect(found.count == 1, "\(machine.files.keys)")
        for path in found.keys {
            #expect(PathRules.problem(with: path) == nil && path != "link.yaml" && !path.hasPrefix("link/"))
            #expect(path.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
            if let expected = bad.expected { #expect(path == expected) }
        }
        #expect(machine["file.yaml"] == "id: file\ntext: F\n")
        #expect(outside.contents().isEmpty && above.contents().isEmpty)
        #expect(machine.folder.read(".todosync/config.yaml")?.contains("text:") != true)
        // The todo has no conflict and no edit, and the user's next edit is sent.
        #expect(try machine.isClean)
        let localPath = try #require(found.keys.first)
        machine[localPath] = "id: a\ntext: C\n"
        try await machine.sync()
        #expect(await world.remote.record(id: "a")?.fields["text"] == .string("C"))
        #expect(try machine.isClean)
    }

    /// Two paths that some file systems treat as one, but that are separate files here.
    @Test(arguments: [("a.yaml", "A.yaml"), ("\u{E9}.yaml", "e\u{301}.yaml")])
    func `paths that differ only in case or form lose no todo`(_ first: String, _ second: String) async throws
    {
        let world = World()
        for (id, path) in [("one", first), ("two", second)] {
            await world.remote.put(
                RemoteRecord(
                    id: id, version: Version(""), fields: ["text": .string(id)],
                    layout: Layout(path: path, yaml: "id: \(id)\ntext: \(id)\n")))
        }
        let machine = try world.machine()
        try await machine.pull()
        // As keys of a dictionary, names in two Unicode forms would be equal.
        let names = try FileManager.default.contentsOfDirectory(atPath: machine.folder.path)
        #expect(names.filter { $0.hasSuffix(".yaml") }.count == 2)
        #expect(try machine.isClean)
    }

    /// Whatever a field contains arrives as that field's value, or not at all.
    @Test(arguments: values)
    func `a field's value comes as it is, or its record is one warning`(_ value: Value) async throws {
        let world = World()
        let machine = try world.machine(["o.yaml": "id: o\ntext: O\n"])
        try await machine.sync()
        let fields: Mapping = ["text": .string("t"), "field": value]
        await world.remote.put(RemoteRecord(id: "a", version: Version(""), fields: fields))
        let report = try await machine.pull()
        #expect(report.conflicts.isEmpty && report.unusableRecords.count <= 1)
        if report.unusableRecords.isEmpty {
            let text = try #require(machine.files.first { $0.value.contains("id: a\n") }?.value)
            #expect(try Todo(parsing: Array(text.utf8)).fields == fields)
            #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
        } else {
            #expect(machine.files.keys.sorted() == ["o.yaml"])
            #expect(world.notices.count <= 1)
        }
        #expect(try machine.isClean)
        // The record doesn't get in the way of others.
        await world.remote.put(id: "o", fields: ["text": .string("P")])
        try await machine.sync()
        #expect(machine["o.yaml"] == "id: o\ntext: P\n")
    }

    /// A text that comes with a record counts only if it is that todo's.
    @Test(arguments: texts)
    func `a text that does not fit its record's fields is not believed`(_ yaml: String) async throws {
        let world = World()
        await world.remote.put(
            RemoteRecord(
                id: "a", version: Version(""), fields: ["text": .string("A")],
                layout: Layout(path: "a.yaml", yaml: yaml)))
        let machine = try world.machine()
        try await machine.pull()
        #expect(machine.files.count == 1)
        let todo = try Todo(parsing: Array((machine["a.yaml"] ?? "").utf8))
        #expect(
            todo.id?.string == "a" && todo.text == "A"
                && CanonicalField.areEqual(todo.fields, ["text": .string("A")]))
        #expect(try machine.isClean)
    }

    /// Ids that could be mistaken for others, or that are unsafe as part of a file name.
    @Test(arguments: ids)
    func `an id is one, or its record stays outside`(_ id: String) async throws {
        let world = World()
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n", "o.yaml": "id: ó\ntext: O\n"])
        try await machine.sync()
        for layout in [nil, Layout(path: "new.yaml", yaml: nil)] {
            await world.remote.put(
                RemoteRecord(id: id, version: Version(""), fields: ["text": .string("new")], layout: layout))
            try await machine.pull()
            #expect(machine["a.yaml"] == "id: a\ntext: A\n")
            let others = machine.files.filter { $0.value.contains("text: new") }
            #expect(others.count <= 1)
            for (path, text) in others {
                #expect(PathRules.problem(with: path) == nil)
                #expect(try Todo(parsing: Array(text.utf8)).id?.string.isSameBytes(as: id) == true)
            }
            let status = try machine.status
            #expect(status.pending.isEmpty && status.invalid.isEmpty, "\(status)")
        }
    }

    @Test func `of two new records whose ids differ only in case, one comes`() async throws {
        let world = World()
        for id in ["b", "B"] { await world.remote.put(id: id, fields: ["text": .string(id)]) }
        let machine = try world.machine()
        let report = try await machine.pull()
        #expect(machine.files.values.sorted() == ["id: B\ntext: B\n"])
        #expect(report.unusableRecords.map(\.id) == ["b"])
        #expect(try await machine.sync().pushed.isEmpty)
        #expect(await world.remote.liveRecords().count == 2)
    }

    @Test func `a todo whose id the user wrote in other case into another file is not deleted`() async throws
    {
        let world = World()
        let machine = try world.machine(["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        try await machine.sync()
        machine.edit("a.yaml", "id: a", "id: B")
        let status = try machine.status
        #expect(status.duplicates.map(\.path) == ["a.yaml"])
        #expect(status.pendingLines == ["delete a.yaml"])
        await world.remote.put(id: "B", fields: ["text": .string("phone")])
        try await machine.sync()
        #expect(await world.remote.liveRecords().contains { $0.id == "b" })
        #expect(machine["b.yaml"] == "id: b\ntext: B\n")
    }

    @Test func `a clone of all that is bad at once comes to its end, and stays in its folder`() async throws {
        let world = World()
        let outside = try TemporaryFolder()
        let paths = BadPath.all.map(\.path) + ["a.yaml", "A.yaml", "\u{E9}.yaml", "e\u{301}.yaml"]
        for (number, path) in paths.enumerated() {
            await world.remote.put(
                RemoteRecord(
                    id: "path-\(number)", version: Version(""), fields: ["text": .string("p")],
                    layout: Layout(path: path, yaml: "id: path-\(number)\ntext: p\n")))
        }
        for (number, value) in Self.values.enumerated() {
            await world.remote.put(
                id: "value-\(number)", fields: ["text": .string("v"), "field": value])
        }
        for id in Self.ids { await world.remote.put(id: id, fields: ["text": .string("i")]) }
        for (number, yaml) in Self.texts.enumerated() {
            await world.remote.put(
                RemoteRecord(
                    id: "text-\(number)", version: Version(""), fields: ["text": .string("A")],
                    layout: Layout(path: "text-\(number).yaml", yaml: yaml)))
        }
        let report = try await Workspace.clone(
            World.url, into: outside.path + "/clone", world.surroundings()
        ) {
            try outside.makeFolder("clone")
            return true
        }
        #expect(report.stop == nil && report.conflicts.isEmpty)
        #expect(outside.contents().keys.allSatisfy { $0.hasPrefix("clone/") })
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["clone"])
        let workspace = Workspace(
            directory: WorkingDirectory(root: outside.path + "/clone"), surroundings: world.surroundings())
        let listed = try workspace.list()
        #expect(listed.count { $0.id?.string.hasPrefix("path-") == true } == paths.count)
        #expect(listed.count { $0.id?.string.hasPrefix("text-") == true } == Self.texts.count)
        #expect(listed.count + report.unusableRecords.count == (await world.remote.liveRecords().count))
        #expect(listed.allSatisfy { PathRules.problem(with: $0.path) == nil })
        let status = try workspace.status()
        #expect(status.invalid.isEmpty && status.duplicates.isEmpty && status.pending.isEmpty)
        #expect(try workspace.check(repairs: false).isHealthy)
        let again = try await workspace.sync(SyncOptions())
        #expect(again.pushed == [] && again.pulled == [])
    }
}
