internal import Remotes

/// The look of results: their colors, the size of the terminal, and the form of paths.
struct Style: Sendable {
    var hasColor = false
    /// The width of the terminal in columns; nil if lines are never cut, as in a pipe.
    var width: Int?
    /// The height of the terminal in lines; nil if results are never cut.
    var height: Int?
    /// Whether long lists are shown in full.
    var isVerbose = false
    /// The current directory, relative to the working directory's root; empty at the root itself.
    var folder = ""
    /// The links for paths; nil if the terminal shows no links.
    var links: FileLinks?

    /// Colors by their meaning.
    ///
    /// No color carries a meaning that the words don't.
    enum Paint: String {
        case added = "32"
        case changed = "33"
        case removed = "31"
        case heading = "1"
        case quiet = "2"
        case path = "36"
    }

    func paint(_ text: String, _ paint: Paint?) -> String {
        guard hasColor, let paint, !text.isEmpty else { return text }
        return "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m"
    }

    /// Returns a path of the working directory as the user would type it, as a link if the terminal shows
    /// links.
    ///
    /// - Parameter width: The width in columns to cut the path to; its end remains, because it has the file's
    ///   name.
    func path(_ path: String, toWidth width: Int = .max) -> String {
        let shown = shortened(typedPath(path), toWidth: width, keeping: .end)
        return links?.link(shown, to: path) ?? shown
    }

    /// Returns a path of the working directory as the user would type it from the current directory.
    func typedPath(_ path: String) -> String {
        visible(relativePath(path, from: folder))
    }
}

/// Returns a path relative to a folder; both arguments are relative to the same root.
func relativePath(_ path: String, from folder: String) -> String {
    guard !folder.isEmpty else { return path }
    let target = path.split(separator: "/")
    let start = folder.split(separator: "/")
    let shared = zip(target.dropLast(), start).prefix { $0.isSameBytes(as: $1) }.count
    let up = Array(repeating: "..", count: start.count - shared)
    return (up + target.dropFirst(shared).map(String.init)).joined(separator: "/")
}

extension Substring {
    fileprivate func isSameBytes(as other: Substring) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}

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
