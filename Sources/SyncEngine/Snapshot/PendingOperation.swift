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
    /// Whether a push can send it now.
    let canBeSent: Bool

    init(
        id: TodoID, kind: OperationKind, local: LocalTodo? = nil, path: String, wirePath: String? = nil,
        previousPath: String? = nil, base: RemoteState?, canBeSent: Bool
    ) {
        self.id = id
        self.kind = kind
        self.local = local
        self.path = path
        self.wirePath = wirePath
        self.previousPath = previousPath
        self.base = base
        self.canBeSent = canBeSent
    }

    var fields: [String] {
        guard let local else { return [] }
        return base?.todo.map { local.changedFields(from: $0.bytes) } ?? local.todo.fields.keys
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
        guard let basePath = base.path else { return localPath.map { !$0.isSameBytes(as: path) } ?? false }
        if isLocalOnlyPath(path) { return false }
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
