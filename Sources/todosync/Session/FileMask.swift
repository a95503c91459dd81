internal import Platform
internal import Values

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
