internal import Platform

/// The git repository, or one of its linked worktrees, that contains a folder.
///
/// The initializer walks up from the folder, as git does, but doesn't run git: a command that finds no
/// changed files needs nothing else. git's `gitrepository-layout(5)` documents the format of these files.
package struct Repository: Sendable, Hashable {
    /// The folder with this worktree's `HEAD` and `index`: `.git`, or a folder in `.git/worktrees`.
    package let gitDirectory: String
    /// The folder with the files that all worktrees share, such as branches.
    package let commonDirectory: String
    /// The worktree's top folder.
    package let top: String
    /// The path of the searched folder below ``top``, with a trailing slash; empty for the top folder.
    package let prefix: String

    /// Whether this is a linked worktree, created by `git worktree add`.
    package var isLinked: Bool { gitDirectory != commonDirectory }

    /// Finds the repository that contains a folder.
    ///
    /// - Parameter folder: An absolute path without symbolic links.
    /// - Returns: Nil if no repository contains the folder, or if jj manages it (it has a `.jj` folder). jj
    ///   moves git's HEAD independently, so HEAD doesn't describe the files.
    package init?(containing folder: String) {
        var top = folder
        while top.count > 1, top.hasSuffix("/") { top.removeLast() }
        var prefix = ""
        while true {
            if isFolder(top + "/.jj") { return nil }
            if let found = Self.gitDirectory(of: top) {
                gitDirectory = found
                commonDirectory = Self.commonDirectory(of: found)
                self.top = top
                self.prefix = prefix
                return
            }
            guard top != "/", let slash = top.lastIndex(of: "/") else { return nil }
            prefix = top[top.index(after: slash)...] + "/" + prefix
            top = slash == top.startIndex ? "/" : String(top[..<slash])
        }
    }

    /// Finds a repository whose directory isn't in the worktree, as in one for dotfiles
    /// (`git --git-dir=DIRECTORY --work-tree=TOP`).
    ///
    /// - Parameters:
    ///   - folder: An absolute path without symbolic links.
    ///   - directory: An absolute path.
    ///   - top: The worktree's top folder; that of `core.worktree`, or else the directory's parent, if nil.
    /// - Returns: Nil if the directory isn't a repository's, or if the folder isn't below the worktree.
    package init?(containing folder: String, directory: String, top: String?) {
        guard directory.hasPrefix("/"), exists(directory + "/HEAD") else { return nil }
        gitDirectory = resolved(directory)
        commonDirectory = Self.commonDirectory(of: gitDirectory)
        self.top = resolved(top ?? Self.configuredWorktree(of: gitDirectory) ?? directory + "/..")
        let inside = self.top == "/" ? "/" : self.top + "/"
        guard (folder + "/").hasPrefix(inside) else { return nil }
        prefix = folder == self.top ? "" : folder.dropFirst(inside.count) + "/"
    }

    /// Returns the worktree that a repository's configuration names (`core.worktree`; the last one counts).
    private static func configuredWorktree(of gitDirectory: String) -> String? {
        let lines = contents(of: gitDirectory + "/config")?.split(separator: UInt8(ascii: "\n")) ?? []
        var isInCore = false
        var worktree: String?
        for line in lines {
            let text = String(decoding: line, as: UTF8.self).trimmed
            if text.hasPrefix("[") { isInCore = text.lowercased().hasPrefix("[core]") }
            let parts = text.split(separator: "=", maxSplits: 1).map(\.trimmed)
            guard isInCore, parts.count == 2, parts[0].lowercased() == "worktree" else { continue }
            // A quoted value ends with the quotation mark, and any other one before a comment.
            let isQuoted = parts[1].hasPrefix("\"")
            let value =
                isQuoted ? parts[1].dropFirst().prefix { $0 != "\"" } : parts[1].prefix { !";#".contains($0) }
            worktree = absolute(value.trimmed, from: gitDirectory)
        }
        return worktree
    }

    /// Whether git finds the repository only if it is given its path.
    var isSeparate: Bool { !isLinked && !exists((top == "/" ? "" : top) + "/.git") }

    private static func gitDirectory(of top: String) -> String? {
        let path = (top == "/" ? "" : top) + "/.git"
        guard exists(path) else { return nil }
        if isFolder(path) { return exists(path + "/HEAD") ? resolved(path) : nil }
        // In a linked worktree or submodule, `.git` is a file: `gitdir: PATH`. If that path doesn't exist,
        // git doesn't look in the parent folders, and neither does this code: the repository can't be read.
        guard let line = firstLine(of: path), line.hasPrefix("gitdir: ") else { return nil }
        return resolved(absolute(String(line.dropFirst("gitdir: ".count)), from: top))
    }

    private static func commonDirectory(of gitDirectory: String) -> String {
        guard let line = firstLine(of: gitDirectory + "/commondir") else { return gitDirectory }
        return resolved(absolute(line, from: gitDirectory))
    }

    /// The top folder of the repository's main worktree; nil if there isn't one, as for a bare repository.
    package var mainTop: String? {
        guard isLinked, let slash = commonDirectory.lastIndex(of: "/") else { return isLinked ? nil : top }
        return commonDirectory.hasSuffix("/.git") ? String(commonDirectory[..<slash]) : nil
    }

    /// Whether the worktree has an index; before the first checkout, it has none.
    package var hasIndex: Bool { exists(gitDirectory + "/index") }

    /// Returns the outermost repository or worktree that contains a folder and is below another folder; nil
    /// if there isn't one.
    ///
    /// - Parameter root: An absolute path without symbolic links.
    /// - Returns: Its path relative to `root`.
    package static func outermost(around folder: String, below root: String) -> String? {
        let folder = resolved(folder)
        guard folder.hasPrefix(root + "/") else { return nil }
        var path = ""
        for name in folder.dropFirst(root.count + 1).split(separator: "/") {
            path += path.isEmpty ? String(name) : "/" + name
            if exists(root + "/" + path + "/.git") { return path }
        }
        return nil
    }

    /// Converts a path in the searched folder to a path below ``top``.
    package func path(_ path: String) -> String { prefix + path }
}

// MARK: HEAD

extension Repository {
    /// Returns what is checked out, according to the repository's files.
    ///
    /// - Returns: Nil if the files don't show it, as in a damaged repository or one with reftables.
    package func head() -> Head? {
        guard let line = firstLine(of: gitDirectory + "/HEAD") else { return nil }
        guard line.hasPrefix("ref: ") else {
            return line.isObjectName ? Head(branch: nil, commit: line) : nil
        }
        let name = String(line.dropFirst("ref: ".count))
        // With reftables, the file HEAD contains this name, which no branch can have.
        guard name != "refs/heads/.invalid" else { return nil }
        return Head(branch: name, commit: commit(of: name))
    }

    private func commit(of name: String, depth: Int = 0) -> String? {
        guard !name.contains("/../"), !name.hasPrefix("/"), depth < 5 else { return nil }
        if let line = firstLine(of: commonDirectory + "/" + name) {
            guard line.hasPrefix("ref: ") else { return line.isObjectName ? line : nil }
            return commit(of: String(line.dropFirst("ref: ".count)), depth: depth + 1)
        }
        guard let packed = contents(of: commonDirectory + "/packed-refs") else { return nil }
        let suffix = Array(" \(name)".utf8)
        for line in packed.split(separator: UInt8(ascii: "\n"))
        where line.count > suffix.count && line.suffix(suffix.count).elementsEqual(suffix) {
            let name = String(decoding: line.dropLast(suffix.count), as: UTF8.self)
            return name.isObjectName ? name : nil
        }
        return nil
    }
}

// MARK: The log of HEAD

/// A position in the log of HEAD, after the entries that a command has seen.
package struct LogPosition: Sendable, Hashable {
    /// The length of the log up to this position, in bytes.
    package var length: Int
    /// The last line before this position, without its line break.
    package var last: String

    package init(length: Int = 0, last: String = "") {
        self.length = length
        self.last = last
    }
}

/// The log of HEAD: `.git/logs/HEAD`, or the same lines as `git log -g` shows them.
package struct HeadLog: Sendable {
    /// A movement of HEAD.
    package struct Step: Sendable, Hashable {
        /// The commit before; nil if HEAD had none.
        package var old: String?
        package var new: String
        /// What git notes about it, such as `checkout: moving from main to dev`.
        package var message: String

        /// Whether a checkout moved HEAD to a different commit, or there was no commit before.
        package var isCheckout: Bool { old != new && (old == nil || message.hasPrefix("checkout:")) }
        /// Whether `git reset` moved HEAD.
        package var isReset: Bool { message.hasPrefix("reset") }
        /// Whether the commit was made here.
        package var isCommit: Bool { message.hasPrefix("commit") || message.hasPrefix("revert") }

        package init(old: String?, new: String, message: String) {
            (self.old, self.new, self.message) = (old, new, message)
        }
    }

    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isEmpty: Bool { bytes.isEmpty }

    /// The position after the last entry.
    package var end: LogPosition {
        let last = bytes.split(separator: UInt8(ascii: "\n")).last ?? []
        return LogPosition(length: bytes.count, last: String(decoding: last, as: UTF8.self))
    }

    /// Returns the entries after a position, oldest first; nil if the log no longer has the position.
    package func steps(after position: LogPosition) -> [Step]? {
        var start = position.length
        if start > 0 {
            let last = Array(position.last.utf8) + [UInt8(ascii: "\n")]
            let isThere = { (end: Int) in
                end >= last.count && end <= bytes.count && bytes[(end - last.count)..<end].elementsEqual(last)
            }
            if !isThere(start) {
                // git removes old entries at the beginning.
                let ends = bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
                guard let found = ends.last(where: isThere) else { return nil }
                start = found
            }
        }
        return bytes[start...].split(separator: UInt8(ascii: "\n")).compactMap(Step.init)
    }
}

extension HeadLog.Step {
    /// Reads a line: `OLD SP NEW SP NAME SP <EMAIL> SP TIME SP ZONE TAB MESSAGE`.
    fileprivate init?(_ line: ArraySlice<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count == 3 else { return nil }
        let old = String(decoding: words[0], as: UTF8.self)
        let new = String(decoding: words[1], as: UTF8.self)
        guard old.isObjectName, new.isObjectName else { return nil }
        let message = line.drop { $0 != UInt8(ascii: "\t") }.dropFirst()
        self.init(
            old: old.allSatisfy { $0 == "0" } ? nil : old, new: new,
            message: String(decoding: message, as: UTF8.self))
    }
}

extension Repository {
    /// Returns the log of HEAD; nil if git keeps it elsewhere, as with reftables.
    package func headLog() -> HeadLog? {
        guard !exists(commonDirectory + "/reftable") else { return nil }
        return HeadLog(contents(of: gitDirectory + "/logs/HEAD") ?? [])
    }

    /// The commit of the latest stash; nil if there is none.
    package var stash: String? { commit(of: "refs/stash") }
}

extension StringProtocol {
    /// The text without white space at its beginning and end.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

extension String {
    /// Whether this is an object name: the hexadecimal digits of a SHA-1 or SHA-256.
    ///
    /// Git would parse other words as options or expressions.
    fileprivate var isObjectName: Bool {
        (utf8.count == 40 || utf8.count == 64) && utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }
}

/// What is checked out in a worktree.
package struct Head: Sendable, Hashable {
    /// The full name of the branch, such as `refs/heads/main`; nil if HEAD is detached.
    package var branch: String?
    /// The commit's id in hexadecimal digits; nil on a branch without commits.
    package var commit: String?

    package init(branch: String?, commit: String?) {
        self.branch = branch
        self.commit = commit
    }
}

// MARK: Operations in progress

extension Repository {
    /// A file that shows that a git operation is in progress.
    package struct Progress: Sendable, Hashable {
        /// The operation, such as `merge`.
        package let operation: String
        /// The file's path, such as `.git/MERGE_HEAD`; absolute if it is outside of the worktree's top.
        package let path: String
        /// The file's age, in seconds.
        package let age: Int
    }

    /// The maximum age, in seconds, of an `index.lock` that counts as a running command's.
    ///
    /// An older lock was left behind by a command that crashed.
    private static let lockAge = 600

    /// Returns the git operation in progress; nil if there isn't one.
    package func progress() -> Progress? {
        let files = [
            ("rebase", "rebase-merge"), ("rebase", "rebase-apply"), ("merge", "MERGE_HEAD"),
            ("cherry-pick", "CHERRY_PICK_HEAD"), ("revert", "REVERT_HEAD"), ("squash merge", "SQUASH_MSG"),
            ("merge", "MERGE_AUTOSTASH"), ("command", "index.lock"),
        ]
        for (operation, file) in files {
            guard let age = age(ofFileAt: gitDirectory + "/" + file) else { continue }
            if file == "index.lock", age > Self.lockAge { continue }
            // `git am` keeps its state in the same folder as an older kind of rebase.
            let isAm = file == "rebase-apply" && exists(gitDirectory + "/rebase-apply/applying")
            return Progress(
                operation: isAm ? "am" : operation, path: shown(gitDirectory + "/" + file), age: age)
        }
        return nil
    }

    /// Returns the single commit that the merge, rebase or cherry-pick in progress applies to HEAD; nil if
    /// there are several, because conflict markers don't show which one they belong to.
    package func mergedCommit() -> String? {
        let merged = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD"].lazy
            .compactMap { contents(of: gitDirectory + "/" + $0)?.split(separator: UInt8(ascii: "\n")) }
            .first { !$0.isEmpty }
        guard progress() != nil, let merged, merged.count == 1 else { return nil }
        return String(decoding: merged[0], as: UTF8.self)
    }

    /// Returns the stash's commit if there is just one stash.
    package func onlyStash() -> String? {
        let stashes = contents(of: commonDirectory + "/logs/refs/stash")?.split(separator: UInt8(ascii: "\n"))
        return stashes?.count == 1 ? stash : nil
    }

    /// Returns a path in the form to display: a linked worktree's repository is outside of its top folder.
    private func shown(_ path: String) -> String {
        path.hasPrefix(top + "/") ? String(path.dropFirst(top.utf8.count + 1)) : path
    }
}

// MARK: Reading small files

/// The maximum size of a file to read, in bytes; a large repository's `packed-refs` can have several
/// megabytes.
private let maximumSize = 64 << 20

private func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
        information.st_size <= maximumSize
    else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count == 0 ? bytes : nil }
        bytes += buffer[..<count]
        guard bytes.count <= maximumSize else { return nil }
    }
}

private func firstLine(of path: String) -> String? {
    guard let bytes = contents(of: path) else { return nil }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
}

private func status(_ path: String) -> stat? {
    var information = stat()
    return stat(path, &information) == 0 ? information : nil
}

private func exists(_ path: String) -> Bool {
    // HEAD can be a symbolic link to a branch without commits.
    var information = stat()
    return lstat(path, &information) == 0
}

private func isFolder(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false }

private func age(ofFileAt path: String) -> Int? {
    guard let information = status(path) else { return nil }
    #if canImport(Darwin)
        let changed = information.st_mtimespec.tv_sec
    #else
        let changed = information.st_mtim.tv_sec
    #endif
    return max(0, Int(time(nil)) - Int(changed))
}

private func absolute(_ path: String, from folder: String) -> String {
    path.hasPrefix("/") ? path : folder + "/" + path
}

private func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
}
