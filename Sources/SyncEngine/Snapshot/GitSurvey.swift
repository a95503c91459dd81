internal import Git
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
    private lazy var process = GitProcess(repository, environment: surroundings.environment)
    private var headAnswer: Result<Head, GitProcess.Failure>?
    private var index: GitProcess.Index?
    private var lastHistory: (asked: Set<PathKey>, history: GitHistory)?
    /// The texts in HEAD and the index of pending todos that aren't remembered yet; nil if git wasn't asked.
    private var newCommitted: [TodoID: [[UInt8]]]?
    private var lastSnapshot: Snapshot?
    /// Whether git failed to answer about changed files, and HEAD has moved.
    private(set) var isUnanswered = false

    private struct PathKey: Hashable {
        var id: TodoID
        var path: String
    }

    /// Finds the repository of a working directory; nil if there isn't one.
    init?(_ workspace: Workspace) {
        guard let repository = workspace.repository else { return nil }
        self.repository = repository
        directory = workspace.directory
        surroundings = workspace.surroundings
    }

    /// What is checked out; nil if it can't be determined.
    var head: Head? { try? headAnswered() }

    private func headAnswered() throws(GitProcess.Failure) -> Head {
        if let headAnswer { return try headAnswer.get() }
        let answer: Result<Head, GitProcess.Failure>
        if let head = repository.head() {
            answer = .success(head)
        } else {
            do throws(GitProcess.Failure) { answer = .success(try process.head()) } catch {
                answer = .failure(error)
            }
        }
        headAnswer = answer
        return try answer.get()
    }

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
        try matchCommitted(&snapshot)
        try markDuplicates(&snapshot)
        snapshot.standings = try standings(snapshot)
        try releaseTaken(&snapshot)
        snapshot.takenBack = try takenBack(in: snapshot)
        if let last = snapshot.tracked.head, let head {
            snapshot.hasHeadMoved = head.branch != last.branch || head.commit != last.commit
        }
        lastSnapshot = snapshot
    }

    /// Records what git is merging if it might have written conflict markers.
    private func noteMerge(in snapshot: inout Snapshot) {
        let tracked = snapshot.tracked.todos
        let isMarked = snapshot.folder.conflicted.keys.contains { tracked[$0]?.conflict == nil }
        guard isMarked || tracked.loaded.values.contains(where: { $0.conflict?.kind == .git }) else { return }
        snapshot.folder.gitMerge = GitMerge(
            merged: repository.mergedCommits(), popped: repository.poppedCommits(),
            unmerged: ((try? indexed())?.unmerged.keys).map(Set.init) ?? [])
    }

    /// Matches files that git has without an id with the todos that formerly had their paths.
    ///
    /// Such a file is an older version of its todo, not a new todo.
    private func matchCommitted(_ snapshot: inout Snapshot) throws {
        let files = snapshot.folder.newTodos
        guard let last = snapshot.tracked.head, !files.isEmpty, let head, let commit = head.commit,
            let (committed, staged) = try? process.texts(of: files.map(\.path), in: commit)
        else { return }
        let found = files.indices.filter { index in
            [committed[index], staged[index]].contains {
                $0.map { isSameText($0, files[index].bytes) } ?? false
            }
        }.map { files[$0] }
        guard !found.isEmpty else { return }
        // On an unrelated commit, git might have put anything at a path.
        let isFollowing =
            head.branch.map(last.branches.contains) ?? false || last.commit == nil
            || (try? process.isAncestor(last.commit ?? commit, of: commit)) ?? false
        let past = try directory.pastTexts(of: nil)
        for file in found {
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
            snapshot.folder.match(file, with: owner)
        }
    }

    /// Makes new todos of files without an id that are at the paths of todos whose files git took away.
    private func releaseTaken(_ snapshot: inout Snapshot) throws {
        guard let last = snapshot.tracked.head else { return }
        let suspects = snapshot.folder.todos.loaded.values.filter { file in
            guard file.lacksID, let id = file.id, snapshot.standings[id]?.isHeld != true else { return false }
            return snapshot.pendingOperation(id)?.isByCommand(snapshot) == false
        }
        guard !suspects.isEmpty else { return }
        var without = snapshot
        without.standings = [:]
        for file in suspects { without.folder.release(file) }
        let gone = suspects.compactMap { $0.id.flatMap { without.pendingOperation($0) } }
        let judged = try? judgement(of: gone, last, without)
        let ofGit = try texts(of: suspects)
        for file in suspects {
            guard let id = file.id, judged?[id]?.isHeld == true else { continue }
            if ofGit[file.path].map({ isSameText($0, file.bytes) }) == true { continue }
            snapshot.folder.release(file)
            snapshot.standings[id] = judged?[id]
        }
    }

    private func texts(of files: [LocalTodo]) throws -> [String: [UInt8]] {
        guard let commit = head?.commit,
            let texts = try? process.texts(of: files.map(\.path), in: commit).committed
        else { return [:] }
        return Dictionary(
            zip(files, texts).compactMap { file, text in text.map { (file.path, $0) } }
        ) { first, _ in first }
    }

    /// Marks the duplicates that git has at earlier paths of their todos, or at the paths where another
    /// branch moved them.
    private func markDuplicates(_ snapshot: inout Snapshot) throws {
        let duplicates = snapshot.folder.duplicates
        guard snapshot.tracked.head != nil, !duplicates.isEmpty, let commit = head?.commit else { return }
        let past = try directory.pastTexts(of: Set(duplicates.map(\.id)))
        let paths = duplicates.filter { past[$0.id]?.paths.contains($0.path) == true }.map(\.path)
        guard let (committed, staged) = try? process.texts(of: paths, in: commit) else { return }
        let ofGit = paths.indices.filter { index in
            guard let bytes = snapshot.folder.bytes(at: paths[index]) else { return false }
            return [committed[index], staged[index]].contains { $0.map { isSameText($0, bytes) } ?? false }
        }
        let moved = duplicates.filter {
            (try? process.hasCommit(adding: $0.path, without: $0.keptBy)) ?? false
        }
        snapshot.folder.markDuplicates(ofGit: Set(ofGit.map { paths[$0] } + moved.map(\.path)))
    }

    /// Returns the paths of files that git checked out without an id; an added id would keep git from
    /// switching back.
    func pathsWithoutID(_ snapshot: Snapshot) -> Set<String> {
        let files = snapshot.folder.todos.loaded.values.filter(\.lacksID)
        guard !files.isEmpty, let last = snapshot.tracked.head, let head, head.branch != last.branches.first,
            let texts = try? texts(of: Array(files))
        else { return [] }
        return Set(
            files.filter { file in texts[file.path].map { isSameText($0, file.bytes) } ?? false }.map(\.path))
    }

    /// Returns the standings of a snapshot's changed and missing files; todos without one are the user's
    /// edits.
    private func standings(_ snapshot: Snapshot) throws -> [TodoID: Standing] {
        // Before the first command in a repository, git can't have changed anything.
        guard let last = snapshot.tracked.head else { return [:] }
        var undoubted = snapshot
        undoubted.standings = [:]
        let operations = undoubted.pendingOperations().filter { !$0.isByCommand(snapshot) }
        guard !operations.isEmpty else { return [:] }
        do {
            return try judgement(of: operations, last, snapshot)
        } catch let failure as GitProcess.Failure {
            return unanswered(operations, failure, last, snapshot)
        }
    }

    /// Returns the standings of pending operations, except for plain edits.
    private func judgement(
        of operations: [PendingOperation], _ last: RecordedHead, _ snapshot: Snapshot
    ) throws -> [TodoID: Standing] {
        let past = try directory.pastTexts(of: Set(operations.map(\.id)))
        let judge = GitJudge(
            git: try history(of: operations, last, past), snapshot: snapshot, past: past,
            gone: operations.filter { $0.local == nil }.map(\.id),
            hasStashChanged: repository.stash != last.stash)
        var standings: [TodoID: Standing] = [:]
        for operation in operations {
            let standing = try judge.standing(of: operation)
            if standing != .edit { standings[operation.id] = standing }
        }
        return standings
    }

    /// Accounts for edits of the user's that somebody else sent: a colleague who pulls a commit sends its
    /// values.
    ///
    /// If a todo's file has had the remote's value in HEAD's history since the file's basis, the remote's
    /// value is the basis of that field.
    func acknowledge(_ changes: [TodoID: RemoteState], in snapshot: inout Snapshot) {
        guard let history = lastHistory?.history, let commit = history.head.commit else { return }
        for (id, remote) in changes {
            guard let remote = remote.todo, let operation = snapshot.pendingOperation(id),
                let local = operation.local, !operation.isByCommand(snapshot),
                let base = snapshot.tracked.todos[id]?.base?.todo
            else { continue }
            var basis = EditBasis(bytes: base.bytes, path: base.path)
            if case .editOf(let known)? = snapshot.standings[id] { basis = known }
            guard !isSameText(basis.bytes, remote.bytes),
                let texts = try? history.history(of: id, in: commit).map(\.bytes),
                let acknowledged = basis.acknowledging(
                    remote.bytes, local: local.bytesWithID, in: texts.prefix { !isSameText($0, base.bytes) })
            else { continue }
            snapshot.standings[id] = .editOf(acknowledged)
        }
    }

    /// Returns git's view of the files of pending operations; asks again only about other files.
    private func history(
        of operations: [PendingOperation], _ last: RecordedHead, _ past: [TodoID: PastTexts]
    ) throws(GitProcess.Failure) -> GitHistory {
        let asked = Set(operations.map { PathKey(id: $0.id, path: $0.path) })
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
            process, log(), hasIndex: repository.hasIndex, head: headAnswered(), since: last, todos)
        lastHistory = (asked, history)
        return history
    }

    /// Returns the files' standings if git fails: all files are held if HEAD has moved.
    ///
    /// Otherwise, what was recorded still applies, and a text that was here before might be git's.
    private func unanswered(
        _ operations: [PendingOperation], _ failure: GitProcess.Failure, _ last: RecordedHead,
        _ snapshot: Snapshot
    ) -> [TodoID: Standing] {
        let head = repository.head()
        guard let head, head.branch == last.branch, head.commit == last.commit else {
            isUnanswered = true
            let standing = Standing.held(
                Held(reason: .gitFailed(failure.words), TodoState(), head, before: last))
            return Dictionary(uniqueKeysWithValues: operations.map { ($0.id, standing) })
        }
        let past = try? directory.pastTexts(of: Set(operations.map(\.id)))
        var standings = RecordedStandings(snapshot: snapshot, past: past ?? [:]).standings(of: operations)
        for operation in operations where standings[operation.id] == nil {
            let state = snapshot.tracked.todos[operation.id] ?? TodoState()
            if let local = operation.local {
                guard past?[operation.id]?.rank(of: local.bytesWithID) != nil,
                    state.standing(ofEdited: local.bytesWithID) == nil
                else { continue }
                standings[operation.id] = .held(Held(reason: .olderVersion, state, head, before: last))
            }
        }
        return standings
    }

    /// Returns the record that marks HEAD's text of a pending todo, and the text in the index, as older
    /// versions; nil if there are none.
    ///
    /// It must be recorded once the edit is sent or merged, so that the committed text doesn't count as the
    /// user's edit if git brings it back.
    func recordOfCommitted(_ id: TodoID) -> JournalRecord? {
        if newCommitted == nil { newCommitted = committedTexts() }
        guard let texts = newCommitted?.removeValue(forKey: id) else { return nil }
        var past = RecordedPast()
        (past.texts, past.synced) = (texts, texts.map { ContentMark(ofLines: $0) })
        return .past(id: id, past)
    }

    /// Returns the texts of all pending todos in HEAD and the index.
    private func committedTexts() -> [TodoID: [[UInt8]]] {
        guard let commit = head?.commit, var snapshot = lastSnapshot else { return [:] }
        snapshot.standings = [:]
        let operations = snapshot.pendingOperations().filter { $0.local != nil }
        let paths = operations.map { [$0.path, $0.previousPath].compactMap(\.self) }
        let places = paths.joined().flatMap { path in
            ["", commit].map { GitProcess.Place(commit: $0, path: path) }
        }
        guard let texts = try? process.texts(at: Set(places)) else { return [:] }
        var found: [TodoID: [[UInt8]]] = [:]
        for (operation, paths) in zip(operations, paths) {
            let own = ["", commit].compactMap { commit in
                paths.lazy.compactMap { texts[.init(commit: commit, path: $0)]?.text(of: operation.id) }.first
            }
            if !own.isEmpty { found[operation.id] = own }
        }
        return found
    }

    /// Returns whether a file has HEAD's text or the text in the index; false if git fails.
    private func isCommitted(_ bytes: [UInt8], at path: String) -> Bool {
        guard let commit = head?.commit, let (committed, staged) = try? process.texts(of: [path], in: commit)
        else { return false }
        return (committed + staged).contains { $0.map { isSameText($0, bytes) } ?? false }
    }

    /// Returns the paths in git's index.
    func indexed() throws(GitProcess.Failure) -> GitProcess.Index {
        if let index { return index }
        let found = try process.indexed()
        index = found
        return found
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

    /// Returns the conflicted todos whose files git might have brought back to versions from before the
    /// conflict.
    ///
    /// Such files have no markers, but the conflicts might not be resolved.
    private func takenBack(in snapshot: Snapshot) throws -> Set<TodoID> {
        var taken: Set<TodoID> = []
        for (id, file) in snapshot.folder.conflicted where !file.hasMarkers {
            let known = snapshot.tracked.todos[id]
            guard let conflict = known?.conflict, isCommitted(file.bytes, at: file.path) else { continue }
            let sides = [conflict.local, conflict.remote.todo?.bytes, known?.base?.todo?.bytes]
            let isSide = sides.contains { $0.map { isSameText($0, file.bytes) } ?? false }
            if try isSide || directory.pastTexts(of: [id])[id]?.contains(file.bytes) ?? false {
                taken.insert(id)
            }
        }
        return taken
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
    }
}

/// What was recorded about files, outside of a repository or if git can't answer.
struct RecordedStandings {
    let snapshot: Snapshot
    let past: [TodoID: PastTexts]

    /// Returns the recorded standings of pending operations, as far as their files haven't changed since.
    func standings(of operations: [PendingOperation]) -> [TodoID: Standing] {
        var standings: [TodoID: Standing] = [:]
        for operation in operations { standings[operation.id] = standing(of: operation) }
        return standings
    }

    private func standing(of operation: PendingOperation) -> Standing? {
        let state = snapshot.tracked.todos[operation.id] ?? TodoState()
        let bytes = operation.local?.bytesWithID
        if case .held(let held)? = state.origin {
            if held.mark == bytes.map({ ContentMark(ofLines: $0) }) {
                return .held(Held(reason: HeldReason(held.reason), state, nil, before: nil))
            }
            guard let local = operation.local,
                let version = past[operation.id]?.text(with: held.mark ?? held.version)
            else { return nil }
            return .editOf(EditBasis(bytes: version, path: local.path))
        }
        guard let bytes, case .editOf(let basis)? = state.standing(ofEdited: bytes) else { return nil }
        return .editOf(basis)
    }

    /// The number of older versions that no person writes into files at once.
    static let manyOlder = 5

    /// Returns the standings of edits if all of them are exactly older versions, and many: outside of a
    /// repository, or in one that todosync doesn't know, a program has brought them back.
    func standings(ofOlder edits: [PendingOperation]) -> [TodoID: Standing] {
        let isOlder = { (edit: PendingOperation) in
            edit.local.map { past[edit.id]?.rank(of: $0.bytesWithID) != nil } ?? false
        }
        guard edits.allSatisfy(isOlder) else { return [:] }
        var standings: [TodoID: Standing] = [:]
        for edit in edits {
            let state = snapshot.tracked.todos[edit.id] ?? TodoState()
            standings[edit.id] = .held(Held(reason: .olderVersion, state, nil, before: nil))
        }
        return standings
    }
}

extension Snapshot {
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
        guard operations.contains(where: isRecorded) || edits.count >= RecordedStandings.manyOlder else {
            return
        }
        let recorded = RecordedStandings(
            snapshot: self, past: try directory.pastTexts(of: Set(operations.map(\.id))))
        standings = recorded.standings(of: operations.filter(isRecorded))
        if edits.count >= RecordedStandings.manyOlder {
            standings.merge(recorded.standings(ofOlder: edits)) { $1 }
        }
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
    fileprivate var words: String {
        switch self {
        case .notInstalled: "git is not installed; install it"
        case .failed(let line) where line.contains("dubious ownership"):
            "the repository belongs to somebody else; if you trust it, add it to git's safe.directory"
        case .timedOut: "git did not respond within two seconds"
        case .failed(let line): line.isEmpty ? "without a message" : line
        }
    }
}
