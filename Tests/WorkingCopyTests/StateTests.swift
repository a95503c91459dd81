import TestSupport
import Testing
import TodoModel

@testable import WorkingCopy

/// The state that follows from the journal's records.
@Suite struct StateTests {
    private let id = TodoID("a")
    private let old = RemoteState.todo(RemoteTodo(version: Version("1"), path: "a.yaml", bytes: "old".bytes))
    private let new = RemoteState.todo(RemoteTodo(version: Version("2"), path: "b.yaml", bytes: "new".bytes))
    private let newer = RemoteState.todo(
        RemoteTodo(version: Version("3"), path: "b.yaml", bytes: "newer".bytes))

    // MARK: Laws

    @Test(arguments: UInt64(0)..<100)
    func `a change counts as applied if another record about its todo, or the end, follows`(_ seed: UInt64) {
        var generator = RecordGenerator(seed: seed)
        let before = generator.history(count: generator.number(below: 20))
        let edit = generator.announced()
        let begun: [JournalRecord] =
            before + [.begin(operation: "o", time: "", command: ""), .announced(edit)]
        let finished = State(begun + [.finished(id: edit.id)])
        #expect(State(begun).todos[edit.id]?.unfinished == edit)
        #expect(State(begun + [.end(operation: "o", changes: [])]).todos == finished.todos)
        let version = Version("accepted")
        #expect(
            State(begun + [.accepted(id: edit.id, version)]).todos
                == State(begun + [.finished(id: edit.id), .accepted(id: edit.id, version)]).todos)
    }

    @Test(arguments: UInt64(0)..<100)
    func `an abandoned change leaves base, path and conflict unchanged`(_ seed: UInt64) {
        var generator = RecordGenerator(seed: seed)
        let before =
            generator.history(count: generator.number(below: 20)) + [.end(operation: "", changes: [])]
        let edit = generator.announced()
        let finished = State(before + [.finished(id: edit.id)])
        let given = State(before + [.announced(edit), .abandoned(id: edit.id)])
        let (was, now) = (finished.todos[edit.id], given.todos[edit.id])
        #expect(now?.unfinished == nil)
        #expect(now?.base == was?.base)
        #expect(now?.localPath == was?.localPath)
        #expect(now?.conflict == was?.conflict)
        #expect(now?.sent == was?.sent)
        // The remote's version still has to be applied.
        if let remote = edit.remote, was?.conflict == nil { #expect(now?.held == remote) }
    }

    @Test func `after two abandoned changes, the later one still has to be applied`() throws {
        let id = try #require(id)
        let changes = [new, newer].flatMap { remote -> [JournalRecord] in
            let edit = AnnouncedEdit(id: id, from: "a.yaml", to: "b.yaml", bytes: [], remote: remote)
            return [.announced(edit), .abandoned(id: id)]
        }
        let state = State([.confirmed(id: id, old, localPath: "a.yaml")] + changes)
        #expect(state.todos[id]?.base == old)
        #expect(state.todos[id]?.held == newer)
    }

    @Test(arguments: UInt64(0)..<100)
    func `a record about one todo doesn't affect others`(_ seed: UInt64) {
        var generator = RecordGenerator(seed: seed)
        let before = State(generator.history(count: 20))
        var after = before
        let edit = generator.announced()
        after.apply(.announced(edit))
        after.apply(.finished(id: edit.id))
        after.apply(.held(id: edit.id, generator.remote()))
        for other in before.todos.loaded.keys where other != edit.id {
            #expect(after.todos[other] == before.todos[other])
        }
    }

    @Test(arguments: UInt64(0)..<100)
    func `another remote keeps only the files' paths and origins`(_ seed: UInt64) {
        var generator = RecordGenerator(seed: seed)
        let state = State(generator.history(count: 30) + [.end(operation: "", changes: []), .forgotten])
        #expect(state.cursor == nil && state.remote == nil)
        for todo in state.todos.loaded.values {
            #expect(todo.base == nil && todo.held == nil && todo.conflict == nil && todo.sent == nil)
            #expect(todo.localPath != nil || todo.origin?.isOfFile == true)
        }
    }

    // MARK: Single todos

    private func todo(_ records: [JournalRecord]) throws -> TodoState? {
        State(records).todos[try #require(id)]
    }

    private func announced(_ remote: RemoteState?, _ conflict: AnnouncedEdit.ConflictChange = .none) throws
        -> JournalRecord
    {
        .announced(
            AnnouncedEdit(
                id: try #require(id), from: "a.yaml", to: "b.yaml", bytes: "new".bytes, remote: remote,
                conflict: conflict))
    }

    private var conflict: OpenConflict {
        OpenConflict(kind: .editEdit, fields: ["text"], local: "mine".bytes, localPath: "a.yaml", remote: new)
    }

    @Test func `an accepted operation becomes the base version, with the content that was sent`() throws {
        let id = try #require(id)
        let sent = SentOperation(
            operationID: "o", bytes: "mine".bytes, path: "wire.yaml", localPath: "here.yaml")
        let state = try todo([
            .confirmed(id: id, old, localPath: "a.yaml"), .sent(id: id, sent),
            .accepted(id: id, Version("9")),
        ])
        #expect(
            state?.base == .todo(RemoteTodo(version: Version("9"), path: "wire.yaml", bytes: "mine".bytes)))
        #expect(state?.localPath == "here.yaml")
        #expect(state?.isLocalOnlyPath("here.yaml") == true)
        #expect(state?.isLocalOnlyPath("wire.yaml") == false)
        #expect(state?.sent == nil)
    }

    @Test(arguments: [("by a command", true), ("by an editor since", false)])
    func `a command's mark doesn't apply to other content that is sent`(_ text: String, _ isKept: Bool)
        throws
    {
        let id = try #require(id)
        let origin = FileOrigin.command(ContentMark(of: "by a command".bytes))
        let sent = SentOperation(operationID: "o", bytes: text.bytes, path: "a.yaml", localPath: "a.yaml")
        let records: [JournalRecord] = [
            .confirmed(id: id, old, localPath: "a.yaml"), .origin(id: id, origin), .sent(id: id, sent),
        ]
        #expect(try todo(records)?.origin == (isKept ? origin : nil))
        #expect(try todo(records + [.accepted(id: id, Version("9"))])?.origin == nil)
    }

    @Test func `an accepted delete is a tombstone without a path`() throws {
        let id = try #require(id)
        let sent = SentOperation(operationID: "o", bytes: nil, path: nil, localPath: "a.yaml")
        let state = try todo([
            .confirmed(id: id, old, localPath: "a.yaml"), .sent(id: id, sent),
            .accepted(id: id, Version("9")),
        ])
        #expect(state?.base == .deleted(Version("9")))
        #expect(state?.localPath == nil)
    }

    @Test func `a refused operation keeps the base version`() throws {
        let id = try #require(id)
        let sent = SentOperation(operationID: "o", bytes: "mine".bytes, path: nil, localPath: "a.yaml")
        let state = try todo([
            .confirmed(id: id, old, localPath: "a.yaml"), .sent(id: id, sent), .rejected(id: id),
        ])
        #expect(state?.base == old)
        #expect(state?.sent == nil)
    }

    @Test
    func `an open conflict keeps the old base, and a closed one is pending against the remote's version`()
        throws
    {
        let id = try #require(id)
        let open = [
            .confirmed(id: id, old, localPath: "a.yaml"), try announced(new, .opens(conflict)),
            .finished(id: id),
        ]
        #expect(try todo(open)?.base == old)
        #expect(try todo(open)?.conflict == conflict)
        let closed = try todo(open + [try announced(new, .closes), .finished(id: id)])
        #expect(closed?.base == new)
        #expect(closed?.conflict == nil && closed?.held == nil)
    }

    @Test func `a change that arrives during a conflict is held until its end`() throws {
        let id = try #require(id)
        let open = [
            .confirmed(id: id, old, localPath: "a.yaml"), try announced(new, .opens(conflict)),
            .held(id: id, newer),
        ]
        let closed = try todo(open + [try announced(new, .closes), .finished(id: id)])
        #expect(closed?.base == new)
        #expect(closed?.held == newer)
        let aborted = try todo(open + [try announced(nil, .aborts), .finished(id: id)])
        #expect(aborted?.base == old)
        #expect(aborted?.held == newer)
    }

    @Test func `aborting a conflict holds the remote's version`() throws {
        let id = try #require(id)
        let open = [.confirmed(id: id, old, localPath: "a.yaml"), try announced(new, .opens(conflict))]
        let aborted = try todo(open + [try announced(nil, .aborts), .finished(id: id)])
        #expect(aborted?.base == old)
        #expect(aborted?.conflict == nil)
        #expect(aborted?.held == new)
    }

    @Test func `a todo without any state is not remembered`() throws {
        let id = try #require(id)
        #expect(try todo([.confirmed(id: id, old, localPath: "a.yaml"), .dropped(id: id)]) == nil)
        #expect(try todo([.rejected(id: id)]) == nil)
        #expect(try todo([.finished(id: id)]) == nil)
    }
}
