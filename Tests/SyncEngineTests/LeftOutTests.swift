import Foundation
import SyncEngine
import TestSupport
import Testing
import TodoModel

/// Files that are left out although they look like todos.
@Suite struct LeftOutTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var path: String
        var bytes: [UInt8]
        /// A part of the reason; nil if the file is no todo.
        var reason: String?

        var testDescription: String { "\(path.debugDescription), \(reason ?? "no todo")" }

        init(_ path: String, _ text: String, _ reason: String?) { self.init(path, text, .utf8, reason) }

        init(_ path: String, _ text: String, _ encoding: String.Encoding, _ reason: String?) {
            self.path = path
            bytes = text.data(using: encoding).map(Array.init) ?? []
            self.reason = reason
        }
    }

    static let rows = [
        Row("a.yaml", "text: é\n", .utf16, "UTF-16"),
        Row("a.yaml", "text: é\n", .utf16LittleEndian, "UTF-16"),
        Row("a.yaml", "text: é\n", .utf16BigEndian, "UTF-16"),
        Row("a.yaml", "{\"text\": \"é\"}\n", .utf16, "UTF-16"),
        Row("a.yaml", "text: 1\n", .utf16, "UTF-16"),
        Row("a.yaml", "name: é\n", .utf16, nil),
        Row("a.yaml", "text: é\n", .isoLatin1, "not valid UTF-8"),
        Row("a.yaml", "{\"text\": \"é\"}\n", .isoLatin1, "not valid UTF-8"),
        Row("a.yaml", "\"text\": “é”\n", .windowsCP1252, "not valid UTF-8"),
        Row("a.yaml", "name: é\n", .isoLatin1, nil),
        Row("a.yaml", "{\"text\": \"a\", \"version\": 1}\n", "reserved"),
        Row("a.yaml", "  text: a\n  ID: b\n", "reserved"),
        Row("a.yaml", "{\"text\": \"a\", \"text\": \"b\"}\n", "more than once"),
        Row("a.yaml", "{\"id\": \"a\", \"text\": \"\\ud83c\"}\n", " "),
        Row("a.yaml", "\u{FEFF}{\n  \"n\": 1,\n  \"text\" : \"a\"\n", " "),
        Row("a.yaml", "{n: [, text: a}\n", " "),
        Row("a.yaml", "\"text\": a\nn: [\n", " "),
        Row("a.yaml", "n: [\r\n'text': a\r\n", " "),
        Row("a.yaml", "{\"context\": \"a\", [}\n", nil),
        Row("a.yaml", "a: text: b\n", nil),
        Row("a.yaml", "{\"texts\": \"a\", [}\n", nil),
        Row("a.yaml", "{text: {a: b}}\n", nil),
        Row("a.YAML", "text: a\n", ".yaml or .yml"),
        Row("sub/a.Yml", "{text: a}\n", ".yaml or .yml"),
        Row("a.YML", "text: [\n", ".yaml or .yml"),
        Row("a.YML", "name: a\n", nil),
        Row("a\u{7}b.yaml", "text: a\n", "control character"),
        Row("a\u{85}b.yaml", "text: a\n", "control character"),
        Row("a\u{7}b.yaml", "name: a\n", nil),
        Row("sub\u{7}/inner/a.yaml", "text: a\n", "control character"),
        Row("sub\u{7}/inner/a.yaml", "name: a\n", nil),
        Row(".a.YAML", "text: a\n", nil),
    ]

    @Test(arguments: rows) func `what looks like a todo is named`(_ row: Row) async throws {
        let machine = try World().machine(["b.yaml": "id: b\ntext: b\n"])
        let file = machine.folder.path(of: row.path)
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(row.bytes).write(to: URL(filePath: file))
        let report = try await machine.sync()
        let status = try machine.status
        #expect(report.pushedLines == ["insert b.yaml"])
        #expect(report.needsUser == (row.reason != nil))
        for invalid in [report.invalid, status.invalid] {
            #expect(invalid.map(\.path) == (row.reason == nil ? [] : [row.path]))
            if let reason = row.reason {
                #expect(invalid.first?.problem.message.contains(reason) == true, "\(invalid)")
            }
        }
        #expect(status.isClean == (row.reason == nil))
        machine[".todosyncignore"] = "/*a*\n/sub*\n"
        #expect(try machine.status.invalid.isEmpty)
    }

    @Test(arguments: ["a.YAML", "a\u{7}.yaml", "sub\u{7}/a.yaml"])
    func `a todo that was renamed to such a name isn't deleted`(_ path: String) async throws {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: a\n", "b.yaml": "id: b\ntext: b\n"])
        machines[0].rename("a.yaml", to: path)
        let report = try await machines[0].sync()
        #expect(report.pushed.isEmpty && report.needsUser)
        #expect(report.invalid.map(\.path) == [path])
        try await machines[1].sync()
        #expect(machines[1].files.count == 2)
        machines[0].rename(path, to: "c.yaml")
        #expect(try await machines[0].sync().pushedLines == ["update c.yaml"])
        #expect(try machines[0].isClean)
    }

    @Test func `a todo that was saved in UTF-16 under a new name isn't deleted`() async throws {
        let machine = try World().machine(["a.yaml": "id: a\ntext: a\n"])
        try await machine.sync()
        machine["a.yaml"] = nil
        let bytes = "id: a\ntext: a\n".data(using: .utf16)
        try bytes?.write(to: URL(filePath: machine.folder.path(of: "c.yaml")))
        let report = try await machine.sync()
        #expect(report.pushed.isEmpty && report.invalid.map(\.path) == ["c.yaml"])
    }
}
