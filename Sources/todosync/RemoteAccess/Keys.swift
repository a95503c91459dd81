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
