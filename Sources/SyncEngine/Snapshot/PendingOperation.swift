internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The difference between a todo's file and its base version.
struct PendingOperation: Sendable {
    var id: TodoID
    var kind: OperationKind
    /// The file as it is; nil for a delete.
    var local: LocalTodo?
    var path: String
    /// The path to send; nil for a delete.
    var wirePath: String?
    var previousPath: String?
    /// The base version that the operation rests on; nil for an insert of what the remote never had.
    var base: RemoteState?

    var fields: [String] {
        guard let local else { return [] }
        return base?.todo.map { local.changedFields(from: $0.bytes) } ?? local.todo.fields.keys
    }
}

extension Snapshot {
    /// Returns the operation that is pending for a todo, by its file and its base version; nil if there is
    /// none.
    ///
    /// Todos with an open conflict or an invalid file have no operation that could be sent.
    func pendingOperation(_ id: TodoID) -> PendingOperation? {
        let known = tracked.todos[id]
        guard let local = folder.todos[id] else {
            guard let known, case .todo? = known.base, known.conflict == nil, folder.isGone(id, known) else {
                return nil
            }
            return PendingOperation(
                id: id, kind: .delete, path: known.lastPlace ?? known.base?.todo?.path ?? id.string,
                base: known.base)
        }
        guard let base = known?.base, case .todo(let confirmed) = base else {
            return PendingOperation(
                id: id, kind: .insert, local: local, path: local.path, wirePath: local.path, base: known?.base
            )
        }
        let isRenamed = known.map { local.isRenamed($0) } ?? false
        guard isRenamed || !isSameText(confirmed.bytes, local.bytesWithID) else { return nil }
        let wirePath = isRenamed || confirmed.path == nil ? local.path : confirmed.path
        return PendingOperation(
            id: id, kind: .update, local: local, path: local.path, wirePath: wirePath,
            previousPath: isRenamed ? confirmed.path ?? known?.place : nil, base: base)
    }

    /// Returns the operations that are pending, in no order: all, or those of some todos.
    ///
    /// What is loaded neither here nor there is unchanged.
    func pendingOperations(of isWanted: (TodoID) -> Bool = { _ in true }) -> [PendingOperation] {
        let wanted = folder.todos.loaded.keys.filter(isWanted)
        return pendingOperationsOfUnread(isWanted)
            + mapConcurrently(wanted) { pendingOperation($0) }.compactMap(\.self)
    }

    /// Returns those of them that are deletes.
    func pendingDeletes(of isWanted: (TodoID) -> Bool = { _ in true }) -> [PendingOperation] {
        pendingOperationsOfUnread(isWanted).filter { $0.kind == .delete }
    }

    /// Returns those of todos of which no file was read.
    private func pendingOperationsOfUnread(_ isWanted: (TodoID) -> Bool) -> [PendingOperation] {
        tracked.todos.loaded.keys.filter { folder.todos.loaded[$0] == nil && isWanted($0) }
            .compactMap(pendingOperation)
    }

    /// Whether a pending operation can be sent now.
    ///
    /// One whose answer is still unknown has to be sent again as it was, before anything else of its todo is;
    /// and where the remote is known to have moved on, it would only say so.
    func canSend(_ operation: PendingOperation) -> Bool {
        let known = tracked.todos[operation.id]
        return known?.sent == nil && known?.held == nil
    }
}

extension LocalTodo {
    /// The file's text with the id that it has by its place.
    var bytesWithID: [UInt8] {
        guard lacksID, let id else { return bytes }
        return todo.document.inserting(id: id.string)
    }

    /// The todo with the id that it has by its place, so that its lack is not taken for a change.
    var todoWithID: Todo { lacksID ? (try? Todo(parsing: bytesWithID)) ?? todo : todo }

    /// Whether the user gave the file another path than the one the remote knows.
    func isRenamed(_ state: TodoState) -> Bool { state.isRenamed(path) }
}

extension TodoState {
    /// Whether the user gave the todo's file, which is at a path, another one than the remote knows.
    func isRenamed(_ path: String) -> Bool {
        guard case .todo(let base)? = base else { return false }
        guard let basePath = base.path else { return place.map { !$0.isSameBytes(as: path) } ?? false }
        if isDisplaced(at: path) { return false }
        return !basePath.isSameBytes(as: path)
    }
}

extension PendingOperation {
    /// Returns what is sent to the remote for it.
    ///
    /// - Parameter device: the name of this device; nil if it has none to send.
    func change(from device: String?) -> PushOperation.Change {
        guard let local else {
            guard let base else { preconditionFailure("a delete rests on a base version") }
            return .delete(base: base.version)
        }
        return Self.change(sending: local.todo, path: wirePath, base: base, from: device)
    }

    /// Returns what is sent for a file's content; the same for the same content and base version.
    static func change(
        sending todo: Todo, path: String?, base: RemoteState?, from device: String?
    ) -> PushOperation.Change {
        let layout = Layout(
            path: path, yaml: String(decoding: todo.bytes, as: UTF8.self), device: device)
        var fields = todo.fields
        // The tutorial's app lists what is not complete by `complete eq false`: absent would be missed.
        if CanonicalField.value(FieldName.complete, fields[FieldName.complete]) == nil {
            fields[FieldName.complete] = .bool(false)
        }
        switch base {
        case nil: return .insert(fields: fields, layout: layout)
        // Gone without a tombstone: there is nothing to put it in the place of.
        case .deleted(let version) where version.string.isEmpty:
            return .insert(fields: fields, layout: layout)
        case .deleted(let version): return .recreate(fields: fields, layout: layout, base: version)
        case .todo(let base):
            let old = (try? Todo(parsing: base.bytes))?.fields ?? [:]
            var patch = Mapping()
            for name in CanonicalField.differences(from: old, to: fields) {
                patch[name] = fields[name] ?? .null
            }
            patch[FieldName.complete] = fields[FieldName.complete]
            return .update(fields: patch, layout: layout, base: base.version)
        }
    }
}
