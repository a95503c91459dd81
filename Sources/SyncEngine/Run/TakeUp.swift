internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// A new text for a valid todo's file.
struct Rewriting {
    /// Nil for a new file that stays without an id.
    var id: TodoID?
    var file: LocalTodo
    var bytes: [UInt8]

    var change: FileChange { .replace(path: file.path, expecting: file.bytes, with: bytes) }
}

extension Run {
    /// Writes ids into files that have none: a new one, or the one that the file has by its place.
    ///
    /// - Parameter isSelected: whether a file is to get one.
    func writeMissingIDs(_ isSelected: (LocalTodo) -> Bool) throws {
        let files =
            inventory.newTodos + inventory.todos.loaded.values.filter(\.lacksID).sorted(byBytesOf: \.path)
        try takeUp(
            files.filter(isSelected).map { file in
                let id = file.id ?? surroundings.newTodoID()
                return Rewriting(id: id, file: file, bytes: file.todo.document.inserting(id: id.string))
            })
    }

    /// Replaces files with texts that have an id, and records where they are.
    ///
    /// The file comes first: one that has its id already is complete without the journal.
    /// - Parameter isLogged: Whether the texts are put into the operation log, so that it can be undone.
    func takeUp(_ rewritings: [Rewriting], isLogged: Bool = false) throws {
        let outcomes = try transaction.apply(rewritings.map(\.change))
        var records: [JournalRecord] = []
        for (rewriting, outcome) in zip(rewritings, outcomes) {
            if case .failed(let error) = outcome { throw error }
            guard outcome == .done, let id = rewriting.id else { continue }
            if isLogged, let bringing = announcement(of: rewriting) {
                records.append(.bringing(bringing))
            } else {
                records.append(.placed(id: id, path: rewriting.file.path))
            }
            noteWriting(id, at: rewriting.file.path, rewriting.bytes)
        }
        try transaction.record(records)
        for case .bringing(let bringing) in records { transaction.finish(bringing.id) }
        if records.count < rewritings.count { try lookAgain(usingCache: false) }
    }

    /// Replaces files with new texts; returns those that changed meanwhile, and so were left as they are.
    func write(_ rewritings: [Rewriting]) throws -> [Rewriting] {
        try transaction.record(rewritings.compactMap { announcement(of: $0).map(JournalRecord.bringing) })
        let outcomes = try transaction.apply(rewritings.map(\.change))
        var left: [Rewriting] = []
        for (rewriting, outcome) in zip(rewritings, outcomes) {
            if outcome == .done {
                guard let id = rewriting.id else { continue }
                transaction.finish(id)
                noteWriting(id, at: rewriting.file.path, rewriting.bytes)
                continue
            }
            if let id = rewriting.id { try transaction.record([.abandoned(id: id)]) }
            if case .failed(let error) = outcome { throw error }
            left.append(rewriting)
        }
        if !left.isEmpty { try lookAgain(usingCache: false) }
        return left
    }

    private func noteWriting(_ id: TodoID, at path: String, _ bytes: [UInt8]) {
        inventory.write(
            id, at: path, bytes, stamp: transaction.stamp(ofFileAt: path), isConflicted: false)
    }

    private func announcement(of rewriting: Rewriting) -> Bringing? {
        guard let id = rewriting.id else { return nil }
        let path = rewriting.file.path
        return Bringing(
            id: id, from: path, to: path, bytes: rewriting.bytes,
            isDisplaced: state.todos[id]?.isDisplaced(at: path) ?? false, replaced: rewriting.file.bytes,
            remote: nil)
    }
}
