internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// The texts that a todo has had, as far as the operation log shows, and the texts that each was made from.
struct TodoVersions {
    /// A text without conflict markers.
    private struct Version {
        var todo: Todo
        var comments: Set<[UInt8]>
        /// The positions of the versions that it was made from.
        var parents: Set<Int> = []
        /// The positions of later versions that it replaced because the user or another tool brought it back.
        var successors: Set<Int> = []
        /// Whether the remote has had it.
        var isConfirmed = false
    }

    /// The versions, in the order of their first appearance in this folder.
    private var versions: [Version] = []
    private var positions: [[UInt8]: Int] = [:]
    /// Whether the todo was created in this folder, so that no version is older than the first one here.
    private var startsHere = false
    private let id: TodoID

    /// - Parameter base: The todo's base version.
    init(of id: TodoID, in history: History, base: RemoteState?) {
        self.id = id
        var confirmed = add(history.remembered[id]?.bytes, isConfirmed: true)
        var sent: Int?
        for operation in history.operations {
            for event in operation.events where event.id == id {
                switch event {
                case .change(let change):
                    confirmed = add(change.baseBefore?.todo?.bytes, isConfirmed: true) ?? confirmed
                    let conflict = change.conflictBefore
                    let parents = [
                        add(change.before?.bytes), add(conflict?.local),
                        add(conflict?.remote.todo?.bytes, from: [confirmed], isConfirmed: true),
                        add(change.remote?.todo?.bytes, from: [confirmed], isConfirmed: true),
                    ]
                    confirmed = parents[3] ?? confirmed
                    // A text that an undo brings back wasn't made from the undone text.
                    add(change.after?.bytes, from: operation.undoes == nil ? parents : [])
                case .linked(let link):
                    let before = add(link.baseBefore?.todo?.bytes, isConfirmed: true)
                    confirmed = add(link.remote.todo?.bytes, from: [before], isConfirmed: true) ?? confirmed
                case .seen(_, let text): sent = add(text?.bytes)
                case .pushed:
                    guard let accepted = sent else { break }
                    if confirmed == nil { startsHere = true }
                    confirm(accepted, over: confirmed)
                    (confirmed, sent) = (accepted, nil)
                case .rejected, .kept, .givenUp, .distrusted: break
                }
            }
        }
        add(base?.todo?.bytes, isConfirmed: true)
        if !versions.contains(where: \.isConfirmed) { startsHere = true }
    }

    @discardableResult
    private mutating func add(
        _ bytes: [UInt8]?, from parents: [Int?] = [], isConfirmed: Bool = false
    ) -> Int? {
        guard let bytes else { return nil }
        var position = positions[bytes]
        if position == nil, let todo = try? Todo(parsing: bytes), todo.id == nil || todo.id == id {
            position = versions.count
            positions[bytes] = position
            versions.append(Version(todo: todo, comments: todo.document.allComments))
        }
        guard let position else { return nil }
        versions[position].parents.formUnion(parents.compactMap(\.self))
        if isConfirmed { versions[position].isConfirmed = true }
        return position
    }

    /// Records that the remote accepted a version.
    ///
    /// The version counts as made from the base version, unless it looks like an edit of an older one,
    /// because another tool might have written the file.
    private mutating func confirm(_ position: Int, over base: Int?) {
        versions[position].isConfirmed = true
        guard let base, base != position else { return }
        if position < base { versions[position].successors.insert(base) }
        let (text, newest) = (versions[position].todo.bytes, versions[base].todo.bytes)
        let isStale = versions[..<base].contains {
            Self.isEdit(text, of: $0.todo.bytes, notOf: newest)
        }
        if !isStale { versions[position].parents.insert(base) }
    }

    /// Returns whether a text is an edit of an older version, rather than of the newest.
    ///
    /// Among the fields that differ between the two versions, at least one then has the older value, and none
    /// has the newest.
    private static func isEdit(_ text: [UInt8], of version: [UInt8], notOf newest: [UInt8]) -> Bool {
        guard let old = try? Todo(parsing: version), let new = try? Todo(parsing: newest),
            let own = try? Todo(parsing: text)
        else { return false }
        let fields = CanonicalField.differences(from: old.fields, to: new.fields)
        let changed = Set(CanonicalField.differences(from: old.fields, to: own.fields))
        let notNewest = Set(CanonicalField.differences(from: new.fields, to: own.fields))
        return fields.contains { !changed.contains($0) } && fields.allSatisfy(notNewest.contains)
    }

    /// Returns whether the remote has had a text.
    func isConfirmed(_ bytes: [UInt8]) -> Bool {
        versions.contains { $0.isConfirmed && isSameText($0.todo.bytes, bytes) }
    }

    /// Returns the newest version that both a todo's text and a copy's might have been made from; nil if none
    /// is known.
    ///
    /// Where the log doesn't show what a text was made from, a version counts if the text agrees with it in
    /// every field and comment that differs among the versions up to it. Otherwise, the text might have been
    /// made before a change to that field, and would then seem to undo the change. A version older than the
    /// real one does less harm: it causes a conflict at most. But a value can return to an earlier one. The
    /// result therefore lacks the fields that a later version would bring into conflict, so that they
    /// conflict in any case. If the log begins later than the todo, the same applies to the fields that
    /// differ between the result and a copy of unknown origin: the copy might have been made from a version
    /// that this folder never had.
    func commonVersion(of one: Todo, _ other: Todo, rules: FieldRules) -> [UInt8]? {
        guard let first = versions.first else { return nil }
        let texts = [one, other].map { Text($0, ancestors: ancestors(of: $0.bytes)) }
        var fields: Set<String> = []
        var comments: Set<[UInt8]> = []
        var newest = 0
        for (position, version) in versions.enumerated() {
            fields.formUnion(
                CanonicalField.differences(from: first.todo.fields, to: version.todo.fields))
            comments.formUnion(first.comments.symmetricDifference(version.comments))
            let isCommon = texts.allSatisfy { text in
                text.ancestors.contains(position)
                    || text.agrees(with: version.todo, in: fields)
                        && comments.isDisjoint(with: text.comments.symmetricDifference(version.comments))
            }
            if isCommon { newest = position }
        }
        var doubtful: Set<String> = []
        for position in versions.indices.dropFirst(newest + 1)
        where texts.allSatisfy({ $0.ancestors.isEmpty || $0.ancestors.contains(position) }) {
            let merge = merge(
                base: versions[position].todo.document, local: one.document, remote: other.document,
                rules: rules)
            doubtful.formUnion(merge.conflictingFields)
        }
        // A text that was brought back might have been made from the version that it replaced.
        for text in [one, other] {
            for position in positions[text.bytes].map({ versions[$0].successors }) ?? []
            where position > newest {
                doubtful.formUnion(
                    CanonicalField.differences(
                        from: versions[newest].todo.fields, to: versions[position].todo.fields))
            }
        }
        let common = versions[newest]
        let copy = texts[1]
        let differs = CanonicalField.differences(from: first.todo.fields, to: common.todo.fields) != []
        if !startsHere, !differs, !copy.ancestors.contains(newest) {
            doubtful.formUnion(CanonicalField.differences(from: common.todo.fields, to: copy.todo.fields))
            // Comments that the copy lacks might have been added later; a merge would treat them as removed.
            if !common.comments.isSubset(of: copy.comments) { return nil }
        }
        let version = common.todo.document
        return version.updated(to: version.fields.removing(doubtful.sorted()))
    }

    /// Returns the positions of the versions that a text was made from, and its own.
    private func ancestors(of bytes: [UInt8]) -> Set<Int> {
        var found: Set<Int> = []
        var left = positions[bytes].map { [$0] } ?? []
        while let position = left.popLast() {
            if found.insert(position).inserted { left += versions[position].parents }
        }
        return found
    }
}

/// A text that was made from an unknown version.
private struct Text {
    let todo: Todo
    let comments: Set<[UInt8]>
    /// The positions of the versions that it was certainly made from.
    let ancestors: Set<Int>

    init(_ todo: Todo, ancestors: Set<Int>) {
        self.todo = todo
        self.ancestors = ancestors
        comments = todo.document.allComments
    }

    func agrees(with version: Todo, in fields: Set<String>) -> Bool {
        fields.isDisjoint(with: CanonicalField.differences(from: todo.fields, to: version.fields))
    }
}

extension Document {
    /// The texts of all comments.
    fileprivate var allComments: Set<[UInt8]> { Set(comments.map { Array(comment($0)) }) }
}
