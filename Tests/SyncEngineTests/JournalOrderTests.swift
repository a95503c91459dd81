import Foundation
import LosslessYAML
import SyncEngine
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel

@testable import WorkingCopy

/// Journals that no command writes: each line is valid, but their order is impossible.
@Suite(.serialized) struct JournalOrderTests {
    private static let a = TodoID("a")
    private static let new = RemoteState.todo(
        RemoteTodo(version: Version("v9"), path: "a.yaml", bytes: Array("id: a\ntext: other\n".utf8)))

    struct Order: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Whether a check reports the order.
        var isReported = true
        var records: @Sendable (TodoID) -> [JournalRecord]

        static let all = [
            Order(testDescription: "accepted without sent") { [.accepted(id: $0, Version("v9"))] },
            Order(testDescription: "rejected without sent") { [.rejected(id: $0)] },
            Order(testDescription: "finished without an announcement", isReported: false) {
                [.finished(id: $0)]
            },
            Order(testDescription: "abandoned without an announcement", isReported: false) {
                [.abandoned(id: $0)]
            },
            Order(testDescription: "an end without a beginning") { _ in [.end(operation: "x", changes: [])] },
            Order(testDescription: "two beginnings") { _ in
                [
                    .begin(operation: "x", time: "", command: "one"),
                    .begin(operation: "y", time: "", command: "two"),
                ]
            },
            Order(testDescription: "the end of another operation") { _ in
                [.begin(operation: "x", time: "", command: "one"), .end(operation: "y", changes: [])]
            },
            Order(testDescription: "an undo of what never was", isReported: false) { _ in
                [
                    .begin(operation: "x", time: "", command: "one"), .undoes(operation: "nothing"),
                    .end(operation: "x", changes: []),
                ]
            },
            Order(testDescription: "undoes outside of an operation") { _ in [.undoes(operation: "x")] },
            Order(testDescription: "announced outside of an operation") { id in
                [.announced(edit(id, .none))]
            },
            Order(testDescription: "a conflict of a todo that is dropped", isReported: false) { id in
                [
                    .begin(operation: "x", time: "", command: "one"), .dropped(id: id),
                    .announced(edit(id, .closes)), .finished(id: id), .end(operation: "x", changes: []),
                ]
            },
            Order(testDescription: "a conflict that opens without a file", isReported: false) { id in
                [
                    .begin(operation: "x", time: "", command: "one"), .announced(opening(id)),
                    .end(operation: "x", changes: []),
                ]
            },
            Order(testDescription: "a conflict that opens twice", isReported: false) { id in
                [
                    .begin(operation: "x", time: "", command: "one"), .announced(opening(id)),
                    .announced(opening(id)), .end(operation: "x", changes: []),
                ]
            },
            Order(testDescription: "a second format", isReported: false) { _ in [.format(5)] },
            Order(testDescription: "dropped twice", isReported: false) {
                [.dropped(id: $0), .dropped(id: $0)]
            },
            Order(testDescription: "held twice", isReported: false) { id in
                [.held(id: id, new), .held(id: id, new)]
            },
            Order(testDescription: "sent twice", isReported: false) { id in
                let sent = SentOperation(
                    operationID: "1", bytes: Array("id: a\ntext: x\n".utf8), path: "a.yaml",
                    localPath: "a.yaml")
                return [.sent(id: id, sent), .sent(id: id, sent)]
            },
            Order(testDescription: "sent without a text or a base", isReported: false) { id in
                [
                    .dropped(id: id),
                    .sent(
                        id: id, SentOperation(operationID: "1", bytes: nil, path: nil, localPath: "a.yaml")),
                ]
            },
            Order(testDescription: "a deletion that was accepted and never meant", isReported: false) { id in
                [
                    .sent(
                        id: id, SentOperation(operationID: "1", bytes: nil, path: nil, localPath: "a.yaml")),
                    .accepted(id: id, Version("v9")),
                ]
            },
            Order(testDescription: "a place above the folder") { [.found(id: $0, path: "../a.yaml")] },
            Order(testDescription: "another's place", isReported: false) { [.found(id: $0, path: "b.yaml")] },
            Order(testDescription: "a text that is no todo") { id in
                [
                    .confirmed(
                        id: id, .todo(RemoteTodo(version: Version("v"), path: nil, bytes: [0xFF])),
                        localPath: nil
                    )
                ]
            },
            Order(testDescription: "forgotten twice", isReported: false) { _ in [.forgotten, .forgotten] },
            Order(testDescription: "distrusted ids that never were", isReported: false) { _ in
                [.distrusted([TodoID("z")].compactMap(\.self))]
            },
        ]

        private static func edit(_ id: TodoID, _ conflict: AnnouncedEdit.ConflictChange) -> AnnouncedEdit {
            AnnouncedEdit(
                id: id, from: nil, to: "a.yaml", bytes: Array("id: a\ntext: other\n".utf8), remote: new,
                conflict: conflict)
        }

        private static func opening(_ id: TodoID) -> AnnouncedEdit {
            edit(
                id,
                .opens(
                    OpenConflict(
                        kind: .editEdit, fields: ["text"], local: Array("id: a\ntext: A\n".utf8),
                        localPath: "a.yaml", remote: new)))
        }
    }

    @Test(arguments: Order.all)
    func `an impossible order loses no edit, and is reported where it can be`(_ order: Order) async throws {
        let world = World()
        let machines = try await world.machines(
            2, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])
        let (here, there) = (machines[0], machines[1])
        there.edit("b.yaml", "B", "there")
        try await there.push()
        here.edit("a.yaml", "A", "edited")
        try await expectUsable(here, world, order.records(try #require(Self.a)), isReported: order.isReported)
    }

    @Test(arguments: PropertySeeds.range(default: 20))
    func `records in any order crash nothing and lose no edit`(_ seed: UInt64) async throws {
        let world = World(seed: seed)
        let machine = try await world.machines(
            1, ["a.yaml": "id: a\ntext: A\n", "b.yaml": "id: b\ntext: B\n"])[0]
        machine.edit("a.yaml", "A", "edited")
        var random = SplitMix64(seed: seed)
        let id = try #require(Self.a)
        let pool = Order.all.flatMap { $0.records(id) }
        let records = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
            pool.randomElement(using: &random)
        }
        try await expectUsable(machine, world, records, isReported: false)
    }

    private func expectUsable(
        _ machine: Machine, _ world: World, _ records: [JournalRecord], isReported: Bool
    ) async throws {
        var machine = machine
        // A dry run doesn't end an operation that such records leave open.
        machine.isCompared = false
        let lines = records.flatMap(JournalLines.line)
        let journal = try #require(machine.folder.bytes(".todosync/journal"))
        try Data(journal + lines).write(to: URL(filePath: machine.folder.path(of: ".todosync/journal")))
        _ = try machine.status
        _ = try machine.workspace.list()
        _ = try machine.workspace.log(nil)
        _ = try machine.workspace.diff([])
        _ = try await machine.workspace.sync(SyncOptions(isDryRun: true))
        let problems = try machine.workspace.check(repairs: false).problems
        if isReported { #expect(!problems.isEmpty) }
        _ = try machine.workspace.check(repairs: true)
        _ = try machine.resolve(by: .file)
        do {
            try await machine.sync()
        } catch EngineError.otherHistory {
            // The remote lacks what the journal claims to have sent.
            #expect(machine["a.yaml"] == "id: a\ntext: edited\n")
            return
        }
        _ = try machine.resolve(by: .use(.local))
        try await machine.sync()
        #expect(machine.files.values.contains { $0.contains("text: edited") }, "\(machine.files)")
        #expect(await world.remote.liveRecords().map(\.id).sorted() == ["a", "b"])
        #expect(try await machine.sync().pushed.isEmpty)
    }
}
