internal import Remotes

/// Where a server's key is found: in `TODOSYNC_KEY`, then in the file of credentials, then with the helper
/// that it names.
struct Keys {
    static let variable = "TODOSYNC_KEY"

    private let process: ProcessSurroundings

    init(_ process: ProcessSurroundings) { self.process = process }

    /// Returns the key for a server, nil where there is none.
    func key(for server: ServerOrigin) throws -> String? {
        if let key = process.environment(Self.variable), !key.isEmpty { return key }
        let file = try CredentialsFile(process)
        if let key = file.key(for: server) { return key }
        guard let helper = file.helper else { return nil }
        let key = try helper.key(for: server)
        if key == nil {
            process.standardError.writeIgnoringErrors(
                "warning: the credential helper '\(visible(helper.command))' has no key for \(server); "
                    + "todosync remote login \(server) gives it one\n")
        }
        return key
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
