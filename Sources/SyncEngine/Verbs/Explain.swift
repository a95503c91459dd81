internal import LosslessYAML
package import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Explains a merge of a todo field by field and comment by comment, based on the texts in the log.
    ///
    /// - Parameter operationName: The name of the operation that merged the todo, as in
    ///   ``History/index(of:)``; nil for the last such operation.
    /// - Throws: ``EngineError/noMergeAt(_:operation:merges:)`` if the operation didn't merge the todo.
    package func explain(_ name: String, at operationName: String? = nil) throws -> Explanation {
        let history = try history()
        let snapshot = try Snapshot(of: self)
        let id = try Selection(snapshot).remembered(name, history)
        let path = snapshot.folder.path(of: id) ?? history.paths.last { $0.id == id }?.path ?? id.string
        let undone = history.undoneTodos
        let rules = FieldRules(try configuration())
        let wanted = try operationName.map(history.index)
        var merges: [String] = []
        for (index, operation) in history.operations.enumerated().reversed() {
            let found = operation.merges(of: id)
            guard let last = found.last else { continue }
            merges.append(operation.operation)
            if let wanted, index != wanted { continue }
            let entry = LogEntry(operation, undone: undone[operation.operation] ?? [])
            let explain = { Explanation($0, at: path, by: entry, rules: rules) }
            var explanation = explain(last)
            explanation.earlier = found.dropLast().map(explain)
            explanation.isOpen = merges.count == 1 && last.isOpen(in: snapshot)
            return explanation
        }
        if let wanted {
            throw EngineError.noMergeAt(
                path, operation: history.operations[wanted].operation, merges: merges)
        }
        return Explanation(id: id, path: path)
    }
}

extension Explanation {
    /// Explains one merge.
    ///
    /// - Parameter path: The todo's path, if the merge left no file.
    fileprivate init(_ merge: LoggedMerge, at path: String, by operation: LogEntry, rules: FieldRules) {
        self.init(
            id: merge.change.id, path: merge.change.after?.path ?? path, operation: operation,
            outcome: merge.outcome, copy: merge.copy?.path, deletingSide: merge.deletingSide)
        choice = merge.choiceAboutDeletion
        // If one side deleted the todo, nothing was merged.
        guard merge.deletingSide == nil, let texts = merge.texts else { return }
        let result = ThreeWayMerge.merge(
            base: texts.base, local: texts.local, remote: texts.remote, rules: rules)
        fields = merge.explainedFields(result)
        relocations = result.relocations
        comments = merge.explainedComments(texts)
    }
}

extension LoggedMerge {
    /// Returns whether the conflict that the merge left is still open.
    fileprivate func isOpen(in snapshot: Snapshot) -> Bool {
        copy == nil
            ? snapshot.tracked.todos[change.id]?.conflict != nil
            : snapshot.condition(of: change.id).isConflicted
    }

    fileprivate var deletingSide: Side? {
        if copy != nil { return nil }
        if case .deleted? = change.remote { return .remote }
        return change.before == nil && change.baseBefore?.todo != nil ? .local : nil
    }

    /// Who decided whether to keep the todo, and how.
    fileprivate var choiceAboutDeletion: ExplainedChoice? {
        guard let deletingSide, let chooser = change.choices.last?.chooser else { return nil }
        let others: [(side: Side, text: [UInt8]?)] = [
            (.local, change.before?.bytes), (.remote, change.remote?.todo?.bytes),
            (.base, change.baseBefore?.todo?.bytes),
        ]
        let taken = change.after.flatMap { after in others.first { $0.text == after.bytes } }
        return ExplainedChoice(chooser: chooser, side: taken?.side ?? deletingSide)
    }

    fileprivate var outcome: Explanation.Outcome {
        if copy != nil {
            return ConflictedText.firstMarkerLine(in: change.after?.bytes ?? []) == nil ? .merged : .conflict
        }
        if case .opens = change.conflict { return .conflict }
        if change.after == nil { return .deleted }
        let isLocalUnchanged =
            change.before.map { isSameText($0.bytes, change.baseBefore?.todo?.bytes ?? []) } ?? true
        return isLocalUnchanged ? .pulled : .merged
    }

    fileprivate typealias Texts = (base: Document?, local: Document, remote: Document)

    fileprivate var texts: Texts? {
        let empty = document(Array("{}".utf8))
        let base = change.baseBefore?.todo?.bytes
        // If the file was gone, the copy was merged with the newest version.
        let versions =
            copy.map { (base: $0.base, local: change.before?.bytes ?? base, remote: $0.text) }
            ?? (base: base, local: change.before?.bytes, remote: change.remote?.todo?.bytes)
        guard let local = document(versions.local) ?? empty, let remote = document(versions.remote) ?? empty
        else { return nil }
        return (document(versions.base), local, remote)
    }

    private func document(_ bytes: [UInt8]?) -> Document? { bytes.flatMap { try? Document(parsing: $0) } }

    fileprivate func explainedComments(_ texts: Texts) -> [ExplainedComment] {
        let bytes = change.after?.bytes ?? []
        let versions =
            (try? ConflictedText.read(bytes)).map { text in [text.taking(.local), text.taking(.remote)] }
            ?? [bytes]
        let written = versions.compactMap(document).reduce(into: Set<String>()) { comments, version in
            for range in version.comments {
                comments.insert(String(decoding: version.comment(range), as: UTF8.self))
            }
        }
        return commentChanges(base: texts.base, local: texts.local, remote: texts.remote).map { change in
            ExplainedComment(change: change, isKept: written.contains(change.comment))
        }
    }

    /// Returns the decisions about fields, with the values that the file got.
    fileprivate func explainedFields(_ merge: Merge) -> [ExplainedField] {
        let bytes = change.after?.bytes
        let written =
            document(bytes) ?? bytes.flatMap { document((try? ConflictedText.read($0))?.taking(.local)) }
        var sides: [(side: Side, fields: Mapping)] = []
        if case .conflicted(let text) = merge.outcome {
            sides = [Side.local, .remote, .base].compactMap { side in
                document(text.taking(side)).map { (side, $0.fields) }
            }
        }
        return merge.decisions.filter { $0.field != FieldName.id }.map { decision in
            let name = decision.field
            var field = ExplainedField(
                decision: decision, result: written.map { $0.fields[name] } ?? decision.result)
            if decision.hasConflict {
                field.chooser = change.choices.last { $0.fields.contains(name) }?.chooser
                field.side = sides.first { $0.fields[name] == field.result }?.side
            } else if decision.rule.takesSide {
                field.side = field.result == decision.local ? .local : .remote
            }
            return field
        }
    }
}

extension MergeRule {
    package var words: String {
        switch self {
        case .changedLocally: "only the local side changed it"
        case .changedRemotely: "only the remote changed it"
        case .changedAlike: "both sides made the same change"
        case .mapping: "merged key by key"
        case .set: "merged as a set: each side's additions and removals were applied"
        case .sequence:
            "merged as a sequence, because a value repeats: edits apart from each other were applied"
        case .elements: "merged element by element"
        case .lines: "merged line by line"
        case .local: "merge.fields chose the local value"
        case .remote: "merge.fields chose the remote value"
        case .union: "merge.fields chose the elements of both sides"
        case .max: "merge.fields chose the greater value"
        case .min: "merge.fields chose the lesser value"
        case .conflict: "both sides changed it, and no rule can choose"
        }
    }
}
