internal import Platform

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
