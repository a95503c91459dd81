internal import Platform
internal import Remotes

/// Looks up the key for a server: in `TODOSYNC_KEY`, then in the credentials file, then with the file's
/// helper.
///
/// Keys are looked up for trusted servers only (see ``Trust``).
struct Keys {
    static let variable = "TODOSYNC_KEY"
    /// The note to show if the server refuses the variable's key.
    static let overriding = "\(variable) is set and overrides any saved key"

    private let process: ProcessSurroundings

    init(_ process: ProcessSurroundings) { self.process = process }

    /// Returns the key for a server; nil if there isn't one.
    func key(for server: ServerOrigin) throws -> String? {
        if let key = try givenKey(for: server) { return key }
        let file = try CredentialsFile(process)
        if let key = file.key(for: server) { return key }
        guard let helper = file.helper else { return nil }
        let key = try helper.key(for: server)
        if key == nil {
            process.standardError.writeMessage(
                "warning: the credential helper '\(visible(helper.command))' has no key for \(server); "
                    + "run \"todosync remote login \(server)\" to give it one")
        }
        return key
    }

    /// Returns the environment variable's key for a server.
    ///
    /// `KEY` applies to every server, `ORIGIN KEY` only to that one.
    func givenKey(for server: ServerOrigin) throws -> String? {
        let words = process.environment(Self.variable)?.split(whereSeparator: \.isWhitespace) ?? []
        switch (words.count, words.first.flatMap { ServerOrigin(url: String($0)) }) {
        case (0, _): return nil
        case (1, nil): return String(words[0])
        case (2, let origin?): return origin == server ? String(words[1]) : nil
        default: break
        }
        // The message doesn't show the value, because it contains a key.
        throw Failure(
            .configuration, "\(Self.variable) is neither KEY nor 'ORIGIN KEY'",
            hint: "ORIGIN is the server that the key is for, such as https://example.org")
    }

    /// Saves a key with the helper if there is one, otherwise in the file; returns where it was saved.
    func store(_ key: String, for server: ServerOrigin) throws -> String {
        if let helper = try CredentialsFile(process).helper {
            try helper.store(key, for: server)
            return "the credential helper"
        }
        return visible(try CredentialsFile.setKey(key, for: server, process))
    }

    /// Removes the saved key for a server.
    func erase(for server: ServerOrigin) throws {
        if try CredentialsFile(process).key(for: server) != nil {
            try CredentialsFile.setKey(nil, for: server, process)
        }
        try CredentialsFile(process).helper?.erase(for: server)
    }
}

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

/// A program that stores keys and speaks git's credential protocol, such as `git credential-libsecret`.
///
/// The key is the password. `git credential --help` documents the protocol.
struct CredentialHelper: Equatable {
    /// The command as a shell parses it; the action is appended to it.
    let command: String
    /// The time that the helper may take, including the user's at its questions.
    var timeLimit = Duration.seconds(120)
    /// The maximum size of an answer in bytes.
    private static let answerLimit = 65_536

    /// Returns the helper's key for a server; nil if it has none.
    func key(for server: ServerOrigin) throws -> String? {
        let output = try run("get", server, password: nil)
        let lines = output.split(whereSeparator: \.isNewline)
        return lines.first { $0.hasPrefix("password=") }.map { String($0.dropFirst("password=".count)) }
    }

    func store(_ key: String, for server: ServerOrigin) throws {
        _ = try run("store", server, password: key)
    }

    func erase(for server: ServerOrigin) throws { _ = try run("erase", server, password: nil) }

    private func run(_ action: String, _ server: ServerOrigin, password: String?) throws -> String {
        var input = "protocol=\(server.scheme)\nhost=\(server.authority)\nusername=todosync\n"
        if let password { input += "password=\(password)\n" }
        let name = "the credential helper '\(command)'"
        let program = ChildProcess(
            arguments: ["/bin/sh", "-c", command + " \"$@\"", command, action], name: name)
        let (status, output): (Int32, [UInt8])
        do {
            // It can ask at the terminal.
            (status, output) = try program.filter(
                Array((input + "\n").utf8), limit: Self.answerLimit, time: timeLimit, isInOwnGroup: false)
        } catch ChildProgram.Problem.timedOut {
            throw Failure(
                .configuration,
                "\(visible(name)) did not respond within \(timeLimit.components.seconds) seconds")
        } catch ChildProgram.Problem.gaveTooMuch {
            throw Failure(.configuration, "\(visible(name)) printed more than \(Self.answerLimit) bytes")
        }
        guard ![-1, 126, 127].contains(status) else {
            throw Failure(
                .configuration, "the credential helper '\(visible(command))' can't be run",
                hint: "check the line \"helper COMMAND\" in the credentials file")
        }
        // A helper without a key can report that with its status.
        guard status == 0 || (action == "get" && status > 0) else {
            throw Failure(
                .cannotReadOrWrite, "the credential helper '\(visible(command))' ended with an error")
        }
        return status == 0 ? String(decoding: output, as: UTF8.self) : ""
    }
}
