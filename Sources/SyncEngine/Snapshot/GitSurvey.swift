internal import Git
internal import Logging
internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

/// The git repository around a working directory, as seen by one command.
///
/// Git is asked only about files that changed or are gone, and each question is asked once.
final class GitSurvey {
    let repository: Repository
    private let directory: WorkingDirectory
    private let surroundings: Surroundings
    private lazy var process = GitProcess(
        repository, environment: surroundings.environment, logger: surroundings.logger)
    private lazy var headAnswer = Result { () throws(GitProcess.Failure) in
        if let head = repository.head() { return head }
        return try process.head()
    }
    private var lastHistory: (asked: [TodoID: String], history: GitHistory)?
    private var lastSnapshot: Snapshot?
    /// The rules that gave the standings.
    private var rules: [TodoID: GitRule] = [:]
    /// The files in HEAD and the index of pending todos that aren't recorded yet; nil if git wasn't asked.
    private var newCommitted: [TodoID: [GitHistory.File]]?
    /// Whether git failed to answer about changed files, and HEAD has moved.
    private(set) var isUnanswered = false

    /// Finds the repository of a working directory; nil if there isn't one.
    init?(_ workspace: Workspace) {
        guard let repository = workspace.repository else { return nil }
        self.repository = repository
        directory = workspace.directory
        surroundings = workspace.surroundings
    }

    /// What is checked out; nil if it can't be determined.
    var head: Head? { try? headAnswer.get() }

    private func log() throws(GitProcess.Failure) -> HeadLog {
        if let log = repository.headLog() { return log }
        return try process.headLog()
    }

    /// Returns the record of what is checked out when a command that judged all todos ends; nil if it can't
    /// be determined.
    ///
    /// - Parameter snapshot: The folder at the end of the command.
    func recordedHead(_ snapshot: Snapshot) -> RecordedHead? {
        guard let head, let end = try? log().end else { return nil }
        var branches = snapshot.tracked.head?.branches ?? []
        let isLooking = snapshot.standings.values.contains { standing in
            if case .held(let held) = standing { held.reason == .notSentYet } else { false }
        }
        // While todos of a branch wait to be sent, the branch is only looked at.
        if let branch = head.branch, !isLooking, !branches.contains(branch) { branches.append(branch) }
        return RecordedHead(
            branch: head.branch, commit: head.commit, logLength: end.length, lastLogLine: end.last,
            stash: repository.stash, branches: branches)
    }

    /// Adds git's information about the files to a snapshot.
    func judge(_ snapshot: inout Snapshot) throws {
        noteMerge(in: &snapshot)
        snapshot.head = head
        rules = [:]
        // Before the first command in a repository, git can't have changed anything.
        if let last = snapshot.tracked.head {
            try matchCommitted(&snapshot, last)
            try markDuplicates(&snapshot)
            snapshot.standings = try standings(snapshot, last)
            try releaseTaken(&snapshot, last)
        } else {
            snapshot.standings = [:]
        }
        snapshot.gitRules = rules
        snapshot.rolledBack = try rolledBack(in: snapshot)
        lastSnapshot = snapshot
    }

    // MARK: Standings

    /// Returns the standings of a snapshot's changed and missing files; todos without one are the user's
    /// edits.
    private func standings(_ snapshot: Snapshot, _ last: RecordedHead) throws -> [TodoID: Standing] {
        let operations = snapshot.withoutStandings.pendingOperations().filter { !$0.isByCommand(snapshot) }
        guard !operations.isEmpty else { return [:] }
        var judge = GitJudge(snapshot: snapshot, past: try directory.pastTexts(of: Set(operations.map(\.id))))
        defer { rules.merge(judge.rules) { $1 } }
        do throws(GitProcess.Failure) {
            judge.git = try history(of: operations, last, judge.past)
            judge.hasStashChanged = repository.stash != last.stash
            return try judge.standings(of: operations)
        } catch {
            (judge.git, judge.failure) = (nil, error)
            let head = repository.head()
            isUnanswered = head == nil || head?.branch != last.branch || head?.commit != last.commit
            return isUnanswered ? judge.unanswered(operations) : try judge.standings(of: operations)
        }
    }

    /// Returns git's view of the files of pending operations; asks again only about other files.
    private func history(
        of operations: [PendingOperation], _ last: RecordedHead, _ past: [TodoID: PastTexts]
    ) throws(GitProcess.Failure) -> GitHistory {
        let asked = Dictionary(uniqueKeysWithValues: operations.map { ($0.id, $0.path) })
        if let lastHistory, lastHistory.asked == asked, lastHistory.history.last == last {
            return lastHistory.history
        }
        var todos: [TodoID: GitHistory.TodoPaths] = [:]
        for operation in operations {
            let past = past[operation.id] ?? PastTexts()
            let paths = [operation.path, operation.previousPath, operation.base?.todo?.path]
            todos[operation.id] = GitHistory.TodoPaths(
                all: (paths.compactMap(\.self) + past.syncedPaths).withoutRepetition, past: past)
        }
        let history = try GitHistory(
            process, log(), hasIndex: repository.hasIndex, head: headAnswer.get(), since: last, todos)
        lastHistory = (asked, history)
        return history
    }

    /// Accounts for edits of the user's that somebody else sent: a colleague who pulls a commit sends its
    /// values.
    ///
    /// If a todo's file has had the remote's value in HEAD's history since the file's basis, the remote's
    /// value is the basis of that field.
    func acknowledge(_ changes: [TodoID: RemoteState], in snapshot: inout Snapshot) {
        guard let history = lastHistory?.history, let commit = history.head.commit else { return }
        for (id, remote) in changes {
            guard let remote = remote.todo, let operation = snapshot.condition(of: id).operation,
                let local = operation.local, !operation.isByCommand(snapshot),
                let base = snapshot.tracked.todos[id]?.base?.todo
            else { continue }
            var basis = EditBasis(bytes: base.bytes, path: base.path)
            if case .editOf(let older)? = snapshot.standings[id] { basis = older }
            // Where fields are asked about, the basis is no version, but the newest one with other values.
            let start = basis.asked.isEmpty ? basis.bytes : base.bytes
            guard !isSameText(start, remote.bytes),
                let texts = try? history.history(of: id, in: commit).map(\.bytes),
                let acknowledged = basis.acknowledging(
                    remote.bytes, local: local.bytesWithID, since: start,
                    in: texts.prefix { !isSameText($0, start) })
            else { continue }
            surroundings.logger?.info(
                "acknowledge \(operation.path): the remote has a value that the file has had in HEAD's history"
            )
            snapshot.standings[id] = .editOf(acknowledged)
        }
    }

    /// Returns a record that marks a pending todo's texts in HEAD and in the index as older versions; nil if
    /// neither has one.
    ///
    /// It must be recorded once the edit is sent or merged, so that the committed text doesn't count as the
    /// user's edit if git brings it back.
    func recordOfCommitted(_ id: TodoID) -> JournalRecord? {
        if newCommitted == nil { newCommitted = committedFiles() }
        guard let files = newCommitted?.removeValue(forKey: id) else { return nil }
        var past = RecordedPast()
        (past.texts, past.synced) = (files.map(\.bytes), files.map { ContentMark(ofLines: $0.bytes) })
        return .past(id: id, past)
    }

    /// Returns the files of all pending todos in HEAD and the index.
    private func committedFiles() -> [TodoID: [GitHistory.File]] {
        guard let snapshot = lastSnapshot, let commit = head?.commit else { return [:] }
        let operations = snapshot.withoutStandings.pendingOperations()
        let last = snapshot.tracked.head ?? RecordedHead(branch: head?.branch, commit: commit)
        guard !operations.isEmpty, let past = try? directory.pastTexts(of: Set(operations.map(\.id))),
            let history = try? history(of: operations, last, past)
        else { return [:] }
        let files = operations.map { operation in
            (operation.id, [GitHistory.index, commit].compactMap { history.file(operation.id, in: $0) })
        }
        return Dictionary(uniqueKeysWithValues: files.filter { !$1.isEmpty })
    }

    // MARK: Files that git has

    /// Returns the paths at which HEAD, or else the index, has exactly a file's text; none if git fails.
    private func committed(_ files: [(path: String, bytes: [UInt8])], orStaged: Bool = true) -> Set<String> {
        guard !files.isEmpty, let commit = head?.commit else { return [] }
        let commits = orStaged ? [commit, GitHistory.index] : [commit]
        let locations = files.flatMap { file in
            commits.map { GitProcess.Location(commit: $0, path: file.path) }
        }
        let texts = (try? process.texts(at: Set(locations))) ?? [:]
        let found = files.filter { file in
            commits.contains { commit in
                texts[.init(commit: commit, path: file.path)].map { isSameText($0, file.bytes) } ?? false
            }
        }
        return Set(found.map(\.path))
    }

    /// Matches files that git has without an id with the todos that formerly had their paths.
    ///
    /// Such a file is an older version of its todo, not a new todo.
    private func matchCommitted(_ snapshot: inout Snapshot, _ last: RecordedHead) throws {
        let files = snapshot.folder.newTodos
        let committed = committed(files.map { ($0.path, $0.bytes) })
        guard !committed.isEmpty, let head, let commit = head.commit else { return }
        // On an unrelated commit, git might have put anything at a path.
        let isFollowing =
            head.branch.map(last.branches.contains) ?? false || last.commit == nil
            || (try? process.isAncestor(last.commit ?? commit, of: commit)) ?? false
        let past = try directory.pastTexts(of: nil)
        for file in files where committed.contains(file.path) {
            let owners = past.keys.sorted().filter { id in
                guard let base = snapshot.tracked.todos[id]?.base, let past = past[id],
                    past.paths.contains(file.path)
                else { return false }
                let bytes = file.taken(for: id).bytesWithID
                return past.contains(bytes) || base.todo.map { isSameText($0.bytes, bytes) } ?? false
                    || !isFollowing
            }
            // If several todos had the path in succession, prefer one that still exists.
            let isAlive = { (id: TodoID) in snapshot.tracked.todos[id]?.base?.todo != nil }
            guard let owner = owners.first(where: isAlive) ?? owners.last else { continue }
            surroundings.logger?.info("match \(file.path) with \(owner): git has this text without an id")
            snapshot.folder.match(file, with: owner)
        }
    }

    /// Makes new todos of files without an id that are at the paths of todos whose files git took away.
    private func releaseTaken(_ snapshot: inout Snapshot, _ last: RecordedHead) throws {
        var suspects = snapshot.folder.todos.loaded.values.filter { file in
            guard file.lacksID, let id = file.id, snapshot.standings[id]?.isHeld != true else { return false }
            return snapshot.condition(of: id).operation?.isByCommand(snapshot) == false
        }
        guard !suspects.isEmpty else { return }
        let committed = committed(suspects.map { ($0.path, $0.bytes) }, orStaged: false)
        suspects.removeAll { committed.contains($0.path) }
        var without = snapshot
        for file in suspects { without.folder.release(file) }
        let formerRules = rules
        let standings = try standings(without, last)
        let newRules = rules
        rules = formerRules
        for file in suspects {
            guard let id = file.id, case .held(let held)? = standings[id], held.reason != .gitFailed else {
                continue
            }
            snapshot.folder.release(file)
            snapshot.standings[id] = standings[id]
            rules[id] = newRules[id]
        }
    }

    /// Marks the duplicates that git has at earlier paths of their todos, or at the paths where another
    /// branch moved them.
    private func markDuplicates(_ snapshot: inout Snapshot) throws {
        let duplicates = snapshot.folder.duplicates
        guard !duplicates.isEmpty, head?.commit != nil else { return }
        let past = try directory.pastTexts(of: Set(duplicates.map(\.id)))
        let former = duplicates.filter { past[$0.id]?.paths.contains($0.path) == true }
        let files = former.compactMap { file in
            snapshot.folder.bytes(at: file.path).map { (file.path, $0) }
        }
        let moved = duplicates.filter {
            (try? process.hasCommit(adding: $0.path, without: $0.keptBy)) ?? false
        }
        snapshot.folder.markDuplicates(ofGit: committed(files).union(moved.map(\.path)))
    }

    /// Returns the paths of files that git checked out without an id; an added id would keep git from
    /// switching back.
    func pathsWithoutID(_ snapshot: Snapshot) -> Set<String> {
        guard let last = snapshot.tracked.head, let head, head.branch != last.branches.first else {
            return []
        }
        let files = snapshot.folder.todos.loaded.values.filter(\.lacksID)
        return committed(files.map { ($0.path, $0.bytes) }, orStaged: false)
    }

    /// Returns the conflicted todos whose files git might have brought back to versions from before the
    /// conflict.
    ///
    /// Such files have no markers, but the conflicts might not be resolved.
    private func rolledBack(in snapshot: Snapshot) throws -> Set<TodoID> {
        var taken: Set<TodoID> = []
        for (id, file) in snapshot.folder.conflicted where !file.hasMarkers {
            let recorded = snapshot.tracked.todos[id]
            guard let conflict = recorded?.conflict, !committed([(file.path, file.bytes)]).isEmpty else {
                continue
            }
            let sides = [conflict.local, conflict.remote.todo?.bytes, recorded?.base?.todo?.bytes]
            let isSide = sides.contains { $0.map { isSameText($0, file.bytes) } ?? false }
            if try isSide || directory.pastTexts(of: [id])[id]?.contains(file.bytes) ?? false {
                taken.insert(id)
            }
        }
        return taken
    }

    /// Returns the paths in git's index.
    func indexed() throws(GitProcess.Failure) -> GitProcess.Index { try process.indexed() }

    // MARK: Files that git merges

    /// Records what git is merging if it might have written conflict markers.
    private func noteMerge(in snapshot: inout Snapshot) {
        let tracked = snapshot.tracked.todos
        let isMarked = snapshot.folder.conflicted.keys.contains { tracked[$0]?.conflict == nil }
        guard isMarked || tracked.loaded.values.contains(where: { $0.conflict?.kind == .git }) else { return }
        let unmerged = (try? indexed())?.unmerged ?? [:]
        let paths = snapshot.folder.conflicted.values.map(\.path)
        let blobs = unmerged.filter { paths.contains($0.key) }.compactMapValues { $0[1] }
        let texts = (try? process.existingTexts(Set(blobs.values))) ?? [:]
        snapshot.folder.gitMerge = GitMerge(
            isInProgress: repository.progress() != nil, head: repository.head()?.commit,
            merged: repository.mergedCommit(), stash: repository.onlyStash(), unmerged: Set(unmerged.keys),
            bases: blobs.compactMapValues { texts[$0] })
    }

    /// Returns the todos that are unmerged in git's index although their files have no markers, in the order
    /// of their paths.
    func unmergedFiles(in snapshot: Snapshot) -> [UnmergedFile] {
        guard let unmerged = (try? indexed())?.unmerged, !unmerged.isEmpty,
            let texts = try? process.existingTexts(Set(unmerged.values.flatMap(\.values)))
        else { return [] }
        lazy var resolved = resolvedTexts()
        return unmerged.compactMap { path, blobs in
            let sides = [Side.local: blobs[2], .remote: blobs[3]].compactMapValues {
                $0.flatMap { texts[$0] }
            }
            return UnmergedFile(at: path, sides, in: snapshot) { resolved[$0] }
        }.sorted(byBytesOf: \.path)
    }

    /// Returns the texts that have resolved conflicts of the git operation in progress.
    private func resolvedTexts() -> [TodoID: [UInt8]] {
        guard let age = repository.progress()?.age, let now = Instant(surroundings.now()) else { return [:] }
        // Both times are in whole seconds.
        return (try? directory.history())?.resolvedTexts(since: now.seconds - age - 1) ?? [:]
    }
}

extension Workspace {
    /// The git repository around the folder: one that git itself would find, or else the one of the
    /// environment or of `git.dir`, as for dotfiles.
    var repository: Repository? {
        if let repository = Repository(containing: root) { return repository }
        let environment = surroundings.environment
        if let directory = environment["GIT_DIR"], let top = environment["GIT_WORK_TREE"],
            let repository = Repository(containing: root, directory: directory, top: top)
        {
            return repository
        }
        guard let directory = (try? directory.configuration())?.gitDirectory else { return nil }
        return Repository(containing: root, directory: directory, top: environment["GIT_WORK_TREE"])
            ?? Repository(containing: root, directory: directory, top: nil)
    }
}

extension Snapshot {
    /// The snapshot with all changed and missing files as pending operations.
    fileprivate var withoutStandings: Snapshot {
        var snapshot = self
        snapshot.standings = [:]
        return snapshot
    }

    /// Determines the standings of the changed and missing files.
    ///
    /// - Parameter survey: The repository; nil outside of one, where git's earlier changes still aren't the
    ///   user's.
    mutating func judge(by survey: GitSurvey?, in directory: WorkingDirectory) throws {
        if let survey { return try survey.judge(&self) }
        standings = [:]
        let operations = pendingOperations().filter { !$0.isByCommand(self) }
        let isRecorded = { [tracked] (operation: PendingOperation) in
            tracked.todos[operation.id]?.origin != nil
        }
        let edits = operations.filter { $0.kind == .update && !isRecorded($0) }
        guard operations.contains(where: isRecorded) || edits.count >= GitJudge.manyOlder else { return }
        var judge = GitJudge(snapshot: self, past: try directory.pastTexts(of: Set(operations.map(\.id))))
        standings = try judge.standings(of: operations.filter(isRecorded))
        standings.merge(judge.standings(ofOlder: edits)) { $1 }
        gitRules = judge.rules
    }
}

extension PendingOperation {
    /// Returns whether a todosync command wrote the file's current text, or removed the file.
    func isByCommand(_ snapshot: Snapshot) -> Bool {
        switch (snapshot.tracked.todos[id]?.origin, local) {
        case (.command(let mark), let local?): mark == ContentMark(of: local.bytes)
        case (.removedByCommand, nil): true
        default: false
        }
    }
}

extension [UInt8] {
    /// Returns the text as a todo's, with the id added if it was committed without one; nil if it isn't a
    /// todo, or is a different one.
    func text(of id: TodoID) -> [UInt8]? {
        guard let todo = try? Todo(parsing: self) else { return nil }
        guard let own = todo.id else { return todo.document.inserting(id: id.string) }
        return own.folded == id.folded ? self : nil
    }

    /// Returns whether a file with this text can be a todo's; a text without an id might be any todo's.
    func isFile(of id: TodoID) -> Bool {
        (LineScan.idLine(in: self) ?? LineScan.id(in: self)).map { $0.folded == id.folded } ?? true
    }
}

extension GitProcess.Failure {
    var words: String {
        switch self {
        case .notInstalled: "git is not installed; install it"
        case .failed where isOfOwnership:
            "the repository belongs to somebody else; if you trust it, add it to git's safe.directory"
        case .timedOut: "git did not respond within ten seconds"
        case .failed(let line): line.isEmpty ? "without a message" : line
        }
    }
}
