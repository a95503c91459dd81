import Platform

/// A failed call to the operating system.
package struct FileError: Error, Sendable, Hashable {
    /// The operation that failed.
    package var operation: Operation
    /// The path of the file or folder, in the form that the caller uses.
    package var path: String
    /// The operating system's `errno`.
    package var code: Int32
    /// The other user who owns the file or folder that the user lacks a permission for.
    package var owner: Owner?
    /// The maximum size in bytes of a file that is too large to read; nil for any other failure.
    package var limit: Int?

    /// An operation; its raw value completes the sentence "can't …".
    package enum Operation: String, Sendable, Hashable {
        case open = "open"
        case list = "list the folder"
        case inspect = "read the attributes of"
        case read = "read"
        case write = "write"
        case create = "create"
        case truncate = "truncate"
        case setPermissions = "set the permissions of"
        case setModified = "set the modification time of"
        case setOwner = "set the owner of"
        case copyAttributes = "copy the extended attributes of"
        case writeInFolder = "write to the folder"
        case makeFolder = "create the folder"
        case removeFolder = "remove the folder"
        case rename = "rename"
        case link = "link"
        case remove = "remove"
        case synchronize = "write to disk"
        case lock = "lock"
        case readClock = "read the system clock"
    }

    /// The owner of a file or folder.
    package struct Owner: Sendable, Hashable {
        var user: UInt32
        /// The absolute path.
        var path: String
        var isFolder: Bool
    }

    package init(_ operation: Operation, _ path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// Creates the error of a file that is larger than what todosync reads.
    init(tooLarge path: String, limit: Int) {
        self.init(.read, path, code: EFBIG)
        self.limit = limit
    }

    /// Returns the same error with the path that the user sees.
    func at(_ path: String) -> FileError {
        var error = self
        error.path = path
        return error
    }

    /// Returns the same error with the absolute path, for a user outside the folder.
    package func below(_ root: String) -> FileError {
        path.utf8.first == UInt8(ascii: "/") ? self : at(root + "/" + path)
    }

    /// Returns the error with the path of the changed file, unless it is about creating a folder or one of
    /// todosync's own files and already has the right path.
    package func inChanging(_ path: String) -> FileError {
        operation == .makeFolder || isOfStateFolder ? self : at(path)
    }

    /// Returns the error for a file that can't be created for the same reason.
    package func inCreating(_ path: String) -> FileError {
        var error = operation == .writeInFolder ? at(path) : inChanging(path)
        error.operation = .create
        return error
    }

    /// Whether the path belongs to one of todosync's own files or folders.
    private var isOfStateFolder: Bool { path.utf8.starts(with: ".todosync/".utf8) }
}

extension FileError: CustomStringConvertible {
    /// A description such as `can't read milk.yaml: permission denied`.
    package var description: String {
        switch operation {
        case .synchronize: "can't write \(path) to disk: \(reason)"
        case .readClock: "can't read the system clock: \(reason)"
        default: "can't \(operation.rawValue) \(path): \(reason)"
        }
    }

    /// The operating system's message for ``code`` and the owner, or what is wrong with the file.
    package var reason: String {
        if let limit { return "it is larger than \(Self.words(ofSize: limit))" }
        let words = isNotRegularFile ? "it is not a regular file" : Self.words(of: code)
        return words + (owner.map { " (\($0))" } ?? "")
    }

    /// Returns a limit on a file's size, such as `1 MiB`.
    package static func words(ofSize bytes: Int) -> String {
        bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }

    /// Returns the operating system's message for an error number, in lowercase for use within a sentence.
    package static func words(of code: Int32) -> String {
        let words = String(cString: strerror(code))
        // "Permission denied" becomes lowercase; "I/O error" stays.
        guard let second = words.utf8.dropFirst().first, second >= UInt8(ascii: "a") else { return words }
        return words.prefix(1).lowercased() + words.dropFirst()
    }

    /// Whether the path is a folder or a symbolic link instead of a file.
    package var isNotRegularFile: Bool { code == EISDIR || code == ELOOP }

    /// Whether the user lacks the permission, or the file system is read-only.
    var isNotPermitted: Bool { code == EACCES || code == EPERM || code == EROFS }

    /// Whether the disk is full, or the user's quota is exceeded.
    package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether the disk is full or fails; other files will fail, too.
    package var isDiskFailure: Bool { isOutOfSpace || code == EIO }
}

extension FileError.Owner: CustomStringConvertible {
    /// A clause such as `the folder /home/anna/.todosync/tmp belongs to root`.
    package var description: String {
        "\(isFolder ? "the folder " : "")\(path) belongs to \(userName ?? "the user \(user)")"
    }

    private var userName: String? {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 1 << 14)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return nil }
        return String(cString: entry.pw_name)
    }
}
