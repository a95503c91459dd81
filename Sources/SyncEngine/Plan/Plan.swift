internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

/// A plan for applying remote changes.
struct Plan {
    /// The edits of all todos that are changed or confirmed.
    var edits: [PlannedEdit] = []
    /// Remote changes that can't be applied now.
    var waiting: [Waiting] = []
    /// The todos whose deletes the guard withholds.
    var withheld: [HeldTodo] = []
    /// Conflicts to ask the user about before the plan can be made; everything else is empty in this case.
    var questions: [Conflict] = []
    /// Conflicts to ask the handler about first.
    var questionsForHandler: [Conflict] = []
    /// The todos whose conflicts the user's answers resolve.
    var answered: [TodoID] = []

    /// A remote change that can't be applied now, and why.
    struct Waiting {
        var id: TodoID
        var remote: RemoteState
        /// Nil if it isn't reported, because the user knows about it or set it up this way.
        var reason: HeldReason?
    }
}

/// What a plan depends on besides the options and the answers: the state of the command, and look-ups.
struct PlanContext {
    /// Whether the plan covers all of the remote's changes at once, so that paths can be based on the state
    /// after them.
    var coversAll = false
    /// Whether no todo's file may be changed, because a git operation is in progress.
    var leavesFiles = false
    /// Todos whose changes wait: their files couldn't be changed, or the user cancelled the question about
    /// them or is asked later.
    var waiting: Set<TodoID> = []
    /// Returns the todos that came with this command, which guards don't count; called only if there are many
    /// changes.
    var new: () -> Set<TodoID> = { [] }
    /// Returns the remembered resolutions; called only if there is a conflict.
    var resolutions: () -> Resolutions = { Resolutions() }
}

/// Decides how remote changes are applied, without reading or writing anything.
///
///     changes ─► what has to wait ─► reconcile, todo by todo ─► guard ─► paths ─► plan
///                                        │
///                                        └─► questions: the command asks, and plans again with the answers
///
/// - Parameters:
///   - changes: The remote's state of each todo.
///   - snapshot: A snapshot that has loaded these todos.
func plan(
    _ changes: [TodoID: RemoteState], at snapshot: Snapshot, _ options: SyncOptions = SyncOptions(),
    _ answers: Answers = Answers(), in context: PlanContext
) -> Plan {
    var planner = Planner(snapshot: snapshot, options: options, answers: answers, context: context)
    planner.decide(changes)
    if planner.plan.questions.isEmpty, planner.plan.questionsForHandler.isEmpty {
        planner.withholdDeletes()
        planner.withholdMarkers()
        planner.choosePaths()
        if context.leavesFiles { planner.leaveFiles() }
    }
    return planner.plan
}

/// A remote change that is decided, but has no path yet.
private struct Decided {
    let id: TodoID
    let remote: RemoteState
    /// The file before the change; nil if there isn't one.
    let local: LocalTodo?
    /// The wanted path; nil if the file stays in place, or if there won't be a file.
    let wishedPath: String?
    /// The file's new text; nil if there won't be a file.
    var bytes: [UInt8]?
    var effect: PlannedEdit.Effect = .confirmed
    var opened: OpenConflict?
    /// The conflicting values that remembered resolutions resolved, such as `text` or `place.city`.
    var recalled: [String] = []
    /// Who decided the conflict, or parts of it.
    var choices: [LoggedChoice] = []
    /// Whether the todo had a conflict without markers, which the change replaces.
    var hadConflict = false

    /// Whether the todo's file is removed.
    var isRemoval: Bool { local != nil && bytes == nil }
    /// Whether a file is created for a todo without one.
    var needsPath: Bool { local == nil && bytes != nil }
}

private struct Planner {
    let snapshot: Snapshot
    let options: SyncOptions
    let answers: Answers
    let context: PlanContext
    var plan = Plan()
    var decided: [Decided] = []

    mutating func wait(_ id: TodoID, _ remote: RemoteState, _ reason: HeldReason? = nil) {
        plan.waiting.append(Plan.Waiting(id: id, remote: remote, reason: reason))
    }

    // MARK: Decisions for each todo

    mutating func decide(_ changes: [TodoID: RemoteState]) {
        var undecided: [(id: TodoID, remote: RemoteState, condition: TodoCondition)] = []
        let ids = changes.keys.sorted()
        let conditions = mapConcurrently(ids) { [snapshot] in snapshot.condition(of: $0) }
        for (id, condition) in zip(ids, conditions) {
            guard let remote = changes[id] else { continue }
            if context.waiting.contains(id) {
                wait(id, remote)
                continue
            }
            guard snapshot.canChangeFile(of: id, condition) else {
                // An open conflict is reported as one.
                let isOpen =
                    if case .conflicted(let open, _) = condition { open?.obstacle == nil } else { false }
                let isInvalid = if case .invalid = condition.ofFile { true } else { false }
                wait(id, remote, isInvalid && !isOpen ? .invalidFile : nil)
                continue
            }
            switch condition.ofFile {
            case .held:
                let file = snapshot.folder.todos[id]?.fileText
                plan.edits.append(
                    PlannedEdit(id: id, before: file, after: file, remote: remote, effect: .confirmed))
            case .notKept where remote.todo?.isOpen != true:
                // Only the version is recorded, because only an open todo comes back.
                plan.edits.append(
                    PlannedEdit(id: id, before: nil, after: nil, remote: remote, effect: .confirmed))
            case .unchanged, .pending, .conflicted, .notKept, .invalid, .unseen, .absent:
                undecided.append((id, remote, condition))
            }
        }
        let decisions = mapConcurrently(undecided) {
            [snapshot] id, remote, condition -> (Decision, LocalTodo?) in
            let (local, file) = snapshot.folder.todos.parsed(id) ?? (nil, nil)
            if let untouched = local, snapshot.tracked.todos[id]?.base?.todo == nil,
                remote.todo?.bytes != untouched.bytes,
                let parent = NextOccurrence.parent(ofUntouched: untouched, in: snapshot.folder, snapshot.zone)
            {
                // Another device created the same todo first, and might have completed or deleted it.
                if let todo = remote.todo { return (.takeRemote(todo.bytes), file) }
                // Otherwise, it was deleted when the todo before it was reopened, and is new again.
                let isCompletedElsewhere = changes[parent]?.todo?.isOpen == false
                return (isCompletedElsewhere ? .deleteLocal : .keepPending(ruled: []), file)
            }
            // Git or a purge removed the file, so its absence isn't a delete.
            let isRestored =
                local == nil && (snapshot.standings[id] == .forwarded || condition.isNotKept)
            let decision = reconcile(
                base: isRestored ? nil : snapshot.tracked.todos[id]?.base, local: local,
                remote: remote, basis: snapshot.basis(of: id), rules: FieldRules(for: id, in: snapshot))
            return (decision, file)
        }
        for ((id, remote, _), (decision, local)) in zip(undecided, decisions) {
            decide(id, remote, local, decision)
        }
    }

    private mutating func decide(
        _ id: TodoID, _ remote: RemoteState, _ local: LocalTodo?, _ decision: Decision
    ) {
        var todo = Decided(
            id: id, remote: remote, local: local, wishedPath: snapshot.wishedPath(of: id, remote),
            bytes: local?.bytes, hadConflict: snapshot.tracked.todos[id]?.conflict != nil)
        switch decision {
        case .keepPending(let ruled) where !ruled.isEmpty: todo.choices = [LoggedChoice(.rule, ruled)]
        case .agreed, .keepPending, .bothDeleted: break
        case .takeRemote(let bytes): (todo.bytes, todo.effect) = (bytes, .pulled)
        case .deleteLocal: (todo.bytes, todo.effect) = (nil, .pulled)
        case .merged(let bytes, let parts): (todo.bytes, todo.effect) = (bytes, .merged(parts))
        case .conflict(let kind, let text, let fields, let mergedFields):
            let record = OpenConflict(
                kind: kind, fields: fields, local: local?.bytesWithID,
                localPath: local?.path ?? snapshot.tracked.todos[id]?.lastLocalPath ?? remote.todo?.path
                    ?? id.string,
                remote: remote)
            var conflict = Conflict(
                id, record, base: Conflict.Text(startOf: id, in: snapshot), text: text,
                deviceName: snapshot.deviceName, rules: FieldRules(for: id, in: snapshot))
            conflict.mergedFields = mergedFields
            conflict.hasOlderBase = snapshot.basis(of: id) != nil
            conflict.labels = MarkerLabels(
                against: remote, deviceName: snapshot.deviceName, snapshot.configuration)
            guard resolve(&todo, conflict) else { return }
        case .unmergeable(let kind, let obstacle, let fields):
            guard let local else { preconditionFailure("only two texts can be too large to merge") }
            todo.leaveUnmerged(
                OpenConflict(
                    kind: kind, fields: fields, local: local.bytesWithID, localPath: local.path,
                    remote: remote), obstacle)
        }
        decided.append(todo)
    }

    /// Decides a conflict by the remembered resolution, then by the handler, and then by the policy.
    ///
    /// - Returns: False if the handler or the user must be asked first.
    private mutating func resolve(_ todo: inout Decided, _ conflict: Conflict) -> Bool {
        var conflict = conflict
        if snapshot.configuration.remember, options.policy.goesByMemory,
            let (merge, recalled) = conflict.recalled(from: context.resolutions())
        {
            todo.recalled = recalled.map(\.name)
            todo.choices = [LoggedChoice(.memory, recalled.map { $0.conflict.path[0] }.withoutRepetition)]
            conflict.recalled = recalled
            (conflict.fields, conflict.mergedFields) = (merge.conflictingFields, merge.mergedFields)
            guard let left = try? merge.outcome.text else {
                preconditionFailure("an answer that can't be written isn't recalled")
            }
            conflict.text = left
            if todo.take(conflict) { return true }
        }
        if let handler = answers.handler {
            guard let handled = answers.handled[todo.id] else {
                plan.questionsForHandler.append(conflict)
                return false
            }
            conflict = handled
            if conflict.resolution != nil || !conflict.handled.isEmpty {
                todo.choices.append(LoggedChoice(handler, conflict.handled))
            }
            if todo.take(conflict) { return true }
        }
        let answer: [UInt8]
        switch options.policy {
        case .markers:
            todo.open(conflict, snapshot.conflictStyle)
            return true
        case .use(let side):
            guard let taken = conflict.text.taking(side) else {
                todo.open(conflict, snapshot.conflictStyle)
                return true
            }
            todo.choices.append(LoggedChoice(.option, conflict.fields))
            answer = taken
        case .ask:
            guard let given = answers.given[todo.id], given.question == conflict.text else {
                plan.questions.append(conflict)
                return false
            }
            plan.answered.append(todo.id)
            if given.isDraft {
                (todo.bytes, todo.opened, todo.effect) = (given.bytes, conflict.openRecord, .conflict)
                return true
            }
            todo.choices.append(LoggedChoice(.user, conflict.fields))
            answer = given.bytes
        }
        return todo.take(conflict.resolved(by: answer))
    }

    // MARK: The guard

    /// Makes all removals wait if the guard withholds them.
    mutating func withholdDeletes() {
        let removals = decided.filter(\.isRemoval).compactMap { todo in
            todo.local.map { (id: todo.id, path: $0.path) }
        }
        let withheld = snapshot.tracked.withheldDeletes(
            .remote, removals.map(\.path), allowed: options.allowedDeletes, besides: context.new())
        guard let withheld else { return }
        plan.withheld = withheld.holding(removals)
        for removal in decided.filter(\.isRemoval) { wait(removal.id, removal.remote) }
        decided.removeAll(where: \.isRemoval)
    }

    // MARK: Many conflicts

    /// Up to this many files always get markers.
    private static let fewConflicts = 10

    /// Makes conflicts wait if they would put markers into most of many files, as after `.todosync` was lost.
    mutating func withholdMarkers() {
        guard !options.allowsManyMarkers else { return }
        let opened = decided.filter {
            $0.opened?.kind == .insertInsert && snapshot.tracked.todos[$0.id]?.base == nil
        }
        guard opened.count > Self.fewConflicts else { return }
        let unknown = decided.count { $0.local != nil && snapshot.tracked.todos[$0.id]?.base == nil }
        guard opened.count * 2 > unknown else { return }
        for todo in opened { wait(todo.id, todo.remote, .manyDiffer) }
        let ids = Set(opened.map(\.id))
        decided.removeAll { ids.contains($0.id) }
    }

    // MARK: Git

    /// Makes all changes to files wait.
    mutating func leaveFiles() {
        for edit in plan.edits where edit.change != nil {
            // An edit without a remote change makes room for another todo, which waits, too.
            if let remote = edit.remote { wait(edit.id, remote, .gitOperation) }
        }
        plan.edits.removeAll { $0.change != nil }
    }

    // MARK: Paths

    /// Assigns a path to each todo, and creates the edits.
    mutating func choosePaths() {
        let paths = planPaths()
        for todo in decided {
            guard !todo.needsPath || paths.assignedPaths[todo.id] != nil else {
                // The user set up this folder so that it can't hold the todo; there is nothing to report.
                wait(todo.id, todo.remote)
                continue
            }
            plan.edits.append(PlannedEdit(todo, paths.assignedPaths[todo.id]))
        }
        let decidedIDs = Set(decided.map(\.id))
        for (id, assigned) in paths.assignedPaths where !decidedIDs.contains(id) {
            guard let local = snapshot.folder.todos[id], !local.path.isSameBytes(as: assigned.path) else {
                continue
            }
            plan.edits.append(PlannedEdit(moving: local, id, to: assigned))
        }
    }

    /// Assigns paths to the decided todos, and to todos that have had a different path in this folder so far.
    ///
    /// While not all of the remote's changes are known, no todo has to make room, because the holder of a
    /// path might be about to leave it, as in a swap. A taken path is then unavailable until the next pull.
    private func planPaths() -> PathPlan {
        var wishes: [PathPlan.Wish] = []
        var moving: Set<TodoID> = []
        for todo in decided {
            if let path = todo.wishedPath, todo.bytes != nil {
                wishes.append(PathPlan.Wish(id: todo.id, path: path))
            }
            if todo.wishedPath != nil || todo.bytes == nil { moving.insert(todo.id) }
        }
        let folder = snapshot.folder
        for (id, recorded) in snapshot.tracked.todos.loaded
        where recorded.isPathLocalOnly && recorded.conflict == nil && !moving.contains(id) {
            guard let local = folder.todos[id], let path = recorded.base?.todo?.path,
                !local.isRenamed(recorded)
            else { continue }
            wishes.append(PathPlan.Wish(id: id, path: path))
            moving.insert(id)
        }
        guard !wishes.isEmpty else { return PathPlan([], isUsable: snapshot.isUsable) { _ in nil } }
        return PathPlan(wishes, isUsable: snapshot.isUsable) { [coversAll = context.coversAll] path in
            guard folder.hasFile(at: path) else { return nil }
            guard let id = folder.id(at: path), folder.todos.contains(id) else { return .fixed }
            return moving.contains(id) ? nil : coversAll ? .todo(id) : .fixed
        }
    }
}

extension Decided {
    /// Gives the todo the text of a resolved conflict; returns false if parts are still in conflict.
    fileprivate mutating func take(_ conflict: Conflict) -> Bool {
        guard let text = conflict.resolution else { return false }
        bytes = isDeletion(text, id) ? nil : text
        let fields = conflict.mergedFields.withoutRepetition
        effect = bytes == local?.bytes ? .confirmed : .merged(MergedParts(fields: fields))
        return true
    }

    /// Leaves the conflict open for the user to resolve, with markers if there is room for them.
    fileprivate mutating func open(_ conflict: Conflict, _ style: ConflictStyle) {
        guard let record = conflict.openRecord else { return }
        let marked = conflict.text.text(style: style, labels: conflict.labels)
        if let obstacle = MergeObstacle(marking: marked, local: record.local, record.remote.todo?.bytes) {
            return leaveUnmerged(record, obstacle)
        }
        (bytes, opened, effect) = (marked, record, .conflict)
    }

    /// Leaves the file as it is, because no file can have both sides' changes.
    fileprivate mutating func leaveUnmerged(_ conflict: OpenConflict, _ obstacle: MergeObstacle) {
        (bytes, opened, effect) = (local?.bytes, conflict, .conflict)
        opened?.obstacle = obstacle.words
    }
}

extension PlannedEdit {
    /// Creates the edit of a todo that was decided.
    fileprivate init(_ todo: Decided, _ assigned: PathPlan.AssignedPath?) {
        let path = assigned?.path ?? todo.local?.path
        self.init(
            id: todo.id, before: todo.local?.fileText, after: path.flatMap { FileText(todo.bytes, at: $0) },
            isPathLocalOnly: assigned?.isPathLocalOnly, remote: todo.remote,
            conflict: todo.opened.map(AnnouncedEdit.ConflictChange.opens)
                ?? (todo.hadConflict ? .closes : .none),
            effect: todo.effect, recalled: todo.recalled, choices: todo.choices)
    }

    /// Creates the edit that moves a todo to make room for another one.
    fileprivate init(moving file: LocalTodo, _ id: TodoID, to assigned: PathPlan.AssignedPath) {
        self.init(
            id: id, before: file.fileText, after: FileText(path: assigned.path, bytes: file.bytes),
            isPathLocalOnly: assigned.isPathLocalOnly)
    }
}

/// Returns whether a text contains only the todo's id, which stands for a delete.
func isDeletion(_ bytes: [UInt8], _ id: TodoID) -> Bool {
    if case .onlyID(let found) = ParsedFile(bytes, isRecorded: true) { return found == id }
    return false
}
