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
    private var facts: [FactsKey: GitFacts] = [:]
    private var histories: [FactsKey: [[UInt8]]] = [:]
    private var index: GitProcess.Index?
    /// The texts in HEAD and the index that aren't remembered yet, for files that have been edited since.
    private var newCommitted: [TodoID: [[UInt8]]] = [:]
    /// The commits whose files might be left after a reset moved HEAD away from them.
    private var commitsBeforeResets: [String] = []
    private var isReported = false
    /// Whether git failed to answer about changed files, and HEAD has moved.
    private(set) var isUnanswered = false
    /// The todos whose files a commit removed, which counts as the user's delete.
    private(set) var removedByCommits: Set<TodoID> = []
    /// Whether the home branch was checked out when changed files were judged.
    private(set) var isOnHomeBranch = false

    fileprivate struct FactsKey: Hashable {
        var id: TodoID
        var path: String
        var isGone: Bool
    }

    /// Finds the repository of a working directory; nil if there isn't one.
    init?(_ workspace: Workspace) {
        guard let repository = Repository(containing: workspace.root) else { return nil }
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

    /// Returns the record of what is checked out when a writing command ends; nil if it can't be determined.
    ///
    /// The home branch is the branch of the first sync. If it no longer exists, the current branch replaces
    /// it.
    func recordedHead(_ tracked: State, _ configuration: Configuration) -> RecordedHead? {
        guard let head else { return nil }
        var home = tracked.head?.home
        if tracked.remote != nil {
            if let missing = home, isMissing(missing, head), let branch = head.branch {
                tellNewHome(branch, insteadOf: missing)
                home = branch
            }
            home = home ?? head.branch
        }
        return RecordedHead(branch: head.branch, commit: head.commit, home: home)
    }

    /// Returns whether a branch isn't checked out and doesn't exist.
    private func isMissing(_ branch: String?, _ head: Head) -> Bool {
        guard let branch, branch != head.branch else { return false }
        if let exists = repository.hasReference(branch) { return !exists }
        return (try? process.hasReference(branch)) == false
    }

    /// Returns whether the home branch is checked out.
    private func isHome(_ head: Head, _ snapshot: Snapshot) -> Bool {
        if let wanted = snapshot.configuration.gitHome {
            return head.branch == wanted || head.branch == "refs/heads/" + wanted
        }
        guard let home = snapshot.tracked.head?.home else { return true }
        if head.branch == home { return true }
        guard isMissing(home, head), let branch = head.branch else { return false }
        tellNewHome(branch, insteadOf: home)
        return true
    }

    private func tellNewHome(_ branch: String, insteadOf missing: String) {
        guard !isReported else { return }
        isReported = true
        surroundings.notice(
            "the branch \(missing.branchName) no longer exists; \(branch.branchName) is now this folder's "
                + "home branch (git.home in .todosync/config.yaml changes it)")
    }

    /// Adds git's information about the files to a snapshot.
    func judge(_ snapshot: inout Snapshot) throws {
        noteMerge(in: &snapshot)
        try matchCommitted(&snapshot)
        try markDuplicates(&snapshot)
        snapshot.standings = try standings(snapshot)
        snapshot.takenBack = try takenBack(in: snapshot)
        snapshot.indexed = index?.present
        if let last = snapshot.tracked.head, let head {
            snapshot.hasHeadMoved = head.branch != last.branch || head.commit != last.commit
        }
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
        let isFollowing = isHome(head, snapshot) || (try? isDescendant(head, of: last)) ?? false
        let past = try directory.pastTexts(of: nil)
        for file in found {
            let owners = past.keys.sorted().filter { id in
                guard let base = snapshot.tracked.todos[id]?.base, let past = past[id],
                    past.paths.contains(file.path)
                else { return false }
                let bytes = file.taken(for: id).bytesWithID
                return past.hasHad(bytes) || base.todo.map { isSameText($0.bytes, bytes) } ?? false
                    || !isFollowing
            }
            // If several todos had the path in succession, prefer one that still exists.
            let isAlive = { (id: TodoID) in snapshot.tracked.todos[id]?.base?.todo != nil }
            guard let owner = owners.first(where: isAlive) ?? owners.last else { continue }
            snapshot.folder.match(file, with: owner)
        }
    }

    /// Marks the duplicates that git has at earlier paths of their todos.
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
        snapshot.folder.markDuplicates(ofGit: Set(ofGit.map { paths[$0] }))
    }

    /// Returns the paths of files that git checked out without an id on another branch; an added id would
    /// keep git from switching back.
    func pathsWithoutID(_ snapshot: Snapshot) -> Set<String> {
        let files = snapshot.folder.todos.loaded.values.filter(\.lacksID)
        guard !files.isEmpty, snapshot.tracked.head != nil, let head, let commit = head.commit,
            !isHome(head, snapshot),
            let texts = try? process.texts(of: files.map(\.path), in: commit).committed
        else { return [] }
        return Set(
            zip(files, texts).filter { file, text in text.map { isSameText($0, file.bytes) } ?? false }.map(
                \.0.path))
    }

    /// Returns the standings of a snapshot's changed and absent files; todos without one are the user's
    /// edits.
    private func standings(_ snapshot: Snapshot) throws -> [TodoID: Standing] {
        // Before the first command in a repository, git can't have rolled anything back.
        guard let last = snapshot.tracked.head else { return [:] }
        var undoubted = snapshot
        undoubted.standings = [:]
        let operations = undoubted.pendingOperations().filter { !$0.isByCommand(snapshot) }
        guard !operations.isEmpty else { return [:] }
        let judge: GitJudge
        do throws(GitProcess.Failure) {
            let head = try headAnswered()
            isOnHomeBranch = isHome(head, snapshot)
            judge = GitJudge(
                isHome: isOnHomeBranch, isDescendant: try isDescendant(head, of: last))
            let hasMoved = head.commit != last.commit || head.branch != last.branch
            if let commit = last.commit, hasMoved, commitsBeforeResets.isEmpty {
                for left in repository.commitsBeforeResets(since: commit) where try process.exists(left) {
                    commitsBeforeResets.append(left)
                }
            }
            try ask(operations, head, last, judge.isDescendant, homeBranch(snapshot))
        } catch {
            return try unanswered(operations, error, last, snapshot)
        }
        let files = try changedFiles(operations, facts, snapshot)
        do throws(GitProcess.Failure) {
            try askAboutHistories(operations, files, last, homeBranch(snapshot))
        } catch {
            return try unanswered(operations, error, last, snapshot)
        }
        return standings(of: operations, files, judge, snapshot)
    }

    /// Returns whether HEAD's commit is the one of the last writing command, or a descendant of it.
    private func isDescendant(_ head: Head, of last: RecordedHead) throws(GitProcess.Failure) -> Bool {
        guard let commit = last.commit else { return true }
        guard let newer = head.commit else { return false }
        return try process.isAncestor(commit, of: newer)
    }

    private func standings(
        of operations: [PendingOperation], _ files: [TodoID: GitJudge.ChangedFile], _ judge: GitJudge,
        _ snapshot: Snapshot
    ) -> [TodoID: Standing] {
        let standings = judge.standings(of: operations, files, snapshot) { operation in
            var git = facts[operation.key] ?? GitFacts()
            git.headHistory = histories[operation.key] ?? []
            if let file = files[operation.id] {
                let new = [git.headText, git.stagedText].compactMap(\.self).filter(file.isEdit)
                newCommitted[operation.id] = new.isEmpty ? nil : new
            }
            return git
        }
        removedByCommits = Set(
            operations.filter { standings[$0.id] == nil && facts[$0.key]?.wasRemovedByCommit == true }.map(
                \.id))
        return standings
    }

    /// Returns the changed files with what is remembered about their todos.
    private func changedFiles(
        _ operations: [PendingOperation], _ facts: [FactsKey: GitFacts], _ snapshot: Snapshot
    ) throws -> [TodoID: GitJudge.ChangedFile] {
        let asked = operations.filter { operation in
            facts[operation.key].map { $0.hasText || $0.isConverted } ?? false
        }.map(\.id)
        let past = asked.isEmpty ? [:] : try directory.pastTexts(of: Set(asked))
        var files: [TodoID: GitJudge.ChangedFile] = [:]
        for operation in operations {
            files[operation.id] = GitJudge.ChangedFile(
                operation, past[operation.id] ?? PastTexts(), in: snapshot)
        }
        return files
    }

    /// Asks for the history of files whose text in HEAD was never here, because commits might have edited an
    /// older version.
    private func askAboutHistories(
        _ operations: [PendingOperation], _ files: [TodoID: GitJudge.ChangedFile], _ last: RecordedHead,
        _ home: String?
    ) throws(GitProcess.Failure) {
        let new = operations.filter { operation in
            guard histories[operation.key] == nil, let file = files[operation.id], !file.isDeleted,
                let head = facts[operation.key]?.headText
            else { return false }
            return !file.isNewest(head) && !file.hasHad(head)
        }
        guard !new.isEmpty, let commit = try headAnswered().commit else { return }
        try askWhetherSuperseded(new, files, commit, last, home)
        // A commit might have moved a file that an earlier one has at the former path.
        let paths = new.map { [$0.path, $0.previousPath].compactMap(\.self) }
        let found = try process.history(of: Array(Set(paths.joined())), in: commit)
        for (operation, paths) in zip(new, paths) {
            histories[operation.key] = paths.flatMap { found[$0] ?? [] }.compactMap {
                $0.text(of: operation.id)
            }
        }
    }

    /// Asks whether a commit later than HEAD has a text that was here, for files whose text in HEAD was never
    /// here.
    private func askWhetherSuperseded(
        _ operations: [PendingOperation], _ files: [TodoID: GitJudge.ChangedFile], _ commit: String,
        _ last: RecordedHead, _ home: String?
    ) throws(GitProcess.Failure) {
        for later in try commits(after: commit, last, home) {
            let texts = try process.texts(of: operations.map(\.path), in: later).committed
            for (operation, text) in zip(operations, texts) {
                guard let file = files[operation.id], let text = text?.text(of: operation.id) else {
                    continue
                }
                if file.isNewest(text) || file.hasHad(text) { facts[operation.key]?.isSuperseded = true }
            }
        }
    }

    /// Returns the commits of the last writing command and of the home branch that descend from a commit.
    private func commits(
        after commit: String, _ last: RecordedHead, _ home: String?
    ) throws(GitProcess.Failure) -> [String] {
        let tip = try home.map { home throws(GitProcess.Failure) in try process.commit(of: home) } ?? nil
        var later: [String] = []
        for candidate in Set([last.commit, tip].compactMap(\.self)) where candidate != commit {
            if try process.isAncestor(commit, of: candidate) { later.append(candidate) }
        }
        return later
    }

    private func homeBranch(_ snapshot: Snapshot) -> String? {
        guard let wanted = snapshot.configuration.gitHome else { return snapshot.tracked.head?.home }
        return wanted.hasPrefix("refs/") ? wanted : "refs/heads/" + wanted
    }

    /// Returns the files' standings if git fails: all files are held if HEAD has moved.
    ///
    /// Otherwise, the recorded state still applies, and a text that was here before might be git's.
    private func unanswered(
        _ operations: [PendingOperation], _ failure: GitProcess.Failure, _ last: RecordedHead,
        _ snapshot: Snapshot
    ) throws -> [TodoID: Standing] {
        guard let head = repository.head(), head.branch == last.branch, head.commit == last.commit else {
            isUnanswered = true
            let standing = Standing.held(.unanswered(failure.words))
            return Dictionary(uniqueKeysWithValues: operations.map { ($0.id, standing) })
        }
        isOnHomeBranch = isHome(head, snapshot)
        let unknown = GitFacts(isConverted: true)
        let facts = Dictionary(uniqueKeysWithValues: operations.map { ($0.key, unknown) })
        return GitJudge(isHome: isOnHomeBranch, isDescendant: true).standings(
            of: operations, try changedFiles(operations, facts, snapshot), snapshot
        ) { _ in unknown }
    }

    /// Returns the record that marks HEAD's text of an edited todo, and the text in the index, as older
    /// versions; nil if they are already remembered.
    ///
    /// It must be recorded once the edit is sent or merged, so that the committed text doesn't count as the
    /// user's edit if git brings it back.
    func recordOfCommitted(_ id: TodoID) -> JournalRecord? {
        newCommitted.removeValue(forKey: id).map { .past(id: id, texts: $0, marks: []) }
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
            if try isSide || directory.pastTexts(of: [id])[id]?.hasHad(file.bytes) ?? false {
                taken.insert(id)
            }
        }
        return taken
    }

    /// Asks git about todos, unless it was asked before.
    private func ask(
        _ operations: [PendingOperation], _ head: Head, _ last: RecordedHead, _ isDescendant: Bool,
        _ home: String?
    ) throws(GitProcess.Failure) {
        let new = operations.filter { facts[$0.key] == nil }
        try askAboutFiles(new.filter { $0.local != nil }, head)
        try askAboutGone(new.filter { $0.local == nil }, head, last, isDescendant, home)
    }

    private func askAboutFiles(
        _ operations: [PendingOperation], _ head: Head
    ) throws(GitProcess.Failure) {
        guard let commit = head.commit, !operations.isEmpty else {
            for operation in operations { facts[operation.key] = GitFacts() }
            return
        }
        // Somebody might have moved a file that git put at the former path.
        let paths = Array(Set(operations.flatMap { [$0.path, $0.previousPath].compactMap(\.self) }))
        let answers = try process.texts(of: paths, in: commit)
        let committed = Dictionary(uniqueKeysWithValues: zip(paths, answers.committed))
        let staged = Dictionary(uniqueKeysWithValues: zip(paths, answers.staged))
        var texts = [committed, staged]
        for left in commitsBeforeResets {
            let answers = try process.texts(of: paths, in: left).committed
            texts.append(Dictionary(uniqueKeysWithValues: zip(paths, answers)))
        }
        let converted = try process.converted(
            paths.filter { path in texts.contains { ($0[path] ?? nil) != nil } })
        for operation in operations {
            var answer = GitFacts(isConverted: converted.contains(operation.path))
            if !answer.isConverted {
                let text = { (texts: [String: [UInt8]?], path: String?) in
                    path.flatMap { texts[$0] ?? nil }?.text(of: operation.id)
                }
                answer.headText = text(committed, operation.path)
                answer.stagedText = text(staged, operation.path)
                answer.hasPath = answer.hasText
                answer.headText = answer.headText ?? text(committed, operation.previousPath)
                answer.stagedText = answer.stagedText ?? text(staged, operation.previousPath)
                answer.textsBeforeResets = texts.dropFirst(2).compactMap {
                    text($0, operation.path) ?? text($0, operation.previousPath)
                }
            }
            facts[operation.key] = answer
        }
    }

    private func askAboutGone(
        _ operations: [PendingOperation], _ head: Head, _ last: RecordedHead, _ isDescendant: Bool,
        _ home: String?
    ) throws(GitProcess.Failure) {
        guard !operations.isEmpty else { return }
        let paths = operations.map(\.path)
        let index = try process.indexed()
        self.index = index
        let inHead = try head.commit.map { commit throws(GitProcess.Failure) in
            try process.committedBlobs(at: paths, in: commit)
        }
        var (inLast, isLastLost): ([String: String], Bool) = ([:], false)
        if let commit = last.commit {
            // Git might have removed the commit, for example after a reset; its files are then unknown.
            isLastLost = try !process.exists(commit)
            if !isLastLost { inLast = try process.committedBlobs(at: paths, in: commit) }
        }
        // A later commit might bring back a todo that HEAD's commit lacks.
        var isBack: Set<String> = []
        if let commit = head.commit {
            for later in try commits(after: commit, last, home) {
                isBack.formUnion(try process.committedBlobs(at: paths, in: later).keys)
            }
        }
        // Git might have removed a file before a reset moved HEAD to a commit that has it.
        var lackedBefore: Set<String> = []
        for left in commitsBeforeResets {
            lackedBefore.formUnion(
                Set(paths).subtracting(try process.committedBlobs(at: paths, in: left).keys))
        }
        let staged = index.blobs
        let names = Set(paths.flatMap { [inHead?[$0], inLast[$0], staged[$0]].compactMap(\.self) })
        let owners = try process.existingTexts(names).mapValues {
            LineScan.idLine(in: $0) ?? LineScan.id(in: $0)
        }
        var answers: [GitFacts] = []
        for (path, id) in zip(paths, operations.map(\.id)) {
            // A different todo might have had the path. A text without an id might be any todo's.
            let isOwn = { (name: String?) in
                name.map { name in (owners[name] ?? nil).map { $0.folded == id.folded } ?? true } ?? false
            }
            let isInHead = isOwn(inHead?[path])
            let wasInLast = isOwn(inLast[path])
            var answer = GitFacts()
            // A path that HEAD has and the index lacks was removed by `git rm`, or is left out by a sparse
            // checkout, which keeps it in the index with a mark. Without an index, nothing is checked out.
            let isTracked =
                index.present.contains(path) && (staged[path] == nil || isOwn(staged[path]))
                || isInHead && !index.sparse.contains(path) && repository.hasIndex
            let isRemovedByGit = isTracked && wasInLast && lackedBefore.contains(path)
            answer.isTracked = isTracked && !isRemovedByGit
            answer.wasRemovedByCommit = wasInLast && !isInHead && isDescendant && !isBack.contains(path)
            answer.isInAnyCommit = wasInLast || isInHead || isLastLost || isRemovedByGit
            answers.append(answer)
        }
        let removed = paths.indices.filter { answers[$0].wasRemovedByCommit }
        let ignored = try process.ignored(removed.map { paths[$0] })
        let doubtful = paths.indices.filter { !answers[$0].isTracked && !answers[$0].isInAnyCommit }
        let committed = try pathsInCommits(doubtful.map { operations[$0] })
        for (position, operation) in operations.enumerated() {
            answers[position].isIgnored = ignored.contains(paths[position])
            if committed.contains(operation.id) { answers[position].isInAnyCommit = true }
            facts[operation.key] = answers[position]
        }
    }

    /// Returns the todos that have had a path that is in any commit.
    ///
    /// Git or a person might have moved a file back; git then removes it from its former path.
    private func pathsInCommits(
        _ operations: [PendingOperation]
    ) throws(GitProcess.Failure) -> Set<TodoID> {
        guard !operations.isEmpty else { return [] }
        let ids = Set(operations.map(\.id))
        // If the journal can't be read, any path might have been a todo's.
        guard let past = try? directory.pastTexts(of: ids) else { return ids }
        let paths = operations.map { operation in
            (past[operation.id]?.paths ?? []).union([operation.path])
        }
        let committed = try process.committed(Array(paths.reduce(into: Set<String>()) { $0.formUnion($1) }))
        return Set(zip(operations, paths).filter { !$0.1.isDisjoint(with: committed) }.map(\.0.id))
    }
}

extension PendingOperation {
    fileprivate var key: GitSurvey.FactsKey { .init(id: id, path: path, isGone: local == nil) }

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
    fileprivate func text(of id: TodoID) -> [UInt8]? {
        guard let todo = try? Todo(parsing: self) else { return nil }
        guard let own = todo.id else { return todo.document.inserting(id: id.string) }
        return own.folded == id.folded ? self : nil
    }
}

extension String {
    /// A branch's name as git prints it.
    fileprivate var branchName: String { hasPrefix("refs/heads/") ? String(dropFirst(11)) : self }
}

extension GitProcess.Failure {
    fileprivate var words: String {
        switch self {
        case .notInstalled: "git is not installed"
        case .timedOut: "git did not respond within two seconds"
        case .failed(let line): line.isEmpty ? "without a message" : line
        }
    }
}
