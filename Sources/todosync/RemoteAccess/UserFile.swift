internal import Platform
internal import Values

/// A file of lines in the user's configuration folder: `$XDG_CONFIG_HOME/todosync/NAME`, or
/// `~/.config/todosync/NAME`.
struct UserFile {
    /// The purpose of a file, and the permissions that make it unusable.
    struct Kind {
        let name: String
        /// What the file contains, for messages.
        let content: String
        /// The permissions that only the owner, who must be the user, may have; 0 if anybody may own the
        /// file.
        let forbidden: mode_t
    }

    let path: String
    var lines: [String] = []

    /// Reads the file; a missing file counts as empty.
    ///
    /// - Throws: A ``Failure`` if the file can't be read or isn't a regular file, or if others own it or have
    ///   forbidden permissions.
    init(_ kind: Kind, _ process: ProcessSurroundings) throws {
        path = try Self.path(kind, process.environment)
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return }
            throw Failure(.cannotReadOrWrite, "can't read \(visible(path))", code: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(
                .configuration,
                "\(visible(path)) (the file for \(kind.content)) is not a regular file",
                hint: "move it away")
        }
        if kind.forbidden != 0 { try checkOwner(status) }
        try checkMode(status.st_mode & kind.forbidden)
        lines = String(decoding: try readFile(path), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
    }

    /// Checks that the user owns the file, because an owner can write it regardless of its mode.
    private func checkOwner(_ status: stat) throws {
        guard status.st_uid != geteuid() else { return }
        throw Failure(
            .configuration, "\(visible(path)) belongs to another user (\(status.st_uid))",
            hint: "if you trust its content, take ownership with chown; otherwise move it away")
    }

    /// Checks that only the owner has the forbidden permissions.
    private func checkMode(_ tooMany: mode_t) throws {
        guard tooMany != 0 else { return }
        let verbs: [(mode_t, String)] = [(0o044, "read"), (0o022, "change"), (0o011, "run")]
        let possible = enumeration(verbs.filter { tooMany & $0.0 != 0 }.map(\.1))
        throw Failure(
            .configuration, "other users can \(possible) \(visible(path))",
            hint: "run \"chmod 600 \(shellQuoted(visible(path)))\", so that nobody else can read or change it"
        )
    }

    /// Changes the file while no other process can change a file in the same folder.
    static func change<Result>(
        _ kind: Kind, _ process: ProcessSurroundings, _ body: (inout UserFile) throws -> Result
    ) throws -> Result {
        let folder = normalized(try path(kind, process.environment) + "/..")
        try createFolders(normalized(folder + "/.."))
        _ = mkdir(folder, 0o700)
        try createFolders(folder)
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw cannotWrite(in: folder) }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else { throw cannotWrite(in: folder) }
        var file = try UserFile(kind, process)
        let before = file.lines
        let result = try body(&file)
        if file.lines != before { try file.write() }
        return result
    }

    /// Returns whether the environment defines the user's configuration folder.
    static func hasFolder(_ environment: (String) -> String?) -> Bool { folder(environment) != nil }

    private static func folder(_ environment: (String) -> String?) -> String? {
        // The XDG specification says to ignore relative paths.
        if let folder = environment("XDG_CONFIG_HOME"), folder.utf8.first == UInt8(ascii: "/") {
            return folder + "/todosync/"
        }
        guard let home = environment("HOME"), !home.isEmpty else { return nil }
        return home + "/.config/todosync/"
    }

    private static func path(_ kind: Kind, _ environment: (String) -> String?) throws -> String {
        guard let folder = folder(environment) else {
            throw Failure(
                .configuration,
                "there is no folder for \(kind.content): neither XDG_CONFIG_HOME nor HOME is set",
                hint: "set HOME to your home folder and try again")
        }
        return normalized(folder + kind.name)
    }

    /// Checks, without replacing the file, that it can be replaced.
    func checkWritable() throws {
        if access(normalized(linkTarget(of: path) + "/.."), W_OK) != 0 { throw cannotWrite() }
    }

    private func write() throws {
        try createFolders(normalized(linkTarget(of: path) + "/.."))
        try replaceFile(path, with: lines.flatMap { Array(($0 + "\n").utf8) }, mode: 0o600)
    }

    private static func cannotWrite(in folder: String) -> Failure {
        Failure(.cannotReadOrWrite, "can't write to the folder \(visible(folder))", code: errno)
    }

    private func cannotWrite() -> Failure {
        Failure(.cannotReadOrWrite, "can't write \(visible(path))", code: errno)
    }
}
