/// The lines of a `.gitattributes` file that make git merge todos with todosync's merge driver.
///
/// A comment above the lines marks them for later removal. `gitattributes(5)` documents the format.
package struct MergeAttributes: Sendable {
    /// The lines, with the comment above them.
    package let lines: [String]

    private static let comment =
        "# \"todosync git-setup\" wrote this; \"todosync git-setup --undo\" removes it"
    /// The comment in a file whose last line previously had no line break.
    private static let commentAfterAddedBreak = comment + ", and the line break before it"

    private static let setting = " merge=\(MergeDriver.name)"
    private static let exception = " !merge"

    /// - Parameter include: The patterns of files that can be todos, in gitignore's syntax; empty for all.
    package init(include: [String]) {
        var lines: [String] = []
        for pattern in include.isEmpty ? ["*.yaml", "*.yml"] : include {
            guard let pattern = IncludePattern(pattern) else { continue }
            for path in pattern.paths {
                let line = quoted(path) + (pattern.isNegated ? Self.exception : Self.setting)
                // The last matching line counts.
                lines.removeAll { $0 == line }
                lines.append(line)
            }
        }
        self.lines = [Self.comment] + lines
    }

    /// Returns the text of a `.gitattributes` file with the lines appended, or unchanged if it already has
    /// them.
    package func added(to text: [UInt8]) -> [UInt8] {
        let parts = Parts(text)
        if parts.own.dropFirst() == lines.dropFirst() { return text }
        // The user might have added the same lines.
        if parts.own.isEmpty, Set(lines.dropFirst()).isSubset(of: textLines(text).map(\.content)) {
            return text
        }
        var text = parts.others
        var lines = lines
        let lineBreak = text.contains(UInt8(ascii: "\r")) ? "\r\n" : "\n"
        if let last = text.last, last != UInt8(ascii: "\n") {
            text += lineBreak.utf8
            lines[0] = Self.commentAfterAddedBreak
        }
        return text + lines.flatMap { ($0 + lineBreak).utf8 }
    }

    /// Returns the text of a `.gitattributes` file without the comment and the lines that belong to it.
    package static func removed(from text: [UInt8]) -> [UInt8] { Parts(text).others }

    /// Returns the comment and the lines that belong to it; empty if the text of a `.gitattributes` file
    /// lacks them.
    package static func ownLines(in text: [UInt8]) -> [String] { Parts(text).own }

    /// The lines of a file that todosync wrote, and all others.
    private struct Parts {
        private(set) var own: [String] = []
        private(set) var others: [UInt8] = []

        init(_ text: [UInt8]) {
            var isOwn = false
            for line in textLines(text) {
                isOwn =
                    [comment, commentAfterAddedBreak].contains(line.content)
                    || isOwn && [setting, exception].contains(where: line.content.hasSuffix)
                if isOwn { own.append(line.content) } else { others += line.bytes }
            }
            // If other lines follow, the line break before todosync's lines has to stay.
            if isOwn, own.first == commentAfterAddedBreak { others = withoutLastLineBreak(others) }
        }
    }
}

/// A pattern in `include:`, in gitignore's syntax.
private struct IncludePattern {
    let isNegated: Bool
    private let isForFolders: Bool
    /// The pattern without the exclamation mark and the trailing slash.
    private let glob: Substring

    /// Nil for a comment or an empty pattern.
    init?(_ pattern: String) {
        var glob = pattern[...]
        while glob.hasSuffix(" "), !glob.hasSuffix("\\ ") { glob.removeLast() }
        guard !glob.hasPrefix("#") else { return nil }
        isNegated = glob.hasPrefix("!")
        if isNegated { glob.removeFirst() }
        isForFolders = glob.hasSuffix("/")
        if isForFolders { glob.removeLast() }
        guard !glob.isEmpty else { return nil }
        self.glob = glob
    }

    /// The equivalent patterns for `.gitattributes`, where a pattern for a folder doesn't apply to its files.
    var paths: [String] {
        if glob == "**" || glob == "*" { return ["*.yaml", "*.yml"] }
        let name = glob.split(separator: "/").last ?? ""
        if name == "**" { return Self.withEndings(glob.dropLast(2) + "**/*") }
        if !isForFolders, [".yaml", ".yml"].contains(where: name.hasSuffix) { return [String(glob)] }
        // As in gitignore, a pattern that contains a slash matches the whole path.
        let inFolder = Self.withEndings((glob.contains("/") ? "" : "**/") + glob + "/**/*")
        if isForFolders { return inFolder }
        let ending = name[(name.lastIndex(of: ".") ?? name.endIndex)...]
        if ending.contains(where: "*?[".contains) { return [String(glob)] + inFolder }
        return (name.hasSuffix("*") ? Self.withEndings(glob) : []) + inFolder
    }

    private static func withEndings(_ beginning: some StringProtocol) -> [String] {
        [".yaml", ".yml"].map { beginning + $0 }
    }
}

/// Returns a pattern in the syntax of `.gitattributes`: in double quotes, like a C string, if necessary.
private func quoted(_ pattern: String) -> String {
    guard pattern.contains(where: \.isWhitespace) || pattern.hasPrefix("\"") || pattern.hasPrefix("#") else {
        return pattern
    }
    return "\"" + pattern.flatMap { "\\\"".contains($0) ? ["\\", $0] : [$0] } + "\""
}

/// Returns the lines of a text, with and without their line breaks.
private func textLines(_ text: [UInt8]) -> [(bytes: ArraySlice<UInt8>, content: String)] {
    var lines: [(ArraySlice<UInt8>, String)] = []
    var rest = text[...]
    while !rest.isEmpty {
        let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
        let content = withoutLastLineBreak(rest[..<end])
        lines.append((rest[..<end], String(decoding: content, as: UTF8.self)))
        rest = rest[end...]
    }
    return lines
}

private func withoutLastLineBreak<Bytes: RangeReplaceableCollection & BidirectionalCollection<UInt8>>(
    _ line: Bytes
) -> Bytes {
    var line = line
    if line.last == UInt8(ascii: "\n") { line.removeLast() }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
}
