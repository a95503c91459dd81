internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

extension Workspace {
    /// Explains a merge of a todo field by field and comment by comment, based on the texts in the log.
    ///
    /// - Parameter operationName: the id of the operation that merged the todo, or a prefix of it; nil for
    ///   the last such operation.
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
            guard let change = operation.changes.last(where: { $0.id == id && $0.isMerge }) else { continue }
            merges.append(operation.operation)
            if let wanted, index != wanted { continue }
            let entry = LogEntry(operation, undone: undone[operation.operation] ?? [])
            var explanation = Explanation(
                id: id, path: change.after?.path ?? path, operation: entry, outcome: change.outcome,
                isOpen: merges.count == 1 && snapshot.tracked.todos[id]?.conflict != nil,
                deletingSide: change.deletingSide)
            // If one side deleted the todo, nothing was merged.
            if change.deletingSide == nil, let texts = change.mergedTexts {
                let merge = merge(
                    base: texts.base, local: texts.local, remote: texts.remote, rules: rules)
                explanation.fields = change.explainedFields(merge)
                explanation.relocations = merge.relocations
                explanation.comments = change.explainedComments(texts)
            }
            return explanation
        }
        if let operationName { throw EngineError.noMergeAt(path, operation: operationName, merges: merges) }
        return Explanation(id: id, path: path)
    }
}

extension LoggedChange {
    /// Whether the edit applied a remote change.
    fileprivate var isMerge: Bool {
        guard remote != nil else { return false }
        return switch conflict {
        case .none, .opens: true
        case .closes, .aborts, .reopens: false
        }
    }

    fileprivate var deletingSide: Side? {
        if case .deleted? = remote { return .remote }
        return before == nil && baseBefore?.todo != nil ? .local : nil
    }

    fileprivate var outcome: Explanation.Outcome {
        if case .opens = conflict { return .conflict }
        if after == nil { return .deleted }
        let isLocalUnchanged = before.map { isSameText($0.bytes, baseBefore?.todo?.bytes ?? []) } ?? true
        return isLocalUnchanged ? .pulled : .merged
    }

    fileprivate typealias Texts = (base: Document?, local: Document, remote: Document)

    fileprivate var mergedTexts: Texts? {
        let empty = document(Array("{}".utf8))
        guard let local = document(before?.bytes) ?? empty,
            let remote = document(remote?.todo?.bytes) ?? empty
        else { return nil }
        return (document(baseBefore?.todo?.bytes), local, remote)
    }

    private func document(_ bytes: [UInt8]?) -> Document? { bytes.flatMap { try? Document(parsing: $0) } }

    fileprivate func explainedComments(_ texts: Texts) -> [ExplainedComment] {
        let bytes = after?.bytes ?? []
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

    fileprivate func explainedFields(_ merge: Merge) -> [ExplainedField] {
        let written = document(after?.bytes)?.fields
        return merge.decisions.filter { $0.field != FieldName.id }.map { decision in
            ExplainedField(
                decision: decision, result: written.map { $0[decision.field] } ?? decision.result)
        }
    }
}
