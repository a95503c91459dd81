/// A file or folder that could be or contain a todo, but is skipped.
package struct IgnoredFile: Sendable, Hashable {
    /// The path relative to the root, with U+FFFD for bytes that aren't UTF-8.
    package let path: String
    package let isFolder: Bool
    package let reason: Reason

    package init(path: String, isFolder: Bool, reason: Reason) {
        self.path = path
        self.isFolder = isFolder
        self.reason = reason
    }

    package enum Reason: Sendable, Hashable {
        /// The name begins with a dot.
        case hidden
        case symbolicLink
        /// A folder with its own `.todosync`.
        case nestedWorkingDirectory
        /// A git repository, a linked worktree or a submodule without recorded todos.
        case nestedRepository
        /// Matched by a pattern in a line of the `.todosyncignore` at the path `file`.
        case ignored(pattern: String, file: String, line: Int)
        /// Not matched by `include:` in `config.yaml`.
        case notIncluded
        case unreadable(FileError)
        /// A device, a pipe, a socket, or a folder with a todo's name.
        case notRegular
        /// The name isn't allowed for a todo: it isn't UTF-8, or has control characters.
        case unsuitable(PathProblem)
        /// A YAML file that isn't a todo, and wasn't one when it was last recorded.
        case noTodo

        /// Whether the user's configuration names the file.
        package var isByRule: Bool {
            switch self {
            case .ignored, .notIncluded: true
            default: false
            }
        }
    }
}
