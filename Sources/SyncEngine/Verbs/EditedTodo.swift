internal import Git
internal import LosslessYAML
internal import ThreeWayMerge
package import TodoModel
package import WorkingCopy

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
    /// The fields that the todo didn't have before.
    package var newFields: [String] = []
    /// The kind of change: `insert` or `delete` for the next occurrence of a recurring todo.
    package var kind = OperationKind.update
    /// The field `due`.
    package var due: String?
    /// Whether the edit removed conflict markers, and git waits for `git add`.
    package var endsConflictOfGit = false
}

extension EditedTodo {
    init(_ file: LocalTodo, _ edit: PlannedEdit?) {
        let after = edit?.after.flatMap { try? Todo(parsing: $0.bytes) } ?? file.todo
        self.init(
            id: file.id, path: file.path, text: after.text, isChanged: edit != nil,
            fields: CanonicalField.differences(from: file.todo.fields, to: after.fields), due: after.due)
        let had = file.todo.fields
        newFields = fields.filter { had[$0] == nil }
    }
}

extension EditedTodo {
    /// Creates the report of an occurrence that was created or removed along with an edit.
    init(occurrence edit: PlannedEdit) {
        let file = edit.after ?? edit.before
        let todo = file.flatMap { try? Todo(parsing: $0.bytes) }
        self.init(
            id: edit.id, path: edit.path, text: todo?.text ?? "", isChanged: true, fields: [],
            kind: edit.after == nil ? .delete : .insert, due: todo?.due)
    }
}

extension EditedTodo {
    /// Creates the report of a todo's changes since it was located.
    package init(since before: LocatedTodo, in workspace: Workspace) throws {
        let bytes = try Snapshot(of: workspace).folder.bytes(at: before.path) ?? []
        self.init(
            id: before.id, path: before.path, text: (try? Todo(parsing: bytes))?.text ?? "",
            isChanged: bytes != before.bytes, fields: changedFields(from: before.bytes, to: bytes))
        if ConflictedText.firstMarkerLine(in: before.bytes) != nil,
            ConflictedText.firstMarkerLine(in: bytes) == nil
        {
            let unmerged = (try? GitSurvey(workspace)?.indexed())?.unmerged ?? [:]
            endsConflictOfGit = unmerged[before.path] != nil
        }
    }
}
