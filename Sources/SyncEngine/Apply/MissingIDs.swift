internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

extension LockedWorkspace {
    /// Whether no todo in the working directory has a base version.
    var hasNeverSynced: Bool {
        folder.todos.unchanged.count == 0 && tracked.todos.loaded.values.allSatisfy { $0.base == nil }
    }

    /// Writes ids into all files without one, except where an id would keep git from switching back.
    func writeMissingIDs() throws {
        let snapshot = snapshot
        let left = survey?.pathsWithoutID(snapshot) ?? []
        try writeMissingIDs { file in
            !left.contains(file.path) && !(file.id.map { snapshot.condition(of: $0).isHeld } ?? false)
        }
    }

    /// Writes ids into files without one: the id recorded for the file's path, or else a new one.
    ///
    /// - Parameter isSelected: Returns whether a file gets an id.
    func writeMissingIDs(_ isSelected: (LocalTodo) -> Bool) throws {
        let files =
            folder.newTodos + folder.todos.loaded.values.filter(\.lacksID).sorted(byBytesOf: \.path)
        let edits = files.filter(isSelected).map { file in
            let id = file.id ?? surroundings.newTodoID()
            var edit = PlannedEdit(file, becoming: file.todo.document.inserting(id: id.string), id: id)
            edit.recording = .pathOnly
            return edit
        }
        for case .failed(let error) in try apply(edits) { throw error }
    }
}
