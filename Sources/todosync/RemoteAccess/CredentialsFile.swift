internal import Remotes

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The file `todosync/credentials` among the user's configuration, which keeps keys for servers.
///
/// Each line is `ORIGIN KEY`, such as `https://example.org:8443 5d41402abc4b2a76`; one may be
/// `helper COMMAND`, the program to ask for keys that are not here (see ``CredentialHelper``). Lines that are
/// empty or begin with `#` say nothing. Only its owner may be able to read the file.
struct CredentialsFile {
    let path: String
    private(set) var lines: [String]

    /// Reads the file; one that is not there is empty.
    ///
    /// - Throws: A ``Failure`` where it can't be read, or where others can.
    init(_ process: ProcessSurroundings) throws {
        path = try Self.path(process.environment)
        lines = []
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return }
            throw Failure(.cannotReadOrWrite, "can't read \(visible(path))", code: errno)
        }
        guard status.st_mode & 0o077 == 0, status.st_uid == geteuid() else {
            throw Failure(
                .configuration, "others than you can use the keys in \(visible(path))",
                hint: "chmod 600 \(shellQuoted(visible(path))) makes them yours alone")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.configuration, "\(visible(path)) should be a file of keys, and is none")
        }
        lines = String(decoding: try readFile(path), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        if let bad = lines.firstIndex(where: { !Self.isUnderstood($0) }) {
            // The line is not shown, as it may hold a key.
            throw Failure(
                .configuration, "\(visible(path)):\(bad + 1): neither ORIGIN KEY nor helper COMMAND",
                hint: "mend or remove the line; todosync remote login URL writes such lines")
        }
    }

    private static func isUnderstood(_ line: String) -> Bool {
        guard line.contains(where: { !$0.isWhitespace }), line.first != "#" else { return true }
        guard let (name, value) = entry(line) else { return false }
        return name == "helper" || ServerOrigin(url: name) != nil && !value.contains(where: \.isWhitespace)
    }

    /// Changes the file while nobody else does.
    static func change<Result>(
        _ process: ProcessSurroundings, _ body: (inout CredentialsFile) throws -> Result
    ) throws -> Result {
        let folder = normalized(try path(process.environment) + "/..")
        try createFolders(folder)
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
            throw Failure(.cannotReadOrWrite, "can't write in \(visible(folder))", code: errno)
        }
        defer { close(descriptor) }
        var file = try CredentialsFile(process)
        return try body(&file)
    }

    /// `$XDG_CONFIG_HOME/todosync/credentials`, or the same below `~/.config`.
    private static func path(_ environment: (String) -> String?) throws -> String {
        // The specification wants a relative path to be ignored.
        if let folder = environment("XDG_CONFIG_HOME"), folder.utf8.first == UInt8(ascii: "/") {
            return normalized(folder + "/todosync/credentials")
        }
        guard let home = environment("HOME"), !home.isEmpty else {
            throw Failure(
                .configuration, "there is no place to keep keys: neither XDG_CONFIG_HOME nor HOME is set")
        }
        return normalized(home + "/.config/todosync/credentials")
    }

    /// The key for a server, nil for none.
    func key(for server: ServerOrigin) -> String? {
        entries.first { ServerOrigin(url: $0.name) == server }?.value
    }

    /// The program to ask for keys that are not here.
    var helper: CredentialHelper? {
        entries.first { $0.name == "helper" }.map { CredentialHelper(command: $0.value) }
    }

    /// The lines that say something, as a name and what follows it.
    private var entries: [(name: String, value: String)] {
        lines.compactMap(Self.entry)
    }

    private static func entry(_ line: String) -> (name: String, value: String)? {
        guard line.first != "#" else { return nil }
        let parts = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard parts.count == 2 else { return nil }
        let value = parts[1].drop(while: \.isWhitespace)
        return (String(parts[0]), String(value.reversed().drop(while: \.isWhitespace).reversed()))
    }

    /// Keeps a key in the place of another for the server; nil takes it away.
    mutating func setKey(_ key: String?, for server: ServerOrigin) {
        lines.removeAll { line in Self.entry(line).flatMap { ServerOrigin(url: $0.name) } == server }
        if let key { lines.append("\(server) \(key)") }
    }

    /// Replaces the file as a whole, so that nobody finds half of it.
    func write() throws {
        // A link stays one: what it leads to is replaced.
        let path = Self.target(of: path)
        let folder = normalized(path + "/..")
        try createFolders(folder)
        var template = Array("\(folder)/.credentials-XXXXXX".utf8CString)
        // It makes a file that nobody else can read.
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw cannotWrite() }
        let temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do {
            defer { close(descriptor) }
            try Stream(descriptor: descriptor, name: visible(path)).write(lines.map { $0 + "\n" }.joined())
            guard fsync(descriptor) == 0 else { throw cannotWrite() }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let failure = cannotWrite()
            unlink(temporary)
            throw failure
        }
    }

    private static func target(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private func cannotWrite() -> Failure {
        Failure(.cannotReadOrWrite, "can't write \(visible(path))", code: errno)
    }
}
