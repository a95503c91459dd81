internal import LosslessYAML
package import ThreeWayMerge
package import TodoModel
internal import WorkingCopy

/// Merges three versions of a file for git's merge driver, as `pull` merges a todo.
///
/// *Current* is treated as local, and *other* as the remote.
package struct FileMerge: Sendable {
    private let rules: FieldRules
    private let style: ConflictStyle
    private let hasPlainLabels: Bool
    /// Returns the versions of a todo that the remote has confirmed, oldest first.
    private let confirmed: @Sendable (TodoID) throws -> [[UInt8]]

    /// The merged file.
    package enum Outcome: Sendable, Hashable {
        case merged([UInt8])
        /// With conflict markers.
        case conflict([UInt8])
    }

    /// A version that can't be merged because it isn't a valid todo.
    package struct Refusal: Error, Sendable, Hashable {
        package enum Version: String, Sendable { case current, base, other }

        package let version: Version
        package let problem: TodoProblem
    }

    /// Creates a merge with the settings and confirmed versions of a working directory; nil for the defaults.
    package init(in workspace: Workspace?) throws {
        self.init(try workspace?.configuration() ?? Configuration()) { id in
            try workspace.map { workspace in
                try workspace.translatingErrors {
                    try ConfirmedVersions(of: id, in: workspace.directory).texts
                }
            } ?? []
        }
    }

    init(
        _ configuration: Configuration,
        confirmed: @escaping @Sendable (TodoID) throws -> [[UInt8]] = { _ in [] }
    ) {
        rules = FieldRules(configuration)
        style = ConflictStyle(configuration)
        hasPlainLabels = configuration.hasPlainLabels
        self.confirmed = confirmed
    }

    /// Merges the versions of a file.
    ///
    /// - Parameter base: The version that both sides started from; empty if there isn't one.
    /// - Throws: ``Refusal``, a `MergeObstacle` if no file can have both sides' changes, or the error that
    ///   stopped reading the confirmed versions.
    package func merge(
        current: [UInt8], base: [UInt8], other: [UInt8], labels: MarkerLabels = MarkerLabels()
    ) throws -> Outcome {
        if current == other || other == base { return .merged(current) }
        if current == base { return .merged(other) }
        if let newest = try newest(current, base, other) { return .merged(newest) }
        return switch try merged(current, base, other) {
        case .clean(let text): .merged(text)
        case .conflicted(let text): .conflict(try marked(text, labels, current, other))
        case .unwritable(let obstacle): throw obstacle
        }
    }

    private func marked(
        _ text: ConflictedText, _ labels: MarkerLabels, _ current: [UInt8], _ other: [UInt8]
    ) throws(MergeObstacle) -> [UInt8] {
        let marked = text.text(style: style, labels: hasPlainLabels ? MarkerLabels() : labels)
        if let obstacle = MergeObstacle(marking: marked, local: current, other) { throw obstacle }
        return marked
    }

    /// Returns the newer version if the remote has confirmed both and neither is older than the base.
    ///
    /// It contains everything in the older version that was meant to stay. A version older than the base was
    /// brought back on purpose, so the two are merged like any others.
    private func newest(_ current: [UInt8], _ base: [UInt8], _ other: [UInt8]) throws -> [UInt8]? {
        guard let id = (try? Todo(parsing: current))?.id, (try? Todo(parsing: other))?.id == id else {
            return nil
        }
        let confirmed = try confirmed(id)
        func position(_ text: [UInt8]) -> Int? { confirmed.lastIndex { isSameText($0, text) } }
        guard let currents = position(current), let others = position(other), currents != others,
            let bases = base.isBlank ? -1 : position(base), min(currents, others) >= bases
        else { return nil }
        return currents > others ? current : other
    }

    private func merged(_ current: [UInt8], _ base: [UInt8], _ other: [UInt8]) throws -> MergedText {
        let documents = try documents(current, other)
        if hasOtherID(documents.current, documents.other) {
            let merged = mergeLines(base: base, local: current, remote: other, style: style)
            guard case .clean(let text) = merged else { return merged }
            do throws(YAMLError) {
                _ = try Document(parsing: text)
            } catch {
                return .unwritable(
                    MergeObstacle(problem: "\(error)", local: current.count, remote: other.count))
            }
            return merged
        }
        let basis = try basis(base, documents.current)
        guard let local = try? Todo(documents.current), (try? Todo(documents.other)) != nil else {
            return ThreeWayMerge.merge(
                base: basis.flatMap { try? Document(parsing: $0) }, local: documents.current,
                remote: documents.other, rules: rules
            ).outcome
        }
        switch reconcileTexts(base: basis, local: local, remote: other, rules: rules) {
        case .agreed, .keepLocal: return .clean(current)
        case .takeRemote(let text), .merged(let text, _): return .clean(text)
        case .conflict(let text, _, _): return .conflicted(text)
        case .unmergeable(let obstacle, _): return .unwritable(obstacle)
        }
    }

    /// Returns the mappings in the files.
    private func documents(
        _ current: [UInt8], _ other: [UInt8]
    ) throws(Refusal) -> (current: Document, other: Document) {
        (try document(current, .current), try document(other, .other))
    }

    private func document(_ bytes: [UInt8], _ version: Refusal.Version) throws(Refusal) -> Document {
        let file = ParsedFile(bytes, isRecorded: false)
        if case .markers = file { throw Refusal(version: version, problem: file.problem(in: bytes)) }
        do {
            return try Document(parsing: bytes)
        } catch {
            throw Refusal(version: version, problem: file.problem(in: bytes))
        }
    }

    /// Returns the text that both sides started from; nil if there isn't one, or if it is another todo's.
    ///
    /// If a base that can't be read counted as missing, values that a side removed would come back.
    private func basis(_ base: [UInt8], _ current: Document) throws(Refusal) -> [UInt8]? {
        if base.isBlank { return nil }
        // If there are several merge bases, git merges them first, perhaps with conflicts.
        if let text = (try? ConflictedText.read(base)) ?? nil, let one = text.taking(.local),
            let another = text.taking(.remote)
        {
            if hasOtherID(try document(one, .base), current) { return nil }
            guard
                let basis = EditBasis(
                    asking: nil, version: one, newest: another, path: nil, mergesCollections: true)
            else {
                throw Refusal(version: .base, problem: ParsedFile(base, isRecorded: false).problem(in: base))
            }
            return basis.bytes
        }
        return hasOtherID(try document(base, .base), current) ? nil : base
    }
}

/// Returns whether two documents have different ids.
private func hasOtherID(_ left: Document, _ right: Document) -> Bool {
    guard let left = left.fields[FieldName.id], let right = right.fields[FieldName.id] else { return false }
    if case (.string(let left), .string(let right)) = (left, right), let left = TodoID(left),
        let right = TodoID(right)
    {
        return left.folded != right.folded
    }
    return left != right
}

extension ParsedFile {
    /// Returns why a file that isn't a mapping isn't a todo.
    fileprivate func problem(in bytes: [UInt8]) -> TodoProblem {
        switch self {
        case .todo, .onlyID: TodoProblem(reason: .yaml(.noMapping), line: 1, column: 1)
        case .markers:
            TodoProblem(
                reason: .markers("conflict markers"), line: ConflictedText.firstMarkerLine(in: bytes) ?? 1,
                column: 1)
        case .invalid(let problem, _), .other(let problem, _): problem
        }
    }
}

extension [UInt8] {
    /// Whether there are only spaces and line breaks.
    fileprivate var isBlank: Bool { allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}
