internal import Remotes

/// Where a server's key is found: in `TODOSYNC_KEY`, then in the file of credentials, then with the helper
/// that it names.
///
/// It is asked for trusted servers only (see ``Trust``).
struct Keys {
    static let variable = "TODOSYNC_KEY"

    private let process: ProcessSurroundings

    init(_ process: ProcessSurroundings) { self.process = process }

    /// Returns the key for a server, nil where there is none.
    func key(for server: ServerOrigin) throws -> String? {
        if let key = try givenKey(for: server) { return key }
        let file = try CredentialsFile(process)
        if let key = file.key(for: server) { return key }
        guard let helper = file.helper else { return nil }
        let key = try helper.key(for: server)
        if key == nil {
            process.standardError.writeIgnoringErrors(
                "warning: the credential helper '\(visible(helper.command))' has no key for \(server); "
                    + "run \"todosync remote login \(server)\" to give it one\n")
        }
        return key
    }

    /// Returns the key that the variable has for a server.
    ///
    /// `KEY` is for every server, `ORIGIN KEY` for that one only.
    func givenKey(for server: ServerOrigin) throws -> String? {
        let words = process.environment(Self.variable)?.split(whereSeparator: \.isWhitespace) ?? []
        switch (words.count, words.first.flatMap { ServerOrigin(url: String($0)) }) {
        case (0, _): return nil
        case (1, nil): return String(words[0])
        case (2, let origin?): return origin == server ? String(words[1]) : nil
        default: break
        }
        // The value is not shown, as it holds a key.
        throw Failure(
            .configuration, "\(Self.variable) is neither KEY nor 'ORIGIN KEY'",
            hint: "ORIGIN is the server that the key is for, such as https://example.org")
    }

    /// Keeps a key, with the helper if there is one, else in the file; returns where.
    func store(_ key: String, for server: ServerOrigin) throws -> String {
        if let helper = try CredentialsFile(process).helper {
            try helper.store(key, for: server)
            return "the credential helper"
        }
        return visible(try CredentialsFile.setKey(key, for: server, process))
    }

    /// Forgets the key that is kept for a server.
    func erase(for server: ServerOrigin) throws {
        if try CredentialsFile(process).key(for: server) != nil {
            try CredentialsFile.setKey(nil, for: server, process)
        }
        try CredentialsFile(process).helper?.erase(for: server)
    }
}
