internal import Remotes

/// Links to a working directory's files that a terminal can open.
///
/// The escape sequence is OSC 8 of "Hyperlinks in Terminal Emulators" by Egmont Koblinger. The link names the
/// host, so that a terminal doesn't open a local file in place of one behind an SSH connection.
struct FileLinks: Sendable {
    let host: String
    /// The absolute path of the working directory.
    let root: String

    /// Returns a text as a link.
    ///
    /// - Parameter path: The file's path in the working directory.
    func link(_ text: String, to path: String) -> String {
        let target = (root + "/" + path).split(separator: "/").map { PercentEncoding.ofValue(String($0)) }
        let url = "file://\(PercentEncoding.ofValue(host))/" + target.joined(separator: "/")
        return "\u{1B}]8;;\(url)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
    }
}
