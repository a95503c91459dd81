internal import Git
internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

extension Workspace {
    /// Resolves the open conflicts of the named todos, or all of them.
    ///
    /// The working directory isn't locked while the user is asked.
    package func resolve(_ names: [String], _ resolution: Resolution) throws -> ResolveReport {
        if resolution.waitsForUser {
            let (targets, unreadable) = try openConflicts(names, in: Snapshot(of: self))
            var report = try AskingResolver(self, resolution, isNamed: !names.isEmpty).resolve(targets)
            report.unresolved = unreadable + report.unresolved
            return report
        }
        return try LockedWorkspace.perform(self) { locked in
            var report = ResolveReport()
            var unmerged: [UnmergedFile] = []
            if case .file = resolution { unmerged = locked.survey?.unmergedFiles(in: locked.snapshot) ?? [] }
            var targets: [TodoID] = []
            let other = try names.filter { name in
                let named = try unmerged.named(name, in: locked.snapshot)
                if let named { report.resolved.append(ResolvedTodo(named)) }
                return named == nil
            }
            if names.isEmpty {
                report.resolved = unmerged.filter { $0.state == .resolved }.map(ResolvedTodo.init)
            }
            if names.isEmpty || !other.isEmpty {
                (targets, report.unresolved) = try openConflicts(other, in: locked.snapshot)
            }
            let former = TodoNames.newestTexts(of: targets, in: locked.snapshot)
            if names.isEmpty { report.unresolved += unmerged.compactMap(UnresolvedTodo.init) }
            if !surroundings.isAskedToEnd() {
                _ = try locked.resolve(targets, resolution, isNamed: !names.isEmpty, &report)
            }
            report.names = TodoNames(locked.snapshot, former: former)
            report.isStopped = surroundings.isAskedToEnd() && report.resolved.count < targets.count
            return report
        }
    }
}

/// Returns the conflicts to resolve and, if none are named, the files whose markers can't be read.
private func openConflicts(
    _ names: [String], in snapshot: Snapshot
) throws -> (targets: [TodoID], unreadable: [UnresolvedTodo]) {
    if names.isEmpty {
        return (ConflictedTodo.all(in: snapshot).map(\.id), snapshot.folder.unreadableConflicts())
    }
    return (try names.map { try conflictedTodo($0, in: snapshot) }, [])
}

extension TodoNames {
    /// Returns the texts of todos, to name the todos if they are deleted.
    fileprivate static func newestTexts(of ids: [TodoID], in snapshot: Snapshot) -> [TodoID: [UInt8]] {
        var texts: [TodoID: [UInt8]] = [:]
        for id in ids { texts[id] = newestBytes(of: id, in: snapshot) }
        return texts
    }
}

/// Resolves conflicts with the user's answers or with a merge tool.
///
/// The working directory isn't locked in the meantime.
struct AskingResolver {
    private let workspace: Workspace
    private let resolution: Resolution
    private let isNamed: Bool

    init(_ workspace: Workspace, _ resolution: Resolution, isNamed: Bool = true) {
        (self.workspace, self.resolution, self.isNamed) = (workspace, resolution, isNamed)
    }

    /// Asks the user, applies all answers together, and asks again about a file that changed in the meantime.
    ///
    /// Answers that were given before the command is asked to end are applied, too.
    ///
    /// - Parameter changed: The todos that the user was asked about before.
    func resolve(_ targets: [TodoID], changed: Set<TodoID> = []) throws -> ResolveReport {
        var (waiting, changed) = (targets, changed)
        var report = ResolveReport()
        var former: [TodoID: [UInt8]] = [:]
        let isAskedToEnd = workspace.surroundings.isAskedToEnd
        while !waiting.isEmpty, !isAskedToEnd() {
            let asked = try ask(waiting, changed: changed)
            former.merge(asked.former) { first, _ in first }
            report.unresolved += asked.unresolved
            if asked.answered.isEmpty { break }
            waiting = try LockedWorkspace.perform(workspace.unstoppable) { locked in
                try locked.resolve(
                    asked.answered, resolution, isNamed: isNamed, answers: asked.answers, &report)
            }
            changed.formUnion(waiting)
        }
        report.names = TodoNames(try Snapshot(of: workspace), former: former)
        report.isStopped = isAskedToEnd() && report.resolved.count < targets.count
        return report
    }

    /// Asks the user about conflicts, in order, until the command is asked to end.
    private func ask(_ targets: [TodoID], changed: Set<TodoID>) throws -> AskedConflicts {
        let snapshot = try Snapshot(of: workspace)
        let memory = ResolutionMemory(workspace, operation: "")
        var asked = AskedConflicts(former: TodoNames.newestTexts(of: targets, in: snapshot))
        for (index, id) in targets.enumerated() where !workspace.surroundings.isAskedToEnd() {
            var answer: GivenAnswer?
            var planner = ResolutionPlanner(
                snapshot: snapshot, resolutions: { memory.resolutions },
                position: (index + 1, targets.count), changed: changed
            ) { _, question, ask in
                let bytes = try ask()
                answer = bytes.map { GivenAnswer(question: question, bytes: $0) }
                return bytes
            }
            do {
                _ = try planner.plan(id, resolution, isNamed: isNamed)
                asked.answered.append(id)
                asked.answers[id] = answer
            } catch let refusal as Refusal {
                // Ctrl-C isn't an answer.
                if workspace.surroundings.isAskedToEnd() { break }
                asked.unresolved.append(UnresolvedTodo(id, planner.path(of: id), refusal))
            }
        }
        return asked
    }
}

/// The user's answers to questions about conflicted files.
private struct AskedConflicts {
    /// The texts of the todos before they are resolved.
    var former: [TodoID: [UInt8]]
    /// The conflicts to resolve.
    var answered: [TodoID] = []
    /// The answers; a todo whose file had no markers left has no answer.
    var answers: [TodoID: GivenAnswer] = [:]
    /// The conflicts that stay open.
    var unresolved: [UnresolvedTodo] = []
}

/// An error that is thrown if a file's conflicts differ from those that the user answered.
private struct ChangedConflict: Error {}

extension UnresolvedTodo {
    fileprivate init(_ id: TodoID, _ path: String, _ refusal: Refusal) {
        self.init(
            id: id, path: path, remembered: refusal.remembered, reason: refusal.reason, line: refusal.line,
            column: refusal.column, cause: refusal.cause)
    }
}

/// The reason why a conflict stays open.
private struct Refusal: Error {
    var reason: String
    /// The values that were resolved anyway.
    var remembered: [String] = []
    var line: Int?
    var column: Int?
    /// The failed call to the operating system, if there was one.
    var cause: FileError?

    init(_ reason: String, line: Int? = nil, column: Int? = nil) {
        self.reason = reason
        self.line = line
        self.column = column
    }

    init(_ problem: TodoProblem) {
        self.init(problem.message, line: problem.line, column: problem.column)
    }

    init(_ cause: FileError) {
        self.init("\(cause)")
        self.cause = cause
    }
}

/// The planned resolution of one conflict.
private struct PlannedResolution {
    var edit: PlannedEdit
    /// The todo's path as the user knows it.
    var path: String
    var used: ResolvedTodo.Answer
    /// The values that remembered resolutions resolve, such as `text` or `place.city`.
    var remembered: [String] = []
    /// The state that the operation log records.
    var logged: TodoChange.State
    /// The conflict whose answer is to be remembered; nil to remember nothing.
    var learned: ConflictInValues?
    /// The reason why the conflict stays open after the edit.
    var refusal: Refusal?

    /// Returns the command that git waits for after the resolution; nil if it doesn't wait.
    func gitCommand(_ merge: GitMerge) -> ResolvedTodo.GitCommand? {
        guard logged == .resolved, merge.unmerged.contains(path) else { return nil }
        return edit.after == nil ? .rm : .add
    }
}

extension Resolution {
    /// Whether each conflict waits for a person.
    fileprivate var waitsForUser: Bool {
        switch self {
        case .ask, .merge: true
        case .file, .use, .fields, .union, .abort, .again: false
        }
    }
}

/// The resolution of a conflict.
private enum Answer {
    case text([UInt8])
    case deletion
}

extension LockedWorkspace {
    /// Resolves several conflicts together.
    ///
    /// - Parameter answers: The user's answers, if the resolution asks.
    /// - Returns: The todos whose conflicts now differ from those that the user answered.
    func resolve(
        _ ids: [TodoID], _ resolution: Resolution, isNamed: Bool, answers: [TodoID: GivenAnswer] = [:],
        _ report: inout ResolveReport
    ) throws -> [TodoID] {
        var planner = ResolutionPlanner(snapshot: snapshot, resolutions: { self.memory.resolutions }) {
            id, question, _ in
            guard let answer = answers[id], answer.question == question else { throw ChangedConflict() }
            return answer.bytes
        }
        var planned: [PlannedResolution] = []
        var refusals: [TodoID: (path: String, refusal: Refusal)] = [:]
        var changed: [TodoID] = []
        for id in ids {
            do {
                planned.append(try planner.plan(id, resolution, isNamed: isNamed))
            } catch let refusal as Refusal {
                refusals[id] = (planner.path(of: id), refusal)
            } catch is ChangedConflict {
                changed.append(id)
            }
        }
        for (resolution, outcome) in zip(planned, try apply(planned.map(\.edit))) {
            let id = resolution.edit.id
            switch outcome {
            case .done:
                log(id, resolution.path, resolution.edit.after == nil ? .delete : .update, resolution.logged)
                if let refusal = resolution.refusal {
                    refusals[id] = (resolution.path, refusal)
                    continue
                }
                if let file = resolution.edit.after { memory.learn(resolution.learned, from: file.bytes) }
                report.resolved.append(
                    ResolvedTodo(
                        id: id, path: resolution.path, used: resolution.used,
                        remembered: resolution.remembered, isDeleted: resolution.edit.after == nil,
                        gitCommand: resolution.gitCommand(folder.gitMerge)))
            case .failed(let error): refusals[id] = (resolution.path, Refusal(error))
            case .cancelled: throw CancellationError()
            case .changedMeanwhile, .occupied, .refused, .withoutPlace:
                refusals[id] = (
                    resolution.path, Refusal("the file changed in the meantime; check it and resolve again")
                )
            }
        }
        for id in ids {
            guard let (path, refusal) = refusals[id] else { continue }
            report.unresolved.append(UnresolvedTodo(id, path, refusal))
        }
        return changed
    }

}

extension [UnmergedFile] {
    /// Returns the file that a name refers to; nil if the name is another todo's.
    fileprivate func named(_ name: String, in snapshot: Snapshot) throws -> UnmergedFile? {
        if isEmpty { return nil }
        // A todo that was never sent is unknown once its file is gone.
        if let file = first(where: { $0.path.isSameBytes(as: name) }) { return file }
        guard case .todo(let id) = try Selection(snapshot).named(name) else { return nil }
        return first { $0.id == id }
    }
}

extension ResolvedTodo {
    /// Creates the report on an unmerged todo that the user takes as it is.
    fileprivate init(_ file: UnmergedFile) {
        self.init(
            id: file.id, path: file.path, used: .file, isDeleted: file.state == .gone,
            gitCommand: file.state == .gone ? .rm : .add)
    }
}

extension UnresolvedTodo {
    /// Creates the report on an unmerged todo that the user has to decide about; nil if the user has decided.
    ///
    /// A todo is deleted, or kept as git left it, only if the user names it.
    fileprivate init?(_ file: UnmergedFile) {
        let advice = "run \"todosync resolve \(shellQuoted(file.path))\" to"
        switch file.state {
        case .resolved: return nil
        case .gone:
            self.init(
                id: file.id, path: file.path, reason: "its file is gone; \(advice) delete the todo")
        case .untouched(let side, _):
            self.init(
                id: file.id, path: file.path,
                reason:
                    "git has not merged it, and it matches \(side.nameInGit); \(advice) accept it"
            )
        }
    }
}

extension Folder {
    /// Returns the todos whose files have conflict markers in a form that can't be read.
    fileprivate func unreadableConflicts() -> [UnresolvedTodo] {
        let files = unreadable.keys.compactMap { id in invalidFile(of: id).map { (id: id, file: $0) } }
        return files.sorted(byBytesOf: \.file.path).compactMap { id, file in
            guard case .markers = file.problem.reason else { return nil }
            return UnresolvedTodo(
                id: id, path: file.path, reason: file.problem.message, line: file.problem.line,
                column: file.problem.column)
        }
    }
}

/// Returns the conflicted todo that a name refers to.
func conflictedTodo(_ name: String, in snapshot: Snapshot) throws -> TodoID {
    switch try Selection(snapshot).named(name) {
    case .todo(let id):
        if snapshot.isConflicted(id) { return id }
        if let file = snapshot.folder.invalidFile(of: id) { throw EngineError.invalid(file) }
        throw EngineError.isNotConflicted(path: snapshot.folder.path(of: id) ?? name)
    case .new(let file): throw EngineError.isNotConflicted(path: file.path)
    case .invalid(let file): throw EngineError.invalid(file)
    case .duplicate(let file): throw EngineError.isDuplicate(file)
    }
}

/// Plans the resolution of conflicts, without writing anything.
private struct ResolutionPlanner {
    /// The snapshot, with the paths of files to be created marked as taken.
    var snapshot: Snapshot
    /// Returns the remembered resolutions.
    let resolutions: () -> Resolutions
    /// The position of the conflict among those that the user is asked about, and their number.
    var position = (number: 1, count: 1)
    /// The todos that the user was asked about before.
    var changed: Set<TodoID> = []
    /// Returns the user's answer to the conflict of a todo, perhaps by asking; nil if the user cancels.
    let answering: (TodoID, _ question: ConflictedText, _ ask: () throws -> [UInt8]?) throws -> [UInt8]?

    /// Returns a conflicted todo's path as the user knows it.
    func path(of id: TodoID) -> String {
        snapshot.folder.path(of: id) ?? snapshot.tracked.todos[id]?.conflict?.localPath ?? id.string
    }

    /// Plans the resolution of a conflict.
    mutating func plan(_ id: TodoID, _ resolution: Resolution, isNamed: Bool) throws -> PlannedResolution {
        let path = path(of: id)
        let file = snapshot.folder.conflicted[id]
        guard let conflict = snapshot.tracked.todos[id]?.conflict else {
            guard let file, case .markers(let text) = file.content else {
                throw Refusal("it is already resolved")
            }
            return try plan(marked: file, text, resolution)
        }
        if let obstacle = conflict.obstacle {
            return try plan(unmerged: id, conflict, obstacle, resolution, at: path)
        }
        switch resolution {
        case .file:
            let answer = try fileAnswer(id, file, conflict, isNamed: isNamed)
            return try plan(id, conflict, answer, used: .file, at: path)
        case .use(let side):
            let answer = try answer(using: side, id, file, conflict)
            return try plan(id, conflict, answer, used: ResolvedTodo.Answer(side), at: path)
        case .fields(let answers):
            return try plan(id, conflict, answers, used: ResolvedTodo.Answer(answers), at: path)
        case .union: return try plan(id, conflict, try unions(id, conflict), used: .union, at: path)
        case .abort:
            let answer = conflict.local.map(Answer.text) ?? .deletion
            return try plan(id, conflict, answer, used: .local, isAborted: true, at: path)
        case .again: return try planAgain(id, conflict, at: path)
        case .ask(let ask):
            guard let file, case .markers(let text) = file.content else {
                return try plan(id, .file, isNamed: isNamed)
            }
            let values = ConflictInValues(id: id, snapshot.tracked.todos[id], rules: snapshot.rules)
            let questions = Questions(
                id: id, path: file.path, kind: conflict.kind, changed: changed.contains(id) ? .local : nil,
                position: position,
                remembered: values?.differences(by: resolutions(), snapshot.conflictStyle) ?? [],
                unions: values?.unions(snapshot.conflictStyle) ?? [], ask: ask)
            let complete = text.completingBases(from: originalConflict(id, conflict))
            guard let bytes = try answering(id, complete, { try questions.answer(complete) }) else {
                throw Refusal("skipped")
            }
            let whole = originalConflict(id, conflict).flatMap { conflict.wholeText(bytes, in: $0) }
            return try plan(
                id, conflict, answer(whole ?? bytes, id), used: ResolvedTodo.Answer(bytes, to: complete),
                at: path)
        case .merge(let merge):
            guard let file, case .markers(let text) = file.content else {
                return try plan(id, .file, isNamed: isNamed)
            }
            let answer = try answer(
                from: merge, file, text, base: text.completingBases(from: originalConflict(id, conflict)))
            return try plan(id, conflict, answer, used: .file, at: path)
        }
    }

    /// Resolves a conflict without markers, whose sides can only be taken as a whole.
    private mutating func plan(
        unmerged id: TodoID, _ conflict: OpenConflict, _ obstacle: String, _ resolution: Resolution,
        at path: String
    ) throws -> PlannedResolution {
        let local = snapshot.folder.todos[id]
        switch resolution {
        case .use(let side):
            let text =
                switch side {
                case .local: local?.bytesWithID
                case .remote: conflict.remote.todo?.bytes
                case .base: snapshot.tracked.todos[id]?.base?.todo?.bytes
                }
            guard let text else {
                throw Refusal(side == .base ? Self.noBase : "its file is gone or is not a valid todo")
            }
            return try plan(id, conflict, .text(text), used: ResolvedTodo.Answer(side), at: path)
        case .abort:
            return try plan(
                id, conflict, local.map { .text($0.bytes) } ?? conflict.local.map(Answer.text) ?? .deletion,
                used: .local, isAborted: true, at: path)
        case .file, .fields, .union, .again, .ask, .merge:
            throw Refusal(
                "\(obstacle); shorten one side and sync again, or use --use local or remote to take a whole side"
            )
        }
    }

    private static let noBase = "there is no base version; both sides created it"

    /// Resolves fields of a conflict that only the markers in the file show.
    ///
    /// Git merges by lines, so its blocks can contain changes that merge cleanly; these are merged, too.
    private func settled(
        _ file: ConflictedFile, _ text: ConflictedText, _ resolution: Resolution
    ) throws -> (text: MergedText, fields: [String], used: ResolvedTodo.Answer) {
        guard let values = ConflictInValues(id: file.id, text, rules: snapshot.rules) else {
            throw Refusal(
                "its sides are not two versions of one todo; edit the file, or use --use local or remote",
                line: ConflictedText.firstMarkerLine(in: file.bytes), column: 1)
        }
        guard values.hasBase else {
            throw Refusal(
                "its markers have no base (||||||| lines), so its fields can't be merged; edit the file, or use "
                    + "--use local or remote",
                line: ConflictedText.firstMarkerLine(in: file.bytes), column: 1)
        }
        let merge = values.merge()
        let conflicting = merge.conflictingFields
        guard case .conflicted(let original) = merge.outcome else {
            if case .fields(let given) = resolution { try check(given, conflicting) }
            return (merge.outcome, [], .union)
        }
        let answers: [ByteKey: FieldAnswer]
        let used: ResolvedTodo.Answer
        if case .fields(let given) = resolution {
            (answers, used) = (given, ResolvedTodo.Answer(given))
        } else {
            answers = try unions(
                conflicting, local: values.fields(of: .local), remote: values.fields(of: .remote),
                base: values.fields(of: .base))
            used = .union
        }
        let decided = try decided(values, by: answers, in: original, conflicting)
        return (values.merge(fields: decided).outcome, answers.keys.map(\.string).sorted(), used)
    }

    /// Returns the values that answers give to fields in conflict.
    private func decided(
        _ values: ConflictInValues, by answers: [ByteKey: FieldAnswer], in original: ConflictedText,
        _ conflicting: [String]
    ) throws -> [ByteKey: SettledValue] {
        try check(answers, conflicting)
        do {
            return try values.values(of: answers, in: original, conflicting)
        } catch {
            throw Refusal("the answer \(error.reason)")
        }
    }

    /// Throws an error if an answer is about a field that is not in conflict.
    private func check(_ answers: [ByteKey: FieldAnswer], _ conflicting: [String]) throws {
        let fields = answers.keys.map(\.string).sorted()
        guard let other = fields.first(where: { !conflicting.contains($0) }) else { return }
        throw Refusal(
            conflicting.isEmpty
                ? "no field is in conflict; run \"todosync resolve --union\" to merge both sides"
                : "\(other) is not in conflict; \(conflicting.joined(separator: ", ")) can be resolved")
    }

    /// Plans the resolution of a conflict that only the markers in the file show, such as one of git's.
    ///
    /// The sides are those of the markers, and nothing is pending against a version of the remote.
    private func plan(
        marked file: ConflictedFile, _ text: ConflictedText, _ resolution: Resolution
    ) throws -> PlannedResolution {
        let line = ConflictedText.firstMarkerLine(in: file.bytes)
        let answer: Answer
        var used = ResolvedTodo.Answer.file
        switch resolution {
        case .file:
            throw Refusal(
                "there are still conflict markers; remove them, or use --use local or remote",
                line: line, column: 1)
        case .abort, .again:
            let isOfCopy = snapshot.folder.sideLabels(file).namesCopy
            throw Refusal(
                "the conflict is \(isOfCopy ? "with a copy" : "not with the remote"); edit the file, or use "
                    + "--use local or remote"
                    + (isOfCopy ? "; \"todosync undo\" brings the copy back" : ""),
                line: line, column: 1)
        case .fields, .union:
            let settled = try settled(file, text, resolution)
            used = settled.used
            switch settled.text {
            case .unwritable(let obstacle): throw Refusal(obstacle.words)
            case .clean(let bytes): answer = try validAnswer(bytes, file.id)
            case .conflicted(let rest):
                return partlyResolved(
                    file.id, file, rest, used: used, settled.fields, at: file.path,
                    labels: MarkerLabels(snapshot.folder.sideLabels(file)))
            }
        case .use(let side):
            guard let bytes = text.taking(side) else {
                throw Refusal("its markers have no base (||||||| lines)", line: line, column: 1)
            }
            if side == .base, let nested = ConflictedText.markersOfOtherLength(in: bytes) {
                throw Refusal(
                    "its base is in conflict itself, because the branches have several common versions; "
                        + "edit the file, or use --use local or remote", line: nested.line, column: 1)
            }
            // Both sides added the file, or zdiff3 has moved lines that both changed alike out of the block.
            if side == .base, todoProblem(in: bytes) != nil {
                throw Refusal(
                    "its base is not a valid todo; edit the file, or use --use local or remote", line: line,
                    column: 1)
            }
            answer = try validAnswer(withoutNewlineBeforeMarker(bytes, file.bytes) ?? bytes, file.id)
            used = ResolvedTodo.Answer(side)
        case .ask(let ask):
            let questions = Questions(
                id: file.id, path: file.path, kind: .git, labels: snapshot.folder.sideLabels(file),
                changed: changed.contains(file.id) ? .local : nil, position: position,
                unions: ConflictInValues(id: file.id, text, rules: snapshot.rules)?.unions(nil) ?? [],
                ask: ask)
            guard let bytes = try answering(file.id, text, { try questions.answer(text) }) else {
                throw Refusal("skipped")
            }
            answer = try validAnswer(bytes, file.id)
            used = ResolvedTodo.Answer(bytes, to: text)
        case .merge(let merge): answer = try self.answer(from: merge, file, text, base: text)
        }
        var edit = PlannedEdit(
            id: file.id, before: FileText(path: file.path, bytes: file.bytes), after: nil)
        if case .text(var bytes) = answer {
            let todo = try? Todo(parsing: bytes)
            if let other = todo?.id, other != file.id {
                throw Refusal("the answer has a different id, \(other)")
            }
            if let todo, todo.id == nil {
                bytes = todo.document.inserting(id: file.id.string)
                if let problem = todoProblem(in: bytes) { throw Refusal(problem) }
            }
            edit.after = FileText(path: file.path, bytes: bytes)
        }
        return PlannedResolution(
            edit: edit, path: file.path, used: used, logged: .resolved)
    }

    /// Plans the resolution of a file's blocks with the remembered resolutions of the same conflicts.
    ///
    /// The conflict stays open if some blocks have no answer; the others are resolved in the file.
    private mutating func planAgain(
        _ id: TodoID, _ conflict: OpenConflict, at path: String
    ) throws -> PlannedResolution {
        let (file, text) = try blocks(of: id, snapshot.folder.conflicted[id])
        let values = ConflictInValues(id: id, snapshot.tracked.todos[id], rules: snapshot.rules)
        let answers = values?.answers(in: resolutions()) ?? []
        guard let settled = values?.settled(text, by: answers, snapshot.conflictStyle) else {
            throw Refusal(
                "no remembered resolution matches its blocks; "
                    + "edit the file and run \"todosync resolve\""
            )
        }
        let fields = settled.answers.map(\.name)
        if settled.text.blocks.isEmpty, let bytes = settled.text.taking(.local) {
            var planned = try plan(
                id, conflict, validAnswer(bytes, id), used: .remembered, at: path)
            (planned.remembered, planned.learned) = (fields, nil)
            return planned
        }
        var planned = partlyResolved(
            id, file, settled.text, used: .remembered, fields, how: "resolved as before", at: path)
        planned.refusal?.remembered = fields
        return planned
    }

    /// Plans the resolution of fields with the given answers.
    ///
    /// The conflict stays open if some blocks have no answer; the others are resolved in the file.
    private mutating func plan(
        _ id: TodoID, _ conflict: OpenConflict, _ answers: [ByteKey: FieldAnswer],
        used: ResolvedTodo.Answer, at path: String
    ) throws -> PlannedResolution {
        let (file, text) = try blocks(of: id, snapshot.folder.conflicted[id])
        guard let values = ConflictInValues(id: id, snapshot.tracked.todos[id], rules: snapshot.rules),
            let original = originalConflict(id, conflict)
        else { throw Refusal("one side deleted it, so it can only be resolved as a whole") }
        let decided = try decided(values, by: answers, in: original, conflict.fields)
        let settled: ConflictedText?
        do {
            settled = try values.settled(text, fields: decided, snapshot.conflictStyle)
        } catch {
            throw Refusal(error.words)
        }
        guard let settled else {
            throw Refusal("its blocks were edited; edit the file, and run \"todosync resolve\"")
        }
        if settled.blocks.isEmpty, let bytes = settled.taking(.local) {
            return try plan(id, conflict, validAnswer(bytes, id), used: used, at: path)
        }
        return partlyResolved(id, file, settled, used: used, answers.keys.map(\.string).sorted(), at: path)
    }

    /// Returns the values of both sides for the fields in conflict that can have both.
    private func unions(_ id: TodoID, _ conflict: OpenConflict) throws -> [ByteKey: FieldAnswer] {
        let sides = [Side.local, .remote].map { side in
            originalConflict(id, conflict)?.taking(side).flatMap { try? Todo(parsing: $0) }
        }
        guard let local = sides[0], let remote = sides[1] else {
            throw Refusal("one side deleted it, so it can only be resolved as a whole")
        }
        let base = (snapshot.tracked.todos[id]?.base?.todo?.bytes).flatMap { try? Todo(parsing: $0) }
        return try unions(conflict.fields, local: local.fields, remote: remote.fields, base: base?.fields)
    }

    /// Returns the values of both sides for the fields that can have both.
    private func unions(
        _ fields: [String], local: Mapping, remote: Mapping, base: Mapping?
    ) throws -> [ByteKey: FieldAnswer] {
        var answers: [ByteKey: FieldAnswer] = [:]
        for field in fields {
            guard let left = local[field], let right = remote[field],
                let union = union(of: left, right, base: base?[field], in: field)
            else { continue }
            answers[ByteKey(field)] = .value(union)
        }
        if answers.isEmpty { throw Refusal("--union can't combine any of its conflicting fields") }
        return answers
    }

    /// Plans to write a file with some blocks resolved; the conflict stays open.
    private func partlyResolved(
        _ id: TodoID, _ file: ConflictedFile, _ text: ConflictedText, used: ResolvedTodo.Answer,
        _ fields: [String], how: String = "resolved", at path: String,
        labels: MarkerLabels = MarkerLabels()
    ) -> PlannedResolution {
        let hasBases = text.blocks.contains { $0.base != nil }
        let bytes = text.text(style: hasBases ? .diff3 : .merge, labels: labels)
        let names = fields.joined(separator: ", ")
        return PlannedResolution(
            edit: PlannedEdit(
                id: id, before: FileText(path: file.path, bytes: file.bytes),
                after: FileText(path: file.path, bytes: bytes)),
            path: path, used: used, logged: .conflict,
            refusal: Refusal(
                "\(names) \(fields.count == 1 ? "is" : "are") \(how); other conflicts are left in the file",
                line: ConflictedText.firstMarkerLine(in: bytes), column: 1))
    }

    /// Returns a conflicted file, and its text with the remaining blocks.
    private func blocks(
        of id: TodoID, _ file: ConflictedFile?
    ) throws -> (file: ConflictedFile, text: ConflictedText) {
        guard let file else {
            try checkIsGone(id)
            let handle = shellQuoted(Handles(snapshot).handle(of: id))
            throw Refusal(
                "its file is gone; run \"todosync resolve --abort \(handle)\" to get the local version back")
        }
        guard case .markers(let text) = file.content else {
            if case .invalid(let problem) = file.content { throw Refusal(problem) }
            throw Refusal(
                "no conflict markers are left in it; run \"todosync resolve\" to accept the file")
        }
        return (file, text)
    }

    /// Returns the answer from a merge tool's output for the file.
    private func answer(
        from merge: (FileToMerge) throws -> [UInt8]?, _ file: ConflictedFile, _ text: ConflictedText,
        base: ConflictedText
    ) throws -> Answer {
        guard let local = text.taking(.local), let remote = text.taking(.remote) else {
            throw Refusal("its blocks can't be told apart; edit the file instead")
        }
        let merged = try answering(file.id, text) {
            try merge(
                FileToMerge(
                    path: file.path, text: file.bytes, local: local, remote: remote,
                    base: base.taking(.base)))
        }
        guard let merged else { throw Refusal("the merge tool did not resolve it") }
        // Markers in an unreadable form count as left, too.
        guard (try? ConflictedText.read(merged) == nil) ?? false else {
            throw Refusal(
                "the merge tool left conflict markers", line: ConflictedText.firstMarkerLine(in: merged),
                column: 1)
        }
        return try validAnswer(merged, file.id)
    }

    /// Throws an error if a todo's file might exist but can't be seen or read.
    private func checkIsGone(_ id: TodoID) throws {
        if let error = snapshot.diskError(of: id) { throw Refusal(error) }
        if snapshot.isUnseen(id) { throw Refusal(Snapshot.unseen) }
    }

    /// Returns the answer in the file as the user left it.
    private func fileAnswer(
        _ id: TodoID, _ file: ConflictedFile?, _ conflict: OpenConflict, isNamed: Bool
    ) throws -> Answer {
        guard let file else {
            try checkIsGone(id)
            if isNamed { return .deletion }
            throw Refusal(
                "its file is gone; run \"todosync resolve \(shellQuoted(id.string))\" to delete the todo")
        }
        if !isNamed, snapshot.takenBack.contains(id) {
            throw Refusal(
                "its file matches a version in git and has no markers, for example after \"git stash\" or "
                    + "\"git checkout\"; run \"todosync resolve \(shellQuoted(file.path))\" to accept it")
        }
        switch file.content {
        case .todo(let todo):
            let bytes = todo.id == nil ? todo.document.inserting(id: id.string) : todo.bytes
            return try validAnswer(withoutAddedNewline(bytes, conflict.local), id)
        case .onlyID:
            if conflict.kind.hasDeletion { return .deletion }
            throw Refusal(TodoProblem(reason: .noText, line: 1, column: 1))
        case .markers:
            throw Refusal(
                "there are still conflict markers; remove them, or use --use local, remote or base",
                line: ConflictedText.firstMarkerLine(in: file.bytes), column: 1)
        case .invalid(let problem): throw Refusal(problem)
        }
    }

    /// Returns the answer with one side's lines for the file's remaining blocks.
    private func answer(
        using side: Side, _ id: TodoID, _ file: ConflictedFile?, _ conflict: OpenConflict
    ) throws -> Answer {
        let (file, text) = try blocks(of: id, file)
        let base = snapshot.tracked.todos[id]?.base?.todo
        let original = originalConflict(id, conflict)
        if side == .base, base == nil { throw Refusal(Self.noBase) }
        let complete = side == .base ? text.completingBases(from: original) : text
        guard let bytes = complete.taking(side) else {
            throw Refusal("a block was edited, so its base is unknown; edit the file instead")
        }
        if let whole = original.flatMap({ conflict.wholeText(bytes, in: $0) }) { return .text(whole) }
        let sideText =
            side == .local ? conflict.local : side == .remote ? conflict.remote.todo?.bytes : base?.bytes
        let answer = withoutNewlineBeforeMarker(bytes, file.bytes) ?? withoutAddedNewline(bytes, sideText)
        return try validAnswer(answer, id)
    }

    private func validAnswer(_ bytes: [UInt8], _ id: TodoID) throws -> Answer {
        let answered = answer(bytes, id)
        if case .text(let bytes) = answered, let problem = todoProblem(in: bytes) { throw Refusal(problem) }
        return answered
    }

    private func answer(_ bytes: [UInt8], _ id: TodoID) -> Answer {
        isDeletion(bytes, id) ? .deletion : .text(bytes)
    }

    /// Returns the conflict as it was written into the file.
    private func originalConflict(_ id: TodoID, _ conflict: OpenConflict) -> ConflictedText? {
        let local = conflict.local.flatMap { try? Todo(parsing: $0) }
        let decision = reconcile(
            base: snapshot.tracked.todos[id]?.base, local: local, remote: conflict.remote,
            rules: snapshot.rules)
        guard case .conflict(_, let text, _, _) = decision else { return nil }
        return text
    }

    /// Removes the last newline if the chosen side doesn't have it, because it was added before a marker.
    private func withoutAddedNewline(_ bytes: [UInt8], _ side: [UInt8]?) -> [UInt8] {
        let newline = UInt8(ascii: "\n")
        guard let side, let last = side.last, last != newline, bytes.last == newline else { return bytes }
        let text = bytes.withoutLastLineBreak
        // Only the line that had no newline is affected, no matter where the user added others.
        return text.lastLine == side.lastLine ? text : bytes
    }

    /// Removes the newline that was added before the last marker, which has no newline itself.
    ///
    /// This is needed if the chosen side has no lines there. Returns nil if there is no such newline, or if a
    /// value needs it.
    private func withoutNewlineBeforeMarker(_ bytes: [UInt8], _ file: [UInt8]) -> [UInt8]? {
        let newline = UInt8(ascii: "\n")
        guard file.last != newline, bytes.last == newline else { return nil }
        let text = bytes.withoutLastLineBreak
        return (try? Todo(parsing: text))?.fields == (try? Todo(parsing: bytes))?.fields ? text : nil
    }

    /// Plans to write an answer and close the conflict.
    private mutating func plan(
        _ id: TodoID, _ conflict: OpenConflict, _ answer: Answer, used: ResolvedTodo.Answer,
        isAborted: Bool = false, at path: String
    ) throws -> PlannedResolution {
        let before = snapshot.folder.path(of: id).flatMap { FileText(snapshot.folder.bytes(at: $0), at: $0) }
        if before == nil { try checkIsGone(id) }
        var edit = PlannedEdit(id: id, before: before, after: nil)
        edit.remote = isAborted ? nil : conflict.remote
        edit.conflict = isAborted ? .aborts : .closes
        if case .text(let bytes) = answer {
            if let other = (try? Todo(parsing: bytes))?.id, other != id {
                throw Refusal("the answer has a different id, \(other)")
            }
            if let before {
                edit.after = FileText(path: before.path, bytes: bytes)
            } else {
                guard let placement = snapshot.placeAmongFiles(id, conflict.localPath) else {
                    throw Refusal("no usable file name is left (see include in config.yaml, .todosyncignore)")
                }
                snapshot.folder.occupy(ByteKey(placement.path))
                edit.after = FileText(path: placement.path, bytes: bytes)
                if placement.isDisplaced { edit.isDisplaced = true }
            }
        }
        return PlannedResolution(
            edit: edit, path: path, used: used, logged: isAborted ? .cancelled : .resolved,
            learned: isAborted
                ? nil : ConflictInValues(id: id, snapshot.tracked.todos[id], rules: snapshot.rules))
    }
}

extension SideLabels {
    /// Whether the remote side is a copy that another tool made.
    fileprivate var namesCopy: Bool {
        MarkerLabels(self).remote.flatMap(CopyName.init) != nil
    }
}

extension MarkerLabels {
    /// Creates the labels of markers that are already in a file.
    fileprivate init(_ sides: SideLabels) {
        func label(_ text: String, _ side: Side) -> String? {
            if text == side.rawValue { return nil }
            let start = "\(side.rawValue) ("
            return text.hasPrefix(start) && text.hasSuffix(")")
                ? String(text.dropFirst(start.count).dropLast()) : text
        }
        self.init(local: label(sides.local, .local), remote: label(sides.remote, .remote))
    }
}

extension ResolvedTodo.Answer {
    init(_ side: Side) {
        switch side {
        case .local: self = .local
        case .remote: self = .remote
        case .base: self = .base
        }
    }

    /// Creates the answer for fields: a side if all of them take that side, otherwise the file.
    init(_ answers: [ByteKey: FieldAnswer]) {
        let side = [Side.local, .remote, .base].first { side in
            answers.values.allSatisfy { $0 == .take(side) }
        }
        self = side.map(Self.init) ?? .file
    }

    /// Creates the answer for a chosen text: a side if it has that side's lines in every block, otherwise the
    /// file.
    init(_ bytes: [UInt8], to text: ConflictedText) {
        self = [Side.local, .remote].first { text.taking($0) == bytes }.map(Self.init) ?? .file
    }
}

extension [UInt8] {
    /// The bytes after the last line break.
    fileprivate var lastLine: ArraySlice<UInt8> {
        self[(lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)...]
    }
}
