internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// An edit that undoes a change to a todo's file, and the kind that the log records.
struct Reversal {
    var edit: PlannedEdit
    var kind: OperationKind
    /// Whether the edit creates a file at the wanted path, or at a different one if that path isn't free.
    var isAssignedLast = false

    /// The todo whose copy, made by another tool, the edit removes; nil if it does anything else.
    var removedCopy: TodoID? {
        guard edit.after == nil, let id = edit.before.flatMap({ LineScan.id(in: $0.bytes) }), id != edit.id
        else { return nil }
        return id
    }
}

/// The changes that an operation made to one todo's file, from the first to the last.
struct ChangedTodo {
    var id: TodoID
    var first: LoggedChange
    var last: LoggedChange { didSet { after = last.after } }
    /// The file before and after the changes; both include what others changed later.
    private(set) var (before, after): (FileText?, FileText?)

    private init(_ change: LoggedChange) {
        (id, first, last) = (change.id, change, change)
        (before, after) = (change.before, change.after)
    }

    var path: String { after?.path ?? before?.path ?? id.string }

    /// The kind of change that undoing this one makes.
    var kindOfReversal: OperationKind { before == nil ? .delete : after == nil ? .insert : .update }

    /// Whether there is something to undo.
    var isEffective: Bool { before != after || last.conflict != .none || first.conflict != .none }

    /// Whether an existing file was adopted as a todo: it had no id before, or a different one.
    var adopts: Bool {
        guard !first.wasTracked, let before else { return false }
        return LineScan.id(in: before.bytes) != id
    }

    /// Whether the operation resolved a part of an open conflict, or edited its file, and left markers.
    var isPartOfResolution: Bool {
        last.conflict == .none && first.conflictBefore != nil && last.conflictBefore != nil
            && [before, after].allSatisfy {
                $0.map { ConflictedText.firstMarkerLine(in: $0.bytes) != nil } ?? false
            }
    }

    /// Whether the operation undid an adoption: the file is no longer a tracked todo.
    var releases: Bool {
        guard first.wasTracked, let after else { return false }
        return LineScan.id(in: after.bytes) != id
    }

    /// Whether the operation restored a file that isn't a tracked todo, because it has no id, or the id
    /// of another file.
    var isNotATodo: Bool {
        guard before == nil, !first.wasTracked, let after else { return false }
        return LineScan.id(in: after.bytes) != id
    }

    /// Returns whether the user made this change in the operation, without a remote change.
    func wasMadeByUser(in operation: LoggedOperation) -> Bool {
        // An ended operation doesn't list todos that only made room for another one.
        let isLogged = !operation.hasEnded || operation.todos.contains { $0.id == id }
        return isLogged
            && [first, last].allSatisfy { change in
                switch change.conflict {
                case .none: change.remote == nil || isDiscarded(in: operation)
                case .opens: false
                case .closes, .aborts, .reopens: true
                }
            }
    }

    /// Returns whether the user discarded local changes: the remote's version then came from the journal.
    private func isDiscarded(in operation: LoggedOperation) -> Bool {
        operation.undoes == nil && operation.todos.contains { $0.id == id && $0.state == .undone }
    }

    /// Replaces the file before the changes, which had conflict markers, with the remote's version.
    ///
    /// The undo then reverts what an answer to the conflict changed in that version.
    mutating func startFromRemote(of conflict: OpenConflict) {
        let path = after?.path ?? before?.path ?? conflict.localPath
        before = FileText(conflict.remote.todo?.bytes, at: path)
    }

    /// Adds the remote's changes that the user's change was merged with before the remote accepted it.
    ///
    /// Undoing the user's change then doesn't undo the same change by others.
    mutating func carry(_ history: History, from index: Int, rules: FieldRules) {
        guard first.conflict == .none, last.conflict == .none else { return }
        let operation = history.operations[index]
        guard wasMadeByUser(in: operation) else { return }
        // The newest version came with the change.
        if let remote = last.remote {
            before = RemoteMerge(id, first.baseBefore, remote, rules).carrying(before)
        }
        var isSent = false
        let later = history.operations[(index + 1)...].lazy.flatMap(\.events)
        for event in later where event.id == id {
            switch event {
            case .change(let change) where change.conflict != .none: return
            case .change(let change):
                if let merge = RemoteMerge(change, rules) { carry(over: merge) }
            case .linked(let link): carry(over: RemoteMerge(id, link.baseBefore, link.remote, rules))
            case .seen: isSent = true
            case .rejected: isSent = false
            case .pushed: if isSent { return }
            case .distrusted: return
            case .kept, .givenUp: break
            }
        }
    }

    private mutating func carry(over merge: RemoteMerge) {
        guard before != nil else { return }
        let (carried, kept) = (merge.carrying(before), merge.carrying(after))
        // If a delete by others was overruled, undoing an edit must not apply the delete after all.
        (before, after) = (carried ?? (kept == nil ? nil : before), kept)
    }

    /// Returns an operation's changes to each todo's file, in the order of the first changes.
    static func all(in operation: LoggedOperation) -> [ChangedTodo] {
        var todos: [ChangedTodo] = []
        var positions: [TodoID: Int] = [:]
        for change in operation.changes {
            if let position = positions[change.id] {
                todos[position].last = change
            } else {
                positions[change.id] = todos.count
                todos.append(ChangedTodo(change))
            }
        }
        return todos.filter(\.isEffective)
    }
}

/// Plans to change todos back to earlier states, without writing anything.
struct ReversalPlanner {
    let snapshot: Snapshot

    /// Plans to change a todo back to its state before an operation, keeping later changes; nil if there is
    /// nothing to do.
    ///
    /// - Throws: ``ReversalRefusal``.
    func reversal(_ todo: ChangedTodo, of operation: LoggedOperation) throws(ReversalRefusal) -> Reversal? {
        if case .opens = todo.last.conflict {
            let isOpen = snapshot.tracked.todos[todo.id]?.conflict != nil
            throw ReversalRefusal(
                isOpen
                    ? "it has a conflict; run \"todosync resolve\" or \"todosync resolve --abort\""
                    : "its conflict has been resolved since; undo that first")
        }
        if case .reopens(let conflict, _) = todo.last.conflict { return try resolveAgain(todo, conflict) }
        guard snapshot.tracked.todos[todo.id]?.conflict == nil else {
            throw .isConflicted
        }
        var todo = todo
        if todo.last.conflict != .none {
            if let reversal = try reopen(todo) { return reversal }
            // An aborted merge left the file as it was before.
            guard let conflict = todo.last.conflictBefore, todo.last.conflict == .closes else { return nil }
            todo.startFromRemote(of: conflict)
        }
        // A resolution of a part of a conflict is undone together with the resolution of the rest.
        if todo.isPartOfResolution { return nil }
        if todo.releases { return try adoptAgain(todo) }
        if todo.isNotATodo { return try removeAgain(todo, operation) }
        // Conflict markers that the operation wrote are undone with it if nobody has edited them.
        if let after = todo.after, let marked = snapshot.folder.conflicted[todo.id],
            marked.path.isSameBytes(as: after.path), marked.bytes == after.bytes
        {
            return Reversal(
                edit: PlannedEdit(id: todo.id, before: after, after: todo.before), kind: todo.kindOfReversal)
        }
        if todo.last.purges { return keeping(todo.id) }
        if todo.first.wasNotKept, todo.before == nil { return try purging(todo) }
        let current = try currentFile(of: todo.id)
        switch (todo.before, todo.after, current) {
        case (nil, nil, _), (nil, _, nil): return nil
        case (nil, let after?, let current?):
            guard isSameText(current.bytesWithID, after.bytes) else {
                throw ReversalRefusal(editing: todo.id, after: operation, in: snapshot)
            }
            return removal(of: todo.id, current)
        case (let before?, nil, nil) where todo.adopts:
            return snapshot.folder.bytes(at: before.path) == before.bytes
                ? nil : creation(of: todo.id, before)
        case (let before?, nil, nil): return creation(of: todo.id, withID(before, todo.id))
        case (let before?, nil, let current?):
            if current.bytes == before.bytes || isSameText(current.bytesWithID, before.bytes) { return nil }
            throw .existsAgain
        case (_?, _?, nil): throw .isDeleted
        case (let before?, let after?, let current?):
            if todo.adopts { return try releaseAgain(todo.id, before, after, current) }
            return try mergeBack(todo, before, after, current)
        }
    }

    /// Returns the todo's file; nil if it is certain to be gone.
    func currentFile(of id: TodoID) throws(ReversalRefusal) -> LocalTodo? {
        if let refusal = ReversalRefusal(changedByGit: id, in: snapshot) { throw refusal }
        if let local = snapshot.folder.todos[id] { return local }
        if snapshot.folder.conflicted[id] != nil { throw .isConflicted }
        if snapshot.folder.unreadable[id] != nil { throw ReversalRefusal("its file is not valid") }
        if let error = snapshot.diskError(of: id) { throw ReversalRefusal(error) }
        let condition = snapshot.condition(of: id)
        if condition.isHidden { throw ReversalRefusal(Snapshot.unseen) }
        if condition.isNotKept {
            throw ReversalRefusal("it was purged; run \"todosync purge --undo\" to bring it back")
        }
        return nil
    }

    /// Brings back a todo that isn't kept here; nil if it is kept.
    private func keeping(_ id: TodoID) -> Reversal? {
        snapshot.condition(of: id).isNotKept
            ? snapshot.notKept.newestText(of: id).map {
                Reversal(
                    edit: PlannedEdit(id: id, before: nil, after: $0), kind: .insert, isAssignedLast: true)
            } : nil
    }

    /// Removes the file of a todo that wasn't kept here before.
    private func purging(_ todo: ChangedTodo) throws(ReversalRefusal) -> Reversal? {
        guard let current = try currentFile(of: todo.id) else { return nil }
        if let reason = PurgeRule(snapshot: snapshot).reasonToKeep(todo.id) {
            throw ReversalRefusal("it was purged before, but can't be purged again: \(reason)")
        }
        return Reversal(
            edit: PlannedEdit(id: todo.id, before: current.fileText, after: nil, purges: true), kind: .delete)
    }

    func removal(of id: TodoID, _ current: LocalTodo) -> Reversal {
        Reversal(edit: PlannedEdit(id: id, before: current.fileText, after: nil), kind: .delete)
    }

    /// Removes a restored file that isn't a tracked todo.
    private func removeAgain(_ todo: ChangedTodo, _ operation: LoggedOperation) throws(ReversalRefusal)
        -> Reversal?
    {
        guard let after = todo.after, let bytes = snapshot.folder.bytes(at: after.path) else { return nil }
        guard bytes == after.bytes, snapshot.folder.id(at: after.path) == nil else {
            throw ReversalRefusal(editing: todo.id, after: operation, in: snapshot)
        }
        return Reversal(edit: PlannedEdit(id: todo.id, before: after, after: nil), kind: .delete)
    }

    /// Returns the reversal that creates a file that doesn't exist; ``assigningPaths(_:)`` chooses its path.
    ///
    /// If the text has no id or a different id, the file isn't tracked as a todo.
    func creation(of id: TodoID, _ text: FileText) -> Reversal {
        let isNotATodo = snapshot.tracked.todos[id] == nil && LineScan.id(in: text.bytes) != id
        var edit = PlannedEdit(id: id, before: nil, after: text)
        if isNotATodo { (edit.recording, edit.drops) = (.afterward, true) }
        return Reversal(edit: edit, kind: .insert, isAssignedLast: true)
    }

    /// Undoes the change to a file's text; a merge keeps later changes.
    private func mergeBack(
        _ todo: ChangedTodo, _ before: FileText, _ after: FileText, _ current: LocalTodo
    ) throws(ReversalRefusal) -> Reversal? {
        let wasMoved = !todo.first.wasPathLocalOnly
        let text = try textBack(todo.id, before, after, current.fileText, movesBack: wasMoved)
        return update(of: current, todo.id, to: text)
    }

    /// Returns the reversal that changes a todo's file to a text; nil if it already has that text and path.
    func update(of current: LocalTodo, _ id: TodoID, to text: FileText) -> Reversal? {
        let edit = PlannedEdit(
            id: id, before: current.fileText, after: text,
            isPathLocalOnly: text.path.isSameBytes(as: current.path) ? nil : false)
        return edit.change.map { _ in Reversal(edit: edit, kind: .update) }
    }

    /// Returns a todo's current file without an earlier change, but with all later ones.
    ///
    /// - Parameter movesBack: Whether the file also gets its path from before the change.
    func textBack(
        _ id: TodoID, _ before: FileText, _ after: FileText, _ current: FileText, movesBack: Bool = true
    ) throws(ReversalRefusal) -> FileText {
        let isMoved = movesBack && !before.path.isSameBytes(as: after.path)
        let path = isMoved && current.path.isSameBytes(as: after.path) ? before.path : current.path
        return FileText(path: path, bytes: try bytesBack(id, before.bytes, after.bytes, current.bytes))
    }

    private func bytesBack(
        _ id: TodoID, _ before: [UInt8], _ after: [UInt8], _ current: [UInt8]
    ) throws(ReversalRefusal) -> [UInt8] {
        if before == after { return current }
        let old = withID(before, id)
        let currentWithID = withID(current, id)
        if current == after || currentWithID == after { return old }
        guard todoProblem(in: old) == nil, todoProblem(in: after) == nil,
            let local = try? Todo(parsing: currentWithID)
        else { throw ReversalRefusal("it has been edited since, and was not a valid todo before") }
        switch reconcileTexts(base: withID(after, id), local: local, remote: old, rules: snapshot.rules) {
        case .agreed, .keepLocal: return current
        case .takeRemote(let bytes), .merged(let bytes, _): return bytes
        case .conflict(_, let fields, _):
            throw ReversalRefusal("\(fields.joined(separator: ", ")) changed again since")
        case .unmergeable(let obstacle, _):
            throw ReversalRefusal("it has been edited since, and \(obstacle.words)")
        }
    }

    /// Changes an adopted file back, so that it is no longer tracked as a todo.
    private func releaseAgain(
        _ id: TodoID, _ before: FileText, _ after: FileText, _ current: LocalTodo
    ) throws(ReversalRefusal) -> Reversal {
        let recorded = snapshot.tracked.todos[id]
        guard recorded?.base == nil, recorded?.sent == nil else {
            throw ReversalRefusal("it has been pushed since, with its id")
        }
        guard isSameText(current.bytes, after.bytes), current.path.isSameBytes(as: after.path) else {
            throw ReversalRefusal("it has been edited since")
        }
        let edit = PlannedEdit(
            id: id, before: current.fileText, after: FileText(path: current.path, bytes: before.bytes),
            isPathLocalOnly: false, drops: true)
        return Reversal(edit: edit, kind: .delete)
    }

    /// Adopts a file again as it was adopted before.
    private func adoptAgain(_ todo: ChangedTodo) throws(ReversalRefusal) -> Reversal {
        guard let before = todo.before, let after = todo.after, snapshot.folder.path(of: todo.id) == nil,
            snapshot.folder.bytes(at: after.path) == after.bytes
        else { throw ReversalRefusal("it has been edited since; run \"todosync add\" to adopt it") }
        let edit = PlannedEdit(
            id: todo.id, before: after, after: FileText(path: after.path, bytes: before.bytes),
            recording: .afterward)
        return Reversal(edit: edit, kind: .insert)
    }

    // MARK: Conflicts

    /// Reopens a conflict that was resolved, with its file as it was just before; nil if the base version has
    /// changed since, so that it can't be reopened.
    private func reopen(_ todo: ChangedTodo) throws(ReversalRefusal) -> Reversal? {
        let recorded = snapshot.tracked.todos[todo.id]
        let conflict = todo.last.conflictBefore
        if let conflict, recorded?.sent == nil, recorded?.base != baseAfterResolving(todo, conflict) {
            return nil
        }
        guard let conflict, isAsLeft(todo), recorded?.sent == nil else {
            throw ReversalRefusal(
                "its conflict was resolved, and it has been edited since; "
                    + "run \"todosync restore TODO --to OPERATION\" to restore an earlier text"
            )
        }
        return carrying(
            todo, remote: conflict.remote, .reopens(conflict, base: todo.last.baseBefore))
    }

    /// Resolves a conflict that an undo reopened.
    private func resolveAgain(_ todo: ChangedTodo, _ conflict: OpenConflict) throws(ReversalRefusal)
        -> Reversal
    {
        guard snapshot.tracked.todos[todo.id]?.conflict == conflict, isAsLeft(todo) else {
            throw ReversalRefusal("its conflict has been edited since; run \"todosync resolve\"")
        }
        let wasClosed = todo.last.baseBefore == conflict.remote
        return carrying(
            todo, remote: wasClosed ? conflict.remote : nil, wasClosed ? .closes : .aborts)
    }

    private func baseAfterResolving(_ todo: ChangedTodo, _ conflict: OpenConflict) -> RemoteState? {
        todo.last.conflict == .closes ? conflict.remote : todo.last.baseBefore
    }

    /// Returns whether the todo's file is still as the operation left it.
    private func isAsLeft(_ todo: ChangedTodo) -> Bool {
        let path = snapshot.folder.path(of: todo.id)
        guard let after = todo.after else { return path == nil }
        return path?.isSameBytes(as: after.path) == true
            && snapshot.folder.bytes(at: after.path) == after.bytes
    }

    /// Returns the reversal from exactly the file that an operation left to exactly the file before it.
    private func carrying(
        _ todo: ChangedTodo, remote: RemoteState?, _ conflict: AnnouncedEdit.ConflictChange
    ) -> Reversal {
        let kind: OperationKind = todo.before == nil ? .delete : todo.after == nil ? .insert : .update
        return Reversal(
            edit: PlannedEdit(
                id: todo.id, before: todo.after, after: todo.before, remote: remote, conflict: conflict),
            kind: kind)
    }

    // MARK: Paths

    /// Chooses the paths of reversals: a file stays in place if its old path is still taken after the other
    /// files have moved, and a file to be created then gets a different name.
    ///
    /// - Returns: The reversals with paths, and those that are left out because there is no path for them.
    func assigningPaths(_ wanted: [Reversal]) -> (assigned: [Reversal], left: [(Reversal, ReversalRefusal)]) {
        let others = wanted.filter { !$0.isAssignedLast }
        let kept = keepingOccupiedPaths(others)
        var assigned: [TodoID: Reversal] = [:]
        var left: [(Reversal, ReversalRefusal)] = []
        var later = snapshot
        for reversal in kept {
            assigned[reversal.edit.id] = reversal
            switch reversal.edit.change {
            case .move, .remove: later.folder.forget(reversal.edit.id)
            case .create, .replace, nil: break
            }
        }
        for case .move(_, let to, _, _)? in kept.map(\.edit.change) { later.folder.occupy(ByteKey(to)) }
        for reversal in others where assigned[reversal.edit.id] == nil {
            left.append((reversal, ReversalRefusal("its old path \(reversal.edit.path) is taken")))
        }
        for var reversal in wanted where reversal.isAssignedLast {
            let path = reversal.edit.path
            let isFree = later.isUsable(path) && !later.folder.hasFile(at: path)
            let target =
                isFree
                ? PathPlan.AssignedPath(path: path, isPathLocalOnly: false)
                : later.freePath(reversal.edit.id, path)
            guard let target else {
                let reason = "no usable file name is left (see include in config.yaml, and .todosyncignore)"
                left.append((reversal, ReversalRefusal(reason)))
                continue
            }
            later.folder.occupy(ByteKey(target.path))
            reversal.edit.after?.path = target.path
            reversal.edit.isPathLocalOnly = target.isPathLocalOnly ? true : nil
            assigned[reversal.edit.id] = reversal
        }
        return (wanted.compactMap { assigned[$0.edit.id] }, left)
    }

    private func keepingOccupiedPaths(_ reversals: [Reversal]) -> [Reversal] {
        var kept = reversals
        var isStable = false
        while !isStable {
            isStable = true
            var leaving: Set<ByteKey> = []
            for case .move(let from, _, _, _)? in kept.map(\.edit.change) { leaving.insert(ByteKey(from)) }
            for case .remove(let path, _)? in kept.map(\.edit.change) { leaving.insert(ByteKey(path)) }
            for index in kept.indices {
                guard case .move(let from, let to, _, _)? = kept[index].edit.change else { continue }
                let isTaken = snapshot.folder.hasFile(at: to) && !leaving.contains(ByteKey(to))
                guard isTaken || !snapshot.isUsable(to) else { continue }
                kept[index].edit.after?.path = from
                kept[index].edit.isPathLocalOnly = nil
                isStable = false
            }
        }
        return kept.filter {
            $0.edit.change != nil || $0.edit.conflict != .none || $0.edit.recording == .written
        }
    }
}

extension LockedWorkspace {
    /// Applies reversals; returns a refusal for each one that wasn't applied.
    ///
    /// A copy is removed only once its todo's file is written, because its text might exist nowhere else.
    func apply(
        _ reversals: [Reversal], first record: JournalRecord? = nil
    ) throws -> [TodoID: ReversalRefusal] {
        let others = reversals.filter { $0.removedCopy == nil }
        var refusals = try SyncEngine.apply(others, first: record, in: self)
        if others.count == reversals.count { return refusals }
        try transaction.synchronizeFiles()
        var removals: [Reversal] = []
        for reversal in reversals {
            guard let id = reversal.removedCopy else { continue }
            if refusals[id] == nil {
                removals.append(reversal)
            } else {
                refusals[reversal.edit.id] = .isCopyOfUnchanged
            }
        }
        let removed = try SyncEngine.apply(removals, first: others.isEmpty ? record : nil, in: self)
        return refusals.merging(removed) { $1 }
    }
}

/// Applies reversals together; returns a refusal for each one that wasn't applied.
private func apply(
    _ reversals: [Reversal], first record: JournalRecord?, in locked: LockedWorkspace
) throws -> [TodoID: ReversalRefusal] {
    let edits = reversals.map(\.edit)
    guard !edits.isEmpty else { return [:] }
    var refusals: [TodoID: ReversalRefusal] = [:]
    // The restored text is what the user wants, not an edit of the version that git checked out.
    // A todo stays recorded as not kept until its file exists, so that it never counts as deleted.
    let origins = edits.filter { ![nil, .notKept].contains(locked.tracked.todos[$0.id]?.origin) }.map {
        JournalRecord.origin(id: $0.id, nil)
    }
    let outcomes = try locked.apply(edits, recording: [record].compactMap(\.self) + origins)
    for (edit, outcome) in zip(edits, outcomes) {
        switch outcome {
        case .done: break
        case .failed(let error):
            if error.isOutOfSpace { throw error }
            refusals[edit.id] = ReversalRefusal(error)
        case .cancelled: throw CancellationError()
        case .changedMeanwhile, .occupied, .refused, .withoutPath:
            refusals[edit.id] = ReversalRefusal("the file changed in the meantime; try again")
        }
    }
    return refusals
}

/// Returns a text with the todo's id, adding it if an editor left it out.
func withID(_ bytes: [UInt8], _ id: TodoID) -> [UInt8] {
    guard let todo = try? Todo(parsing: bytes), todo.id == nil else { return bytes }
    return todo.document.inserting(id: id.string)
}

/// Returns a file's text with the todo's id, adding it if an editor left it out.
func withID(_ text: FileText, _ id: TodoID) -> FileText {
    FileText(path: text.path, bytes: withID(text.bytes, id))
}
