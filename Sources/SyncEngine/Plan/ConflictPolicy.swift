package import ThreeWayMerge
package import TodoModel
package import WorkingCopy

/// What becomes of the parts of a todo that both sides changed differently.
package enum ConflictPolicy: Sendable {
    /// Markers go into the file.
    case markers
    /// The side's value is taken, for the conflicting parts only.
    case use(Side)
    /// The user is asked for each conflict.
    case ask(@Sendable (ConflictQuestion) throws -> ConflictAnswer)
}

extension ConflictPolicy {
    /// The same, but that nobody is asked.
    var withoutQuestions: ConflictPolicy { if case .ask = self { .markers } else { self } }

    var asks: Bool { if case .ask = self { true } else { false } }

    /// Whether `merge.remember` comes first: a side that the user named counts in any case.
    var goesByMemory: Bool { if case .use = self { false } else { true } }
}

/// One conflict, as the user is asked about it.
package struct ConflictQuestion: Sendable {
    package var id: TodoID
    package var path: String
    package var kind: ConflictKind
    /// The lines of each side; empty where the side has deleted them.
    package var block: ConflictedText.Block
    /// Which of the todo's conflicts it is, from 1, and how many there are.
    package var number: Int
    package var count: Int
    /// The lines that settled the same conflict before; nil if none are remembered.
    ///
    /// They may answer the todo's next conflicts, too, where these are about the same value.
    package var remembered: [UInt8]?
    /// Whether the user answered for this todo before, and the remote has moved on since.
    package var isAskedAgain: Bool
    /// Why the last answer could not be taken, for example as it was no valid todo.
    package var problem: String?
}

/// A conflicted file, as a merge tool is given it: what merged cleanly is alike in all its texts.
package struct FileToMerge: Sendable {
    package var path: String
    /// The file with its markers.
    package var text: [UInt8]
    /// The file with the local lines of each block.
    package var local: [UInt8]
    /// The file with the remote lines of each block.
    package var remote: [UInt8]
    /// The file with the base's lines of each block; nil where they are not known.
    package var base: [UInt8]?
}

package enum ConflictAnswer: Sendable {
    case useLocal
    case useRemote
    /// What settled the same conflict before.
    case useRemembered
    /// The lines that stand for both sides.
    case edited([UInt8])
    /// Nothing is changed for this todo; its operation stays pending.
    case cancel
}
