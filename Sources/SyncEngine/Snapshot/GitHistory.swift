internal import Git
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// What git shows about some todos' files: the texts in the index and in commits, and how HEAD has moved
/// since the last command that judged all todos.
///
/// Each question is asked once, for all of the files together.
final class GitHistory {
    let head: Head
    let last: RecordedHead
    /// The movements of HEAD since the last command, oldest first.
    let steps: [HeadLog.Step]
    /// The commits where HEAD has been since the last command, beginning with the current one.
    let visited: [String]
    /// Whether git has a log of HEAD.
    let hasLog: Bool
    /// Whether the worktree has an index.
    let hasIndex: Bool

    private let process: GitProcess
    private let todos: [TodoID: TodoPaths]
    /// The paths of all todos.
    private let paths: [String]
    private var texts: [GitProcess.Location: [UInt8]] = [:]
    /// The commits of the latest stash with the files that git tracks and with those that it doesn't.
    private lazy var stashes = process.repository.stash.map { [$0, $0 + "^3"] } ?? []
    private var converted: Set<String> = []
    /// The answers to questions that are asked only if they matter.
    private var answers: [[String?]: Any] = [:]

    /// The paths of a todo that git is asked about.
    struct TodoPaths {
        /// The paths that the todo has and had, the current one first.
        var all: [String]
        var past: PastTexts
    }

    /// A todo's text and path in a commit or in the index.
    struct File: Hashable {
        var bytes: [UInt8]
        var path: String

        /// Returns whether another file has the same path and the same text, except for line endings.
        func isSame(as other: File) -> Bool { path == other.path && isSameText(bytes, other.bytes) }
    }

    /// The maximum number of commits where HEAD has been to look at.
    private static let manyVisits = 20
    /// The maximum number of movements of HEAD to look at.
    private static let manySteps = 200

    init(
        _ process: GitProcess, _ log: HeadLog, hasIndex: Bool, head: Head, since last: RecordedHead,
        _ todos: [TodoID: TodoPaths]
    ) throws(GitProcess.Failure) {
        (self.process, self.head, self.last, self.todos) = (process, head, last, todos)
        paths = todos.values.flatMap(\.all).withoutRepetition
        (hasLog, self.hasIndex) = (!log.isEmpty, hasIndex)
        let position = last.logLength.map { LogPosition(length: $0, last: last.lastLogLine) }
        var steps = position.flatMap(log.steps)?.suffix(Self.manySteps) ?? []
        if steps.isEmpty, let commit = head.commit, commit != last.commit {
            let isSameBranch = head.branch != nil && head.branch == last.branch
            var follows = true
            if let old = last.commit { follows = try process.isAncestor(old, of: commit) }
            let message = !isSameBranch ? "checkout:" : follows ? "commit" : "reset:"
            steps = [HeadLog.Step(old: last.commit, new: commit, message: message)]
        }
        self.steps = Array(steps)
        // `git switch -c` leads nowhere else.
        let moves = steps.filter { $0.old != $0.new }
        visited = head.commit.map { [$0] + moves.suffix(Self.manyVisits).map(\.new) }?.withoutRepetition ?? []
        try read()
    }

    /// Reads the texts of all todos in all commits that the rules compare.
    private func read() throws(GitProcess.Failure) {
        var commits = Set(visited + ([last.commit, Self.index] + stashes).compactMap(\.self))
        for step in steps { commits.formUnion([step.old, step.new].compactMap(\.self)) }
        texts = try process.texts(
            at: Set(commits.flatMap { commit in paths.map { .init(commit: commit, path: $0) } }))
        converted = try process.converted(Array(Set(texts.keys.map(\.path))))
        guard let commit = head.commit else { return }
        // A file that only seems to be missing from HEAD would count as the user's.
        for (path, name) in try process.committedBlobs(at: paths, in: commit)
        where texts[.init(commit: commit, path: path)] == nil && !path.contains("\n") {
            throw .failed("the repository lacks object \(name)")
        }
    }

    /// Returns the answer to a question, which is asked only once.
    private func once<Answer>(
        _ question: String?..., ask: () throws(GitProcess.Failure) -> Answer
    ) throws(GitProcess.Failure) -> Answer {
        if let answer = answers[question] as? Answer { return answer }
        let answer = try ask()
        answers[question] = answer
        return answer
    }
}

// MARK: Files in commits

extension GitHistory {
    /// The name for the index in place of a commit's.
    static let index = ""

    /// Returns the text at a path in a commit, if it is the todo's; nil also if git converts the file.
    func text(_ commit: String?, _ path: String, of id: TodoID) -> [UInt8]? {
        guard let commit, !converted.contains(path) else { return nil }
        return texts[.init(commit: commit, path: path)]?.text(of: id)
    }

    /// Returns a todo's file in a commit, at any of its paths.
    func file(_ id: TodoID, in commit: String?) -> File? {
        for path in todos[id]?.all ?? [] {
            if let bytes = text(commit, path, of: id) { return File(bytes: bytes, path: path) }
        }
        return nil
    }

    /// The index, the commits where HEAD has been since the last command, and those that resets moved it away
    /// from, whose files might be left.
    private var currentCommits: [String] {
        ([Self.index] + visited + steps.filter(\.isReset).compactMap(\.old)).withoutRepetition
    }

    /// Returns a todo's files in the ``currentCommits``.
    func currentFiles(of id: TodoID) -> [File] { currentCommits.compactMap { file(id, in: $0) } }

    /// Returns the first of the ``currentCommits`` where a todo's file meets a condition; the index only if
    /// no commit does.
    func currentCommit(of id: TodoID, where isMeant: (File) -> Bool) -> String? {
        let found = currentCommits.filter { file(id, in: $0).map(isMeant) ?? false }
        return found.first { $0 != Self.index } ?? found.first
    }

    /// Returns whether the latest stash has a text of a todo's.
    func isStashed(_ bytes: [UInt8]?, of id: TodoID) -> Bool {
        stashes.contains { stash in
            bytes.flatMap { bytes in file(id, in: stash).map { isSameText($0.bytes, bytes) } } ?? false
        }
    }

    /// Returns whether a commit has a path, and no other todo's file at it.
    func has(_ commit: String?, _ path: String, of id: TodoID) -> Bool {
        commit.flatMap { texts[.init(commit: $0, path: path)] }?.isFile(of: id) ?? false
    }

    /// Returns whether a commit has another todo's file at a path.
    func hasOther(_ commit: String, _ path: String, of id: TodoID) -> Bool {
        texts[.init(commit: commit, path: path)].map { !$0.isFile(of: id) } ?? false
    }

    /// Whether git converts the file at a path between commits and the folder.
    func isConverted(_ path: String) -> Bool { converted.contains(path) }

    /// Returns the nearest synced version in the history of a todo's file up to a commit.
    func nearest(_ id: TodoID, to commit: String) throws(GitProcess.Failure) -> File? {
        let isSynced = { [past = todos[id]?.past] (file: File) in past?.rank(of: file.bytes) != nil }
        if let file = file(id, in: commit), isSynced(file) { return file }
        return try history(of: id, in: commit).first(where: isSynced)
    }

    /// Returns what a todo's file has been in the history of a commit, latest first.
    func history(of id: TodoID, in commit: String) throws(GitProcess.Failure) -> [File] {
        let history = try once("history", commit) { () throws(GitProcess.Failure) in
            try process.history(of: paths, in: commit)
        }
        let own = Set(todos[id]?.all ?? [])
        return history.filter { own.contains($0.path) }.compactMap { entry in
            entry.text.text(of: id).map { File(bytes: $0, path: entry.path) }
        }
    }
}

// MARK: HEAD's movements

extension GitHistory {
    /// A commit that was made here.
    struct Commit {
        /// HEAD before it.
        var old: String?
        var new: String
        /// HEAD before the resets that went directly before; ``old`` if there were none.
        var beforeResets: String?
    }

    /// The commits made here since the last command, oldest first.
    var commits: [Commit] {
        var (commits, beforeResets): ([Commit], String?) = ([], nil)
        for step in steps {
            if step.isReset {
                beforeResets = beforeResets ?? step.old
            } else if step.isCommit {
                commits.append(Commit(old: step.old, new: step.new, beforeResets: beforeResets ?? step.old))
            } else {
                beforeResets = nil
            }
        }
        return commits
    }

    /// Returns the last commit made here that changed a todo's file, if it set it to a text and a path.
    func commit(setting id: TodoID, to target: File) -> Commit? {
        let last = commits.last { commit in
            let new = file(id, in: commit.new)
            return new != file(id, in: commit.old) && new != file(id, in: commit.beforeResets)
        }
        return last.flatMap { file(id, in: $0.new)?.isSame(as: target) == true ? $0 : nil }
    }

    /// The commit that the last checkout led to; nil if HEAD has only been moved in other ways.
    var lastCheckout: String? { steps.last(where: \.isCheckout)?.new }

    /// Returns whether a commit equals another commit or is one of its ancestors.
    func isAncestor(_ commit: String?, of other: String?) throws(GitProcess.Failure) -> Bool {
        guard let commit, let other else { return false }
        return try once("ancestor", commit, other) { () throws(GitProcess.Failure) in
            try process.isAncestor(commit, of: other)
        }
    }

    func isOnBranch(_ commit: String) throws(GitProcess.Failure) -> Bool {
        try once("branch", commit) { () throws(GitProcess.Failure) in try process.isOnBranch(commit) }
    }
}

// MARK: Missing files

extension GitHistory {
    /// The index, with the paths that a sparse checkout leaves out.
    func indexed() throws(GitProcess.Failure) -> GitProcess.Index {
        try once("index") { () throws(GitProcess.Failure) in try process.indexed() }
    }

    /// Returns whether a commit deletes a path, among those that HEAD has since another commit.
    func isDeleted(_ path: String, since commit: String?) throws(GitProcess.Failure) -> Bool {
        try once("deleted", commit) { () throws(GitProcess.Failure) in
            try process.deletedPaths(since: commit, of: paths)
        }.contains(path)
    }

    /// Returns whether a commit has a file with a todo's id, as one that moves the file does.
    func isMoved(_ id: TodoID, by commit: Commit) throws(GitProcess.Failure) -> Bool {
        try process.hasLine(FieldName.id, id.string, in: commit.new)
    }

    /// Returns whether the ignore files name a path: a commit that stops tracking such a file removes it from
    /// the folders of everybody who pulls it.
    func isIgnored(_ path: String) throws(GitProcess.Failure) -> Bool {
        try once("ignored") { () throws(GitProcess.Failure) in try process.ignored(paths) }.contains(path)
    }

    /// Returns whether any commit of a branch, a tag, the log of HEAD or a stash has had a todo's path.
    func wasCommitted(_ id: TodoID) throws(GitProcess.Failure) -> Bool {
        let committed = try once("committed") { () throws(GitProcess.Failure) in
            try process.committed(paths)
        }
        return !committed.isDisjoint(with: todos[id]?.all ?? [])
    }

    /// The number of a todo's synced texts to look up, of which the latest matter.
    private static let manyTexts = 20

    /// Returns whether the repository has a synced text of a todo as an object, committed or not.
    func hasObject(of id: TodoID) throws(GitProcess.Failure) -> Bool {
        let texts = todos[id]?.past.syncedTexts.prefix(Self.manyTexts) ?? []
        return try process.hasAny(of: texts.map { $0.converted(to: .lineFeed) })
    }
}
