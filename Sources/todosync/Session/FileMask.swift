internal import Platform

/// Keeps what this process makes from being writable by all users, whatever mask it was started with.
///
/// A mask that lets all write was not chosen for what is in `.todosync` or a store. Then the group may write,
/// too, only where a folder gives its group to what is in it, as one that a group shares.
/// - Parameter folder: the folder that is worked in.
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

/// Returns what to tell of a file with a secret that every user of this machine can read; nil if not all can.
func warningOfExposure(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IROTH != 0 else { return nil }
    return
        "warning: every user of this machine can read the private key \(visible(path)); "
        + "chmod o= \(shellQuoted(visible(path))) changes that"
}
