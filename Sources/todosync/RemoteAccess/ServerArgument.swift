internal import ArgumentParser
internal import Remotes
internal import Values

/// A server as the user names it: by its own URL, or by the URL of one of its tables.
struct ServerArgument {
    let origin: ServerOrigin
    /// The URL of the table, if the user named one.
    let table: String?

    static let help = ArgumentHelp(
        "The server, or one of its tables, such as https://example.org/tables/todoitem.", valueName: "url")

    /// Parses the server that the user typed.
    ///
    /// - Parameter command: The command that takes the argument, with its options, for the hint.
    /// - Throws: A ``Failure`` with a hint.
    init(_ typed: String, of command: String) throws {
        guard let origin = ServerOrigin(url: typed) else {
            throw Failure(
                .usage, "\(withoutKeys(visible(typed))) is not a server's URL",
                hint: Self.advice(typed, command))
        }
        self.origin = origin
        table = (try? RemoteAddress(typed, currentDirectory: "/"))?.url
    }

    private static func advice(_ typed: String, _ command: String) -> String {
        guard let meant = ServerOrigin(url: "https://" + typed) else {
            return "use the server's URL, such as https://example.org, without a user name or password"
        }
        let url = withoutKeys(visible((meant.isLoopback ? "http://" : "https://") + typed))
        return "run \"todosync \(command) \(shellQuoted(url))\""
    }
}
