import Foundation
import Testing
import TodoModel
import Values

@testable import WorkingCopy

/// The order of a todo's versions on the remote.
@Suite struct ConfirmedVersionsTests {
    private static let id = TodoID(BinaryUUID(random: Array(repeating: 7, count: 16)))
    private static let other = TodoID(BinaryUUID(random: Array(repeating: 8, count: 16)))

    private static func state(_ text: String) -> RemoteState {
        .todo(RemoteTodo(version: Version(text), path: nil, bytes: Array(text.utf8)))
    }

    private static func sent(_ text: String, _ id: TodoID = id) -> JournalRecord {
        .sent(
            id: id,
            SentOperation(operationID: "1", bytes: Array(text.utf8), path: nil, localPath: "a.yaml"))
    }

    private static func announced(_ text: String, remote: String?) -> JournalRecord {
        .announced(
            AnnouncedEdit(
                id: id, from: "a.yaml", to: "a.yaml", bytes: Array(text.utf8),
                remote: remote.map(state)))
    }

    private static var remembered: JournalRecord {
        var todo = TodoState()
        todo.base = state("base")
        todo.held = state("held")
        todo.conflict = OpenConflict(
            kind: .editEdit, fields: [], local: nil, localPath: "a.yaml", remote: state("conflict"))
        return .remembered(id: id, todo)
    }

    static let rows: [(records: [JournalRecord], texts: [String])] = [
        (
            [
                .confirmed(id: id, state("1"), localPath: nil),
                .confirmed(id: other, state("x"), localPath: nil),
            ], ["1"]
        ),
        ([announced("mine", remote: nil), announced("merged", remote: "1")], ["1"]),
        ([sent("1"), .accepted(id: id, Version("1")), sent("2"), .rejected(id: id)], ["1"]),
        ([.held(id: id, state("1")), .confirmed(id: id, .deleted(nil), localPath: nil)], ["1"]),
        ([remembered], ["base", "conflict", "held"]),
        (
            [.past(id: id, RecordedPast()), .confirmed(id: id, state("2"), localPath: nil)],
            ["2"]
        ),
        ([.confirmed(id: id, state("1"), localPath: nil), .forgotten, .held(id: id, state("2"))], ["2"]),
        (
            [
                .confirmed(id: id, state("1"), localPath: nil), .distrusted([other]),
                .held(id: id, state("2")),
            ],
            ["1", "2"]
        ),
        (
            [.confirmed(id: id, state("1"), localPath: nil), .distrusted([id]), .held(id: id, state("2"))],
            ["2"]
        ),
    ]

    @Test(arguments: rows) func `versions are in the remote's order`(
        _ row: (records: [JournalRecord], texts: [String])
    ) throws {
        #expect(try versions(of: Self.id, row.records) == row.texts)
    }

    @Test func `an id is found in the journal in any spelling`() throws {
        let id = try #require(TodoID("e\u{301}\u{202E}1"))
        let records = [JournalRecord.confirmed(id: id, Self.state("1"), localPath: nil)]
        #expect(try versions(of: id, records) == ["1"])
    }

    @Test func `a journal in another format is refused`() {
        for format in [WorkingDirectory.format - 1, WorkingDirectory.format + 1] {
            #expect {
                try versions(of: Self.id, [.format(format)])
            } throws: { error in
                if case WorkingDirectoryError.unsupportedFormat(_, format, _) = error { true } else { false }
            }
        }
    }

    private func versions(of id: TodoID, _ records: [JournalRecord]) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "versions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let directory = WorkingDirectory(root: folder.path(percentEncoded: false))
        try directory.create(Configuration(), recording: records)
        return try ConfirmedVersions(of: id, in: directory).texts.map { String(decoding: $0, as: UTF8.self) }
    }
}
