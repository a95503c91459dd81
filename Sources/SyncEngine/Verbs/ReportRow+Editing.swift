internal import Git
internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension ReportRow {
    /// Creates the row of a file that a command edited, or that it left unchanged if there is no edit.
    init(_ file: LocalTodo, _ edit: PlannedEdit?) {
        let after = edit?.after.flatMap { try? Todo(parsing: $0.bytes) } ?? file.todo
        self.init(
            id: file.id, path: file.path, operation: edit.map { _ in .update },
            fields: CanonicalField.differences(from: file.todo.fields, to: after.fields), text: after.text)
        due = after.due
        let had = file.todo.fields
        newFields = fields.filter { had[$0] == nil }
    }

    /// Creates the row of an occurrence that was created or removed along with an edit.
    init(occurrence edit: PlannedEdit) {
        let file = edit.after ?? edit.before
        let todo = file.flatMap { try? Todo(parsing: $0.bytes) }
        self.init(id: edit.id, path: edit.path, operation: edit.kind, text: todo?.text ?? "")
        due = todo?.due
    }

    /// Creates the row of a todo that an editor may have changed since it was located.
    package init(since before: LocatedTodo, in workspace: Workspace) throws {
        let bytes = try Snapshot(of: workspace).folder.bytes(at: before.path) ?? []
        self.init(
            id: before.id, path: before.path, operation: bytes == before.bytes ? nil : .update,
            fields: changedFields(from: before.bytes, to: bytes),
            text: (try? Todo(parsing: bytes))?.text ?? "")
        if ConflictedText.firstMarkerLine(in: before.bytes) != nil,
            ConflictedText.firstMarkerLine(in: bytes) == nil
        {
            let unmerged = (try? GitSurvey(workspace)?.indexed())?.unmerged ?? [:]
            if unmerged[before.path] != nil { gitCommand = .add }
        }
    }
}
