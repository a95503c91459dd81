#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Makes a folder the current one.
func changeDirectory(to directory: String) throws {
    guard chdir(directory) != 0 else { return }
    throw Failure(
        errno == ENOENT || errno == ENOTDIR ? .notFound : .cannotReadOrWrite,
        "can't enter \(visible(directory)): \(systemErrorWords(errno))")
}

/// Returns the absolute path of the current folder.
func currentDirectory() throws -> String {
    guard let path = getcwd(nil, 0) else {
        throw Failure(.notFound, "the current folder can't be found: \(systemErrorWords(errno))")
    }
    defer { free(path) }
    return String(cString: path)
}

/// Returns the operating system's words for an error number, to stand within a sentence.
func systemErrorWords(_ code: Int32) -> String {
    String(cString: strerror(code)).lowercased()
}
