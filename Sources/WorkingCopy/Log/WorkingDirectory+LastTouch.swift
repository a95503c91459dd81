internal import LosslessYAML
internal import Platform
package import TodoModel
internal import Values

/// The last operation on a todo that the journal records.
package struct LastTouch: Sendable, Hashable {
    /// Whether the last record about the todo announces that its file is removed.
    package fileprivate(set) var isRemoval = false
    /// Whether the file is removed because the remote deleted the todo, or never existed for that reason.
    package fileprivate(set) var isFromRemote = false
    /// The other todos whose files the operation changed.
    package fileprivate(set) var others: Set<TodoID> = []

    fileprivate static let removalFromRemote = LastTouch(isRemoval: true, isFromRemote: true)
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
                last = LastTouch(
                    isRemoval: edit.to == nil, isFromRemote: edit.remote != nil, others: others)
                isCurrent = true
            case .abandoned(id): last?.isRemoval = false
            case .finished(id), .dropped(id), .accepted(id, _), .rejected(id), .held(id, _): break
            case .sent(id, let sent) where sent.bytes == nil: break
            case .confirmed(id, .deleted, _, _): last = last ?? .removalFromRemote
            case .remembered(id, let state) where state.base.map { $0.todo == nil } == true:
                last = .removalFromRemote
            case let record where record.finishedTodo == id: last = LastTouch(others: others)
            default: break
            }
        }
        return last
    }
}
