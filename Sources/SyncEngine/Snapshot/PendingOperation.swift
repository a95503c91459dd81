internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// The difference between a todo's file and its base version.
///
/// It is a class because it is passed on many times.
final class PendingOperation: Sendable {
    let id: TodoID
    let kind: OperationKind
    /// The current file; nil for a delete.
    let local: LocalTodo?
    let path: String
    /// The path to send; nil for a delete.
    let wirePath: String?
    let previousPath: String?
    /// The base version of the operation; nil for an insert of a todo that the remote never had.
    let base: RemoteState?

    init(
        id: TodoID, kind: OperationKind, local: LocalTodo? = nil, path: String, wirePath: String? = nil,
        previousPath: String? = nil, base: RemoteState?
    ) {
        self.id = id
        self.kind = kind
        self.local = local
        self.path = path
        self.wirePath = wirePath
        self.previousPath = previousPath
        self.base = base
    }

    var fields: [String] {
        guard let local else { return [] }
        return base?.todo.map { local.changedFields(from: $0.bytes) } ?? local.todo.fields.keys
    }
}

extension Snapshot {
    /// Returns a todo's pending operation, by its file and its base version; nil if there isn't one.
    ///
    /// Todos with conflict markers or an invalid file have no operation that can be sent. The same applies to
    /// todos that git rolled back to an older version, and to todos that aren't kept here.
    func pendingOperation(_ id: TodoID) -> PendingOperation? {
        if standings[id]?.isHeld == true { return nil }
        let known = tracked.todos[id]
        guard let local = folder.todos[id] else {
            guard let known, case .todo? = known.base, known.conflict == nil, !known.isNotKept,
                folder.isGone(id, known)
            else { return nil }
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

    /// Returns the pending operations of all or some todos, in no particular order.
    ///
    /// Todos that are loaded in neither the folder nor the state are unchanged.
    func pendingOperations(of isWanted: (TodoID) -> Bool = { _ in true }) -> [PendingOperation] {
        let wanted = folder.todos.loaded.keys.filter(isWanted)
        return pendingOperationsOfUnread(isWanted)
            + mapConcurrently(wanted) { pendingOperation($0) }.compactMap(\.self)
    }

    /// Returns the pending deletes of all or some todos.
    func pendingDeletes(of isWanted: (TodoID) -> Bool = { _ in true }) -> [PendingOperation] {
        pendingOperationsOfUnread(isWanted).filter { $0.kind == .delete }
    }

    /// Returns the pending operations of todos whose file wasn't read.
    private func pendingOperationsOfUnread(_ isWanted: (TodoID) -> Bool) -> [PendingOperation] {
        tracked.todos.loaded.keys.filter { folder.todos.loaded[$0] == nil && isWanted($0) }
            .compactMap(pendingOperation)
    }

    /// Returns whether a pending operation can be sent now.
    ///
    /// An unanswered operation has to be sent again, unchanged, before any other operation of its todo. If
    /// the remote is known to have a newer version, as in a conflict without markers, it would reject the
    /// operation.
    func canSend(_ operation: PendingOperation) -> Bool {
        let known = tracked.todos[operation.id]
        return known?.sent == nil && known?.held == nil && known?.conflict == nil
            && standings[operation.id]?.isOfOlderVersion != true
    }
}

extension LocalTodo {
    /// The file's text, with the id recorded for its path.
    var bytesWithID: [UInt8] {
        guard lacksID, let id else { return bytes }
        return todo.document.inserting(id: id.string)
    }

    /// The todo with the id recorded for its path, so that the missing id doesn't count as a change.
    var todoWithID: Todo { lacksID ? (try? Todo(parsing: bytesWithID)) ?? todo : todo }

    /// Returns whether the user renamed the file, compared with the path on the remote.
    func isRenamed(_ state: TodoState) -> Bool { state.isRenamed(path) }
}

extension TodoState {
    /// Returns whether the user renamed the todo's file to a path, compared with the path on the remote.
    func isRenamed(_ path: String) -> Bool {
        guard case .todo(let base)? = base else { return false }
        guard let basePath = base.path else { return place.map { !$0.isSameBytes(as: path) } ?? false }
        if isDisplaced(at: path) { return false }
        return !basePath.isSameBytes(as: path)
    }
}

extension PendingOperation {
    /// Returns the change to send to the remote.
    ///
    /// - Parameter device: The name of this device; nil to send none.
    func change(from device: String?) -> PushOperation.Change {
        guard let local else {
            guard let version = base?.version else { preconditionFailure("a delete has a base version") }
            return .delete(base: version)
        }
        return Self.change(sending: local.todo, path: wirePath, base: base, from: device)
    }

    /// Returns the change to send for a file's content; it is the same for the same content and base version.
    static func change(
        sending todo: Todo, path: String?, base: RemoteState?, from device: String?
    ) -> PushOperation.Change {
        let layout = Layout(
            path: path, yaml: String(decoding: todo.bytes, as: UTF8.self), device: device)
        var fields = todo.fields
        // The tutorial's app lists open todos by `complete eq false`, and would miss those without the field.
        if CanonicalField.value(FieldName.complete, fields[FieldName.complete]) == nil {
            fields[FieldName.complete] = .bool(false)
        }
        switch base {
        case nil: return .insert(fields: fields, layout: layout)
        // The record is gone without a tombstone, so there is nothing to replace.
        case .deleted(nil):
            return .insert(fields: fields, layout: layout)
        case .deleted(let version?): return .recreate(fields: fields, layout: layout, base: version)
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
