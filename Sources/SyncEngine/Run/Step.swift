internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A remote change that was decided on, and what it means for the todo's file.
final class Step {
    let id: TodoID
    let remote: RemoteState
    /// The file before; nil if there is none.
    let local: LocalTodo?
    /// The file's new text; nil if there is to be no file.
    var bytes: [UInt8]?
    var outcome: Outcome
    /// The values in conflict that were settled as before, as `text` or `place.city`.
    var recalled: [String] = []
    /// The path wanted, nil where the file stays where it is or there is none.
    let wishedPath: String?

    enum Outcome {
        /// Nothing happens to the fields: the sides agree, or only the local one changed them.
        case confirmed
        case pulled
        case merged(MergedParts)
        case conflict(OpenConflict)
    }

    /// Creates the step that leaves the file as it is.
    init(id: TodoID, remote: RemoteState, local: LocalTodo?, wishedPath: String?) {
        self.id = id
        self.remote = remote
        self.local = local
        self.wishedPath = wishedPath
        bytes = local?.bytes
        outcome = .confirmed
    }

    /// Whether the step takes the todo's file away.
    var isRemoval: Bool { local != nil && bytes == nil }

    /// Whether the step makes a file where none is.
    var needsPlace: Bool { local == nil && bytes != nil }
}

/// A remote change, and the file that it is about.
struct OpenQuestion: Sendable {
    var id: TodoID
    var remote: RemoteState
    var local: LocalTodo?

    func decision(base: RemoteState?, rules: FieldRules) -> Decision {
        reconcile(base: base, local: local?.todoWithID, remote: remote, rules: rules)
    }
}

extension Run {
    /// Decides what becomes of a remote change; nil if it has to wait.
    ///
    /// Asks the user where the policy says so.
    func decide(_ question: OpenQuestion, _ decision: Decision, _ policy: ConflictPolicy) throws -> Step? {
        let (id, remote, local) = (question.id, question.remote, question.local)
        let known = state.todos[id]
        let step = Step(
            id: id, remote: remote, local: local, wishedPath: wishedPath(local?.path, known, remote))
        switch decision {
        case .agreed, .keepPending, .bothDeleted: break
        case .takeRemote(let bytes):
            step.bytes = bytes
            step.outcome = .pulled
        case .deleteLocal:
            step.bytes = nil
            step.outcome = .pulled
        case .merged(let bytes, let parts):
            step.bytes = bytes
            step.outcome = .merged(parts)
        case .conflict(let kind, let foundText, let foundFields, let foundMergedFields):
            var (text, fields, mergedFields) = (foundText, foundFields, foundMergedFields)
            let values =
                configuration.remember || policy.asks
                ? ConflictInValues(
                    id: id, base: known?.base, local: local?.todoWithID, remote: remote, rules: mergeRules)
                : nil
            if configuration.remember, policy.goesByMemory, let recalled = values.flatMap(recall) {
                step.recalled = recalled.fields
                (fields, mergedFields) = (recalled.merge.conflictingFields, recalled.merge.mergedFields)
                switch recalled.merge.outcome {
                case .clean(let bytes):
                    step.bytes = bytes
                    step.outcome =
                        bytes == local?.bytes ? .confirmed : .merged(MergedParts(fields: mergedFields))
                    return step
                case .conflicted(let left): text = left
                }
            }
            let conflict = OpenConflict(
                kind: kind, fields: fields, local: local?.bytesWithID,
                localPath: local?.path ?? known?.lastPlace ?? remote.todo?.path ?? id.string, remote: remote)
            guard try settle(step, conflict, text, mergedFields, policy, values) else { return nil }
        }
        return step
    }

    /// Settles a conflict by the policy; returns false if the user cancelled.
    private func settle(
        _ step: Step, _ conflict: OpenConflict, _ text: ConflictedText, _ mergedFields: [String],
        _ policy: ConflictPolicy, _ values: ConflictInValues?
    ) throws -> Bool {
        let answer: [UInt8]?
        switch policy {
        case .markers:
            step.bytes = text.text(style: conflictStyle, labels: labels(against: step.remote))
            step.outcome = .conflict(conflict)
            return true
        case .use(let side):
            guard let taken = text.taking(Side(side)) else {
                step.bytes = text.text(style: conflictStyle, labels: labels(against: step.remote))
                step.outcome = .conflict(conflict)
                return true
            }
            answer = conflict.wholeText(taken, in: text) ?? taken
        case .ask(let ask):
            let path = step.local?.path ?? conflict.localPath
            let questions = Questions(
                id: step.id, path: path, kind: conflict.kind, isAskedAgain: answered.contains(step.id),
                remembered: differences(of: values, nil), ask: ask)
            guard let answered = try questions.answer(text) else {
                cancelled.insert(step.id)
                return false
            }
            self.answered.insert(step.id)
            learn(values, from: answered)
            answer = conflict.wholeText(answered, in: text) ?? answered
        }
        step.bytes = answer.flatMap { isDeletion($0, step.id) ? nil : $0 }
        step.outcome =
            step.bytes == step.local?.bytes
            ? .confirmed : .merged(MergedParts(fields: mergedFields + conflict.fields))
        return true
    }

    /// Whether a text has nothing but the todo's id left.
    func isDeletion(_ bytes: [UInt8], _ id: TodoID) -> Bool {
        if case .onlyID(let found) = FileReading(bytes, isRecorded: true) { return found == id }
        return false
    }

    /// Returns the path that a todo's file is to have by what both sides did to it; nil if it stays.
    ///
    /// The path merges like a scalar and never conflicts: changed on both sides, the local one counts.
    ///
    /// - Parameter path: where the file is.
    func wishedPath(_ path: String?, _ known: TodoState?, _ remote: RemoteState) -> String? {
        guard let remote = remote.todo else { return nil }
        guard let localPath = path else {
            if let remotePath = remote.path,
                known?.isDisplaced == true || !isSamePath(remotePath, known?.base?.todo?.path)
            {
                return remotePath
            }
            return known?.lastPlace ?? remote.path ?? Run.path(forTextOf: remote.bytes)
        }
        guard let known, known.base?.todo != nil, let path = remote.path, !known.isRenamed(localPath)
        else {
            return nil
        }
        let isUnchanged = isSamePath(path, known.base?.todo?.path)
        return isUnchanged && !known.isDisplaced ? nil : path
    }

    private func isSamePath(_ path: String, _ other: String?) -> Bool {
        other?.isSameBytes(as: path) == true
    }

    /// Returns the path of a todo that came without one: the slug of its text.
    static func path(forTextOf bytes: [UInt8]) -> String {
        PathRules.slug(of: (try? Todo(parsing: bytes))?.text ?? "") + ".yaml"
    }
}

extension OpenConflict {
    /// Returns a side's text byte for byte, its `id` line where it was, if an answer is all of that side.
    ///
    /// - Parameter text: The conflict as it was found, about a whole todo.
    func wholeText(_ answer: [UInt8], in text: ConflictedText) -> [UInt8]? {
        guard kind.hasDeletion else { return nil }
        if answer == text.taking(.local), let local { return local }
        return answer == text.taking(.remote) ? remote.todo?.bytes : nil
    }
}

extension Side {
    init(_ side: ResolutionSide) {
        switch side {
        case .local: self = .local
        case .remote: self = .remote
        case .base: self = .base
        }
    }
}
