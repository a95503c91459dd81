internal import LosslessYAML
internal import Platform
package import TodoModel
internal import Values

/// The texts that a todo has had on the remote, in the order that they became known in this folder.
///
/// Pushes are conditional, so each confirmed version was made from the version before it. Texts that were
/// only local aren't included, nor are texts whose order was lost, because of `gc` or a linked worktree.
package struct ConfirmedVersions: Sendable {
    /// The texts, oldest first; the same text can occur more than once.
    package private(set) var texts: [[UInt8]] = []

    private let id: TodoID
    private var sent: [UInt8]?

    init(of id: TodoID) { self.id = id }

    /// Reads the texts from a working directory's journal, without waiting for a running command.
    package init(of id: TodoID, in directory: WorkingDirectory) throws {
        self.init(of: id)
        // Parsing all lines would be slow, and git runs the merge driver once for each file.
        let words = [JSON.write(.string(id.string)), Array("\"forgotten\"".utf8), Array("\"format\"".utf8)]
        let lines = try directory.wholeJournal().split(separator: UInt8(ascii: "\n")).filter { line in
            words.contains { line.contains($0) }
        }
        for line in lines {
            guard let record = JournalLines.record(in: line) else { break }
            if case .format(let number) = record { try directory.check(format: number) }
            read(record)
        }
    }

    mutating func read(_ record: JournalRecord) {
        switch record {
        case .announced(let edit) where edit.id == id: add(edit.remote)
        case .confirmed(id, let remote, _, _), .held(id, let remote): add(remote)
        case .sent(id, let operation): sent = operation.bytes
        case .accepted(id, _):
            if let sent { texts.append(sent) }
        case .remembered(id, let todo):
            for remote in [todo.base, todo.conflict?.remote, todo.held] { add(remote) }
            sent = todo.sent?.bytes
        // The versions of a different remote don't continue these, and damage might have removed versions in
        // between.
        case .forgotten: texts = []
        case .distrusted(let ids) where ids.contains(id): texts = []
        default: break
        }
    }

    private mutating func add(_ remote: RemoteState?) {
        if let bytes = remote?.todo?.bytes { texts.append(bytes) }
    }
}
