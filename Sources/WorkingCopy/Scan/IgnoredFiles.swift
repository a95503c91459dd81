import Platform

/// Reads files that a scan skipped.
package struct IgnoredFiles {
    private let root: String
    private let fileSystem: any FileSystem

    package init(in directory: WorkingDirectory) {
        root = directory.root
        fileSystem = directory.fileSystem
    }

    /// Returns the files that a scan skipped because of their names: hidden, ignored, not included or
    /// not allowed.
    ///
    /// A todo that was moved to such a file must not count as deleted.
    ///
    /// - Returns: Each readable file, with its text.
    package func texts(_ scan: FileScan) -> [(file: IgnoredFile, text: [UInt8])] {
        let unsuitable = scan.unsuitable.compactMap { entry in
            entry.file.bytes.map {
                (
                    file: IgnoredFile(
                        path: entry.file.path, isFolder: false, reason: .unsuitable(entry.problem)), text: $0
                )
            }
        }
        return unsuitable
            + scan.ignored.filter(\.isIgnoredByName).flatMap { entry in
                entry.isFolder ? texts(below: entry) : text(at: entry.path).map { [(entry, $0)] } ?? []
            }
    }

    private func texts(below folder: IgnoredFile) -> [(file: IgnoredFile, text: [UInt8])] {
        let root = root + "/" + folder.path
        let below = try? WorkingCopy.scan(root: root, include: [], fileSystem: fileSystem)
        return (below?.files ?? []).compactMap { file in
            let path = folder.path + "/" + file.path
            return file.bytes.map {
                (IgnoredFile(path: path, isFolder: false, reason: folder.reason), $0)
            }
        }
    }

    /// Returns the text of the regular file that a path leads to, through symbolic links if there are any;
    /// nil if it can't be read.
    package func text(at path: String) -> [UInt8]? {
        let path = resolved(root + "/" + path)
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            let folder = try? fileSystem.openFolder(at: String(path[..<slash])),
            case .content(let content)? = try? fileSystem.readFile(
                FileName(path[path.utf8.index(after: slash)...]), in: folder, limit: TodoFile.maximumSize)
        else { return nil }
        return content.bytes
    }

    private func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

extension IgnoredFile {
    fileprivate var isIgnoredByName: Bool {
        // Git's own folder is large and contains no todos.
        if path == ".git" || path.utf8.suffix(5).elementsEqual("/.git".utf8) { return false }
        return switch reason {
        case .hidden, .ignored, .notIncluded: true
        default: false
        }
    }
}

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
