import Platform

/// A call to the operating system that failed.
package struct FileError: Error, Sendable, Hashable {
    /// What was attempted.
    package var operation: Operation
    /// On which file or folder, as its caller names it.
    package var path: String
    /// The operating system's `errno`.
    package var code: Int32

    /// What can be attempted; the raw value completes "can't …".
    package enum Operation: String, Sendable, Hashable {
        case open = "open"
        case list = "list the folder"
        case inspect = "look at"
        case read = "read"
        case write = "write"
        case create = "create"
        case truncate = "shorten"
        case setPermissions = "set the permissions of"
        case setOwner = "set the owner of"
        case copyAttributes = "keep the extended attributes of"
        case writeInFolder = "write in the folder"
        case makeFolder = "create the folder"
        case removeFolder = "remove the folder"
        case rename = "rename"
        case link = "link"
        case remove = "remove"
        case synchronize = "write to the disk"
        case lock = "lock"
        case readTime = "read the time for"
    }

    package init(_ operation: Operation, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// Returns the same failure under the name that a user knows the file by.
    func at(_ path: String) -> FileError {
        FileError(operation, path, code: code)
    }

    /// Returns the same failure with the whole path, for a user who is not in the folder that it is relative
    /// to.
    package func below(_ root: String) -> FileError {
        path.utf8.first == UInt8(ascii: "/") ? self : at(root + "/" + path)
    }

    /// Returns the failure of a change to a file under the file's path; one to make a folder for it has the
    /// folder's path already.
    package func inChanging(_ path: String) -> FileError {
        operation == .makeFolder || isOfStateFolder ? self : at(path)
    }

    /// Whether it has the path of a file or folder of ours.
    private var isOfStateFolder: Bool { path.utf8.starts(with: ".todosync/".utf8) }
}

extension FileError: CustomStringConvertible {
    /// A line like `can't read milk.yaml: permission denied`.
    package var description: String {
        if operation == .synchronize { return "can't write \(path) to the disk: \(reason)" }
        return "can't \(operation.rawValue) \(path): \(reason)"
    }

    /// The operating system's words for ``code``.
    package var reason: String { isNoRegularFile ? "it is not a regular file" : Self.words(of: code) }

    /// Returns the operating system's words for an error number, to stand within a sentence.
    package static func words(of code: Int32) -> String {
        let words = String(cString: strerror(code))
        // "Permission denied" begins a sentence, "I/O error" would not be one with a small letter.
        guard let second = words.utf8.dropFirst().first, second >= UInt8(ascii: "a") else { return words }
        return words.prefix(1).lowercased() + words.dropFirst()
    }

    /// Whether what is there is a folder or a symbolic link instead of a file.
    package var isNoRegularFile: Bool { code == EISDIR || code == ELOOP }

    /// Whether something must not be done, by this user or by anybody.
    var isNotPermitted: Bool { code == EACCES || code == EPERM || code == EROFS }

    /// Whether the disk is full, or the user's share of it.
    package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether the disk is full or fails, whatever the file's name.
    package var isOfDisk: Bool { isOutOfSpace || code == EIO }
}
