internal import Platform

/// A path as the user typed it, relative to the current directory.
struct TypedPath {
    let typed: String
    let currentDirectory: String

    /// The absolute path, without `.` and `..`; links are not followed.
    var absolute: String {
        let isAbsolute = typed.utf8.first == UInt8(ascii: "/")
        return normalized(isAbsolute ? typed : currentDirectory + "/" + typed)
    }

    /// Whether something exists at the path, even a dangling link.
    var exists: Bool {
        var status = stat()
        return !typed.isEmpty && lstat(absolute, &status) == 0
    }

    /// Whether a folder exists at the path, or a link to one.
    var isFolder: Bool {
        var status = stat()
        return !typed.isEmpty && stat(absolute, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether something other than a folder exists at the path.
    var isFile: Bool {
        var status = stat()
        return !typed.isEmpty && lstat(absolute, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    /// Returns whether all typed words are the paths of files, which need no search.
    static func areFiles(_ typed: [String], _ currentDirectory: String) -> Bool {
        typed.allSatisfy { TypedPath(typed: $0, currentDirectory: currentDirectory).isFile }
    }

    /// Returns the path relative to a folder; nil if it isn't in the folder.
    ///
    /// A path that leads into the folder through links also counts.
    func relative(to root: String) -> String? {
        if let path = pathBelow(root, absolute) { return path }
        let parts = absolute.split(separator: "/")
        guard let name = parts.last, let root = resolved(root),
            let parent = resolved("/" + parts.dropLast().joined(separator: "/"))
        else { return nil }
        return pathBelow(root, parent == "/" ? "/\(name)" : "\(parent)/\(name)")
    }

    private func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// Returns an absolute path relative to a folder: empty for the folder itself, nil for a path outside it.
func pathBelow(_ root: String, _ path: String) -> String? {
    if root == "/" { return String(path.dropFirst()) }
    guard path.utf8.starts(with: root.utf8) else { return nil }
    let rest = path.utf8.dropFirst(root.utf8.count)
    if rest.isEmpty { return "" }
    guard rest.first == UInt8(ascii: "/") else { return nil }
    return String(rest.dropFirst())
}

/// Returns an absolute path without empty components, `.` and `..`.
func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
        if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    // Most commands call this, and joined(separator:) looks up types at run time, which takes 0.2 ms.
    return parts.isEmpty ? "/" : parts.reduce(into: "") { $0 += "/" + $1 }
}

extension String {
    /// Whether the text ends in `.yaml` or `.yml`, as the paths of todos do.
    var hasTodoExtension: Bool { hasSuffix(".yaml") || hasSuffix(".yml") }
}
