internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A plan for an undo, a redo or a restoration.
struct ReversalPlan {
    /// What to report if everything is applied as planned.
    var report: UndoReport
    var reversals: [Reversal] = []
    /// Todos that need no change, which the next undo needn't check again.
    var unchanged: [ReportRow] = []
    /// The operation that is undone; nil if there isn't one.
    var undoes: String?

    /// Chooses the paths of reversals, and adds the reversals to the plan.
    mutating func add(_ wanted: [Reversal], _ planner: ReversalPlanner) {
        let (assigned, left) = planner.assigningPaths(wanted)
        for (reversal, refusal) in left {
            let edit = reversal.edit
            report.refused.append(ReportRow(edit.id, edit.before?.path ?? edit.path, refusal))
        }
        let refused = Set(report.refused.map(\.id))
        // If a copy's todo isn't changed back, the copy's text might exist nowhere else.
        for reversal in assigned {
            if let id = reversal.removedCopy, refused.contains(id) {
                report.refused.append(ReportRow(reversal.edit.id, reversal.edit.path, .isCopyOfUnchanged))
            } else {
                reversals.append(reversal)
            }
        }
        report.undone = reversals.map(ReportRow.init).sorted(byBytesOf: \.path)
    }

    /// Adds the names of the todos to the report.
    mutating func addNames(from snapshot: Snapshot) {
        var former: [TodoID: [UInt8]] = [:]
        // A copy that another tool made isn't a todo of its own.
        for reversal in reversals where !reversal.edit.drops && reversal.removedCopy == nil {
            former[reversal.edit.id] = (reversal.edit.after ?? reversal.edit.before)?.bytes
        }
        report.names = TodoNames(snapshot, former: former)
    }
}

extension ReportRow {
    /// Creates the row of a todo whose file is changed back, except for later changes.
    init(_ reversal: Reversal) {
        let edit = reversal.edit
        self.init(id: edit.id, path: edit.path, operation: reversal.kind, fields: [])
        guard let before = edit.before, let after = edit.after else { return }
        // The file stays even if it is no longer a todo of its own.
        operation = .update
        let isMarked = [before, after].contains { ConflictedText.firstMarkerLine(in: $0.bytes) != nil }
        if edit.conflict != .none || isMarked { notes = [.conflictChanged] }
        fields = changedFields(from: before.bytes, to: after.bytes)
        if !before.path.isSameBytes(as: after.path) { previousPath = before.path }
    }
}

extension ReportRow {
    /// Creates the row of a todo that isn't changed back.
    init(_ id: TodoID, _ path: String, _ refusal: ReversalRefusal) {
        self.init(id: id, path: path, reason: refusal.reason, cause: refusal.cause)
    }
}

/// The user's change to one todo in an operation.
enum UndoableChange {
    /// The operation changed the file.
    case made(ChangedTodo)
    /// An editor changed the file, and the operation sent it.
    case sent(SentEdits)

    var id: TodoID {
        switch self {
        case .made(let todo): todo.id
        case .sent(let edits): edits.id
        }
    }
}

/// The operations that can be undone and redone.
final class UndoableOperations {
    let history: History
    /// The undone todos of each operation, by the operation's id.
    let undone: [String: Set<TodoID>]
    private let planner: ReversalPlanner
    private lazy var sentEdits = history.sentEdits(rules: planner.snapshot.rules)
    private lazy var indices = Dictionary(
        history.operations.enumerated().map { ($1.operation, $0) }, uniquingKeysWith: { $1 })

    init(_ history: History, _ planner: ReversalPlanner) {
        self.history = history
        self.planner = planner
        undone = history.undoneTodos
    }

    /// Returns an operation's changes.
    ///
    /// - Parameter isWhole: Whether to include remote changes that it applied, and todos that editors created
    ///   and it sent.
    func changes(of index: Int, isWhole: Bool) -> [UndoableChange] {
        let operation = history.operations[index]
        let made = ChangedTodo.all(in: operation).filter { isWhole || $0.wasMadeByUser(in: operation) }
        let ids = Set(made.map(\.id))
        let sent = sentEdits[index].filter { !ids.contains($0.id) && (isWhole || !$0.createsTodo) }
        return made.map(UndoableChange.made) + sent.map(UndoableChange.sent)
    }

    /// The operations that have changes by the user that aren't undone, newest first; undos aren't included.
    var newest: some Sequence<Int> {
        history.operations.indices.reversed().lazy.filter { [self] index in
            let operation = history.operations[index]
            guard operation.undoes == nil else { return false }
            let done = undone[operation.operation] ?? []
            return changes(of: index, isWhole: false).contains { !done.contains($0.id) }
        }
    }

    /// Returns the todos that editors created and that an operation or a newer one sent.
    func created(since index: Int) -> [TodoID] {
        sentEdits[index...].flatMap { $0.filter(\.createsTodo).map(\.id) }
    }

    /// An undo that can be redone.
    enum NewestUndo {
        case undo(Int)
        /// There is an undo, but the user has made changes in this operation since then.
        case hidden(by: Int)
        case none
    }

    /// The newest undo that is still in effect.
    var newestUndo: NewestUndo {
        var newer: Int?
        for index in history.operations.indices.reversed() {
            if isUndo(index) {
                let operation = history.operations[index]
                let left = operation.undoneIDs.subtracting(undone[operation.operation] ?? [])
                guard ChangedTodo.all(in: operation).contains(where: { left.contains($0.id) }) else {
                    continue
                }
                return newer.map(NewestUndo.hidden) ?? .undo(index)
            }
            if newer == nil, history.operations[index].undoes == nil,
                !changes(of: index, isWhole: false).isEmpty
            {
                newer = index
            }
        }
        return .none
    }

    /// Returns the operation that a chain of undos and redos started from.
    func root(of index: Int) -> Int {
        history.operations[index].undoes.flatMap { indices[$0] }.map(root) ?? index
    }

    /// Returns whether an operation undoes something, and isn't itself a redo.
    private func isUndo(_ index: Int) -> Bool {
        guard let target = history.operations[index].undoes else { return false }
        return indices[target].map { !isUndo($0) } ?? true
    }
}

extension ReversalPlanner {
    /// Plans to undo the newest operation that still has an effect, or else the newest one.
    func newest(_ undoable: UndoableOperations) -> (index: Int, plan: ReversalPlan)? {
        var first: (index: Int, plan: ReversalPlan)?
        for index in undoable.newest {
            let plan = undo(undoable, index, isNamed: false)
            if !plan.reversals.isEmpty || !plan.report.refused.isEmpty { return (index, plan) }
            first = first ?? (index, plan)
        }
        return first
    }

    /// Plans to undo an operation.
    ///
    /// - Parameter isNamed: Whether the user named the operation, so that the remote changes that it applied
    ///   are undone as well.
    func undo(_ undoable: UndoableOperations, _ index: Int, isNamed: Bool) -> ReversalPlan {
        let operation = undoable.history.operations[index]
        let undone = undoable.undone[operation.operation] ?? []
        var plan = ReversalPlan(
            report: UndoReport(operation: LogEntry(operation, undone: undone)), undoes: operation.operation)
        let changes = undoable.changes(of: index, isWhole: isNamed)
        let left = changes.filter { !undone.contains($0.id) }
        var wanted: [Reversal] = []
        for change in left.isEmpty ? changes : left {
            do {
                if let reversal = try reversal(change, undoable.history, index) {
                    wanted.append(reversal)
                } else if !left.isEmpty {
                    // The todo already has its old state, and the next undo needn't check it.
                    plan.unchanged.append(change.report)
                }
            } catch {
                let path = snapshot.folder.path(of: change.id) ?? change.report.path
                plan.report.refused.append(ReportRow(change.id, path, error))
            }
        }
        plan.add(wanted, self)
        return plan
    }

    private func reversal(
        _ change: UndoableChange, _ history: History, _ index: Int
    ) throws(ReversalRefusal) -> Reversal? {
        switch change {
        case .made(var todo):
            todo.carry(history, from: index, rules: snapshot.rules)
            return try reversal(todo, of: history.operations[index])
        case .sent(let edits): return try reversal(edits)
        }
    }

    // MARK: Edits that were sent

    /// Plans to undo editors' changes that were sent, keeping later changes; nil if there is nothing to do.
    private func reversal(_ sent: SentEdits) throws(ReversalRefusal) -> Reversal? {
        guard snapshot.tracked.todos[sent.id]?.conflict == nil else { throw .isConflicted }
        switch (sent.before, sent.after, try currentFile(of: sent.id)) {
        case (nil, _, nil): return nil
        case (nil, _, let current?): throw ReversalRefusal(createdAt: current.path)
        case (let before?, nil, nil): return creation(of: sent.id, withID(before, sent.id))
        case (let before?, nil, let current?):
            if isSameText(current.bytesWithID, withID(before.bytes, sent.id)) { return nil }
            throw .existsAgain
        case (_?, _?, nil): throw .isDeleted
        case (let before?, let after?, let current?):
            return update(of: current, sent.id, to: try textBack(sent.id, before, after, current.fileText))
        }
    }
}

extension UndoableChange {
    /// The report about a todo that needs no change.
    fileprivate var report: ReportRow {
        switch self {
        case .made(let todo): ReportRow(id: todo.id, path: todo.path, operation: todo.kindOfReversal)
        case .sent(let edits):
            ReportRow(
                id: edits.id, path: edits.after?.path ?? edits.before?.path ?? edits.id.string,
                operation: edits.after == nil ? .insert : edits.before == nil ? .delete : .update)
        }
    }
}
