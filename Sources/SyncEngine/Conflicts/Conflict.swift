package import LosslessYAML
internal import ThreeWayMerge
package import TodoModel
package import WorkingCopy

/// A todo's conflict: the versions of both sides, and a merge of them with a block for each part in conflict.
///
/// Whoever decides the conflict gets it in this form: the user, a program, or the remembered resolutions.
package struct Conflict: Sendable {
    package var id: TodoID
    /// The todo's short name; nil while a push, pull or sync decides.
    package var handle: String?
    package var path: String
    package var kind: ConflictKind
    /// The version that both sides started from; nil if there isn't one.
    package var base: Text?
    /// The local todo; nil if it was deleted.
    package var local: Text?
    /// The remote's todo; nil if it was deleted.
    package var remote: Text?
    /// The top-level fields that are in conflict; if a side deleted the todo, the fields that the other side
    /// changed.
    package var fields: [String]
    /// The number of times that this command has asked about the todo, including this one; more than 1 if the
    /// remote has changed in between.
    package var attempt = 1
    /// Whether the remote has changed the todo since the conflict was found; this change is applied once the
    /// conflict is resolved.
    package var hasMovedOn = false
    /// What git's markers say about the sides; nil for a conflict with the remote.
    var sides: SideLabels?
    /// The todo's text, with a block for each part in conflict.
    var text = ConflictedText(pieces: [])
    /// The fields that the merge changed in the file.
    var mergedFields: [String] = []
    /// The remembered answers that ``text`` already has.
    var recalled: [RememberedAnswer] = []
    /// The fields that a handler decided.
    var handled: [String] = []
    /// Why a handler's answer can't be used; nil if it can, or if no handler was asked.
    var handlerProblem: HandlerProblem?
    /// The labels of the markers.
    var labels = MarkerLabels()
    var rules = FieldRules.todo
    /// Whether the base is older than the base version, so that nothing is remembered about the conflict.
    var hasOlderBase = false
    /// What the journal records about the conflict; nil if only the markers in the file show it.
    var record: OpenConflict?

    /// A todo's text in one version.
    package struct Text: Sendable {
        package var bytes: [UInt8]
        /// The version on the remote; nil if the remote doesn't have this text.
        package var version: String?
        /// The name of the device that wrote the text; nil if it isn't known.
        package var device: String?

        /// The fields without `id`.
        package var fields: Mapping { (try? Todo(parsing: bytes))?.fields ?? [:] }
        fileprivate var document: Document? { try? Document(parsing: bytes) }
    }
}

extension Conflict {
    /// Creates a conflict with the remote.
    ///
    /// - Parameter text: The text that the merge gave.
    init(
        _ id: TodoID, _ record: OpenConflict, base: Text?, text: ConflictedText, deviceName: String?,
        rules: FieldRules
    ) {
        self.init(
            id: id, path: record.localPath, kind: record.kind, base: base,
            local: record.local.map { Text(bytes: $0, device: deviceName) },
            remote: record.remote.todo.map {
                Text(bytes: $0.bytes, version: record.remote.version?.string, device: $0.device)
            },
            fields: record.fields, text: text, rules: rules, record: record)
    }

    /// Creates the open conflict of a todo; nil if it has none.
    init?(openOf id: TodoID, in snapshot: Snapshot, deviceName: String? = nil) {
        let file = snapshot.folder.conflicted[id]
        guard let todo = snapshot.tracked.todos[id], let record = todo.conflict else {
            guard let file, case .markers(let text) = file.content else { return nil }
            self.init(marking: file, text, in: snapshot)
            return
        }
        let local = record.local.flatMap { try? Todo(parsing: $0) }
        let decision = reconcile(base: todo.base, local: local, remote: record.remote, rules: snapshot.rules)
        var text = ConflictedText(pieces: [])
        if case .conflict(_, let found, _, _) = decision { text = found }
        self.init(
            id, record, base: todo.base?.todo.map(Text.init), text: text, deviceName: deviceName,
            rules: snapshot.rules)
        path = snapshot.folder.path(of: id) ?? record.localPath
        hasMovedOn = todo.held.map { $0 != record.remote } ?? false
        if let file { labels = MarkerLabels(in: file.bytes) }
    }

    /// Creates a conflict that only the markers in a file show.
    private init(marking file: ConflictedFile, _ text: ConflictedText, in snapshot: Snapshot) {
        func side(_ side: Side) -> Text? {
            guard let bytes = text.taking(side), ConflictedText.markersOfOtherLength(in: bytes) == nil,
                (try? Todo(parsing: bytes)) != nil
            else { return nil }
            return Text(bytes: bytes)
        }
        let sides = snapshot.folder.sideLabels(file)
        // Without a base in the markers, git's index still has it.
        let indexed = snapshot.folder.gitMerge.bases[file.path]?.text(of: file.id).map { Text(bytes: $0) }
        self.init(
            id: file.id, path: file.path, kind: .git, base: side(.base) ?? indexed, local: side(.local),
            remote: side(.remote), fields: text.conflictingFields, sides: sides, text: text,
            labels: MarkerLabels(sides), rules: snapshot.rules)
    }

    /// The todo's text, valid as a todo or as a deletion, once nothing is in conflict; nil until then.
    var resolution: [UInt8]? { text.blocks.isEmpty ? text.taking(.local) : nil }

    /// Returns the conflict with a text that decides it as a whole.
    func resolved(by bytes: [UInt8]) -> Conflict {
        var resolved = self
        resolved.text = ConflictedText(pieces: [.text(wholeText(bytes) ?? bytes)])
        (resolved.fields, resolved.mergedFields) = ([], (mergedFields + fields).withoutRepetition)
        return resolved
    }

    /// The record with the fields that are still in conflict.
    var openRecord: OpenConflict? {
        var record = record
        record?.fields = fields
        return record
    }

    /// Returns a side's text byte for byte, with its `id` line in place, if an answer is that side's whole
    /// text.
    func wholeText(_ answer: [UInt8]) -> [UInt8]? {
        guard kind.hasDeletion else { return nil }
        if answer == text.taking(.local), let local { return local.bytes }
        return answer == text.taking(.remote) ? remote?.bytes : nil
    }

    /// Merges the two versions, with answers for some of the conflicting values or fields; nil if a side
    /// deleted the todo, or if the sides are not two versions of it.
    func merge(resolving answers: [RememberedAnswer] = [], fields: [ByteKey: ResolvedValue] = [:]) -> Merge? {
        guard let local = local?.document, let remote = remote?.document,
            [local, remote].compactMap({ (try? Todo($0))?.id }).allSatisfy({ $0 == id })
        else { return nil }
        return ThreeWayMerge.merge(base: base?.document, local: local, remote: remote, rules: rules) {
            conflict in
            if conflict.path.count == 1, let value = fields[ByteKey(conflict.path[0])] { return value }
            return answers.first { $0.conflict == conflict }?.value
        }
    }
}

extension Conflict.Text {
    fileprivate init(_ todo: RemoteTodo) {
        self.init(bytes: todo.bytes, version: todo.version.string, device: todo.device)
    }

    /// Creates the version that both sides of a todo were made from; nil if there isn't one.
    init?(startOf id: TodoID, in snapshot: Snapshot) {
        // If git rolled the file back to an older version, that version is the base.
        if let basis = snapshot.basis(of: id) {
            self.init(bytes: basis)
        } else {
            guard let base = snapshot.tracked.todos[id]?.base?.todo else { return nil }
            self.init(base)
        }
    }
}

// MARK: Remembered answers

extension Conflict {
    /// Returns the remembered answers for the conflicting values.
    func answers(in resolutions: Resolutions) -> [RememberedAnswer] {
        let remembered = hasOlderBase ? [] : resolutions.all.filter { $0.id == id }
        guard !remembered.isEmpty else { return [] }
        return (merge()?.conflicts ?? []).compactMap { conflict in
            let resolution = remembered.last {
                $0.isAbout(
                    conflict.path, base: conflict.base, local: conflict.local, remote: conflict.remote)
            }
            return resolution.map { RememberedAnswer(conflict: conflict, value: ResolvedValue($0.result)) }
        }
    }

    /// Merges the two versions with the remembered answers for conflicting values.
    ///
    /// - Returns: Nil if nothing is remembered about these values, or if the merged todo would be invalid.
    func recalled(from resolutions: Resolutions) -> (merge: Merge, answers: [RememberedAnswer])? {
        let answers = answers(in: resolutions)
        guard !answers.isEmpty, let merge = merge(resolving: answers) else { return nil }
        switch merge.outcome {
        case .clean(let bytes): if (try? Todo(parsing: bytes))?.id != id { return nil }
        case .conflicted: break
        case .unwritable: return nil
        }
        return (merge, answers)
    }

    /// Returns the changes that remembered answers make to the conflict's text: each answer separately, and
    /// all together.
    func differences(
        by answers: [RememberedAnswer]
    ) -> [(difference: ConflictedText.Difference, answers: [RememberedAnswer])] {
        guard !answers.isEmpty, case .conflicted(let original)? = merge()?.outcome else { return [] }
        let parts = answers.count == 1 ? [answers] : answers.map { [$0] } + [answers]
        return parts.compactMap { part in
            let resolved = try? merge(resolving: part)?.outcome.text
            return resolved?.difference(from: original).map { ($0, part) }
        }
    }

    /// Returns a conflicted file's text with the remembered answers; nil if no answer fits its blocks.
    ///
    /// The user's other changes to the file are kept.
    func resolved(
        _ text: ConflictedText, by answers: [RememberedAnswer]
    ) -> (text: ConflictedText, answers: [RememberedAnswer])? {
        var resolved = (text: text, answers: [RememberedAnswer]())
        // All answers together come first, because they might share a block.
        for (difference, part) in differences(by: answers).reversed() {
            guard let text = resolved.text.applying(difference), holds(text, part + resolved.answers) else {
                continue
            }
            resolved = (text, resolved.answers + part)
            if part.count == answers.count { break }
        }
        resolved.answers.sort { answers.index(of: $0) < answers.index(of: $1) }
        return resolved.answers.isEmpty ? nil : resolved
    }

    /// Returns whether both sides of a text are the todo and have the answers' values.
    private func holds(_ text: ConflictedText, _ answers: [RememberedAnswer]) -> Bool {
        isValid(text) { fields in
            answers.allSatisfy { fields.value(at: $0.conflict.path) == $0.value.value }
        }
    }

    /// Returns whether both sides of a text are the todo and have the expected fields.
    private func isValid(_ text: ConflictedText, expecting: (Mapping) -> Bool) -> Bool {
        [Side.local, .remote].allSatisfy { side in
            guard let todo = text.taking(side).flatMap({ try? Todo(parsing: $0) }), todo.id == id else {
                return false
            }
            return expecting(todo.fields)
        }
    }
}

/// A remembered answer for a conflicting value.
struct RememberedAnswer: Hashable {
    var conflict: ValueConflict
    var value: ResolvedValue

    /// The path of the value, such as `text` or `place.city`.
    var name: String { conflict.path.joined(separator: ".") }
}

extension [RememberedAnswer] {
    fileprivate func index(of answer: RememberedAnswer) -> Int { firstIndex(of: answer) ?? endIndex }
}

extension MergedText {
    /// The text, with or without blocks.
    var text: ConflictedText {
        get throws(MergeObstacle) {
            switch self {
            case .clean(let bytes): ConflictedText(pieces: [.text(bytes)])
            case .conflicted(let text): text
            case .unwritable(let obstacle): throw obstacle
            }
        }
    }
}

// MARK: Answers for fields

extension Conflict {
    /// Returns the values of both sides for the fields in conflict that can have both.
    var unions: [ByteKey: FieldAnswer] {
        guard let local = local?.fields, let remote = remote?.fields else { return [:] }
        var answers: [ByteKey: FieldAnswer] = [:]
        for field in fields {
            guard let left = local[field], let right = remote[field],
                let union = union(of: left, right, base: base?.fields[field], in: field)
            else { continue }
            answers[ByteKey(field)] = .value(union)
        }
        return answers
    }

    /// Returns the changes to the conflict's text that join both sides' values, for each conflicting field
    /// that can hold both.
    var unionDifferences: [ConflictedText.Difference] {
        guard case .conflicted(let original)? = merge()?.outcome else { return [] }
        return unions.compactMap { field, answer in
            guard case .value(let union) = answer else { return nil }
            let resolved = try? merge(fields: [field: ResolvedValue(union)])?.outcome.text
            return resolved?.difference(from: original)
        }
    }

    /// Returns a text of the conflict with answers for whole fields; nil if its blocks were edited so that
    /// they no longer fit.
    ///
    /// A field that takes a side gets that side's lines, with their comments. The user's other changes to
    /// the text are kept.
    ///
    /// - Throws: ``HandlerProblem`` if an answer doesn't fit the conflict, or the limit that a value breaks.
    func answering(
        _ answers: [ByteKey: FieldAnswer], in text: ConflictedText
    ) throws -> ConflictedText? {
        let values = try values(of: answers)
        var answered = text
        var left = values
        let sides = answers.compactMapValues { if case .take(let side) = $0 { side } else { nil } }
        if let taken = text.taking(sides), isValid(taken, expecting: { _ in true }) {
            answered = taken
            let open = Set(taken.conflictingFields.map(ByteKey.init))
            // What is left can then only be about comments.
            if open.isEmpty, Set(sides.values).count == 1, let side = sides.values.first,
                let whole = taken.taking(side)
            {
                answered = ConflictedText(pieces: [.text(whole)])
            }
            left = values.filter { sides[$0.key] == nil || open.contains($0.key) }
        }
        guard case .conflicted(let original)? = merge(resolving: recalled)?.outcome else { return nil }
        // All values together come first, because they might share a block.
        for part in [left] + left.map({ [$0.key: $0.value] }) where !left.isEmpty {
            guard let resolved = try merge(resolving: recalled, fields: part)?.outcome.text else {
                return nil
            }
            guard let difference = resolved.difference(from: original),
                let applied = answered.applying(difference),
                isValid(
                    applied,
                    expecting: { fields in
                        part.allSatisfy { fields[$0.key.string] == $0.value.value }
                    })
            else { continue }
            answered = applied
            left = left.filter { part[$0.key] == nil }
        }
        return left.isEmpty ? answered : nil
    }

    /// Returns the values that answers give to conflicting fields.
    func values(of answers: [ByteKey: FieldAnswer]) throws(HandlerProblem) -> [ByteKey: ResolvedValue] {
        guard local != nil, remote != nil else {
            throw HandlerProblem(
                "answered single fields, but one side deleted the todo, so it can only choose a side")
        }
        let conflicting = Set(fields.map(ByteKey.init))
        var values: [ByteKey: ResolvedValue] = [:]
        for (key, answer) in answers {
            guard conflicting.contains(key) else {
                throw HandlerProblem("gave an answer for the field \(key.string), which is not in conflict")
            }
            switch answer {
            case .take(.base) where base == nil:
                throw HandlerProblem("chose the base version, which does not exist")
            case .take(let side):
                // The sides of the merged text have the merged parts of every field.
                let merged = text.taking(side).flatMap { try? Document(parsing: $0) }
                values[key] = ResolvedValue((merged?.fields ?? fields(of: side))[key.string])
            case .value(let value):
                if let value, let words = ConventionalField.problem(key.string, value) {
                    throw HandlerProblem("gave \(key.string) a different kind of value: \(words)")
                }
                values[key] = ResolvedValue(value == .null ? nil : value)
            }
        }
        return values
    }

    private func fields(of side: Side) -> Mapping {
        switch side {
        case .base: base?.fields ?? [:]
        case .local: local?.fields ?? [:]
        case .remote: remote?.fields ?? [:]
        }
    }
}

extension ConflictedText {
    /// The top-level fields that differ between the sides; empty if a side isn't a valid todo.
    var conflictingFields: [String] {
        guard let local = taking(.local).flatMap({ try? Todo(parsing: $0) }),
            let remote = taking(.remote).flatMap({ try? Todo(parsing: $0) })
        else { return [] }
        return CanonicalField.differences(from: local.fields, to: remote.fields)
    }

    /// Returns the text with a side's lines for the blocks that are only about fields that take that side;
    /// nil if there is no such block.
    fileprivate func taking(_ sides: [ByteKey: Side]) -> ConflictedText? {
        var taken = self
        var hasTaken = false
        for index in pieces.indices {
            guard case .block(let block) = pieces[index] else { continue }
            let chosen = Set(fields(inPiece: index).map { sides[ByteKey($0)] })
            guard chosen.count == 1, let side = chosen.first ?? nil, let lines = block[side] else { continue }
            taken.pieces[index] = .text(lines)
            hasTaken = true
        }
        return hasTaken ? ConflictedText(joining: taken.pieces) : nil
    }

    /// Returns the top-level fields whose values depend on which side a block takes.
    private func fields(inPiece index: Int) -> [String] {
        guard case .block(let block) = pieces[index] else { return [] }
        var other = self
        other.pieces[index] = .text(block.remote)
        guard let local = taking(.local).flatMap({ try? Document(parsing: $0) }),
            let changed = other.taking(.local).flatMap({ try? Document(parsing: $0) })
        else { return [] }
        let keys = (local.fields.keys + changed.fields.keys).withoutRepetition
        return keys.filter { local.fields[$0] != changed.fields[$0] }
    }
}

extension MarkerLabels {
    /// Creates the labels of the markers in a file.
    init(in bytes: [UInt8]) {
        let labels = ConflictedText.labels(in: bytes)
        self.init(SideLabels(local: labels.local, remote: labels.remote))
    }

    /// Creates the labels of sides, without the words *local* and *remote* at their beginning.
    init(_ sides: SideLabels) {
        func label(_ text: String, _ side: Side) -> String? {
            if text.isEmpty || text == side.rawValue { return nil }
            let start = "\(side.rawValue) ("
            return text.hasPrefix(start) && text.hasSuffix(")")
                ? String(text.dropFirst(start.count).dropLast()) : text
        }
        self.init(local: label(sides.local, .local), remote: label(sides.remote, .remote))
    }
}
