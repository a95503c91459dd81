import Platform

/// Returns the nearest folder that contains a `.todosync` folder, from a folder upward; nil if there isn't
/// one.
///
/// The returned path is absolute, with symbolic links resolved.
///
/// - Throws: An error if the folder can't be determined. A parent folder that can't be listed isn't an error,
///   because the root might be above it.
package func findRoot(from directory: String) throws(FileError) -> String? {
    guard let resolved = realpath(directory, nil) else {
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw FileError(.inspect, directory, code: errno)
    }
    defer { free(resolved) }
    var path = String(cString: resolved)
    while true {
        let candidate = (path == "/" ? "" : path) + "/" + StateFolder.name
        var status = stat()
        if lstat(candidate, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { return path }
        } else if errno != ENOENT && errno != ENOTDIR {
            throw FileError(.inspect, candidate, code: errno)
        }
        guard path != "/", let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// The name of the folder that makes its parent folder a working directory.
let stateFolderName: FileName = ".todosync"
