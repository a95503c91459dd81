import LosslessYAML
import TestSupport
import Testing
import ThreeWayMerge
import TodoModel
import WorkingCopy

@testable import SyncEngine

/// Every pair of edits to one todo: the results are checked against the rules, not against examples.
@Suite(.ownThreads) struct EditPairTests {
    /// All local edits of one subject, each together with all remote edits.
    @Test(
        .covers(["a merge": 300, "a conflict": 20]),
        arguments: [TodoEdit.Subject.layout] + FieldKind.all.indices.map(TodoEdit.Subject.field))
    func `whatever two sides edit, the rules hold`(_ subject: TodoEdit.Subject) throws {
        var count = 0
        var sample = Sample(seed: TodoEdit.none(subject).alternatives.count)
        for local in TodoEdit.none(subject).alternatives {
            for remote in TodoEdit.all where sample.next() {
                count += 1
                let base = TodoEdit.none(local.subject).text(beside: .none(remote.subject))
                try check(
                    base: base, local: local.text(beside: remote), remote: remote.text(beside: local),
                    "\(local.name) | \(remote.name)")
            }
        }
        #expect(count > 9)
    }

    /// One field that both sides change from any state, or from nothing, to any two states.
    @Test(.covers(["a merge": 25, "a conflict": 55]), arguments: FieldKind.all.indices)
    func `whatever state a field was in, the rules hold`(_ number: Int) throws {
        let states = TodoEdit.none(.field(number)).alternatives
        var count = 0
        var sample = Sample(seed: number)
        for base in states.dropFirst().map(Optional.some) + [nil] {
            for local in states {
                for remote in states where sample.next() {
                    count += 1
                    try check(
                        base: base.map { $0.text(beside: $0) }, local: local.text(beside: local),
                        remote: remote.text(beside: remote),
                        "\(base?.name ?? "no base"): \(local.name) | \(remote.name)")
                }
            }
        }
        #expect(count > 0)
    }

    /// Selects all pairs in a long run, and otherwise every 41st, so that each edit meets many others.
    private struct Sample {
        private var number: Int
        init(seed: Int) { number = seed }

        mutating func next() -> Bool {
            number += 1
            return PropertySeeds.isLongRun || number.isMultiple(of: 41)
        }
    }

    private func check(base: [UInt8]?, local: [UInt8], remote: [UInt8], _ name: String) throws {
        do {
            var outcome = try PairOutcome(base: base, local: local, remote: remote)
            try outcome.check()
            switch outcome.decision {
            case .merged: cover("a merge")
            case .conflict: cover("a conflict")
            default: break
            }
            #expect(outcome.violations == [], "\(name): \(outcome.description)")
        } catch {
            Issue.record("\(name): \(error)")
        }
    }

    /// An edit on one side, and a delete on the other.
    @Test func `an edit beside a delete is a conflict of the whole, and nothing else is`() throws {
        for edit in TodoEdit.all + [.none(.layout)] {
            let base = TodoEdit.none(edit.subject).text(beside: edit)
            let edited = edit.text(beside: edit)
            let isEdited = !isSameText(base, edited)
            let old = RemoteState.todo(RemoteTodo(version: Version("1"), path: nil, bytes: base))
            let new = RemoteState.todo(RemoteTodo(version: Version("2"), path: nil, bytes: edited))
            let gone = RemoteState.deleted(Version("2"))
            let todo = try Todo(parsing: edited)
            try expect(
                reconcile(base: old, local: nil, remote: new), isEdited ? .deleteEdit : nil, local: nil,
                remote: edited, edit.name)
            try expect(
                reconcile(base: old, local: todo, remote: gone), isEdited ? .editDelete : nil, local: edited,
                remote: nil, edit.name)
            try expect(
                reconcile(base: nil, local: todo, remote: gone), .editDelete, local: edited, remote: nil,
                edit.name)
            // The remote had confirmed the delete before the user brought the todo back.
            guard case .keepPending = reconcile(base: .deleted(Version("1")), local: todo, remote: gone),
                case .bothDeleted = reconcile(base: old, local: nil, remote: gone),
                case .takeRemote(edited) = reconcile(base: nil, local: nil, remote: new)
            else {
                Issue.record("\(edit.name)")
                continue
            }
        }
    }

    private func expect(
        _ decision: Decision, _ kind: ConflictKind?, local: [UInt8]?, remote: [UInt8]?, _ name: String
    ) throws {
        switch (decision, kind) {
        case (.keepPending, nil): #expect(local == nil, "\(name)")
        case (.deleteLocal, nil): #expect(remote == nil, "\(name)")
        case (.conflict(let found, let text, _, let merged), let kind?):
            #expect(found == kind && merged.isEmpty, "\(name)")
            let sides = (text.taking(.local), text.taking(.remote))
            for (bytes, side) in [(local, sides.0), (remote, sides.1)] {
                let fields = try Document(parsing: try #require(side)).fields
                #expect(fields["id"] == .string("7c1e"), "\(name)")
                if let bytes {
                    #expect(try Document(parsing: bytes).fields == fields, "\(name)")
                } else {
                    #expect(fields.count == 1, "\(name): nothing but the id is left")
                }
            }
            let outside = text.pieces.flatMap { if case .text(let bytes) = $0 { bytes } else { [UInt8]() } }
            #expect(LineScan.idLine(in: outside)?.string == "7c1e", "\(name)")
        default: Issue.record("\(name): \(decision)")
        }
    }
}

extension PairOutcome {
    fileprivate var description: String {
        let texts = [base ?? [], local, remote].map { String(decoding: $0, as: UTF8.self) }
        let result =
            if case .conflict(_, let text, _, _) = decision {
                String(decoding: text.text(style: .diff3), as: UTF8.self)
            } else {
                String(decoding: self.result.local, as: UTF8.self)
            }
        return (texts + [result]).joined(separator: "----------\n")
    }
}
