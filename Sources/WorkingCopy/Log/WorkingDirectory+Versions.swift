package import TodoModel

extension WorkingDirectory {
    /// Returns the texts that some todos have had: on the remote, by a todosync command, or before one replaced
    /// them.
    ///
    /// A text that the user wrote and that is still pending isn't among them, even if it was sent in vain.
    package func pastTexts(of ids: Set<TodoID>) throws -> [TodoID: Set<[UInt8]>] {
        var texts: [TodoID: Set<[UInt8]>] = [:]
        var sent: [TodoID: [UInt8]] = [:]
        func add(_ id: TodoID, _ found: [UInt8]?...) {
            guard ids.contains(id) else { return }
            texts[id, default: []].formUnion(found.compactMap(\.self))
        }
        for line in JournalLines(try wholeJournal()) {
            switch line.record {
            case .announced(let edit):
                add(edit.id, edit.bytes, edit.replaced, edit.remote?.todo?.bytes)
            case .confirmed(let id, let remote, _), .held(let id, let remote): add(id, remote.todo?.bytes)
            case .kept(let id, _, let bytes): add(id, bytes)
            case .sent(let id, let operation): sent[id] = operation.bytes
            case .accepted(let id, _): add(id, sent[id])
            case .origin(let id, .version(let bytes)?): add(id, bytes)
            case .remembered(let id, let todo):
                add(id, todo.base?.todo?.bytes, todo.held?.todo?.bytes, todo.conflict?.remote.todo?.bytes)
                sent[id] = todo.sent?.bytes
            default: break
            }
        }
        return texts
    }
}
