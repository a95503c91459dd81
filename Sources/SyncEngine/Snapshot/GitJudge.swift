internal import Git
internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// Decides whether todos' changed and missing files are git's or the user's, by the table in SyncEngine.md.
struct GitJudge {
    let git: GitHistory
    let snapshot: Snapshot
    let past: [TodoID: PastTexts]
    /// The todos whose files are gone, unless a command removed them.
    let gone: [TodoID]
    /// Whether the stash has changed since the last command.
    let hasStashChanged: Bool

    /// A todo's file that differs from the newest base version.
    private struct ChangedFile {
        var id: TodoID
        var path: String
        var bytes: [UInt8]
        var state: TodoState
        /// The newest version; nil if the todo is new or deleted.
        var newest: GitHistory.File?
        var past: PastTexts

        var isNew: Bool { state.base == nil }

        func isSameText(as other: [UInt8]?) -> Bool {
            other.map { SyncEngine.isSameText($0, bytes) } ?? false
        }

        func isNewest(_ file: GitHistory.File) -> Bool { newest.map { file.isSame(as: $0) } ?? false }
    }

    /// Returns the standing of a pending operation's file, or of its absence.
    func standing(of operation: PendingOperation) throws(GitProcess.Failure) -> Standing {
        let id = operation.id
        let state = snapshot.tracked.todos[id] ?? TodoState()
        guard let local = operation.local else {
            if try isUsersDelete(id, operation.path, state) { return .edit }
            return held(.removedByGit, state)
        }
        let file = ChangedFile(
            id: id, path: local.path, bytes: local.bytesWithID, state: state,
            newest: state.base?.todo.map { .init(bytes: $0.bytes, path: $0.path ?? local.path) },
            past: past[id] ?? PastTexts())
        return try standing(of: file)
    }

    private func held(_ reason: HeldReason, _ state: TodoState) -> Standing {
        .held(Held(reason: reason, state, git.head, before: git.last))
    }

    // MARK: Files

    private func standing(of file: ChangedFile) throws(GitProcess.Failure) -> Standing {
        if let standing = file.state.standing(ofEdited: file.bytes) { return standing }
        guard git.head.commit != nil else { return .edit }
        let rank = file.past.rank(of: file.bytes)
        let former = former(of: file)
        // A commit made here set the file back to an older version.
        let goesBack =
            rank.map { rank in
                former?.file.map { former in
                    file.isSameText(as: former.bytes) || file.past.rank(of: former.bytes) ?? -1 > rank
                } ?? false
            } ?? false
        if try isOlder(file, rank, goesBack) {
            return held(file.newest == nil ? .deletedTodo : .olderVersion, file.state)
        }
        if case .held(let held)? = file.state.origin, held.mark == ContentMark(ofLines: file.bytes),
            !goesBack,
            rank != nil || former == nil && !isBrought(file)
        {
            return self.held(HeldReason(held.reason), file.state)
        }
        if rank == nil, former == nil, try isNotSentYet(file) { return held(.notSentYet, file.state) }
        return try edit(file, former, goesBack)
    }

    /// Returns whether git has a file's text or path as an older one.
    private func isOlder(
        _ file: ChangedFile, _ rank: Int?, _ goesBack: Bool
    ) throws(GitProcess.Failure) -> Bool {
        guard rank == nil else {
            if goesBack { return false }
            if git.isConverted(file.path), !file.isSameText(as: file.newest?.bytes) { return true }
            // What git removed is back with an older version, as after `git stash pop`.
            if case .held(let held)? = file.state.origin, held.mark == nil,
                !file.isSameText(as: file.newest?.bytes)
            {
                return true
            }
            return currentFiles(of: file.id).contains { known in
                guard file.isSameText(as: known.bytes) else { return false }
                if !file.isSameText(as: file.newest?.bytes) { return true }
                return known.path == file.path && file.past.syncedPaths.contains(file.path)
            }
        }
        // A fresh clone or a reset has what the user had committed before its last version was synced.
        guard file.isSameText(as: git.text(git.head.commit, file.path, of: file.id)) else { return false }
        for commit in ([git.last.commit].compactMap(\.self) + git.visited).withoutRepetition
        where commit != git.head.commit {
            guard let later = git.file(file.id, in: commit), file.past.rank(of: later.bytes) != nil,
                try git.isAncestor(git.head.commit, of: commit)
            else { continue }
            return true
        }
        return false
    }

    /// Returns a todo's files in the index, in the commits where HEAD has been since the last command, and in
    /// those that resets moved it away from, whose files might be left.
    private func currentFiles(of id: TodoID) -> [GitHistory.File] {
        let left = git.steps.filter(\.isReset).compactMap(\.old)
        return ([GitHistory.index] + git.visited + left).withoutRepetition.compactMap { git.file(id, in: $0) }
    }

    /// Returns whether a merge, a pull or a similar step of git brought a file's text.
    private func isBrought(_ file: ChangedFile) -> Bool {
        git.steps.contains { step in
            !step.message.hasPrefix("checkout:") && !step.isReset
                && file.isSameText(as: git.file(file.id, in: step.new)?.bytes)
                && !file.isSameText(as: git.file(file.id, in: step.old)?.bytes)
        }
    }

    /// Returns whether a file that was never on the remote is exactly what a checkout of another branch
    /// wrote.
    private func isNotSentYet(_ file: ChangedFile) throws(GitProcess.Failure) -> Bool {
        guard let start = git.lastCheckout, file.isSameText(as: git.text(start, file.path, of: file.id))
        else {
            return false
        }
        guard file.isNew else { return !(git.head.branch.map(git.last.branches.contains) ?? false) }
        if git.last.commit == nil { return false }
        return try !git.isAncestor(git.last.commit, of: start)
    }

    /// Returns what a todo's file was before the commit made here that set it to what it is; nil if there is
    /// no such commit.
    private func former(of file: ChangedFile) -> (file: GitHistory.File?, Void)? {
        for commit in git.commits.reversed() {
            let (old, new) = (git.file(file.id, in: commit.old), git.file(file.id, in: commit.new))
            guard old != new, new != git.file(file.id, in: commit.beforeResets) else { continue }
            guard let new, file.isSameText(as: new.bytes), new.path == file.path else { return nil }
            return (old, ())
        }
        return nil
    }

    // MARK: What a file is an edit of

    private func edit(
        _ file: ChangedFile, _ former: (file: GitHistory.File?, Void)?, _ goesBack: Bool
    ) throws(GitProcess.Failure) -> Standing {
        if file.isNew { return .edit }
        guard let newest = file.newest else {
            // An edit of a version from before the todo was deleted is a conflict.
            let older = currentFiles(of: file.id).first { file.past.rank(of: $0.bytes) != nil }
            guard let bytes = older?.bytes ?? file.past.syncedTexts.first else { return .edit }
            return .editOf(EditBasis(bytes: bytes, path: older?.path ?? file.path))
        }
        if file.isSameText(as: newest.bytes) { return .edit }
        if goesBack, let former = former?.file { return edit(file, of: former) }
        for step in git.steps.reversed() where step.isCheckout {
            if git.file(file.id, in: step.old) == git.file(file.id, in: step.new) { continue }
            return edit(file, of: try git.nearest(file.id, to: step.new))
        }
        if case .held(let held)? = file.state.origin, held.mark != ContentMark(ofLines: file.bytes) {
            return edit(file, of: try version(of: file, heldAs: held))
        }
        return try editBesideOlder(file, newest, isCommitted: former != nil)
    }

    /// Returns the version that the edit of a held file is based on; nil if there is none.
    private func version(
        of file: ChangedFile, heldAs held: HeldFile
    ) throws(GitProcess.Failure) -> GitHistory.File? {
        if held.mark != nil {
            let staged = git.file(file.id, in: GitHistory.index)
            if let staged, file.past.rank(of: staged.bytes) != nil { return staged }
            if let commit = git.head.commit, let nearest = try git.nearest(file.id, to: commit) {
                return nearest
            }
        }
        // What git removed and brought back is an edit of the version of that time.
        return file.past.text(with: held.version).map {
            .init(bytes: $0, path: file.newest?.path ?? file.path)
        }
    }

    /// Returns the standing of an edit of a version; without one, each field that differs is a conflict.
    private func edit(_ file: ChangedFile, of version: GitHistory.File?) -> Standing {
        guard let newest = file.newest else { return .edit }
        guard let version else {
            return EditBasis(asking: nil, version: file.bytes, newest: newest.bytes, path: file.path)
                .map(Standing.editOf) ?? .edit
        }
        if version.isSame(as: newest) { return .edit }
        return .editOf(EditBasis(bytes: version.bytes, path: version.path))
    }

    /// Returns the standing of an edit of the newest version that might also have older values of git's.
    private func editBesideOlder(
        _ file: ChangedFile, _ newest: GitHistory.File, isCommitted: Bool
    ) throws(GitProcess.Failure) -> Standing {
        var candidates = currentFiles(of: file.id)
        if try !git.isAncestor(git.last.commit, of: git.head.commit),
            let former = git.file(file.id, in: git.last.commit)
        {
            candidates.append(former)
        }
        let isHeads = file.isSameText(as: git.text(git.head.commit, file.path, of: file.id))
        if isHeads, let commit = git.head.commit, let nearest = try git.nearest(file.id, to: commit) {
            candidates.append(nearest)
        }
        guard
            let (own, new) = (try? VersionParts(file.bytes, file.path)).flatMap({ own in
                (try? VersionParts(newest.bytes, newest.path)).map { (own, $0) }
            })
        else { return .edit }
        var best: (agreement: Int, version: GitHistory.File, older: [VersionParts.Key], hasNewest: Bool)?
        for var version in candidates where file.past.rank(of: version.bytes) != nil {
            // A path at which the todo was never synced isn't an older one.
            if !file.past.syncedPaths.contains(version.path) { version.path = newest.path }
            guard !file.isNewest(version), let old = try? VersionParts(version.bytes, version.path) else {
                continue
            }
            let differing = old.differences(from: new)
            let older = differing.filter { own.isEqual(to: old, in: $0) }
            guard !older.isEmpty else { continue }
            let agreement = own.agreement(with: old)
            if best.map({ agreement > $0.agreement }) ?? true {
                best = (agreement, version, older, differing.contains { own.isEqual(to: new, in: $0) })
            }
        }
        guard let best else { return .edit }
        if !best.hasNewest, isHeads, !isCommitted { return edit(file, of: best.version) }
        let fields = best.older.compactMap { if case .field(let name) = $0 { name } else { nil } }
        return EditBasis(
            asking: fields, version: best.version.bytes, newest: newest.bytes,
            path: best.older.contains(.path) ? file.path : newest.path
        ).map(Standing.editOf) ?? .edit
    }

    // MARK: Missing files

    /// Returns whether a missing file is the user's delete, and not removed by git.
    private func isUsersDelete(
        _ id: TodoID, _ path: String, _ state: TodoState
    ) throws(GitProcess.Failure) -> Bool {
        let index = try git.indexed()
        let isSparse = index.sparse.contains(path)
        // The path might be another todo's in the index; an unmerged file has no text there.
        let isOthers = git.hasOther(GitHistory.index, path, of: id)
        let isInIndex = index.present.contains(path) && !isOthers
        let isInHead = git.has(git.head.commit, path, of: id)
        let isIn = { (commit: String?) in git.has(commit, path, of: id) }
        switch state.origin {
        case .removedByCommand, .deleted: return true
        default: break
        }
        for commit in git.commits.reversed() where isIn(commit.old) != isIn(commit.new) {
            if isIn(commit.old), isIn(commit.beforeResets), try !git.isMoved(id, by: commit),
                try !git.isIgnored(path)
            {
                if try git.isAncestor(commit.new, of: git.head.commit) { return true }
                if try git.isOnBranch(commit.new) { return true }
            }
            break
        }
        // Without an index, git hasn't checked out anything.
        if !isSparse, isInHead && git.hasIndex || isInIndex, isPresentSinceHeld(state, isIn),
            git.visited.filter({ $0 != git.last.commit && $0 != git.head.commit }).allSatisfy(isIn)
        {
            return true
        }
        if !isInHead, !isSparse, git.head.commit != nil {
            let start = git.steps.last { $0.isCheckout || $0.isReset && $0.old != $0.new }?.new
            if try git.isDeleted(path, since: start ?? git.last.commit), try !git.isIgnored(path) {
                return true
            }
        }
        if isInIndex || isSparse { return false }
        if try git.wasCommitted(id) { return false }
        if case .held(let held)? = state.origin, held.mark == nil { return false }
        if git.steps.contains(where: \.isReset) || !git.hasLog || hasStashChanged { return false }
        if try git.hasObject(of: id) { return false }
        // git removes several such files at once, as with `git clean` or `git stash -u`.
        for other in gone where other != id {
            if try !git.wasCommitted(other) { return false }
        }
        return true
    }
}

extension GitJudge {
    /// Returns whether a todo's file can have been there since the last command: if git had removed it then,
    /// a checkout or the like has to have brought it back.
    private func isPresentSinceHeld(_ state: TodoState, _ isIn: (String?) -> Bool) -> Bool {
        guard case .held(let held)? = state.origin, held.mark == nil else { return true }
        return git.steps.contains { !$0.isReset && !isIn($0.old) && isIn($0.new) }
    }
}

extension Held {
    /// Creates the state of a todo that is held now.
    ///
    /// - Parameter last: What git had checked out at the last command; the file was the newest version there
    ///   if
    ///   it wasn't held then.
    init(reason: HeldReason, _ state: TodoState, _ head: Head?, before last: RecordedHead?) {
        self.reason = reason
        if case .held(let held)? = state.origin {
            (home, version) = (held.home, held.version)
        } else {
            (home, version) = (last?.branch, state.base?.todo.map { ContentMark(ofLines: $0.bytes) })
        }
        // Outside of a repository, there is no other branch. A purged todo needs no decision on any branch.
        let home = home
        switch reason {
        case .gitFailed: isElsewhere = false
        case .olderVersion, .deletedTodo, .notSentYet, .removedByGit:
            isElsewhere = state.origin == .notKept || head.map { home == nil || $0.branch != home } ?? false
        }
    }
}

extension TodoState {
    /// Returns the standing that a command recorded for the file with a text; nil if there is none.
    func standing(ofEdited bytes: [UInt8]) -> Standing? {
        switch origin {
        case .command(let mark)? where mark == ContentMark(of: bytes): .edit
        case .edited(let file)? where file.mark == ContentMark(ofLines: bytes):
            file.basis.map(Standing.editOf) ?? .edit
        default: nil
        }
    }
}

extension GitHistory.File {
    /// Returns whether another file has the same path and the same text, except for line endings.
    fileprivate func isSame(as other: GitHistory.File) -> Bool {
        path == other.path && isSameText(as: other.bytes)
    }
}

/// The parts of a todo's version that can be older each on its own: its fields, its comments and its path.
private struct VersionParts {
    enum Key: Hashable {
        case field(String)
        case comment(String)
        case path
    }

    private let fields: Mapping
    private let comments: Set<String>
    private let path: String

    init(_ bytes: [UInt8], _ path: String) throws {
        let todo = try Todo(parsing: bytes)
        fields = todo.fields
        comments = Set(
            todo.document.comments.map { String(decoding: todo.document.comment($0), as: UTF8.self) })
        self.path = path
    }

    func differences(from other: VersionParts) -> [Key] {
        CanonicalField.differences(from: fields, to: other.fields).map(Key.field)
            + comments.symmetricDifference(other.comments).sorted().map(Key.comment)
            + (path == other.path ? [] : [.path])
    }

    func isEqual(to other: VersionParts, in key: Key) -> Bool {
        switch key {
        case .field(let name):
            CanonicalField.value(name, fields[name]) == CanonicalField.value(name, other.fields[name])
        case .comment(let comment): comments.contains(comment) == other.comments.contains(comment)
        case .path: path == other.path
        }
    }

    /// Returns the number of parts that are equal in another version.
    func agreement(with other: VersionParts) -> Int {
        let names = Set(fields.keys + other.fields.keys).map(Key.field)
        let all = names + comments.union(other.comments).map(Key.comment) + [.path]
        return all.count { isEqual(to: other, in: $0) }
    }
}
