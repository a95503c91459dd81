internal import Git
internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

extension Workspace {
    /// Returns the open conflicts of the named todos, or all of them, in the order of their paths.
    package func conflicts(_ names: [String] = []) throws -> [Conflict] {
        let snapshot = try Snapshot(of: self)
        let wanted = Set(try names.map { try conflictedTodo($0, in: snapshot) })
        let todos = ConflictedTodo.all(in: snapshot).filter { names.isEmpty || wanted.contains($0.id) }
        let todoNames = TodoNames(snapshot)
        return todos.compactMap { todo in
            var conflict = Conflict(openOf: todo.id, in: snapshot, deviceName: surroundings.deviceName)
            conflict?.handle = todoNames.handle(of: todo.id)
            return conflict
        }
    }

    /// Resolves the open conflicts of the named todos, or all of them.
    ///
    /// The working directory isn't locked while the user is asked.
    package func resolve(_ names: [String], _ resolution: Resolution) throws -> ResolveReport {
        if resolution.waitsForUser {
            let (targets, unreadable) = try openConflicts(names, in: Snapshot(of: self))
            var report = try resolve(asking: targets, resolution, isNamed: !names.isEmpty)
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
                if let named { report.resolved.append(ReportRow(resolving: named)) }
                return named == nil
            }
            if names.isEmpty {
                report.resolved = unmerged.filter { $0.state == .resolved }.map(ReportRow.init(resolving:))
            }
            if names.isEmpty || !other.isEmpty {
                (targets, report.unresolved) = try openConflicts(other, in: locked.snapshot)
            }
            let former = TodoNames.newestTexts(of: targets, in: locked.snapshot)
            if names.isEmpty { report.unresolved += unmerged.compactMap(ReportRow.init(unresolved:)) }
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
) throws -> (targets: [TodoID], unreadable: [ReportRow]) {
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

extension Workspace {
    /// Asks the user or a merge tool about conflicts, applies all answers together, and asks again about a
    /// file that changed in the meantime.
    ///
    /// Answers that were given before the command is asked to end are applied, too.
    ///
    /// - Parameter changed: The todos that the user was asked about before.
    func resolve(
        asking targets: [TodoID], _ resolution: Resolution, isNamed: Bool = true, changed: Set<TodoID> = []
    ) throws -> ResolveReport {
        var (waiting, changed) = (targets, changed)
        var report = ResolveReport()
        var former: [TodoID: [UInt8]] = [:]
        let isAskedToEnd = surroundings.isAskedToEnd
        while !waiting.isEmpty, !isAskedToEnd() {
            let snapshot = try Snapshot(of: self)
            former.merge(TodoNames.newestTexts(of: waiting, in: snapshot)) { first, _ in first }
            let asked = try ask(waiting, resolution, changed: changed, in: snapshot)
            report.unresolved += asked.unresolved
            if asked.resolving.isEmpty { break }
            waiting = try LockedWorkspace.perform(unstoppable) { locked in
                try locked.resolve(
                    asked.resolving, resolution, isNamed: isNamed, answers: asked.answers, &report)
            }
            changed.formUnion(waiting)
        }
        // Some conflicts stay open because of an answer, and others because they can't be resolved.
        let order = Dictionary(uniqueKeysWithValues: zip(targets, targets.indices))
        func position(_ row: ReportRow) -> Int { row.id.flatMap { order[$0] } ?? targets.count }
        report.unresolved.sort { position($0) < position($1) }
        report.names = TodoNames(try Snapshot(of: self), former: former)
        report.isStopped = isAskedToEnd() && report.resolved.count < targets.count
        return report
    }

    /// Asks about conflicts, in order, until the command is asked to end.
    ///
    /// - Returns: The conflicts to resolve, with the answers to those whose files have markers.
    private func ask(
        _ targets: [TodoID], _ resolution: Resolution, changed: Set<TodoID>, in snapshot: Snapshot
    ) throws -> (resolving: [TodoID], answers: [TodoID: GivenAnswer], unresolved: [ReportRow]) {
        var asked = (resolving: [TodoID](), answers: [TodoID: GivenAnswer](), unresolved: [ReportRow]())
        let memory = ResolutionMemory(self, operation: "")
        let planner = ResolutionPlanner(snapshot: snapshot, resolutions: { memory.resolutions })
        for (index, id) in targets.enumerated() where !surroundings.isAskedToEnd() {
            do {
                asked.answers[id] = try planner.ask(
                    id, resolution, position: (index + 1, targets.count), hasChanged: changed.contains(id))
                asked.resolving.append(id)
            } catch let refusal as Refusal {
                // Ctrl-C isn't an answer.
                if surroundings.isAskedToEnd() { break }
                asked.unresolved.append(ReportRow(id, planner.path(of: id), refusal))
            }
        }
        return asked
    }
}

extension ReportRow {
    fileprivate init(_ id: TodoID, _ path: String, _ refusal: Refusal) {
        self.init(
            id: id, path: path, fields: refusal.remembered, reason: refusal.reason, cause: refusal.cause,
            notes: refusal.isPartlyResolved ? [.partlyResolved] : [], line: refusal.line,
            column: refusal.column)
    }
}

/// The reason why a conflict stays open.
private struct Refusal: Error {
    var reason: String
    /// The values that were resolved anyway.
    var remembered: [String] = []
    /// Whether a part of the conflict was resolved.
    var isPartlyResolved = false
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
    var used: ReportRow.Answer
    /// The values that remembered resolutions resolve, such as `text` or `place.city`.
    var remembered: [String] = []
    /// The state that the operation log records.
    var logged: TodoChange.State
    /// The conflict whose answer is to be remembered; nil to remember nothing.
    var learned: Conflict?
    /// The reason why the conflict stays open after the edit.
    var refusal: Refusal?

    /// Returns the command that git waits for after the resolution; nil if it doesn't wait.
    func gitCommand(_ merge: GitMerge) -> ReportRow.GitCommand? {
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

extension LockedWorkspace {
    /// Resolves several conflicts together.
    ///
    /// - Parameter answers: The user's answers, if the resolution asks.
    /// - Returns: The todos whose conflicts now differ from those that the user answered.
    func resolve(
        _ ids: [TodoID], _ resolution: Resolution, isNamed: Bool, answers: [TodoID: GivenAnswer] = [:],
        _ report: inout ResolveReport
    ) throws -> [TodoID] {
        var planner = ResolutionPlanner(snapshot: snapshot, resolutions: { self.memory.resolutions })
        var planned: [PlannedResolution] = []
        var refusals: [TodoID: (path: String, refusal: Refusal)] = [:]
        var changed: [TodoID] = []
        for id in ids {
            do {
                if let plan = try planner.plan(id, resolution, isNamed: isNamed, given: answers[id]) {
                    planned.append(plan)
                } else {
                    changed.append(id)
                }
            } catch let refusal as Refusal {
                refusals[id] = (planner.path(of: id), refusal)
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
                    ReportRow(
                        id: id, path: resolution.path, operation: resolution.edit.kind,
                        fields: resolution.remembered, used: resolution.used,
                        gitCommand: resolution.gitCommand(folder.gitMerge)))
            case .failed(let error): refusals[id] = (resolution.path, Refusal(error))
            case .cancelled: throw CancellationError()
            case .changedMeanwhile, .occupied, .refused, .withoutPath:
                refusals[id] = (
                    resolution.path, Refusal("the file changed in the meantime; check it and resolve again")
                )
            }
        }
        for id in ids {
            guard let (path, refusal) = refusals[id] else { continue }
            report.unresolved.append(ReportRow(id, path, refusal))
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

extension ReportRow {
    /// Creates the report on an unmerged todo that the user takes as it is.
    fileprivate init(resolving file: UnmergedFile) {
        self.init(
            id: file.id, path: file.path, operation: file.state == .gone ? .delete : .update, used: .file,
            gitCommand: file.state == .gone ? .rm : .add)
    }
}

extension ReportRow {
    /// Creates the report on an unmerged todo that the user has to decide about; nil if the user has decided.
    ///
    /// A todo is deleted, or kept as git left it, only if the user names it.
    fileprivate init?(unresolved file: UnmergedFile) {
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
    fileprivate func unreadableConflicts() -> [ReportRow] {
        let files = unreadable.keys.compactMap { id in invalidFile(of: id).map { (id: id, file: $0) } }
        return files.sorted(byBytesOf: \.file.path).compactMap { id, file in
            guard case .markers = file.problem.reason else { return nil }
            return ReportRow(
                id: id, path: file.path, reason: file.problem.message, line: file.problem.line,
                column: file.problem.column)
        }
    }
}

/// Returns the conflicted todo that a name refers to.
func conflictedTodo(_ name: String, in snapshot: Snapshot) throws -> TodoID {
    switch try Selection(snapshot).named(name) {
    case .todo(let id):
        if snapshot.condition(of: id).isConflicted { return id }
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

    /// Returns a conflicted todo's path as the user knows it.
    func path(of id: TodoID) -> String {
        snapshot.folder.path(of: id) ?? snapshot.tracked.todos[id]?.conflict?.localPath ?? id.string
    }

    /// Plans the resolution of a conflict.
    ///
    /// - Parameter given: The answer, if the resolution asks for one.
    /// - Returns: Nil if the conflict isn't the one that was answered.
    mutating func plan(
        _ id: TodoID, _ resolution: Resolution, isNamed: Bool, given: GivenAnswer?
    ) throws -> PlannedResolution? {
        let conflict = try conflict(of: id)
        if let obstacle = conflict.record?.obstacle {
            return try plan(unmerged: conflict, obstacle, resolution)
        }
        switch resolution {
        case .file: return try close(conflict, with: textInFile(conflict, isNamed: isNamed), used: .file)
        case .use(let side):
            return try close(
                conflict, with: text(of: conflict, taking: side), used: ReportRow.Answer(side))
        case .fields(let answers):
            return try answer(conflict, answers, used: ReportRow.Answer(answers))
        case .union: return try answer(conflict, nil, used: .union)
        case .again: return try answerAsBefore(conflict)
        case .abort:
            if conflict.record == nil { throw isNotWithRemote(conflict) }
            return try close(conflict, with: conflict.local?.bytes, used: .local, isAborted: true)
        case .ask, .merge:
            guard hasMarkers(id) else {
                return try close(conflict, with: textInFile(conflict, isNamed: isNamed), used: .file)
            }
            let (file, text) = try blocks(of: conflict)
            guard let given, given.question == text else { return nil }
            return try apply(given, to: conflict, file, resolution)
        }
    }

    private func conflict(of id: TodoID) throws -> Conflict {
        if let conflict = Conflict(openOf: id, in: snapshot) { return conflict }
        throw Refusal("it is already resolved")
    }

    private func hasMarkers(_ id: TodoID) -> Bool {
        if case .markers? = snapshot.folder.conflicted[id]?.content { true } else { false }
    }

    // MARK: Whole texts

    /// Resolves a conflict without markers, whose sides can only be taken as a whole.
    private mutating func plan(
        unmerged conflict: Conflict, _ obstacle: String, _ resolution: Resolution
    ) throws -> PlannedResolution {
        let local = snapshot.folder.todos[conflict.id]
        switch resolution {
        case .use(let side):
            let text =
                switch side {
                case .local: local?.bytesWithID
                case .remote: conflict.remote?.bytes
                case .base: conflict.base?.bytes
                }
            guard let text else {
                throw Refusal(side == .base ? Self.noBase : "its file is gone or is not a valid todo")
            }
            return try close(conflict, with: text, used: ReportRow.Answer(side))
        case .abort:
            return try close(
                conflict, with: local?.bytes ?? conflict.local?.bytes, used: .local, isAborted: true)
        case .file, .fields, .union, .again, .ask, .merge:
            throw Refusal(
                "\(obstacle); shorten one side and sync again, or use --use local or remote to take a whole side"
            )
        }
    }

    private static let noBase = "there is no base version; both sides created it"

    /// Returns the answer in the file as the user left it; nil to delete the todo.
    private func textInFile(_ conflict: Conflict, isNamed: Bool) throws -> [UInt8]? {
        let id = conflict.id
        guard let file = snapshot.folder.conflicted[id] else {
            try checkIsGone(id)
            if isNamed { return nil }
            throw Refusal(
                "its file is gone; run \"todosync resolve \(shellQuoted(id.string))\" to delete the todo")
        }
        if !isNamed, snapshot.rolledBack.contains(id) {
            throw Refusal(
                "its file matches a version in git and has no markers, for example after \"git stash\" or "
                    + "\"git checkout\"; run \"todosync resolve \(shellQuoted(file.path))\" to accept it")
        }
        switch file.content {
        case .todo(let todo): return try checked(withoutAddedNewline(todo.bytes, conflict.local?.bytes), id)
        case .onlyID:
            if conflict.kind.hasDeletion { return nil }
            throw Refusal(TodoProblem(reason: .noText, line: 1, column: 1))
        case .markers:
            let sides = conflict.record == nil ? "local or remote" : "local, remote or base"
            throw refusal(of: file, "there are still conflict markers; remove them, or use --use \(sides)")
        case .invalid(let problem): throw Refusal(problem)
        }
    }

    /// Returns the file's text with one side's lines for its remaining blocks; nil to delete the todo.
    private func text(of conflict: Conflict, taking side: Side) throws -> [UInt8]? {
        let (file, text) = try blocks(of: conflict)
        let isRecorded = conflict.record != nil
        if side == .base, isRecorded, conflict.base == nil { throw Refusal(Self.noBase) }
        guard let bytes = text.taking(side) else {
            throw isRecorded
                ? Refusal("a block was edited, so its base is unknown; edit the file instead")
                : refusal(of: file, "its markers have no base (||||||| lines)")
        }
        if let whole = conflict.wholeText(bytes) { return whole }
        if side == .base, !isRecorded { try checkBase(bytes, of: file) }
        if let shortened = withoutNewlineBeforeMarker(bytes, file.bytes) {
            return try checked(shortened, conflict.id)
        }
        let sideText =
            switch side {
            case .local: conflict.local
            case .remote: conflict.remote
            case .base: conflict.base
            }
        return try checked(isRecorded ? withoutAddedNewline(bytes, sideText?.bytes) : bytes, conflict.id)
    }

    /// Throws an error if the base in a file's markers isn't a version of the todo.
    private func checkBase(_ bytes: [UInt8], of file: ConflictedFile) throws {
        if let nested = ConflictedText.markersOfOtherLength(in: bytes) {
            throw Refusal(
                "its base is in conflict itself, because the branches have several common versions; "
                    + "edit the file, or use --use local or remote", line: nested.line, column: 1)
        }
        // Both sides added the file, or zdiff3 has moved lines that both changed alike out of the block.
        if todoProblem(in: bytes) != nil {
            throw refusal(
                of: file, "its base is not a valid todo; edit the file, or use --use local or remote")
        }
    }

    // MARK: Parts

    /// Plans the resolution of fields with the given answers, or of all fields that can have the values of
    /// both sides.
    ///
    /// The conflict stays open if some blocks have no answer; the others are resolved in the file.
    private mutating func answer(
        _ conflict: Conflict, _ answers: [ByteKey: FieldAnswer]?, used: ReportRow.Answer
    ) throws -> PlannedResolution {
        var conflict = conflict
        var (file, text) = try blocks(of: conflict)
        if conflict.record == nil {
            // Git merges by lines, so its blocks can contain changes that merge cleanly; these are merged,
            // too.
            let merge = try mergeOfMarkers(conflict, file)
            (conflict.fields, conflict.mergedFields) = (merge.conflictingFields, merge.mergedFields)
            switch merge.outcome {
            case .conflicted(let merged): (conflict.text, text) = (merged, merged)
            case .unwritable(let obstacle): throw Refusal(obstacle.words)
            case .clean(let bytes):
                if let answers { try check(answers, conflict) }
                return try close(conflict, with: checked(bytes, conflict.id), used: .union)
            }
        } else if conflict.local == nil || conflict.remote == nil {
            throw Refusal("one side deleted it, so it can only be resolved as a whole")
        }
        let answers = answers ?? conflict.unions
        if answers.isEmpty { throw Refusal("--union can't combine any of its conflicting fields") }
        try check(answers, conflict)
        let answered: ConflictedText?
        do {
            answered = try conflict.answering(answers, in: text)
        } catch let problem as HandlerProblem {
            throw Refusal("the answer \(problem.reason)")
        } catch let obstacle as MergeObstacle {
            throw Refusal(obstacle.words)
        }
        guard let answered else {
            throw Refusal("its blocks were edited; edit the file, and run \"todosync resolve\"")
        }
        return try write(
            answered, of: conflict, file, used: used, resolving: answers.keys.map(\.string).sorted())
    }

    /// Throws an error if an answer is about a field that is not in conflict.
    private func check(_ answers: [ByteKey: FieldAnswer], _ conflict: Conflict) throws {
        let fields = answers.keys.map(\.string).sorted()
        guard let other = fields.first(where: { !conflict.fields.contains($0) }) else { return }
        throw Refusal(
            conflict.fields.isEmpty
                ? "no field is in conflict; run \"todosync resolve --union\" to merge both sides"
                : "\(other) is not in conflict; \(conflict.fields.joined(separator: ", ")) can be resolved")
    }

    /// Merges the two versions that only the markers in a file show.
    private func mergeOfMarkers(_ conflict: Conflict, _ file: ConflictedFile) throws -> Merge {
        guard let merge = conflict.merge() else {
            throw refusal(
                of: file,
                "its sides are not two versions of one todo; edit the file, or use --use local or remote")
        }
        guard conflict.base != nil else {
            throw refusal(
                of: file,
                "its markers have no base (||||||| lines), so its fields can't be merged; edit the file, or use "
                    + "--use local or remote")
        }
        return merge
    }

    /// Plans the resolution of a file's blocks with the remembered resolutions of the same conflicts.
    private mutating func answerAsBefore(_ conflict: Conflict) throws -> PlannedResolution {
        if conflict.record == nil { throw isNotWithRemote(conflict) }
        let (file, text) = try blocks(of: conflict)
        guard let resolved = conflict.resolved(text, by: conflict.answers(in: resolutions())) else {
            throw Refusal(
                "no remembered resolution matches its blocks; "
                    + "edit the file and run \"todosync resolve\"")
        }
        let fields = resolved.answers.map(\.name)
        var planned = try write(resolved.text, of: conflict, file, used: .remembered, resolving: fields)
        (planned.learned, planned.remembered) = (nil, fields)
        planned.refusal?.remembered = fields
        return planned
    }

    /// Plans to write a text in which some blocks are resolved; closes the conflict if none are left.
    private mutating func write(
        _ text: ConflictedText, of conflict: Conflict, _ file: ConflictedFile, used: ReportRow.Answer,
        resolving fields: [String]
    ) throws -> PlannedResolution {
        if text.blocks.isEmpty, let bytes = text.taking(.local) {
            return try close(conflict, with: checked(bytes, conflict.id), used: used)
        }
        var style = ConflictStyle.merge
        if case .markers(let written) = file.content, written.blocks.contains(where: { $0.base != nil }) {
            style = snapshot.conflictStyle == .zdiff3 ? .zdiff3 : .diff3
        }
        let open = text.conflictingFields
        var planned = keepOpen(
            conflict, file, with: text.text(style: style, labels: conflict.labels), used: used)
        planned.refusal?.reason =
            "\(fields.joined(separator: ", ")) \(fields.count == 1 ? "is" : "are") resolved"
            + (used == .remembered ? " as before" : "") + ", and "
            + (open.isEmpty
                ? "other parts are still in conflict"
                : "\(open.joined(separator: ", ")) \(open.count == 1 ? "is" : "are") still in conflict")
        planned.refusal?.isPartlyResolved = true
        return planned
    }

    // MARK: Questions

    /// Asks the user about each block of a conflict, or runs a merge tool.
    ///
    /// - Returns: The answer; nil if there is nothing to ask, because the file has no markers.
    /// - Throws: The refusal if the conflict stays open.
    func ask(
        _ id: TodoID, _ resolution: Resolution, position: (number: Int, count: Int), hasChanged: Bool
    ) throws -> GivenAnswer? {
        let conflict = try conflict(of: id)
        guard conflict.record?.obstacle == nil, hasMarkers(id) else { return nil }
        let (file, text) = try blocks(of: conflict)
        switch resolution {
        case .ask(let ask):
            let remembered = conflict.record == nil ? [] : conflict.answers(in: resolutions())
            let questions = Questions(
                conflict: conflict, changed: hasChanged ? .local : nil, position: position,
                remembered: conflict.differences(by: remembered).map(\.difference),
                unions: conflict.unionDifferences, ask: ask)
            guard let answer = try questions.answer(text) else { throw Refusal("skipped") }
            return answer
        case .merge(let merge):
            guard let bytes = try self.merge(file, text, merge) else {
                throw Refusal("the merge tool did not resolve it")
            }
            return GivenAnswer(conflict: conflict, question: text, bytes: bytes)
        case .file, .use, .fields, .union, .again, .abort: return nil
        }
    }

    /// Plans the resolution that the user chose.
    private mutating func apply(
        _ answer: GivenAnswer, to conflict: Conflict, _ file: ConflictedFile, _ resolution: Resolution
    ) throws -> PlannedResolution {
        if answer.isDraft {
            var planned = keepOpen(conflict, file, with: answer.bytes, used: .file)
            planned.refusal?.reason = "your text is in the file, and its conflict is still open"
            return planned
        }
        var used = ReportRow.Answer.file
        if case .ask = resolution { used = ReportRow.Answer(answer.bytes, to: answer.question) }
        let bytes = conflict.wholeText(answer.bytes) ?? answer.bytes
        return try close(conflict, with: checked(bytes, conflict.id), used: used)
    }

    /// Returns a merge tool's output for the file; nil if it resolved nothing.
    private func merge(
        _ file: ConflictedFile, _ text: ConflictedText, _ merge: (FileToMerge) throws -> [UInt8]?
    ) throws -> [UInt8]? {
        guard let local = text.taking(.local), let remote = text.taking(.remote) else {
            throw Refusal("its blocks can't be told apart; edit the file instead")
        }
        let merged = try merge(
            FileToMerge(
                path: file.path, text: file.bytes, local: local, remote: remote, base: text.taking(.base)))
        // Markers in an unreadable form count as left, too.
        if let merged, (try? ConflictedText.read(merged)) != .some(nil) {
            throw Refusal(
                "the merge tool left conflict markers", line: ConflictedText.firstMarkerLine(in: merged),
                column: 1)
        }
        return merged
    }

    // MARK: Edits

    /// Returns a conflicted file, and its text with the remaining blocks as they were before they were
    /// written.
    private func blocks(of conflict: Conflict) throws -> (file: ConflictedFile, text: ConflictedText) {
        guard let file = snapshot.folder.conflicted[conflict.id] else {
            try checkIsGone(conflict.id)
            let handle = shellQuoted(Handles(snapshot).handle(of: conflict.id))
            throw Refusal(
                "its file is gone; run \"todosync resolve --abort \(handle)\" to get the local version back")
        }
        guard case .markers(let text) = file.content else {
            if case .invalid(let problem) = file.content { throw Refusal(problem) }
            throw Refusal(
                "no conflict markers are left in it; run \"todosync resolve\" to accept the file")
        }
        return (file, conflict.record == nil ? text : text.restoringBlocks(of: conflict.text))
    }

    /// Plans to write a text and close the conflict.
    ///
    /// - Parameter bytes: The todo's text; nil to delete the todo.
    private mutating func close(
        _ conflict: Conflict, with bytes: [UInt8]?, used: ReportRow.Answer, isAborted: Bool = false
    ) throws -> PlannedResolution {
        let id = conflict.id
        let before =
            snapshot.folder.conflicted[id].map { FileText(path: $0.path, bytes: $0.bytes) }
            ?? snapshot.folder.path(of: id).flatMap { FileText(snapshot.folder.bytes(at: $0), at: $0) }
        if before == nil { try checkIsGone(id) }
        var edit = PlannedEdit(id: id, before: before, after: nil)
        if let record = conflict.record {
            edit.remote = isAborted ? nil : record.remote
            edit.conflict = isAborted ? .aborts : .closes
        }
        if let bytes {
            let bytes = isAborted ? bytes : try withID(bytes, id)
            if let before {
                edit.after = FileText(path: before.path, bytes: bytes)
            } else {
                guard let assigned = snapshot.freePath(id, conflict.path) else {
                    throw Refusal("no usable file name is left (see include in config.yaml, .todosyncignore)")
                }
                snapshot.folder.occupy(ByteKey(assigned.path))
                edit.after = FileText(path: assigned.path, bytes: bytes)
                if assigned.isPathLocalOnly { edit.isPathLocalOnly = true }
            }
        }
        return PlannedResolution(
            edit: edit, path: path(of: id), used: used, logged: isAborted ? .cancelled : .resolved,
            learned: isAborted || conflict.record == nil ? nil : conflict)
    }

    /// Plans to change the file of a conflict that stays open.
    private func keepOpen(
        _ conflict: Conflict, _ file: ConflictedFile, with bytes: [UInt8], used: ReportRow.Answer
    ) -> PlannedResolution {
        PlannedResolution(
            edit: PlannedEdit(
                id: conflict.id, before: FileText(path: file.path, bytes: file.bytes),
                after: FileText(path: file.path, bytes: bytes)),
            path: file.path, used: used, logged: .conflict,
            refusal: Refusal("", line: ConflictedText.firstMarkerLine(in: bytes), column: 1))
    }

    /// Returns a text with the todo's id.
    private func withID(_ bytes: [UInt8], _ id: TodoID) throws -> [UInt8] {
        guard let todo = try? Todo(parsing: bytes) else { return bytes }
        if let other = todo.id {
            if other != id { throw Refusal("the answer has a different id, \(other)") }
            return bytes
        }
        return try checked(todo.document.inserting(id: id.string), id) ?? bytes
    }

    /// Returns a text that is valid as an answer; nil if it deletes the todo.
    private func checked(_ bytes: [UInt8], _ id: TodoID) throws -> [UInt8]? {
        if isDeletion(bytes, id) { return nil }
        if let problem = todoProblem(in: bytes) { throw Refusal(problem) }
        return bytes
    }

    /// Throws an error if a todo's file might exist but can't be seen or read.
    private func checkIsGone(_ id: TodoID) throws {
        if let error = snapshot.diskError(of: id) { throw Refusal(error) }
        switch snapshot.condition(of: id).ofFile {
        case .unchanged, .invalid, .unseen: throw Refusal(Snapshot.unseen)
        case .pending, .conflicted, .held, .notKept, .absent: break
        }
    }

    private func refusal(of file: ConflictedFile, _ reason: String) -> Refusal {
        Refusal(reason, line: ConflictedText.firstMarkerLine(in: file.bytes), column: 1)
    }

    /// Returns why a conflict that only markers show can't be aborted or resolved as before.
    private func isNotWithRemote(_ conflict: Conflict) -> Refusal {
        let isOfCopy = conflict.labels.remote.flatMap(CopyName.init) != nil
        let reason =
            "the conflict is \(isOfCopy ? "with a copy" : "not with the remote"); edit the file, or use "
            + "--use local or remote" + (isOfCopy ? "; \"todosync undo\" brings the copy back" : "")
        guard let file = snapshot.folder.conflicted[conflict.id] else { return Refusal(reason) }
        return refusal(of: file, reason)
    }

    // MARK: Line breaks

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
}

extension ReportRow.Answer {
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
