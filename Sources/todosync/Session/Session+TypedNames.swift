internal import SyncEngine

extension Session {
    /// Returns the names of todos for the engine.
    ///
    /// A path from the current directory to a file, with or without its extension, becomes the path from the
    /// root. Other names, such as a path from the root, remain unchanged.
    func todoNames(_ typed: [String], in workspace: Workspace) -> [String] {
        typed.map { name in
            let path = TypedPath(typed: name, currentDirectory: currentDirectory)
            guard let relative = path.relative(to: workspace.root) else { return name }
            return path.isFile || isFileWithoutExtension(name) || isExplicitPath(name)
                || isDeletedHere(relative, name, workspace)
                ? relative : name
        }
    }

    /// Returns the name of a todo that might no longer exist.
    ///
    /// This works like ``todoNames(_:in:)``, but a name that looks like a path is relative to the current
    /// directory.
    func pastTodoName(_ typed: String, in workspace: Workspace) -> String {
        let name = todoNames([typed], in: workspace)[0]
        guard name == typed, typed.hasTodoExtension else { return name }
        return TypedPath(typed: typed, currentDirectory: currentDirectory).relative(to: workspace.root)
            ?? name
    }

    /// Returns the path, from the root, of a file that might not exist yet.
    ///
    /// - Throws: A ``Failure`` if the path is outside the working directory.
    func newPath(_ typed: String, in workspace: Workspace) throws -> String {
        let path = TypedPath(typed: typed, currentDirectory: currentDirectory)
        guard let relative = path.relative(to: workspace.root), !relative.isEmpty else {
            throw Failure(
                .usage, "\(visible(typed)) is not in the working directory \(visible(workspace.root))")
        }
        return relative
    }

    /// Returns whether a name is the path, from the current directory, of a todo without a file.
    private func isDeletedHere(_ path: String, _ name: String, _ workspace: Workspace) -> Bool {
        guard name != path, name.hasTodoExtension else { return false }
        return (try? workspace.show(path, .base)) != nil
    }

    private func isFileWithoutExtension(_ name: String) -> Bool {
        [".yaml", ".yml"].contains { TypedPath(typed: name + $0, currentDirectory: currentDirectory).isFile }
    }

    private func isExplicitPath(_ name: String) -> Bool {
        name.hasPrefix("./") || name.hasPrefix("../") || name.hasPrefix("/")
    }
}
