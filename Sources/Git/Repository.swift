internal import Platform

/// The git repository, or the linked worktree of one, that contains a folder.
///
/// It is found as git finds it, by walking up from the folder, but without running git: a command that finds
/// no changed file needs nothing else. The format of the files that are read here is described in git's
/// `gitrepository-layout(5)`.
package struct Repository: Sendable, Hashable {
    /// The folder that holds this worktree's `HEAD` and `index`: `.git`, or a folder in `.git/worktrees`.
    package let gitDirectory: String
    /// The folder that holds what all worktrees share, such as branches.
    package let commonDirectory: String
    /// The worktree's top folder.
    package let top: String
    /// The path of the searched folder below ``top``, with a trailing slash; empty for the top folder.
    package let prefix: String

    /// Whether this is a linked worktree, created by `git worktree add`.
    package var isLinked: Bool { gitDirectory != commonDirectory }

    /// Finds the repository that contains a folder.
    ///
    /// - Parameter folder: an absolute path without symbolic links.
    /// - Returns: nil if the folder is in no repository, or if jj manages it (it has a `.jj` folder): jj
    ///   moves git's HEAD by itself, so that HEAD says nothing about the files.
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

    private static func gitDirectory(of top: String) -> String? {
        let path = (top == "/" ? "" : top) + "/.git"
        if isFolder(path) { return exists(path + "/HEAD") ? resolved(path) : nil }
        // In a linked worktree and a submodule, `.git` is a file: `gitdir: PATH`. If nothing is there, git
        // looks no further, and neither does this: the folder is in a repository that can't be asked.
        guard let line = firstLine(of: path), line.hasPrefix("gitdir: ") else { return nil }
        return resolved(absolute(String(line.dropFirst("gitdir: ".count)), from: top))
    }

    private static func commonDirectory(of gitDirectory: String) -> String {
        guard let line = firstLine(of: gitDirectory + "/commondir") else { return gitDirectory }
        return resolved(absolute(line, from: gitDirectory))
    }

    /// The top folder of the repository's main worktree; nil if it has none, as a bare repository.
    package var mainTop: String? {
        guard isLinked, let slash = commonDirectory.lastIndex(of: "/") else { return isLinked ? nil : top }
        return commonDirectory.hasSuffix("/.git") ? String(commonDirectory[..<slash]) : nil
    }

    /// Whether the worktree has an index; one that nothing was checked out in has none.
    package var hasIndex: Bool { exists(gitDirectory + "/index") }

    /// Returns the outermost repository or worktree that contains a folder and is itself inside of another
    /// folder; nil if there is none.
    ///
    /// - Parameter root: an absolute path without symbolic links.
    /// - Returns: its path relative to `root`.
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

    /// Returns a path in the searched folder as a path below ``top``.
    package func path(_ path: String) -> String { prefix + path }
}

// MARK: HEAD

extension Repository {
    /// Reads what is checked out, from the files that record it.
    ///
    /// - Returns: nil if those files don't record it, as in a repository whose branches are in a reftable, or
    ///   in a damaged one.
    package func head() -> Head? {
        guard let line = firstLine(of: gitDirectory + "/HEAD") else { return nil }
        guard line.hasPrefix("ref: ") else {
            return line.isObjectName ? Head(branch: nil, commit: line) : nil
        }
        let name = String(line.dropFirst("ref: ".count))
        // With reftables, HEAD's file holds this name, which no branch can have.
        guard name != "refs/heads/.invalid" else { return nil }
        return Head(branch: name, commit: commit(of: name))
    }

    /// Whether a reference such as `refs/heads/main` exists; nil if the repository's files don't say.
    package func hasReference(_ name: String) -> Bool? {
        guard !exists(commonDirectory + "/reftable") else { return nil }
        return commit(of: name) != nil
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

extension String {
    /// Whether this is the hexadecimal name of an object, with SHA-1 or SHA-256; git takes other words for
    /// options or expressions.
    fileprivate var isObjectName: Bool {
        (utf8.count == 40 || utf8.count == 64) && utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }
}

/// The commits that git is merging.
package struct MergedCommits: Sendable, Hashable {
    /// The commit that the first side of a conflict comes from; nil if git isn't merging, or doesn't say
    /// which.
    package var head: String?
    /// The one commit whose changes git applies to it: by a merge, a cherry-pick or a rebase.
    package var merged: String?

    package init(head: String? = nil, merged: String? = nil) {
        self.head = head
        self.merged = merged
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
    /// A file that shows that git is in the middle of an operation.
    package struct Progress: Sendable, Hashable {
        /// The operation, such as `merge`.
        package let operation: String
        /// The file's path, such as `.git/MERGE_HEAD`; it is absolute if it isn't below the worktree's top.
        package let path: String
        /// How long ago the file was written, in seconds.
        package let age: Int
    }

    /// For how long an `index.lock` counts as that of a running command, in seconds; an older one was left by
    /// a command that crashed.
    private static let lockAge = 600

    /// Returns the operation that git is in the middle of; nil if it isn't.
    package func progress() -> Progress? {
        let files = [
            ("rebase", "rebase-merge"), ("rebase", "rebase-apply"), ("merge", "MERGE_HEAD"),
            ("cherry-pick", "CHERRY_PICK_HEAD"), ("revert", "REVERT_HEAD"), ("squash merge", "SQUASH_MSG"),
            ("merge", "MERGE_AUTOSTASH"), ("command", "index.lock"),
        ]
        for (operation, file) in files {
            guard let age = age(ofFileAt: gitDirectory + "/" + file) else { continue }
            if file == "index.lock", age > Self.lockAge { continue }
            // `git am` keeps its state in the folder of the older kind of rebase.
            let isAm = file == "rebase-apply" && exists(gitDirectory + "/rebase-apply/applying")
            return Progress(
                operation: isAm ? "am" : operation, path: shown(gitDirectory + "/" + file), age: age)
        }
        return nil
    }

    /// Returns the commits of the operation that git is in the middle of.
    package func mergedCommits() -> MergedCommits {
        guard progress() != nil else { return MergedCommits() }
        let merged = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD"].lazy
            .compactMap { contents(of: gitDirectory + "/" + $0)?.split(separator: UInt8(ascii: "\n")) }
            .first { !$0.isEmpty }
        return MergedCommits(
            head: head()?.commit,
            // Of several commits, the markers don't tell which one it is.
            merged: merged?.count == 1 ? merged?.first.map { String(decoding: $0, as: UTF8.self) } : nil)
    }

    /// Returns a path as it is shown: the repository of a linked worktree is elsewhere.
    private func shown(_ path: String) -> String {
        path.hasPrefix(top + "/") ? String(path.dropFirst(top.utf8.count + 1)) : path
    }
}

// MARK: Reading small files

/// The maximum size of a file that is read; `packed-refs` of a large repository has some megabytes.
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
