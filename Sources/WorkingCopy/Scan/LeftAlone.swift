/// A file or folder that could be or hold a todo, and is not looked into.
package struct LeftAlone: Sendable, Hashable {
    /// Relative to the root; what is not UTF-8 in it stands as U+FFFD.
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
        /// A folder with a `.todosync` of its own.
        case nestedWorkingDirectory
        /// A folder in which a file system was mounted, and in which nothing is now.
        case notMounted
        /// Named by a pattern of a `.todosyncignore`, `file` being its path.
        case ignored(pattern: String, file: String)
        /// Not named by `include:` in `config.yaml`.
        case notIncluded
        case unreadable(FileError)
        /// A device, a pipe, a socket, or a folder with a todo's name.
        case notRegular
        /// The name is no place for a todo: not UTF-8, or with control characters in it.
        case unsuitable(PathProblem)
        /// YAML that is no todo, and was none when last recorded.
        case noTodo
    }
}
