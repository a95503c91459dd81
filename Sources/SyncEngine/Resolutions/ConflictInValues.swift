internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A conflict in a todo that exists on both sides, with its three texts.
struct ConflictInValues {
    let id: TodoID
    private let base: Document?
    private let local: Document
    private let remote: Document
    private let rules: FieldRules

    /// Whether there is a text that both sides were made from.
    var hasBase: Bool { base != nil }

    /// Creates the conflict between two texts; nil if a side deleted the todo.
    ///
    /// - Parameter basis: The text that the local side was made from, if it isn't the base version's.
    init?(
        id: TodoID, base: RemoteState?, local: Todo?, remote: RemoteState, basis: [UInt8]? = nil,
        rules: FieldRules
    ) {
        guard let local, let remote = remote.todo.flatMap({ try? Todo(parsing: $0.bytes) }) else {
            return nil
        }
        self.id = id
        self.base = (basis ?? base?.todo?.bytes).flatMap { try? Document(parsing: $0) }
        self.local = local.document
        self.remote = remote.document
        self.rules = rules
    }

    /// Creates the open conflict of a todo; nil if it has none or a side deleted the todo.
    init?(id: TodoID, _ todo: TodoState?, rules: FieldRules) {
        guard let conflict = todo?.conflict else { return nil }
        self.init(
            id: id, base: todo?.base, local: conflict.local.flatMap { try? Todo(parsing: $0) },
            remote: conflict.remote, rules: rules)
    }

    /// Creates the conflict that a file's markers show; nil if its sides are not two versions of one todo.
    init?(id: TodoID, _ text: ConflictedText, rules: FieldRules) {
        func document(_ side: Side) -> Document? {
            guard let bytes = text.taking(side), ConflictedText.markersOfOtherLength(in: bytes) == nil else {
                return nil
            }
            return try? Document(parsing: bytes)
        }
        guard let local = document(.local), let remote = document(.remote) else { return nil }
        let ids = [local, remote].compactMap { (try? Todo($0))?.id }
        guard ids.allSatisfy({ $0 == id }) else { return nil }
        (self.id, base, self.local, self.remote, self.rules) = (id, document(.base), local, remote, rules)
    }

    /// Merges the texts, with answers for some of the conflicting values or fields.
    func merge(
        settling answers: [RememberedAnswer] = [], fields: [ByteKey: SettledValue] = [:]
    ) -> Merge {
        ThreeWayMerge.merge(base: base, local: local, remote: remote, rules: rules) { conflict in
            if conflict.path.count == 1, let value = fields[ByteKey(conflict.path[0])] { return value }
            return answers.first { $0.conflict == conflict }?.value
        }
    }

    /// Returns the fields of a side's text.
    func fields(of side: Side) -> Mapping {
        switch side {
        case .base: base?.fields ?? [:]
        case .local: local.fields
        case .remote: remote.fields
        }
    }

    /// Returns the remembered answers for the conflicting values.
    func answers(in resolutions: Resolutions) -> [RememberedAnswer] {
        let known = resolutions.all.filter { $0.id == id }
        guard !known.isEmpty else { return [] }
        return merge().conflicts.compactMap { conflict in
            let resolution = known.last {
                $0.isAbout(
                    conflict.path, base: conflict.base, local: conflict.local, remote: conflict.remote)
            }
            return resolution.map { RememberedAnswer(conflict: conflict, value: SettledValue($0.result)) }
        }
    }

    /// Returns the changes that answers make to the conflict's text: each answer separately, and all
    /// together.
    ///
    /// - Parameter style: The style of the conflict markers in the file; nil if the conflict isn't in a file
    ///   yet.
    func differences(
        by answers: [RememberedAnswer], _ style: ConflictStyle?
    ) -> [(difference: ConflictedText.Difference, answers: [RememberedAnswer])] {
        guard !answers.isEmpty, let original = conflictWritten(style) else { return [] }
        let parts = answers.count == 1 ? [answers] : answers.map { [$0] } + [answers]
        return parts.compactMap { part in
            let settled = try? written(merge(settling: part).outcome, style)
            return settled?.difference(from: original).map { ($0, part) }
        }
    }

    /// Returns the changes to the conflict's text that join both sides' values, for each conflicting field
    /// that can hold both.
    ///
    /// - Parameter style: See ``differences(by:_:)``.
    func unions(_ style: ConflictStyle?) -> [ConflictedText.Difference] {
        guard let original = conflictWritten(style) else { return [] }
        return merge().conflictingFields.compactMap { field in
            guard let union = union(ofField: field) else { return nil }
            let settled = try? written(merge(fields: [ByteKey(field): SettledValue(union)]).outcome, style)
            return settled?.difference(from: original)
        }
    }

    /// Returns the conflict's text as it would be after writing it with markers in a style; nil if the sides
    /// don't conflict or can't be written.
    private func conflictWritten(_ style: ConflictStyle?) -> ConflictedText? {
        guard case .conflicted(let text) = merge().outcome else { return nil }
        return try? written(.conflicted(text), style)
    }

    private func union(ofField field: String) -> Value? {
        let sides = [Side.local, .remote, .base].map { fields(of: $0)[field] }
        guard let local = sides[0], let remote = sides[1] else { return nil }
        return SyncEngine.union(of: local, remote, base: sides[2], in: field)
    }

    /// Returns a merged text as it would be after writing it with markers in a style.
    private func written(
        _ text: MergedText, _ style: ConflictStyle?
    ) throws(MergeObstacle) -> ConflictedText {
        switch text {
        case .clean(let bytes): ConflictedText(pieces: [.text(bytes)])
        case .conflicted(let text): style.map(text.written) ?? text
        case .unwritable(let obstacle): throw obstacle
        }
    }

    /// Returns a conflicted file's text with the remembered answers; nil if no answer fits its blocks.
    ///
    /// The user's other changes to the file are kept.
    func settled(_ text: ConflictedText, by answers: [RememberedAnswer], _ style: ConflictStyle) -> (
        text: ConflictedText, answers: [RememberedAnswer]
    )? {
        var settled = (text: text, answers: [RememberedAnswer]())
        // All answers together come first, because they might share a block.
        for (difference, part) in differences(by: answers, style).reversed() {
            guard let text = settled.text.applying(difference), holds(text, part + settled.answers) else {
                continue
            }
            settled = (text, settled.answers + part)
            if part.count == answers.count { break }
        }
        settled.answers.sort { answers.index(of: $0) < answers.index(of: $1) }
        return settled.answers.isEmpty ? nil : settled
    }

    /// Returns a conflicted file's text with values for whole fields; nil if they no longer fit the file.
    ///
    /// The user's other changes to the file are kept.
    ///
    /// - Throws: The limit that the values break.
    func settled(
        _ text: ConflictedText, fields: [ByteKey: SettledValue], _ style: ConflictStyle
    ) throws(MergeObstacle) -> ConflictedText? {
        guard case .conflicted(let original) = merge().outcome else { return nil }
        let settled = try written(merge(fields: fields).outcome, style)
        guard let difference = settled.difference(from: original.written(style)),
            let applied = text.applying(difference)
        else { return nil }
        let isRight = [Side.local, .remote].allSatisfy { side in
            guard let todo = applied.taking(side).flatMap({ try? Todo(parsing: $0) }), todo.id == id else {
                return false
            }
            return fields.allSatisfy { todo.fields[$0.key.string] == $0.value.value }
        }
        return isRight ? applied : nil
    }

    /// Returns whether both sides of a text are the todo and have the answers' values.
    private func holds(_ text: ConflictedText, _ answers: [RememberedAnswer]) -> Bool {
        [Side.local, .remote].allSatisfy { side in
            guard let todo = text.taking(side).flatMap({ try? Todo(parsing: $0) }), todo.id == id else {
                return false
            }
            return answers.allSatisfy { todo.fields.value(at: $0.conflict.path) == $0.value.value }
        }
    }
}

/// A remembered answer for a conflicting value.
struct RememberedAnswer: Hashable {
    var conflict: ValueConflict
    var value: SettledValue

    /// The path of the value, such as `text` or `place.city`.
    var name: String { conflict.path.joined(separator: ".") }
}

extension [RememberedAnswer] {
    fileprivate func index(of answer: RememberedAnswer) -> Int { firstIndex(of: answer) ?? endIndex }
}
