internal import Remotes

/// A program that stores keys and speaks git's credential protocol, such as `git credential-libsecret`.
///
/// The key is the password. `git credential --help` documents the protocol.
struct CredentialHelper: Equatable {
    /// The command as a shell parses it; the action is appended to it.
    let command: String

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
        let program = ChildProcess(
            arguments: ["/bin/sh", "-c", command + " \"$@\"", command, action],
            name: "the credential helper '\(command)'")
        let (status, output) = try program.run(input: Array((input + "\n").utf8))
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
