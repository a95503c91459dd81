internal import Git
internal import LosslessYAML
internal import ThreeWayMerge
package import TodoModel
package import WorkingCopy

/// A todo in a report: what a command did to it, what is pending, or why nothing was done.
package struct ReportRow: Sendable, Hashable {
    /// The todo's id; nil for a new file that has none yet, or wouldn't have one in a dry run.
    package var id: TodoID?
    package var path: String
    /// What happened to the todo or its file, or would happen; nil if nothing did.
    package var operation: OperationKind?
    /// The former path of a moved file.
    package var previousPath: String?
    /// The top-level fields that changed, or that a rule or an answer decided; of a conflict, the paths of
    /// values, such as `place.city`.
    ///
    /// Without any, an update changed only comments, layout or the path.
    package var fields: [String] {
        get { update.map { changedFields(from: $0.old, to: $0.new) } ?? givenFields ?? [] }
        set { givenFields = newValue }
    }
    /// Whether fields are known, even if none changed.
    package var hasFields: Bool { update != nil || givenFields != nil }
    /// Why nothing was done, or the remote's message; empty without one.
    package var reason: String
    /// The failed call to the operating system, if there was one.
    package var cause: FileError?
    /// What else is worth a word.
    package var notes: Set<Note>
    /// The HTTP status of a refusal.
    package var status: Int?
    /// The field `text`; nil if the report's names show it.
    package var text: String?
    /// The field `due` after an edit.
    package var due: String?
    /// The fields that the todo didn't have before an edit.
    package var newFields: [String] = []
    /// What resolved a conflict; nil unless one was resolved.
    package var used: Answer?
    /// The command that marks the conflict as resolved in git; nil if git doesn't wait for that.
    package var gitCommand: GitCommand?
    /// The position in the file that a reason is about, if it is known.
    package var (line, column): (Int?, Int?)

    private var givenFields: [String]?
    /// The texts of a pulled update.
    private var update: Update?

    package enum Note: Sendable {
        /// Both sides added comments, which the file now has.
        case commentsOfBoth
        /// The todo still has a conflict.
        case conflictLeft
        /// A conflict was reopened or resolved again.
        case conflictChanged
        /// A part of the conflict was resolved, and the rest is in the file.
        case partlyResolved
    }

    package enum Answer: String, Sendable { case file, local, remote, base, union, remembered }

    /// A git command that takes the todo's path.
    package enum GitCommand: String, Sendable { case add, rm }

    /// The texts before and after an update, which are compared on demand.
    private struct Update: Sendable, Hashable {
        var old: [UInt8]
        var new: [UInt8]
    }

    package init(
        id: TodoID?, path: String, operation: OperationKind? = nil, fields: [String]? = nil,
        previousPath: String? = nil, reason: String = "", cause: FileError? = nil,
        notes: Set<Note> = [], status: Int? = nil, text: String? = nil, used: Answer? = nil,
        gitCommand: GitCommand? = nil, line: Int? = nil, column: Int? = nil
    ) {
        (self.id, self.path, self.operation, self.previousPath) = (id, path, operation, previousPath)
        (givenFields, self.reason, self.cause, self.notes) = (fields, reason, cause, notes)
        (self.status, self.text, self.used, self.gitCommand) = (status, text, used, gitCommand)
        (self.line, self.column) = (line, column)
    }

    /// Creates the row of a pulled change.
    init(pulling edit: PlannedEdit, at path: String) {
        self.init(id: edit.id, path: path, operation: edit.kind)
        if let old = edit.before, let new = edit.after { update = Update(old: old.bytes, new: new.bytes) }
    }

    package var isDelete: Bool { operation == .delete }
    /// Why the remote refused the operation, with its message if it gave one.
    package var refusal: String {
        RemoteError.words(ofStatus: status ?? 0, message: reason.isEmpty ? nil : reason)
    }
}

extension PlannedEdit {
    /// The effect on the todo's file.
    var kind: OperationKind { after == nil ? .delete : before == nil ? .insert : .update }
}

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
