internal import Platform
internal import Values

/// Replaces or creates a file as a whole, so that nobody can read a partial file.
///
/// A symbolic link remains a link; the file that it leads to is replaced and keeps its permissions.
///
/// - Parameters:
///   - mode: The file's permissions; nil for its current ones, or those of a new file. In that case, root
///     also gives the file to its current owner, or to the owner of its folder.
///   - isDurable: Whether the content is on disk before the file gets its name.
func replaceFile(
    _ path: String, with bytes: [UInt8], mode: mode_t? = nil, isDurable: Bool = true
) throws {
    let target = linkTarget(of: path)
    func failure() -> Failure { Failure(.cannotReadOrWrite, "can't write \(visible(path))", code: errno) }
    var template = Array("\(normalized(target + "/.."))/.todosync-XXXXXX".utf8CString)
    // `mkstemp` creates a file that no other user can read.
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw failure() }
    let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do {
        defer { close(descriptor) }
        try Stream(descriptor: descriptor, name: visible(path)).write(bytes)
        if mode == nil { giveToUsualOwner(descriptor, ofFileAt: target) }
        guard fchmod(descriptor, mode ?? usualMode(ofFileAt: target)) == 0 else { throw failure() }
        if isDurable, fsync(descriptor) != 0 { throw failure() }
    } catch {
        unlink(temporary)
        throw error
    }
    guard rename(temporary, target) == 0 else {
        let failure = failure()
        unlink(temporary)
        throw failure
    }
}

/// Returns the path of the file that a path leads to through symbolic links.
func linkTarget(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
}

private func giveToUsualOwner(_ descriptor: Int32, ofFileAt path: String) {
    var status = stat()
    guard geteuid() == 0, stat(path, &status) == 0 || stat(normalized(path + "/.."), &status) == 0 else {
        return
    }
    // In a container, root might not be allowed to do this. Ignore a failure: the content matters more.
    _ = fchown(descriptor, status.st_uid, status.st_gid)
}

private func usualMode(ofFileAt path: String) -> mode_t {
    var status = stat()
    if stat(path, &status) == 0 { return status.st_mode & 0o7777 }
    let mask = umask(0)
    umask(mask)
    return 0o666 & ~mask
}

/// Prevents this process from creating files that all users can write, whatever its mask was.
///
/// A mask that lets everyone write isn't meant for `.todosync` or a store. With such a mask, the group keeps
/// its write access only in a folder that passes its group on to its files, as shared folders do.
///
/// - Parameter folder: The folder that the command works in.
func closeFileMask(in folder: String) {
    let usual = umask(writableByOthers)
    guard usual & S_IWOTH == 0 else {
        umask(usual)
        return
    }
    var status = stat()
    let isShared = stat(folder, &status) == 0 && status.st_mode & S_ISGID != 0
    umask(usual | (isShared ? S_IWOTH : writableByOthers))
}

private let writableByOthers = S_IWGRP | S_IWOTH

/// Returns a warning about a secret file that every user of this machine can read; nil if they can't.
func warningOfExposure(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IROTH != 0 else { return nil }
    return
        "warning: every user of this machine can read the private key \(visible(path)); "
        + "run \"chmod o= \(shellQuoted(visible(path)))\" to prevent that"
}
