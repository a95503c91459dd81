/// One line of a `.todosyncignore`, in gitignore's language.
final class IgnorePattern: Sendable {
    /// The pattern as written in the file, for messages.
    let text: String
    /// The line's number in the file, from 1.
    let line: Int
    /// Whether the pattern begins with `!` and includes paths that an earlier pattern excluded.
    let isNegated: Bool
    /// Whether the pattern has a trailing slash and matches only folders.
    let isForFolders: Bool
    /// Whether the pattern has any other slash and is compared with the whole path below the file's folder.
    ///
    /// Without such a slash, the pattern is compared only with the name.
    let isPath: Bool
    /// The compiled pattern; nil if it can't match anything.
    private let glob: Glob?

    /// The bytes that every matching path has.
    fileprivate var neededBytes: ByteSet { glob?.neededBytes ?? ByteSet() }

    /// Parses a line; nil for an empty line or a comment.
    init?(line: ArraySlice<UInt8>, number: Int = 1) {
        self.line = number
        guard line.first != UInt8(ascii: "#") else { return nil }
        var line = IgnorePattern.withoutTrailingSpaces(line)
        guard !line.isEmpty else { return nil }
        text = String(decoding: line, as: UTF8.self)
        isNegated = line.first == UInt8(ascii: "!")
        if isNegated { line = line.dropFirst() }
        isForFolders = line.last == slash
        if isForFolders { line = line.dropLast() }
        isPath = line.contains(slash)
        if line.first == slash { line = line.dropFirst() }
        glob = line.isEmpty ? nil : Glob(line, isPath: isPath)
    }

    /// Removes trailing spaces, except spaces after a backslash.
    private static func withoutTrailingSpaces(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = line.startIndex
        var position = line.startIndex
        while position < line.endIndex {
            if line[position] == UInt8(ascii: "\\") {
                // As in git, a backslash at the very end also keeps the spaces before it.
                guard position + 1 < line.endIndex else { return line }
                position += 1
                end = position + 1
            } else if line[position] != UInt8(ascii: " ") {
                end = position + 1
            }
            position += 1
        }
        return line[..<end]
    }

    /// Returns whether the pattern matches a file or folder itself, regardless of its parent folders.
    ///
    /// - Parameters:
    ///   - path: The path relative to the folder that the pattern applies to.
    ///   - name: The path's last component.
    func matches(path: ArraySlice<UInt8>, name: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
        guard let glob, isFolder || !isForFolders else { return false }
        return glob.matches(isPath ? path : name)
    }
}

/// The patterns of one ignore file or of `include:`.
struct IgnorePatterns: Sendable {
    let patterns: [IgnorePattern]
    /// The bytes that each pattern needs; side by side, they take little time to look at.
    private let neededBytes: [ByteSet]

    var isEmpty: Bool { patterns.isEmpty }

    /// Parses a `.todosyncignore`.
    init(file bytes: [UInt8]) {
        var content = bytes[...]
        if content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
        let lines = content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        self.init(
            patterns: zip(1..., lines).compactMap { number, line in
                IgnorePattern(line: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, number: number)
            })
    }

    init(_ lines: [String]) {
        self.init(patterns: lines.compactMap { IgnorePattern(line: Array($0.utf8)[...]) })
    }

    private init(patterns: [IgnorePattern]) {
        self.patterns = patterns
        neededBytes = patterns.map(\.neededBytes)
    }

    /// Returns the last pattern that matches a file or folder itself, which takes precedence over the others.
    func lastMatch(path: ArraySlice<UInt8>, name: ArraySlice<UInt8>, isFolder: Bool) -> IgnorePattern? {
        last(for: path) { $0.matches(path: path, name: name, isFolder: isFolder) }
    }

    /// Returns whether the last pattern that matches a file or one of its parent folders isn't negated.
    func includes(path: ArraySlice<UInt8>) -> Bool {
        let match = last(for: path) { pattern in
            var start = path.startIndex
            while let end = path[start...].firstIndex(of: slash) {
                if pattern.matches(path: path[..<end], name: path[start..<end], isFolder: true) {
                    return true
                }
                start = end + 1
            }
            return pattern.matches(path: path, name: path[start...], isFolder: false)
        }
        return match.map { !$0.isNegated } ?? false
    }

    /// Returns the last pattern that matches a path, among those whose bytes the path has.
    private func last(
        for path: ArraySlice<UInt8>, where matches: (IgnorePattern) -> Bool
    ) -> IgnorePattern? {
        var bytes = ByteSet()
        for byte in path { bytes.insert(byte) }
        for index in neededBytes.indices.reversed()
        where neededBytes[index].isSubset(of: bytes) && matches(patterns[index]) {
            return patterns[index]
        }
        return nil
    }
}

/// The patterns of all `.todosyncignore` files in a working directory, by folder.
struct IgnoreRules: Sendable {
    private var byFolder: [[UInt8]: IgnorePatterns] = [:]

    /// The name of an ignore file, which any folder can have.
    static let fileName: FileName = ".todosyncignore"
    /// The maximum size of an ignore file in bytes.
    static let maximumSize = 1 << 20

    var isEmpty: Bool { byFolder.isEmpty }

    /// Adds a folder's patterns.
    ///
    /// - Parameter folder: The folder's path, empty for the root.
    mutating func add(_ patterns: IgnorePatterns, of folder: [UInt8]) {
        if !patterns.isEmpty { byFolder[folder] = patterns }
    }

    /// Adds the patterns of folders that don't have patterns yet.
    mutating func add(_ other: IgnoreRules) { byFolder.merge(other.byFolder) { own, _ in own } }

    /// Returns the reason why a file or folder itself is ignored, regardless of its parent folders; nil if it
    /// isn't ignored.
    ///
    /// The last matching pattern decides, in the nearest ignore file that has a matching pattern.
    func reason(for path: ArraySlice<UInt8>, isFolder: Bool) -> IgnoredFile.Reason? {
        if byFolder.isEmpty { return nil }
        let nameStart = path.lastIndex(of: slash).map { $0 + 1 } ?? path.startIndex
        var folder = path[..<max(path.startIndex, nameStart - 1)]
        while true {
            let start = folder.isEmpty ? path.startIndex : folder.endIndex + 1
            if let match = byFolder[Array(folder)]?.lastMatch(
                path: path[start...], name: path[nameStart...], isFolder: isFolder)
            {
                return match.isNegated
                    ? nil : .ignored(pattern: match.text, file: file(of: folder), line: match.line)
            }
            if folder.isEmpty { return nil }
            folder = folder[..<(folder.lastIndex(of: slash) ?? folder.startIndex)]
        }
    }

    private func file(of folder: ArraySlice<UInt8>) -> String {
        let name = IgnoreRules.fileName.description
        return folder.isEmpty ? name : String(decoding: folder, as: UTF8.self) + "/" + name
    }
}
