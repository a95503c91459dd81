internal import Remotes

/// The file `todosync/credentials` in the user's configuration folder, which stores keys for servers.
///
/// Each line is `ORIGIN KEY`, such as `https://example.org:8443 5d41402abc4b2a76`. One line can be
/// `helper COMMAND`, a program that provides other keys (see ``CredentialHelper``). Lines that are empty or
/// begin with `#` are ignored. Only the file's owner may have read permission.
struct CredentialsFile {
    private var file: UserFile

    private static let kind = UserFile.Kind(
        name: "credentials", content: "keys", forbidden: 0o077)

    var path: String { file.path }

    /// Reads the file; a missing file counts as empty.
    ///
    /// - Throws: A ``Failure`` if the file can't be read or parsed, or if others can read it.
    init(_ process: ProcessSurroundings) throws { try self.init(UserFile(Self.kind, process)) }

    private init(_ file: UserFile) throws {
        self.file = file
        if let bad = file.lines.firstIndex(where: { !Self.isUnderstood($0) }) {
            // The message doesn't show the line, because it can contain a key.
            throw Failure(
                .configuration, "\(visible(path)):\(bad + 1): neither ORIGIN KEY nor helper COMMAND",
                hint: "correct or remove the line; to save a key, run \"todosync remote login URL\"")
        }
    }

    private static func isUnderstood(_ line: String) -> Bool {
        guard line.contains(where: { !$0.isWhitespace }), line.first != "#" else { return true }
        guard let (name, value) = entry(line) else { return false }
        return name == "helper" || ServerOrigin(url: name) != nil && !value.contains(where: \.isWhitespace)
    }

    /// Returns the key for a server; nil if there isn't one.
    func key(for server: ServerOrigin) -> String? {
        entries.first { ServerOrigin(url: $0.name) == server }?.value
    }

    /// The program that provides keys that are not in the file.
    var helper: CredentialHelper? {
        entries.first { $0.name == "helper" }.map { CredentialHelper(command: $0.value) }
    }

    /// The lines that are not ignored, each split into its first word and the rest.
    private var entries: [(name: String, value: String)] {
        file.lines.compactMap(Self.entry)
    }

    private static func entry(_ line: String) -> (name: String, value: String)? {
        guard line.first != "#" else { return nil }
        let parts = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard parts.count == 2 else { return nil }
        let value = parts[1].drop(while: \.isWhitespace)
        return (String(parts[0]), String(value.reversed().drop(while: \.isWhitespace).reversed()))
    }

    /// Replaces the key for a server, or removes it if the new key is nil; returns the file's path.
    @discardableResult
    static func setKey(
        _ key: String?, for server: ServerOrigin, _ process: ProcessSurroundings
    ) throws -> String {
        try UserFile.change(kind, process) { file in
            _ = try CredentialsFile(file)
            file.lines.removeAll { line in entry(line).flatMap { ServerOrigin(url: $0.name) } == server }
            if let key { file.lines.append("\(server) \(key)") }
            return file.path
        }
    }
}
