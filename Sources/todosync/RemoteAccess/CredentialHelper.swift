internal import Platform
internal import Remotes

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
