package import TodoModel
internal import WorkingCopy

/// A copy of a todo's file that another tool made because two devices had changed the file.
package struct CopiedFile: Sendable, Hashable {
    package var id: TodoID
    package var path: String
    /// The path of the todo's file; the former path if only copies of it are left.
    package var original: String
    /// Whether the todo's file is gone.
    package var isOrphan: Bool
}

extension State {
    /// Returns the last path of a todo whose file is gone, or the path that a copy's name points to.
    func formerPath(of id: TodoID, copiedTo path: String, _ memory: CopyMemory) -> String {
        let todo = todos[id]
        return todo?.lastLocalPath ?? todo?.base?.todo?.path
            ?? memory.paths(of: id).first { CopyName.isCopy(path, ofFileAt: [$0]) }
            ?? CopyName.original(of: path)
    }
}

extension DuplicateFile {
    /// Creates the duplicate that represents a copy made by another tool.
    init(_ copy: CopiedFile) {
        self.init(id: copy.id, path: copy.path, keptBy: copy.original, isCopy: true)
    }
}
