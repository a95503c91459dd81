internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// The plan for a copy of a todo's file, before anything is changed.
struct PlannedAdoption {
    var copy: CopiedFile
    /// The copy's text.
    var bytes: [UInt8]
    /// The version that the copy was merged against; nil if none is known.
    var base: [UInt8]?
    /// The edit of the todo's file; nil if the file doesn't change.
    var edit: PlannedEdit?
    /// What to report if the edit is applied and the copy removed.
    var report: AdoptedCopy
}

/// The reason why a copy isn't merged.
struct AdoptionRefusal: Error {
    var reason: String
    var line: Int?
    var column: Int?
    /// The failed call to the operating system, if there was one.
    var cause: FileError?
}

extension ReportRow {
    /// Creates the row of a copy that wasn't merged.
    init(_ copy: CopiedFile, _ refusal: AdoptionRefusal) {
        self.init(
            id: copy.id, path: copy.path, reason: refusal.reason, cause: refusal.cause, line: refusal.line,
            column: refusal.column)
    }
}

/// Plans how copies that other tools made are merged into their todos, without writing anything.
struct AdoptionPlanner {
    var snapshot: Snapshot
    let history: History
    /// The name of this device, for the labels of conflict markers.
    let deviceName: String?

    /// Plans how a copy is merged into its todo.
    func plan(_ copy: CopiedFile) throws(AdoptionRefusal) -> PlannedAdoption {
        guard let bytes = snapshot.folder.bytes(at: copy.path) else {
            throw AdoptionRefusal(reason: "it is gone")
        }
        let copied = try todo(bytes, in: copy)
        if snapshot.folder.hasFile(of: copy.id), history.hasMerged(copy, bytes) {
            return PlannedAdoption(removing: copy, bytes)
        }
        var planned = PlannedAdoption(removing: copy, bytes)
        let versions = TodoVersions(of: copy.id, in: history, base: snapshot.tracked.todos[copy.id]?.base)
        let local = try localTodo(of: copy)
        guard let current = local?.todoWithID ?? newest(of: copy.id) else {
            // The todo was deleted. If the remote had the copy's version by then, the copy is removed, too.
            if !versions.isConfirmed(bytes) { try planned.restore(bytes, copied.fields.keys, snapshot) }
            return planned
        }
        planned.base = versions.commonVersion(of: current, copied, rules: snapshot.rules)
        let decision = reconcileTexts(
            base: planned.base, local: current, remote: bytes, rules: snapshot.rules)
        switch decision {
        case .agreed, .keepLocal:
            if local == nil { try planned.restore(current.bytes, [], snapshot) }
        case .takeRemote(let text), .merged(let text, _):
            let fields = CanonicalField.differences(
                from: current.fields, to: (try? Todo(parsing: text))?.fields ?? [:])
            try planned.write(text, fields, local, snapshot)
        case .conflict(let text, let fields, let mergedFields):
            let labels = MarkerLabels(
                of: copy, deviceName: deviceName, isPlain: snapshot.configuration.hasPlainLabels)
            let marked = text.text(style: snapshot.conflictStyle, labels: labels)
            if let obstacle = MergeObstacle(marking: marked, local: current.bytes, bytes) {
                throw AdoptionRefusal(reason: obstacle.words)
            }
            try planned.write(marked, mergedFields, local, snapshot)
            (planned.report.outcome, planned.report.conflictingFields) = (.conflict, fields)
        case .unmergeable(let obstacle, _): throw AdoptionRefusal(reason: obstacle.words)
        }
        return planned
    }

    private func todo(_ bytes: [UInt8], in copy: CopiedFile) throws(AdoptionRefusal) -> Todo {
        do {
            let todo = try validTodo(inFile: bytes)
            guard todo.id == copy.id else { throw AdoptionRefusal(reason: "it is no longer a copy") }
            return todo
        } catch let problem as TodoProblem {
            if case .markers = problem.reason {
                throw AdoptionRefusal(
                    reason: "it has conflict markers; remove them first", line: problem.line, column: 1)
            }
            throw AdoptionRefusal(reason: problem.message, line: problem.line, column: problem.column)
        } catch let refusal as AdoptionRefusal {
            throw refusal
        } catch {
            throw AdoptionRefusal(reason: "\(error)")
        }
    }

    /// Returns the todo's file; nil if it is gone.
    private func localTodo(of copy: CopiedFile) throws(AdoptionRefusal) -> LocalTodo? {
        let id = copy.id
        let path = snapshot.folder.path(of: id) ?? copy.original
        switch snapshot.condition(of: id) {
        case .conflicted: throw AdoptionRefusal(reason: "\(path) has a conflict; resolve it first")
        case .invalid: throw AdoptionRefusal(reason: "\(path) is not a valid todo; fix it first")
        case .unchanged, .pending, .held, .notKept, .unseen, .absent: break
        }
        if let local = snapshot.folder.todos[id] { return local }
        if let error = snapshot.diskError(of: id) { throw AdoptionRefusal(reason: "\(error)", cause: error) }
        if let localPath = snapshot.tracked.todos[id]?.localPath, !snapshot.folder.hasFile(at: localPath),
            !snapshot.isUsable(localPath)
        {
            throw AdoptionRefusal(reason: "\(path) can't be merged with: " + Snapshot.unseen)
        }
        return nil
    }

    /// Returns the newest version of a todo whose file is gone; nil if the remote doesn't have it, either.
    private func newest(of id: TodoID) -> Todo? {
        (snapshot.tracked.todos[id]?.base?.todo?.bytes).flatMap { try? Todo(parsing: $0) }
    }
}

extension PlannedAdoption {
    /// Plans to remove a copy that has nothing new.
    fileprivate init(removing copy: CopiedFile, _ bytes: [UInt8]) {
        let report = AdoptedCopy(id: copy.id, path: copy.path, original: copy.original, outcome: .removed)
        self.init(copy: copy, bytes: bytes, edit: nil, report: report)
    }

    /// Plans to write the todo's file.
    fileprivate mutating func write(
        _ text: [UInt8], _ fields: [String], _ local: LocalTodo?, _ snapshot: Snapshot
    ) throws(AdoptionRefusal) {
        guard let local else { return try restore(text, fields, snapshot) }
        report.fields = fields
        guard text != local.bytes else { return }
        edit = PlannedEdit(
            id: copy.id, before: local.fileText, after: FileText(path: local.path, bytes: text))
        (report.outcome, report.original) = (.merged, local.path)
    }

    /// Plans to create the file of a todo that has none.
    fileprivate mutating func restore(
        _ text: [UInt8], _ fields: [String], _ snapshot: Snapshot
    ) throws(AdoptionRefusal) {
        guard let assigned = snapshot.freePath(copy.id, copy.original) else {
            throw AdoptionRefusal(
                reason: "no usable file name is left (see include in config.yaml, .todosyncignore)")
        }
        edit = PlannedEdit(
            id: copy.id, before: nil, after: FileText(path: assigned.path, bytes: text),
            isPathLocalOnly: assigned.isPathLocalOnly ? true : nil)
        (report.outcome, report.original, report.fields) = (.restored, assigned.path, fields)
    }
}

extension MarkerLabels {
    /// Creates the marker labels for a conflict with a copy; the copy's name labels the remote side.
    fileprivate init(of copy: CopiedFile, deviceName: String?, isPlain: Bool) {
        self.init()
        if isPlain { return }
        let name = copy.path.split(separator: "/").last.map(String.init) ?? copy.path
        // A name can contain U+2028, which ends a line in YAML 1.1.
        self.init(local: deviceName, remote: String(name.filter { !$0.isNewline }))
    }
}

extension History {
    /// Returns whether a command already merged a copy with this text, and was interrupted before it removed
    /// the copy.
    func hasMerged(_ copy: CopiedFile, _ bytes: [UInt8]) -> Bool {
        let undone = undoneTodos
        return operations.contains { operation in
            guard undone[operation.operation]?.contains(copy.id) != true,
                let kept = operation.events.firstIndex(where: {
                    guard case .kept(_, let text?) = $0 else { return false }
                    return text.path.isSameBytes(as: copy.path) && text.bytes == bytes
                }),
                case .change? = operation.events[kept...].first(where: { $0.id == copy.id })
            else { return false }
            return true
        }
    }
}
