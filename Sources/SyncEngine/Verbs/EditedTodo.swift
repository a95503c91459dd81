internal import LosslessYAML
package import TodoModel
internal import WorkingCopy

/// A todo that a command changed, or would have changed.
package struct EditedTodo: Sendable, Hashable {
    /// The todo's id; nil if its file doesn't have one yet.
    package var id: TodoID?
    package var path: String
    package var text: String
    /// Whether the file changed.
    package var isChanged: Bool
    /// The top-level fields that changed; empty if only comments or the layout did.
    package var fields: [String]
}

extension EditedTodo {
    init(_ file: LocalTodo, _ edit: PlannedEdit?) {
        let after = edit?.after.flatMap { try? Todo(parsing: $0.bytes) } ?? file.todo
        self.init(
            id: file.id, path: file.path, text: after.text, isChanged: edit != nil,
            fields: CanonicalField.differences(from: file.todo.fields, to: after.fields))
    }
}

extension EditedTodo {
    /// Creates the report of a todo's changes since it was located.
    package init(since before: LocatedTodo, in workspace: Workspace) throws {
        let bytes = try Snapshot(of: workspace).folder.bytes(at: before.path) ?? []
        self.init(
            id: before.id, path: before.path, text: (try? Todo(parsing: bytes))?.text ?? "",
            isChanged: bytes != before.bytes, fields: changedFields(from: before.bytes, to: bytes))
    }
}
