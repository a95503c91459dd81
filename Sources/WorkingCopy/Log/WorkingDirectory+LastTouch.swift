internal import LosslessYAML
internal import Platform
package import TodoModel
internal import Values

/// The last operation on a todo that the journal records.
package struct LastTouch: Sendable, Hashable {
    /// Whether the last record about the todo announces that its file is removed.
    package fileprivate(set) var isRemoval = false
    /// The other todos whose files the operation changed.
    package fileprivate(set) var others: Set<TodoID> = []
}

extension WorkingDirectory {
    /// Returns the last operation on a todo; nil if the journal has no record about it.
    package func lastTouch(_ id: TodoID) throws -> LastTouch? {
        let journal = try wholeJournal()
        guard journal[...].contains(JSON.write(.string(id.string))) else { return nil }
        var last: LastTouch?
        var isCurrent = false
        var others: Set<TodoID> = []
        for line in JournalLines(journal) {
            switch line.record {
            case .begin:
                others = []
                isCurrent = false
            case .announced(let edit) where edit.id != id:
                others.insert(edit.id)
                if isCurrent { last?.others.insert(edit.id) }
            case .announced(let edit):
                last = LastTouch(isRemoval: edit.to == nil, others: others)
                isCurrent = true
            case .abandoned(id): last?.isRemoval = false
            case .finished(id), .dropped(id): break
            case let record where record.finishedTodo == id: last = LastTouch(others: others)
            default: break
            }
        }
        return last
    }
}
