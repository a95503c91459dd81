internal import SyncEngine
internal import TodoModel
internal import WorkingCopy

/// The result of a push, pull or sync.
public struct SyncReport: Sendable {
    /// The changes that the remote accepted.
    public let pushed: [Change]
    /// The remote's changes that were applied here.
    public let pulled: [Change]
    /// The todos that both sides changed, with the fields that the merge changed locally.
    public let merged: [Fields]
    /// The todos whose conflicts a delegate or a remembered resolution resolved, with the resolved fields.
    public let resolved: [Fields]
    /// The open conflicts, new and old, with the fields in conflict.
    public let conflicts: [Fields]
    /// The todos that can't be pushed or pulled now or that the remote refused, with the reasons.
    public let waiting: [Problem]
    /// The todos whose files git changed or removed, with the reasons; they are neither sent nor changed.
    public let held: [Problem]
    /// The number of deletes and edits that a guard withholds because there are suspiciously many.
    public let withheld: Int
    /// The number of changes that are still pending, including those of todos in conflict.
    public let pending: Int
    /// More messages for the user.
    public let warnings: [String]
    /// Whether something needs the user's attention, such as a conflict.
    public let needsAttention: Bool
    /// The error that stopped the push, pull or sync; nil if there was none.
    public let error: (any Error)?

    /// A todo that was pushed or pulled.
    public struct Change: Sendable, Hashable {
        /// The todo's id; nil if its file doesn't have one yet.
        public let id: String?
        /// The file's path, relative to the working directory.
        public let path: String
        /// The kind of change that was pushed or pulled.
        public let operation: Operation
    }

    /// A kind of change to a todo.
    public enum Operation: String, Sendable {
        case insert, update, delete
    }

    /// A todo and some of its fields.
    public struct Fields: Sendable, Hashable {
        /// The todo's id.
        public let id: String
        /// The file's path, relative to the working directory.
        public let path: String
        /// The names of the fields; for a value in a mapping, the path of keys: `place.city`.
        public let fields: [String]
    }

    /// A file with a problem and the reason for it.
    public struct Problem: Sendable, Hashable {
        /// The file's path, relative to the working directory.
        public let path: String
        /// The reason, as a phrase.
        public let reason: String
    }
}

extension SyncReport {
    init(_ report: SyncEngine.SyncReport, warnings: [String]) {
        pushed = report.pushed.map(Change.init)
        pulled = report.pulled.map(Change.init)
        merged = report.merged.compactMap(Fields.init)
        resolved = (report.recalled + report.handled).compactMap(Fields.init)
        conflicts = report.conflicts.map { Fields(id: $0.id.string, path: $0.path, fields: $0.fields) }
        waiting =
            report.held.waiting.map { Problem(path: $0.path, reason: $0.message) }
            + report.refused.map { Problem(path: $0.path, reason: $0.refusal) }
        held = report.held.ofGit.map { Problem(path: $0.path, reason: $0.message) }
        withheld = report.held.withheld.reduce(0) { $0 + $1.count }
        pending = report.pending ?? 0
        self.warnings = warnings
        needsAttention = report.needsUser
        error = report.stop.map(publicError)
    }
}

extension SyncReport.Change {
    fileprivate init(_ row: ReportRow) {
        self.init(
            id: row.id?.string, path: row.path, operation: SyncReport.Operation(row.operation ?? .update))
    }
}

extension SyncReport.Fields {
    fileprivate init?(_ row: ReportRow) {
        guard let id = row.id?.string else { return nil }
        self.init(id: id, path: row.path, fields: row.fields)
    }
}

extension SyncReport.Problem {
    fileprivate init(_ row: ReportRow) { self.init(path: row.path, reason: row.reason) }
}

extension SyncReport.Operation {
    init(_ kind: OperationKind) {
        self =
            switch kind {
            case .insert: .insert
            case .update: .update
            case .delete: .delete
            }
    }
}

/// The changes that an undo, a redo or a merge of copies made in the folder, before a push.
public struct ChangeReport: Sendable, Hashable {
    /// The todos whose files were changed.
    public let changed: [SyncReport.Change]
    /// The files that were left unchanged, with the reasons.
    public let left: [SyncReport.Problem]
}

extension ChangeReport {
    init(_ report: UndoReport) {
        changed = report.undone.map(SyncReport.Change.init)
        left = report.refused.map(SyncReport.Problem.init)
    }

    init(_ report: AdoptReport) {
        changed = report.adopted.compactMap { copy in
            if copy.outcome == .removed { return nil }
            return SyncReport.Change(
                id: copy.id.string, path: copy.original,
                operation: copy.outcome == .restored ? .insert : .update)
        }
        left = report.unresolved.map(SyncReport.Problem.init)
    }
}
