package import LosslessYAML
package import ThreeWayMerge
package import TodoModel
package import WorkingCopy

/// How to treat the parts of a todo that both sides changed differently.
package enum ConflictPolicy: Sendable {
    /// Conflict markers are written to the file.
    case markers
    /// The conflicting parts, and only these, take the given side's value.
    case use(Side)
    /// The user is asked for each conflict while the working directory isn't locked.
    case ask(@Sendable (ConflictQuestion) throws -> ConflictAnswer)
}

extension ConflictPolicy {
    var asks: Bool { if case .ask = self { true } else { false } }

    /// Whether remembered resolutions are applied first; a side that the user named takes precedence over
    /// them.
    var goesByMemory: Bool { if case .use = self { false } else { true } }
}

/// One conflict, as it is presented to the user.
package struct ConflictQuestion: Sendable {
    package var id: TodoID
    package var path: String
    /// The todo's text.
    package var title: String
    /// This todo's number, from 1, among the conflicted todos that the user is asked about, and their count.
    package var todo: (number: Int, count: Int)
    package var kind: ConflictKind
    /// The labels of the sides in git's markers; nil for a conflict with the remote.
    package var labels: SideLabels?
    /// The lines of each side; empty where that side deleted them.
    package var block: ConflictedText.Block
    /// Whether both sides' parts can be combined into a valid todo.
    package var allowsBoth: Bool
    /// The whole file, with markers around the conflicts that aren't answered yet.
    package var file: [UInt8]
    /// This conflict's number among the todo's conflicts, from 1; `count` is the number of conflicts.
    package var number: Int
    package var count: Int
    /// The lines that resolved the same conflict before; nil if none are remembered.
    ///
    /// They can also resolve the todo's next conflicts if those are about the same value.
    package var remembered: [UInt8]?
    /// The side that has changed since the user last answered for this todo; nil if the user hasn't.
    package var changed: Side?
    /// Why the text that the user typed isn't accepted yet; ``file`` is that text.
    package var problem: Problem?

    package enum Problem: Sendable, Hashable {
        /// Conflict markers are left in it.
        case markersLeft(ConflictedText)
        /// It isn't valid as the todo, for this reason.
        case invalid(String)
    }
}

/// A conflicted file, as it is passed to a merge tool.
///
/// All its texts are identical where the sides merged cleanly.
package struct FileToMerge: Sendable {
    package var path: String
    /// The file with its conflict markers.
    package var text: [UInt8]
    /// The file with the local lines of each block.
    package var local: [UInt8]
    /// The file with the remote lines of each block.
    package var remote: [UInt8]
    /// The file with the base lines of each block; nil if they aren't known.
    package var base: [UInt8]?
}

/// An answer to a conflict, whoever gives it.
///
/// A person answers block by block, and a program for the whole todo.
package enum ConflictAnswer: Sendable {
    /// The conflicting parts take this side's values; merged parts stay merged.
    case take(Side)
    /// The named fields get these values; the others stay in conflict.
    case fields([ByteKey: FieldAnswer])
    /// The values or lines of both sides are kept, the local ones first.
    case both
    /// The lines that resolved the same conflict before are used; only for a block.
    case remembered
    /// These lines replace both sides; only for a block.
    case lines([UInt8])
    /// This text is the whole file; if it has markers left, a person is asked about these conflicts.
    case text([UInt8])
    /// This text is kept in the file, with its conflict open; only from a person.
    case draft([UInt8])
    /// The conflict is left to the policy.
    case leave
    /// Nothing is changed, and the todo's operation stays pending.
    case cancel
}
