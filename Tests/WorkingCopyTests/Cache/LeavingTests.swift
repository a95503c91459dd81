import Foundation
import TestSupport
import Testing
import TodoModel

@testable import WorkingCopy

/// Todos that a long operation releases from memory.
@Suite struct LeavingTests {
    @Test func `released todos are remembered unchanged, and the others stay in memory`() throws {
        let folder = try TemporaryFolder()
        let directory = WorkingDirectory(root: folder.path)
        try directory.create(Configuration())
        let transaction = try directory.begin(
            operation: "o", time: "2026-12-01T09:30:00Z", command: "pull", timeout: .seconds(10))
        var left = UnchangedFiles()
        var atHand: Set<TodoID> = []
        for number in 0..<3 {
            let ids = try (0..<20).map { try #require(TodoID("todo-\(number)-\($0)")) }
            var files = try add(ids, transaction, in: folder)
            // One todo has more state, one is an edit, and one has an unknown time of writing.
            try transaction.record([.held(id: ids[0], .deleted(Version("9")))])
            files[1].bytes += "# edited\n".bytes
            files[2].stamp = .unreliable
            atHand.formUnion(ids[..<3])
            let before = transaction.state.todos.all
            let all = transaction.leaveToJournal({ [files] id in files.first { $0.id == id } }, left)
            left = try #require(all)
            #expect(transaction.state.todos.all == before)
            #expect(Set(transaction.state.todos.loaded.keys) == atHand)
            #expect(left.count == before.count - atHand.count)
            for id in before.keys {
                #expect(left.contains(id) != atHand.contains(id))
                #expect(left.bytes(of: id) == (atHand.contains(id) ? nil : before[id]?.base?.todo?.bytes))
            }
        }
        // Released todos can still be changed and dropped.
        let id = try #require(TodoID("todo-0-5"))
        try transaction.record([.dropped(id: id)])
        #expect(transaction.state.todos[id] == nil)
        try transaction.end("o", [])
        let state = transaction.state
        transaction.saveCache { _ in nil }
        #expect(try directory.state().todos.all == state.todos.all)
        #expect(try directory.state(usingCache: false).todos.all == state.todos.all)
    }

    /// Adds new todos; returns their files.
    private func add(
        _ ids: [TodoID], _ transaction: Transaction, in folder: TemporaryFolder
    ) throws -> [StampedFile] {
        let todos = ids.map { id in
            (id: id, path: "list/\(id.string).yaml", bytes: "id: \(id.string)\ntext: t\n".bytes)
        }
        let announcement = todos.map { todo in
            let remote = RemoteTodo(version: Version("1"), path: todo.path, bytes: todo.bytes)
            return JournalRecord.announced(
                AnnouncedEdit(id: todo.id, from: nil, to: todo.path, bytes: todo.bytes, remote: .todo(remote))
            )
        }
        let outcomes = try transaction.apply(
            todos.map { .create(path: $0.path, bytes: $0.bytes) }, announcing: announcement)
        #expect(outcomes.allSatisfy { $0 == .done })
        for id in ids { transaction.finish(id) }
        let status = try FileManager.default.attributesOfItem(atPath: folder.path)
        let device = UInt64(try #require(status[.systemNumber] as? Int))
        return todos.map { todo in
            let stamp = FileStamp(
                device: device, inode: 1, size: Int64(todo.bytes.count),
                modified: FileTime(seconds: 1, nanoseconds: 1), changed: FileTime(seconds: 1, nanoseconds: 1))
            return StampedFile(id: todo.id, path: todo.path, bytes: todo.bytes, stamp: stamp)
        }
    }
}
