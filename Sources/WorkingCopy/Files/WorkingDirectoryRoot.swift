#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Returns the nearest folder that has a folder `.todosync`, from one folder upwards; nil if none has.
///
/// The path returned is absolute, with symbolic links resolved.
public func findRoot(from directory: String, fileSystem: any FileSystem = POSIXFileSystem()) -> String? {
    guard let resolved = realpath(directory, nil) else { return nil }
    defer { free(resolved) }
    var path = String(cString: resolved)
    while true {
        if let folder = try? fileSystem.openFolder(at: path),
            (try? fileSystem.status(of: stateFolderName, in: folder))?.kind == .folder
        {
            return path
        }
        guard path != "/", let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// `.todosync`, which makes a folder a working directory.
let stateFolderName: FileName = ".todosync"
