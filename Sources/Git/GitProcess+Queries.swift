// Queries that run git. Paths are relative to the folder where the search for the repository began.
extension GitProcess {
    /// The option that makes git treat paths literally.
    ///
    /// The environment variable for it can't be set for all commands, because `check-ignore` would fail.
    private static let literally = "--literal-pathspecs"

    /// Returns what is checked out, according to git.
    package func head() throws(Failure) -> Head {
        let branch = try run(["symbolic-ref", "-q", "HEAD"], accepted: [0, 1])
        let commit = try run(["rev-parse", "-q", "--verify", "HEAD^{commit}"], accepted: [0, 1])
        return Head(
            branch: branch.status == 0 ? branch.output.firstLine : nil,
            commit: commit.status == 0 ? commit.output.firstLine : nil)
    }

    /// Returns the log of HEAD; used if the repository's files don't show it.
    package func headLog() throws(Failure) -> HeadLog {
        let answer = try run(["log", "-g", "--format=%H%x09%gs", "HEAD", "--"], accepted: [0, 128])
        guard answer.status == 0 else { return HeadLog([]) }
        var lines: [String] = []
        var old = String(repeating: "0", count: 40)
        for line in answer.output.split(separator: UInt8(ascii: "\n")).reversed() {
            let words = line.split(
                separator: UInt8(ascii: "\t"), maxSplits: 1, omittingEmptySubsequences: false)
            let new = String(decoding: words[0], as: UTF8.self)
            let message = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : ""
            lines.append("\(old) \(new) <> 0 +0000\t\(message)\n")
            old = new
        }
        return HeadLog(Array(lines.joined().utf8))
    }

    /// A file's path in a commit; an empty name of the commit stands for the index.
    package struct Location: Sendable, Hashable {
        package var commit: String
        package var path: String

        package init(commit: String, path: String) { (self.commit, self.path) = (commit, path) }
    }

    /// Returns the contents of files in commits and in the index, without those that don't exist.
    ///
    /// Fails if the repository lacks the contents of a file in a commit, as in a damaged repository or a
    /// partial clone.
    package func texts(at locations: Set<Location>) throws(Failure) -> [Location: [UInt8]] {
        guard !locations.isEmpty else { return [:] }
        let locations = locations.filter { !$0.path.contains("\n") }
        let order = locations.sorted { ($0.commit, $0.path) < ($1.commit, $1.path) }
        let input = order.flatMap { location in
            // `:0:` is the index's entry without a conflict, and `./` the folder where git runs
            // (`gitrevisions(7)`): its name might have a line break.
            Array("\(location.commit.isEmpty ? ":0" : location.commit):./\(location.path)\n".utf8)
        }
        let folder = repository.prefix.isEmpty ? [] : ["-C", repository.prefix]
        let output = try run(folder + ["cat-file", "--batch-check"], input: input).output
        let lines = output.split(separator: UInt8(ascii: "\n"))
        guard lines.count == order.count else { throw .failed("cat-file gave \(lines.count) answers") }
        var names: [Location: String] = [:]
        for (location, line) in zip(order, lines) {
            // OID SP TYPE SP SIZE, or NAME SP missing.
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            if words.count == 3, words[1] == "blob" { names[location] = String(words[0]) }
        }
        let wanted = Array(Set(names.values))
        var texts: [String: [UInt8]] = [:]
        for (name, text) in zip(wanted, try blobs(wanted)) {
            guard let text else { throw .failed("the repository lacks object \(name)") }
            texts[name] = text
        }
        return names.compactMapValues { texts[$0] }
    }

    /// Returns the contents of blobs by name, without blobs that the repository lacks.
    package func existingTexts(_ names: Set<String>) throws(Failure) -> [String: [UInt8]] {
        let names = Array(names)
        var texts: [String: [UInt8]] = [:]
        for (name, text) in zip(names, try blobs(names)) { texts[name] = text }
        return texts
    }

    /// The maximum number of paths to pass to git individually; for more, git lists the whole folder.
    private static let manyPaths = 100

    /// Returns the arguments that limit a command to some of the folder's paths.
    private func scope(_ paths: [String]) -> [String] {
        if paths.count <= Self.manyPaths { return paths.map(repository.path) }
        return repository.prefix.isEmpty ? [] : [repository.prefix]
    }

    /// Returns the names of a commit's blobs at some paths; the repository needn't have the blobs.
    package func committedBlobs(at paths: [String], in commit: String) throws(Failure) -> [String: String] {
        guard !paths.isEmpty else { return [:] }
        let command = [Self.literally, "ls-tree", "-r", "-z", "--full-tree", "--", commit]
        let wanted = Set(paths)
        var names: [String: String] = [:]
        // MODE SP TYPE SP OID TAB PATH NUL
        for entry in try run(command + scope(paths)).output.split(separator: 0) {
            guard let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else { continue }
            let words = String(decoding: entry[..<tab], as: UTF8.self).split(separator: " ")
            let path = below(String(decoding: entry[tab...].dropFirst(), as: UTF8.self))
            if words.count == 3, words[1] == "blob", wanted.contains(path) { names[path] = String(words[2]) }
        }
        return names
    }

    /// Returns the contents of blobs in the order of their names; nil for a blob that the repository lacks.
    private func blobs(_ names: [String]) throws(Failure) -> [[UInt8]?] {
        var texts: [[UInt8]?] = []
        while texts.count < names.count {
            let input = names[texts.count...].flatMap { Array("\($0)\n".utf8) }
            let (status, output) = try run(["cat-file", "--batch"], input: input, accepted: [0, 128])
            var answer = output[...]
            while texts.count < names.count, let end = answer.firstIndex(of: UInt8(ascii: "\n")) {
                // OID SP TYPE SP SIZE LF, the text, and another LF; or OID SP missing LF.
                let words = String(decoding: answer[..<end], as: UTF8.self).split(separator: " ")
                answer = answer[answer.index(after: end)...]
                guard words.count == 3, let size = Int(words[2]) else {
                    texts.append(nil)
                    continue
                }
                guard answer.count > size else { throw .failed("cat-file printed incomplete contents") }
                texts.append(words[1] == "blob" ? Array(answer.prefix(size)) : nil)
                answer = answer.dropFirst(size + 1)
            }
            // In a partial clone, git exits when it would have to fetch a blob.
            if texts.count < names.count {
                guard status != 0 else { throw .failed("cat-file answered fewer requests than it received") }
                texts.append(nil)
            }
        }
        return texts
    }

    /// The maximum number of commits to search for earlier contents of files.
    private static let manyCommits = 1000

    /// Returns the contents that files had in a commit's history, latest first, with those that merges took
    /// from each of their parents.
    package func history(
        of paths: [String], in commit: String
    ) throws(Failure) -> [(path: String, text: [UInt8])] {
        guard !paths.isEmpty else { return [] }
        let output = try run(
            [
                Self.literally, "log", "-m", "-z", "--format=", "--raw", "--no-abbrev", "--no-renames",
                "--root",
            ]
                + ["-n", "\(Self.manyCommits)", commit, "--"] + scope(paths)
        ).output
        // :MODE SP MODE SP OID SP OID SP STATUS NUL PATH NUL
        let fields = output.split(separator: 0).map { field in
            String(decoding: field.drop { $0 == UInt8(ascii: "\n") }, as: UTF8.self)
        }
        let wanted = Set(paths)
        var names: [(path: String, name: String)] = []
        for (description, path) in zip(fields, fields.dropFirst()) where description.hasPrefix(":") {
            let words = description.split(separator: " ")
            let path = below(path)
            guard words.count == 5, words[4] != "D", wanted.contains(path) else { continue }
            names.append((path, String(words[3])))
        }
        return zip(names, try blobs(names.map(\.name))).compactMap { entry, text in
            text.map { (entry.path, $0) }
        }
    }

    /// Returns the paths that a commit deletes that HEAD has and another commit lacks.
    ///
    /// - Parameter commit: The commit where the search ends; nil to search all of HEAD's history.
    package func deletedPaths(since commit: String?, of paths: [String]) throws(Failure) -> Set<String> {
        guard !paths.isEmpty else { return [] }
        var deleted: Set<String> = []
        // A merge deletes what it lacks of its first parent.
        for merges in [["--full-history"], ["-m", "--first-parent"]] {
            let output = try run(
                [Self.literally, "log", "-z", "--format=", "--name-only", "--no-renames", "--diff-filter=D"]
                    + merges + [commit.map { "\($0)..HEAD" } ?? "HEAD", "--"] + scope(paths)
            ).output
            deleted.formUnion(names(in: output))
        }
        return deleted.intersection(paths)
    }

    /// Returns whether a commit adds a path and lacks another one, as a commit that moves a file does.
    package func hasCommit(adding path: String, without other: String) throws(Failure) -> Bool {
        let commit = try run(
            [
                Self.literally, "log", "--all", "--full-history", "-n", "1", "--format=%H", "--no-renames",
                "--diff-filter=A", "--", repository.path(path),
            ]
        ).output.firstLine
        guard !commit.isEmpty else { return false }
        return try run(["ls-tree", "--name-only", commit, "--", repository.path(other)]).output.isEmpty
    }

    /// Returns whether the latest stash has a file or folder of this name, in the searched folder or above,
    /// among those that git didn't track.
    package func hasStashed(_ name: String) throws(Failure) -> Bool {
        let folders = repository.prefix.split(separator: "/")
        let paths = (0...folders.count).map { (folders.prefix($0) + [name[...]]).joined(separator: "/") }
        // The stash's third parent has these files.
        return try !run(
            ["ls-tree", "--name-only", "refs/stash^3", "--"] + paths, accepted: [0, 128]
        ).output.isEmpty
    }

    /// Returns whether a file in a commit has a line with a field's value, in any letter case.
    package func hasLine(_ field: String, _ value: String, in commit: String) throws(Failure) -> Bool {
        let lines = ["", "\"", "'"].map { "\(field): \($0)\(value)\($0)" }
        let scope = repository.prefix.isEmpty ? [] : ["--", repository.prefix]
        let found = try run(
            [Self.literally, "grep", "-q", "-i", "-w", "-F"] + lines.flatMap { ["-e", $0] } + [commit]
                + scope,
            accepted: [0, 1, 128])
        return found.status == 0
    }

    /// Returns whether a branch has a commit.
    package func isOnBranch(_ commit: String) throws(Failure) -> Bool {
        try !run(
            ["for-each-ref", "--count=1", "--contains", commit, "refs/heads"], accepted: [0, 129]
        ).output.isEmpty
    }

    /// Returns whether the repository has any of some texts as an object.
    package func hasAny(of texts: [[UInt8]]) throws(Failure) -> Bool {
        for text in texts {
            let name = try run(["hash-object", "--stdin"], input: text).output.firstLine
            if try run(["cat-file", "-e", name], accepted: [0, 1, 128]).status == 0 { return true }
        }
        return false
    }

    /// The paths that a command printed with `--name-only -z`.
    private func names(in output: [UInt8]) -> Set<String> {
        // With -z, an empty format leaves line breaks before a commit's first path.
        Set(
            output.split(separator: 0).map { entry in
                below(String(decoding: entry.drop { $0 == UInt8(ascii: "\n") }, as: UTF8.self))
            })
    }

    /// Returns the paths that git converts on checkout with a filter, `ident` or an encoding.
    package func converted(_ paths: [String]) throws(Failure) -> Set<String> {
        let attributes = try attributes(["filter", "ident", "working-tree-encoding"], of: paths)
        return Set(attributes.filter { $0.value != "unspecified" && $0.value != "unset" }.map(\.path))
    }

    /// Returns attributes: for each path and name, the value that `git check-attr` prints.
    func attributes(
        _ names: [String], of paths: [String]
    ) throws(Failure) -> [(path: String, value: String)] {
        guard !paths.isEmpty else { return [] }
        let input = paths.flatMap { path -> [UInt8] in Array(repository.path(path).utf8) + [0] }
        let output = try run(["check-attr", "-z", "--stdin"] + names, input: input).output
        // PATH NUL ATTRIBUTE NUL VALUE NUL
        let fields = output.split(separator: 0, omittingEmptySubsequences: false)
        return stride(from: 0, to: fields.count - 2, by: 3).map { start in
            let value = String(decoding: fields[start + 2], as: UTF8.self)
            return (below(String(decoding: fields[start], as: UTF8.self)), value)
        }
    }

    /// The paths in the index.
    package struct Index: Sendable {
        /// The paths that are present in the folder.
        package var present: Set<String> = []
        /// The names of their blobs, except for paths with a conflict.
        package var blobs: [String: String] = [:]
        /// The paths that a sparse checkout leaves out of the folder (`skip-worktree`).
        package var sparse: Set<String> = []
        /// The paths with a conflict, and the names of the blobs of each: 1 is the common version, 2 HEAD's
        /// version and 3 the other one (`git-ls-files(1)`, `--unmerged`).
        package var unmerged: [String: [Int: String]] = [:]
    }

    /// Returns the paths in the index.
    package func indexed() throws(Failure) -> Index {
        let scope = repository.prefix.isEmpty ? [] : ["--", repository.prefix]
        let output = try run([Self.literally, "ls-files", "-z", "-t", "-s", "--full-name"] + scope).output
        var index = Index()
        for entry in output.split(separator: 0) {
            // TAG SP MODE SP OID SP STAGE TAB PATH
            guard let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else { continue }
            let words = String(decoding: entry[..<tab], as: UTF8.self).split(separator: " ")
            let path = below(String(decoding: entry[tab...].dropFirst(), as: UTF8.self))
            if words.first == "S" {
                index.sparse.insert(path)
            } else {
                index.present.insert(path)
                guard words.count == 4 else { continue }
                if let stage = Int(words[3]), stage > 0 {
                    index.unmerged[path, default: [:]][stage] = String(words[2])
                } else {
                    index.blobs[path] = String(words[2])
                }
            }
        }
        return index
    }

    /// Returns whether a commit equals another commit or is one of its ancestors; false if either doesn't
    /// exist.
    package func isAncestor(_ commit: String, of other: String) throws(Failure) -> Bool {
        if commit == other { return true }
        return try run(["merge-base", "--is-ancestor", commit, other], accepted: [0, 1, 128]).status == 0
    }

    /// Returns the paths that the folder's ignore files match, tracked or not.
    package func ignored(_ paths: [String]) throws(Failure) -> Set<String> {
        guard !paths.isEmpty else { return [] }
        // The command rejects a path that begins with `:(`.
        let input = paths.flatMap { path -> [UInt8] in Array("./\(repository.path(path))".utf8) + [0] }
        let output = try run(
            ["check-ignore", "-z", "--stdin", "--no-index"], input: input, accepted: [0, 1]
        ).output
        return Set(
            output.split(separator: 0).map { below(String(decoding: $0.dropFirst(2), as: UTF8.self)) })
    }

    /// The maximum number of paths to look up individually; for more, listing all commits' paths is faster.
    private static let fewPaths = 8

    /// Returns the given paths that exist in any commit of a branch, tag, reflog or stash.
    package func committed(_ paths: [String]) throws(Failure) -> Set<String> {
        var committed: Set<String> = []
        // Without --full-history, git follows only one parent of a stash, not the one with untracked files.
        let commits = ["--all", "--reflog", "--full-history"]
        guard paths.count > Self.fewPaths else {
            for path in paths {
                let output = try run(
                    [Self.literally, "rev-list", "-1"] + commits + ["--", repository.path(path)]
                ).output
                if !output.isEmpty { committed.insert(path) }
            }
            return committed
        }
        let scope = repository.prefix.isEmpty ? [] : ["--", repository.prefix]
        let output = try run(
            [Self.literally, "log", "-z", "--format=", "--name-only", "--no-renames", "--root", "-m"]
                + commits + scope
        ).output
        return Set(paths).intersection(names(in: output))
    }

    /// Converts a path below the top folder to a path in the searched folder.
    private func below(_ path: String) -> String {
        path.hasPrefix(repository.prefix) ? String(path.dropFirst(repository.prefix.count)) : path
    }
}

extension [UInt8] {
    fileprivate var firstLine: String {
        String(decoding: prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
