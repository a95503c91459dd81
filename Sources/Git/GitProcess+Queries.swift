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

    /// Returns the commit of a reference; nil if the reference doesn't exist.
    package func commit(of name: String) throws(Failure) -> String? {
        let answer = try run(["rev-parse", "-q", "--verify", name + "^{commit}"], accepted: [0, 1, 128])
        return answer.status == 0 ? answer.output.firstLine : nil
    }

    /// Returns whether a reference exists.
    package func hasReference(_ name: String) throws(Failure) -> Bool {
        try run(["show-ref", "--verify", "-q", name], accepted: [0, 1]).status == 0
    }

    /// Returns the contents of files in a commit and in the index; nil for missing paths.
    ///
    /// Fails if the repository lacks the contents of a file in the commit, as in a damaged repository or a
    /// partial clone.
    package func texts(
        of paths: [String], in commit: String
    ) throws(Failure) -> (committed: [[UInt8]?], staged: [[UInt8]?]) {
        let committed = try committedBlobs(at: paths, in: commit)
        let staged = try stagedBlobs(at: paths)
        let names = Array(Set(committed.values).union(staged.values))
        var texts: [String: [UInt8]] = [:]
        for (name, text) in zip(names, try blobs(names)) {
            guard let text else { throw .failed("the repository lacks object \(name)") }
            texts[name] = text
        }
        let text = { (name: String?) in name.flatMap { texts[$0] } }
        return (paths.map { text(committed[$0]) }, paths.map { text(staged[$0]) })
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
        // MODE SP TYPE SP OID TAB PATH NUL
        try listed(["ls-tree", "-r", "-z", "--full-tree", "--", commit], paths) { words in
            words[1] == "blob" ? words[2] : nil
        }
    }

    /// Returns the names of the index's blobs at some paths.
    private func stagedBlobs(at paths: [String]) throws(Failure) -> [String: String] {
        // MODE SP OID SP STAGE TAB PATH NUL. A path with a conflict isn't in stage 0, and a submodule has no
        // blob.
        try listed(["ls-files", "-s", "-z", "--full-name", "--"], paths) { words in
            words[2] == "0" && words[0] != "160000" ? words[1] : nil
        }
    }

    /// Returns the object names that a command lists for some paths.
    ///
    /// - Parameter name: Returns the object name from the three words before a path; nil if there isn't one.
    private func listed(
        _ command: [String], _ paths: [String], name: ([Substring]) -> Substring?
    ) throws(Failure) -> [String: String] {
        guard !paths.isEmpty else { return [:] }
        let output = try run([Self.literally] + command + scope(paths)).output
        let wanted = Set(paths)
        var names: [String: String] = [:]
        for entry in output.split(separator: 0) {
            guard let tab = entry.firstIndex(of: UInt8(ascii: "\t")) else { continue }
            let words = String(decoding: entry[..<tab], as: UTF8.self).split(separator: " ")
            let path = below(String(decoding: entry[tab...].dropFirst(), as: UTF8.self))
            guard words.count == 3, wanted.contains(path), let name = name(words) else { continue }
            names[path] = String(name)
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

    /// Returns the contents of files in a commit and its ancestors, latest first.
    package func history(of paths: [String], in commit: String) throws(Failure) -> [String: [[UInt8]]] {
        guard !paths.isEmpty else { return [:] }
        let output = try run(
            [Self.literally, "log", "-z", "--format=", "--raw", "--no-abbrev", "--no-renames", "--root"]
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
        var history: [String: [[UInt8]]] = [:]
        for (entry, text) in zip(names, try blobs(names.map(\.name))) {
            if let text { history[entry.path, default: []].append(text) }
        }
        return history
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

    /// Returns whether the repository has a commit.
    package func exists(_ commit: String) throws(Failure) -> Bool {
        try run(["cat-file", "-e", commit + "^{commit}"], accepted: [0, 1, 128]).status == 0
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
        let all = Set(
            output.split(separator: 0).map { entry in
                // With -z, an empty format leaves line breaks before a commit's first path.
                below(String(decoding: entry.drop { $0 == UInt8(ascii: "\n") }, as: UTF8.self))
            })
        return Set(paths).intersection(all)
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
