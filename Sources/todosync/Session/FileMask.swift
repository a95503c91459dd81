internal import Platform

/// Keeps the files that this process creates from being writable by all users, whatever mask it was started
/// with.
///
/// A mask that lets everyone write was never chosen for the files in `.todosync` or a store. With such a
/// mask, the group keeps its write access only where a folder passes its group on to its files, as a folder
/// that a group shares does.
///
/// - Parameter folder: the folder that the command works in.
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

/// Returns a warning about a file with a secret that every user of this machine can read; nil if not every
/// user can.
func warningOfExposure(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IROTH != 0 else { return nil }
    return
        "warning: every user of this machine can read the private key \(visible(path)); "
        + "run \"chmod o= \(shellQuoted(visible(path)))\" to prevent that"
}
