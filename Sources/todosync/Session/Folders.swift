internal import Platform
internal import Remotes
internal import SyncEngine
internal import Values
internal import WorkingCopy

/// Creates a folder and its missing parents, unless the folder already exists.
func createFolders(_ path: String) throws {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    if mkdir(path, 0o777) == 0
        || errno == EEXIST && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    {
        return
    }
    let parent = normalized(path + "/..")
    guard errno == ENOENT, parent != path else {
        throw Failure(.cannotCreate, "can't create the folder \(visible(path))", code: errno)
    }
    try createFolders(parent)
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
        throw Failure(.cannotCreate, "can't create the folder \(visible(path))", code: errno)
    }
}

/// Returns the nearest existing folder at or above an absolute path.
func nearestFolder(_ path: String) -> String {
    var status = stat()
    var folder = path
    while folder != "/", stat(folder, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR {
        folder = normalized(folder + "/..")
    }
    return folder
}

/// Checks that a folder to be created, or to become a working directory, isn't in a working directory.
///
/// - Throws: A ``Failure`` with the hint if it is.
func checkIsOutsideWorkingDirectories(
    _ folder: String, _ surroundings: Surroundings, hint: String
) throws {
    guard let outer = try enclosingWorkspace(of: nearestFolder(folder), surroundings), outer.root != folder
    else { return }
    throw Failure(
        .isWorkingDirectory,
        "\(visible(folder)) belongs to the working directory \(visible(outer.root))", hint: hint)
}

/// Checks that a folder to create is not in a store.
///
/// - Parameter innermost: The innermost folder that must not be a store or in one.
func checkIsOutsideStores(_ folder: String, _ innermost: String) throws {
    guard let store = storeFolder(around: innermost) else { return }
    throw Failure(
        .cannotCreate, "\(visible(folder)) is in the store \(visible(store))",
        hint: "run \"todosync clone \(shellQuoted(visible(store)))\" in a folder outside of it")
}

/// Returns whether a folder is empty.
func isEmptyFolder(_ path: String) throws -> Bool {
    guard let folder = opendir(path) else {
        throw Failure(.cannotReadOrWrite, "can't list the folder \(visible(path))", code: errno)
    }
    defer { closedir(folder) }
    // Every folder contains `.` and `..`.
    for _ in 0...2 {
        errno = 0
        if readdir(folder) != nil { continue }
        if errno == 0 { return true }
        throw Failure(.cannotReadOrWrite, "can't list the folder \(visible(path))", code: errno)
    }
    return false
}

/// Returns a file's bytes.
///
/// - Parameter limit: The maximum size in bytes; of a larger regular file, nothing is read.
/// - Throws: A ``Failure`` if the file can't be read or is too large.
func readFile(_ path: String, limit: Int = 1 << 20) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
        throw Failure(.cannotReadOrWrite, "can't read \(visible(path))", code: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    let isTooLarge = fstat(descriptor, &status) == 0 && status.st_size > limit
    let stream = Stream(descriptor: descriptor, name: visible(path))
    if !isTooLarge, let bytes = try stream.readToEnd(limit: limit) { return bytes }
    throw Failure(
        .configuration, "\(visible(path)) is larger than \(FileError.words(ofSize: limit))",
        hint: Advice.tooLarge)
}

/// Makes a folder the current directory.
func changeDirectory(to directory: String) throws {
    guard chdir(directory) != 0 else { return }
    throw Failure(absence(errno), "can't enter \(visible(directory))", code: errno)
}

/// Returns the absolute path of the current directory.
func currentDirectory() throws -> String {
    guard let path = getcwd(nil, 0) else {
        if errno == ENOENT {
            throw Failure(
                .notFound, "the current folder no longer exists",
                hint: "change to a different folder, and try again")
        }
        throw Failure(absence(errno), "the current folder can't be found", code: errno)
    }
    defer { free(path) }
    return String(cString: path)
}

private func absence(_ code: Int32) -> ExitStatus {
    code == ENOENT || code == ENOTDIR ? .notFound : .cannotReadOrWrite
}
