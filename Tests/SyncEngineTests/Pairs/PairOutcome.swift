import LosslessYAML
import ThreeWayMerge
import TodoModel
import WorkingCopy

@testable import SyncEngine

/// Three versions of a todo, the result of reconciling them, and the laws that it breaks.
struct PairOutcome {
    let base: [UInt8]?
    let local: [UInt8]
    let remote: [UInt8]
    let decision: Decision
    /// The results with local's and with the remote's side of all conflicts.
    let result: (local: [UInt8], remote: [UInt8])
    var violations: [String] = []

    init(base: [UInt8]?, local: [UInt8], remote: [UInt8]) throws {
        (self.base, self.local, self.remote) = (base, local, remote)
        decision = reconcile(
            base: base.map { .todo(RemoteTodo(version: Version("1"), path: nil, bytes: $0)) },
            local: try Todo(parsing: local),
            remote: .todo(RemoteTodo(version: Version("2"), path: nil, bytes: remote)))
        switch decision {
        case .agreed, .keepPending: result = (local, local)
        case .takeRemote(let bytes), .merged(let bytes, _): result = (bytes, bytes)
        case .conflict(_, let text, _, _): result = (text.taking(.local) ?? [], text.taking(.remote) ?? [])
        case .deleteLocal, .bothDeleted:
            result = ([], [])
            violations.append("a todo that is on both sides is deleted")
        case .unmergeable(_, let obstacle, _): throw obstacle
        }
    }

    /// Checks all laws.
    mutating func check() throws {
        let fields = (
            local: try Todo(parsing: result.local).fields, remote: try Todo(parsing: result.remote).fields
        )
        let baseFields = try base.map { try Todo(parsing: $0).fields }
        let sides = (local: try Todo(parsing: local).fields, remote: try Todo(parsing: remote).fields)
        var laws = MergeLaws()
        laws.check(base: baseFields, local: sides.local, remote: sides.remote, outcome: fields)
        violations += laws.violations
        checkDecision(CanonicalField.differences(from: fields.local, to: fields.remote).isEmpty)
        checkUntouchedLines()
        try checkConflict(fields, from: sides.local)
        try checkRepetition(fields.local)
        try checkSymmetry(fields)
    }

    private mutating func checkDecision(_ isAgreed: Bool) {
        switch decision {
        case .agreed, .keepPending, .takeRemote, .merged: require(isAgreed, "a side vanished")
        case .conflict(let kind, _, _, _):
            require(!isAgreed, "a conflict of nothing")
            require(kind == (base == nil ? .insertInsert : .editEdit), "the kind of the conflict")
        case .unmergeable, .deleteLocal, .bothDeleted: break
        }
        guard let base else { return }
        if isSameText(base, remote) { require(result.local == local, "only local changed something") }
        if local == base, !isSameText(base, remote) { require(result.local == remote, "only the remote did") }
        if local == remote { require(result.local == local, "both sides are alike") }
    }

    /// Checks that lines that are the same in all three texts exist outside of the blocks.
    private mutating func checkUntouchedLines() {
        var outside = result.local
        if case .conflict(_, let text, _, _) = decision {
            outside = text.pieces.flatMap { if case .text(let bytes) = $0 { bytes } else { [UInt8]() } }
        }
        let lines = outside.lines
        for line in [
            "# the comment stays", "id: 7c1e", "text: milk", "before:  1   # kept", "after: [x,  y]",
            "# the end",
        ]
        where ([base, local, remote].allSatisfy { $0 == nil || $0?.lines.contains(line) == true }) {
            require(lines.filter { $0 == line }.count == 1, "\(line) is not as it was")
        }
        // A comment that local added on its own line exists outside of the blocks.
        for line in ["# a new one", "# a last one", "# for after"] where local.lines.contains(line) {
            require(lines.contains(line), "\(line) is gone")
        }
    }

    private mutating func checkConflict(_ fields: (local: Mapping, remote: Mapping), from local: Mapping)
        throws
    {
        let differences = Set(CanonicalField.differences(from: fields.local, to: fields.remote))
        let merged = Set(CanonicalField.differences(from: local, to: fields.local))
        switch decision {
        case .merged(_, let parts):
            require(Set(parts.fields) == merged, "the merged fields are \(merged), not \(parts.fields)")
        case .conflict(_, let text, let named, let mergedFields):
            require(Set(named) == differences, "the conflicting fields are \(differences), not \(named)")
            require(Set(mergedFields) == merged, "the merged fields are \(merged), not \(mergedFields)")
            for style in ConflictStyle.allCases {
                let read = try ConflictedText.read(text.text(style: style))
                require(read?.taking(.local) == text.taking(.local), "\(style): the local side")
                require(read?.taking(.remote) == text.taking(.remote), "\(style): the remote side")
            }
            for number in text.blocks.indices {
                require(
                    (try? Todo(parsing: text.taking(.local, but: number))) != nil, "block \(number) alone")
            }
        case .unmergeable, .agreed, .keepPending, .takeRemote, .deleteLocal, .bothDeleted: break
        }
    }

    /// Checks that merging the result again with either side doesn't change it.
    private mutating func checkRepetition(_ fields: Mapping) throws {
        guard let base, result.local == result.remote else { return }
        // Merges by lines don't guarantee this, and neither do merges of lists with equal elements.
        let excepted = Set(
            try mergeDecisions().filter { decision in
                decision.rule == .lines
                    || [decision.base, decision.local, decision.remote].contains {
                        $0?.repeatsElement == true
                    }
            }.map(\.field))
        for side in [local, remote] {
            let again = try PairOutcome(base: base, local: result.local, remote: side)
            let values = (
                local: try Todo(parsing: again.result.local).fields,
                other: try Todo(parsing: again.result.remote).fields
            )
            let changed = fields.keys.filter { key in
                [values.local, values.other].contains {
                    Unordered($0[key] ?? .null) != Unordered(fields[key] ?? .null)
                }
            }
            require(excepted.isSuperset(of: changed), "merged again, \(changed) changes")
        }
    }

    private func mergeDecisions() throws -> [FieldDecision] {
        merge(
            base: try base.map { try Document(parsing: $0) }, local: try Document(parsing: local),
            remote: try Document(parsing: remote), rules: .todo
        ).decisions
    }

    /// Checks that swapping the sides gives the same result, except for orders.
    private mutating func checkSymmetry(_ fields: (local: Mapping, remote: Mapping)) throws {
        let swapped = try PairOutcome(base: base, local: remote, remote: local)
        let other = (
            local: try Todo(parsing: swapped.result.local).fields,
            remote: try Todo(parsing: swapped.result.remote).fields
        )
        require(Unordered(fields.local) == Unordered(other.remote), "swapped, local's side is another one")
        require(
            Unordered(fields.remote) == Unordered(other.local), "swapped, the remote's side is another one")
    }

    private mutating func require(_ holds: Bool, _ law: String) {
        if !holds { violations.append(law) }
    }
}

extension Value {
    fileprivate var repeatsElement: Bool {
        if case .list(let list) = self { Set(list).count < list.count } else { false }
    }
}

/// A value without the order of its lists, or fields without the ones that count as absent.
private enum Unordered: Hashable {
    case scalar(Value)
    case list(Set<Unordered>)
    case mapping([String: Unordered])

    init(_ value: Value) {
        switch value {
        case .list(let list):
            // A repeated element doesn't make a different set.
            self = .list(Set(list.map { Unordered($0) }))
        case .mapping(let mapping):
            self = .mapping(
                Dictionary(uniqueKeysWithValues: mapping.entries.map { ($0.key, Unordered($0.value)) }))
        case .null, .bool, .number, .string: self = .scalar(value)
        }
    }

    init(_ fields: Mapping) {
        self.init(
            .mapping(
                Mapping(
                    fields.entries.compactMap { entry in
                        CanonicalField.value(entry.key, entry.value).map { (entry.key, $0) }
                    })))
    }
}

extension [UInt8] {
    /// The lines without their line breaks and the byte order mark.
    fileprivate var lines: [String] {
        let text = String(
            decoding: starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self, as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).map(String.init)
    }
}

extension ConflictedText {
    /// Returns the text with one side's lines for all blocks except one, which gets the remote's.
    fileprivate func taking(_ side: Side, but exception: Int) -> [UInt8] {
        var number = -1
        return pieces.flatMap { piece in
            switch piece {
            case .text(let bytes): return bytes
            case .block(let block):
                number += 1
                return number == exception ? block.remote : block[side] ?? []
            }
        }
    }
}
