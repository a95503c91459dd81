internal import SyncEngine

extension Session {
    /// Returns the names of todos as the engine takes them.
    ///
    /// What names a file from the folder the user is in becomes that file's path from the root; anything else
    /// is an id, an id's beginning, or a path from the root already, and stays as it is.
    func todoNames(_ typed: [String], in workspace: Workspace) -> [String] {
        typed.map { name in
            let path = TypedPath(typed: name, currentDirectory: currentDirectory)
            guard let relative = path.relative(to: workspace.root) else { return name }
            return path.isFile || isExplicitPath(name) || isDeletedHere(relative, name, workspace)
                ? relative : name
        }
    }

    /// Returns the name of a todo that may be gone by now: as ``todoNames(_:in:)`` does, and what looks like
    /// a path is one from the folder the user is in.
    func pastTodoName(_ typed: String, in workspace: Workspace) -> String {
        let name = todoNames([typed], in: workspace)[0]
        guard name == typed, typed.hasSuffix(".yaml") || typed.hasSuffix(".yml") else { return name }
        return TypedPath(typed: typed, currentDirectory: currentDirectory).relative(to: workspace.root)
            ?? name
    }

    /// Returns the path from the root of a file that may not exist yet.
    ///
    /// - Throws: A ``Failure`` where it is not in the working directory.
    func newPath(_ typed: String, in workspace: Workspace) throws -> String {
        let path = TypedPath(typed: typed, currentDirectory: currentDirectory)
        guard let relative = path.relative(to: workspace.root), !relative.isEmpty else {
            throw Failure(
                .usage, "\(visible(typed)) is not in the working directory \(visible(workspace.root))")
        }
        return relative
    }

    /// Whether a name is the path, from the folder the user is in, of a todo whose file is gone.
    private func isDeletedHere(_ path: String, _ name: String, _ workspace: Workspace) -> Bool {
        guard name != path, name.hasSuffix(".yaml") || name.hasSuffix(".yml") else { return false }
        return (try? workspace.show(path, .base)) != nil
    }

    private func isExplicitPath(_ name: String) -> Bool {
        name.hasPrefix("./") || name.hasPrefix("../") || name.hasPrefix("/")
    }
}
