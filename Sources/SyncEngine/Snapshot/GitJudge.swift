internal import Git
internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// Decides whether todos' changed and missing files are git's or the user's, by the table in SyncEngine.md.
///
/// Without git's answers, what was recorded about the files still applies.
struct GitJudge {
    /// Git's answers; nil outside of a repository, or if git failed.
    var git: GitHistory?
    /// Why git didn't answer; nil outside of a repository.
    var failure: GitProcess.Failure?
    let snapshot: Snapshot
    let past: [TodoID: PastTexts]
    /// Whether the stash has changed since the last command.
    var hasStashChanged = false
    /// The rules that gave the standings, including those of the user's edits and deletes.
    private(set) var rules: [TodoID: GitRule] = [:]

    private typealias Judgement = (standing: Standing, rule: GitRule)

    /// A todo's file that differs from the newest base version.
    private struct ChangedFile {
        var operation: PendingOperation
        var path: String
        var bytes: [UInt8]
        var state: TodoState
        /// The newest version; nil if the todo is new or deleted.
        var newest: GitHistory.File?
        var past: PastTexts
        /// The state of the file if it was held.
        var held: HeldFile? { if case .held(let held)? = state.origin { held } else { nil } }

        var id: TodoID { operation.id }
        var isNew: Bool { state.base == nil }
        /// The position of the text among the synced ones; nil if it was never synced.
        var rank: Int? { past.rank(of: bytes) }
        /// Whether the file has been held with its current text.
        var isStillHeld: Bool { held.map { $0.mark == ContentMark(ofLines: bytes) } ?? false }

        func isSameText(as other: [UInt8]?) -> Bool {
            other.map { SyncEngine.isSameText($0, bytes) } ?? false
        }
    }

    /// Returns the standings of pending operations, except for plain edits and deletes of the user's.
    mutating func standings(
        of operations: [PendingOperation]
    ) throws(GitProcess.Failure) -> [TodoID: Standing] {
        let gone = operations.filter { $0.local == nil }.map(\.id)
        var standings: [TodoID: Standing] = [:]
        for operation in operations {
            let (standing, rule) = try judge(operation, gone: gone)
            rules[operation.id] = rule
            if standing != .edit { standings[operation.id] = standing }
        }
        return standings
    }

    private func judge(
        _ operation: PendingOperation, gone: [TodoID]
    ) throws(GitProcess.Failure) -> Judgement {
        let state = snapshot.tracked.todos[operation.id] ?? TodoState()
        guard let local = operation.local else {
            switch state.origin {
            case .removedByCommand, .deleted: return (.edit, .isDecided)
            case .held(let held) where git == nil && held.mark == nil:
                return (self.held(held.reason, operation), .isUnchangedSinceHeld)
            default: break
            }
            if let git {
                let (isUsers, rule) = try judgeDelete(operation, state, git, gone: gone)
                return (isUsers ? .edit : held(.removedByGit, operation), rule)
            }
            let isUsers = failure == nil || failure == .notInstalled
            return isUsers ? (.edit, .isNowhere) : (held(.gitFailed, operation), .hasNoAnswer)
        }
        let file = ChangedFile(
            operation: operation, path: local.path, bytes: local.bytesWithID, state: state,
            newest: state.base?.todo.map { .init(bytes: $0.bytes, path: $0.path ?? local.path) },
            past: past[operation.id] ?? PastTexts())
        if let standing = state.standing(ofEdited: file.bytes) { return (standing, .isDecided) }
        guard let git, let commit = git.head.commit else { return recorded(file) }
        return try judge(file, git, commit)
    }

    /// Returns the standing of an operation's file, or of its absence, if it is held.
    private func held(_ reason: HeldReason, _ operation: PendingOperation) -> Standing {
        let state = snapshot.tracked.todos[operation.id] ?? TodoState()
        var held = HeldFile(reason, operation, state, since: snapshot.tracked.head)
        held.problem = reason == .gitFailed ? failure?.words : nil
        held.isStashed = git?.isStashed(state.base?.todo?.bytes, of: operation.id) ?? false
        return .held(held)
    }

    /// Returns the standings of operations whose files changed together with HEAD, about which git failed to
    /// answer.
    mutating func unanswered(_ operations: [PendingOperation]) -> [TodoID: Standing] {
        for operation in operations { rules[operation.id] = .hasNoAnswer }
        return Dictionary(uniqueKeysWithValues: operations.map { ($0.id, held(.gitFailed, $0)) })
    }

    /// Returns the standing that was recorded for a file.
    private func recorded(_ file: ChangedFile) -> Judgement {
        if let held = file.held {
            if file.isStillHeld { return (self.held(held.reason, file.operation), .isUnchangedSinceHeld) }
            if let version = file.past.text(with: held.mark ?? held.version) {
                return (.editOf(EditBasis(bytes: version, path: file.path)), .isChangedSinceHeld)
            }
        }
        // A text that was here before might be git's.
        let mightBeGits = failure != nil && file.rank != nil
        return mightBeGits ? (held(.olderVersion, file.operation), .hasNoAnswer) : (.edit, .isOnNewest)
    }

    /// The number of older versions that no person writes into files at once.
    static let manyOlder = 5

    /// Returns the standings of edits if all of them are exactly older versions, and many: outside of a
    /// repository, or in one that todosync doesn't know, a program has brought them back.
    mutating func standings(ofOlder edits: [PendingOperation]) -> [TodoID: Standing] {
        let isOlder = edits.allSatisfy { edit in
            edit.local.map { past[edit.id]?.rank(of: $0.bytesWithID) != nil } ?? false
        }
        guard isOlder, edits.count >= Self.manyOlder else { return [:] }
        for edit in edits { rules[edit.id] = .areManyOlder }
        return Dictionary(uniqueKeysWithValues: edits.map { ($0.id, held(.olderVersion, $0)) })
    }

    // MARK: Files

    private func judge(
        _ file: ChangedFile, _ git: GitHistory, _ commit: String
    ) throws(GitProcess.Failure) -> Judgement {
        let rank = file.rank
        let own = git.commit(setting: file.id, to: .init(bytes: file.bytes, path: file.path))
        let former = own.flatMap { git.file(file.id, in: $0.old) }
        // A commit made here set the file back to an older version.
        let goesBack =
            rank.map { rank in
                former.map { former in
                    file.isSameText(as: former.bytes) || file.past.rank(of: former.bytes) ?? -1 > rank
                } ?? false
            } ?? false
        if !goesBack, let rule = try ruleOfOlder(file, git, commit) {
            return (held(file.newest == nil ? .deletedTodo : .olderVersion, file.operation), rule)
        }
        if let held = file.held, file.isStillHeld, !goesBack,
            rank != nil || own == nil && !isFromGit(file, git)
        {
            return (self.held(held.reason, file.operation), .isUnchangedSinceHeld)
        }
        if rank == nil, own == nil, try isNotSentYet(file, git) {
            return (held(.notSentYet, file.operation), .isCheckedOut(commit: git.lastCheckout ?? commit))
        }
        return try judgeEdit(file, git, commit, isOwn: own != nil, goingBackFrom: goesBack ? former : nil)
    }

    /// Returns the rule by which git has a file's text or path as an older one; nil if it hasn't.
    private func ruleOfOlder(
        _ file: ChangedFile, _ git: GitHistory, _ commit: String
    ) throws(GitProcess.Failure) -> GitRule? {
        guard file.rank == nil else {
            if !file.isSameText(as: file.newest?.bytes) {
                if git.isConverted(file.path) { return .isConverted }
                // What git removed is back with an older version, as after `git stash pop`.
                if let held = file.held, held.mark == nil { return .isBackWithOlderText }
                return git.currentCommit(of: file.id) { file.isSameText(as: $0.bytes) }
                    .map(GitRule.hasOlderText)
            }
            guard file.past.syncedPaths.contains(file.path) else { return nil }
            return git.currentCommit(of: file.id) { $0.path == file.path && file.isSameText(as: $0.bytes) }
                .map(GitRule.hasOlderPath)
        }
        guard file.isSameText(as: git.text(commit, file.path, of: file.id)) else { return nil }
        return try commitSyncedLater(file, git, commit).map(GitRule.isBeforeSynced)
    }

    /// Returns a commit that continues HEAD and has a synced text of a todo; nil if there is none.
    ///
    /// A fresh clone or a reset has what the user had committed before its last version was synced.
    private func commitSyncedLater(
        _ file: ChangedFile, _ git: GitHistory, _ commit: String
    ) throws(GitProcess.Failure) -> String? {
        for other in ([git.last.commit].compactMap(\.self) + git.visited).withoutRepetition
        where other != commit {
            guard let later = git.file(file.id, in: other), file.past.rank(of: later.bytes) != nil,
                try git.isAncestor(commit, of: other)
            else { continue }
            return other
        }
        return nil
    }

    /// Returns whether a merge, a pull or a similar step of git brought a file's text.
    private func isFromGit(_ file: ChangedFile, _ git: GitHistory) -> Bool {
        git.steps.contains { step in
            !step.message.hasPrefix("checkout:") && !step.isReset
                && file.isSameText(as: git.file(file.id, in: step.new)?.bytes)
                && !file.isSameText(as: git.file(file.id, in: step.old)?.bytes)
        }
    }

    /// Returns whether a file that was never on the remote is exactly what a checkout of another branch
    /// wrote.
    private func isNotSentYet(
        _ file: ChangedFile, _ git: GitHistory
    ) throws(GitProcess.Failure) -> Bool {
        guard let start = git.lastCheckout, file.isSameText(as: git.text(start, file.path, of: file.id))
        else {
            return false
        }
        guard file.isNew else { return !(git.head.branch.map(git.last.branches.contains) ?? false) }
        if git.last.commit == nil { return false }
        return try !git.isAncestor(git.last.commit, of: start)
    }

    // MARK: What a file is an edit of

    /// Returns the standing of the user's edit.
    ///
    /// - Parameters:
    ///   - isOwn: Whether a commit made here set the file to what it is.
    ///   - former: What the file was before such a commit set it back to an older version.
    private func judgeEdit(
        _ file: ChangedFile, _ git: GitHistory, _ commit: String, isOwn: Bool,
        goingBackFrom former: GitHistory.File?
    ) throws(GitProcess.Failure) -> Judgement {
        if file.isNew { return (.edit, .isNew) }
        guard let newest = file.newest else {
            // An edit of a version from before the todo was deleted is a conflict.
            let older = git.currentFiles(of: file.id).first { file.past.rank(of: $0.bytes) != nil }
            guard let bytes = older?.bytes ?? file.past.syncedTexts.first else {
                return (.edit, .isOfDeletedTodo)
            }
            return (.editOf(EditBasis(bytes: bytes, path: older?.path ?? file.path)), .isOfDeletedTodo)
        }
        if file.isSameText(as: newest.bytes) { return (.edit, .isMoveOnly) }
        if let former { return (edit(file, newest, of: former), .isSetBack) }
        for step in git.steps.reversed() where step.isCheckout {
            if git.file(file.id, in: step.old) == git.file(file.id, in: step.new) { continue }
            let version = try git.nearest(file.id, to: step.new)
            return (edit(file, newest, of: version), .isOnCheckout(commit: step.new))
        }
        if let held = file.held, !file.isStillHeld {
            let version = try version(of: file, heldAs: held, git, commit)
            return (edit(file, newest, of: version), .isChangedSinceHeld)
        }
        return try judgeEditBesideOlder(file, newest, git, commit, isOwn: isOwn)
    }

    /// Returns the version that the edit of a held file is based on; nil if there is none.
    private func version(
        of file: ChangedFile, heldAs held: HeldFile, _ git: GitHistory, _ commit: String
    ) throws(GitProcess.Failure) -> GitHistory.File? {
        if held.mark != nil {
            let staged = git.file(file.id, in: GitHistory.index)
            if let staged, file.past.rank(of: staged.bytes) != nil { return staged }
            return try git.nearest(file.id, to: commit)
        }
        // What git removed and brought back is an edit of the version of that time.
        return file.past.text(with: held.version).map {
            .init(bytes: $0, path: file.newest?.path ?? file.path)
        }
    }

    /// Returns the standing of an edit of a version; without one, each field that differs is a conflict.
    private func edit(
        _ file: ChangedFile, _ newest: GitHistory.File, of version: GitHistory.File?
    ) -> Standing {
        guard let version else {
            return EditBasis(asking: nil, version: file.bytes, newest: newest.bytes, path: file.path)
                .map(Standing.editOf) ?? .edit
        }
        if version.isSame(as: newest) { return .edit }
        return .editOf(EditBasis(bytes: version.bytes, path: version.path))
    }

    /// Returns the standing of an edit of the newest version that might also have older values of git's.
    private func judgeEditBesideOlder(
        _ file: ChangedFile, _ newest: GitHistory.File, _ git: GitHistory, _ commit: String, isOwn: Bool
    ) throws(GitProcess.Failure) -> Judgement {
        var candidates = git.currentFiles(of: file.id)
        if try !git.isAncestor(git.last.commit, of: commit),
            let former = git.file(file.id, in: git.last.commit)
        {
            candidates.append(former)
        }
        let isHeads = file.isSameText(as: git.text(commit, file.path, of: file.id))
        if isHeads, let nearest = try git.nearest(file.id, to: commit) { candidates.append(nearest) }
        candidates.removeAll { file.past.rank(of: $0.bytes) == nil }
        if let heads = git.file(file.id, in: commit), file.past.rank(of: heads.bytes) == nil,
            try commitSyncedLater(file, git, commit) != nil
        {
            candidates.append(heads)
        }
        guard let own = try? VersionParts(file.bytes, file.path),
            let new = try? VersionParts(newest.bytes, newest.path)
        else { return (.edit, .isOnNewest) }
        var best: (agreement: Int, version: GitHistory.File, older: [VersionParts.Key], hasNewest: Bool)?
        for var version in candidates {
            // A path at which the todo was never synced isn't an older one.
            if !file.past.syncedPaths.contains(version.path) { version.path = newest.path }
            guard !version.isSame(as: newest), let old = try? VersionParts(version.bytes, version.path) else {
                continue
            }
            let differing = old.differences(from: new)
            let older = differing.filter { own.isEqual(to: old, in: $0) }
            let agreement = own.agreement(with: old)
            guard !older.isEmpty, agreement > best?.agreement ?? -1 else { continue }
            best = (agreement, version, older, differing.contains { own.isEqual(to: new, in: $0) })
        }
        guard let best else { return (.edit, .isOnNewest) }
        if !best.hasNewest, isHeads, !isOwn {
            return (edit(file, newest, of: best.version), .isHeadsOlderEdit)
        }
        let fields = best.older.compactMap { if case .field(let name) = $0 { name } else { nil } }
        let basis = EditBasis(
            asking: fields, version: best.version.bytes, newest: newest.bytes,
            path: best.older.contains(.path) ? file.path : newest.path)
        return (basis.map(Standing.editOf) ?? .edit, .hasOlderValues(of: fields))
    }

    // MARK: Missing files

    /// Returns whether a missing file is the user's delete, and not removed by git, with the rule.
    private func judgeDelete(
        _ operation: PendingOperation, _ state: TodoState, _ git: GitHistory, gone: [TodoID]
    ) throws(GitProcess.Failure) -> (isUsers: Bool, rule: GitRule) {
        let (id, path) = (operation.id, operation.path)
        let index = try git.indexed()
        let isSparse = index.sparse.contains(path)
        // The path might be another todo's in the index; an unmerged file has no text there.
        let isInIndex = index.present.contains(path) && !git.hasOther(GitHistory.index, path, of: id)
        let isInHead = git.has(git.head.commit, path, of: id)
        let isIn = { (commit: String?) in git.has(commit, path, of: id) }
        for commit in git.commits.reversed() where isIn(commit.old) != isIn(commit.new) {
            if isIn(commit.old), isIn(commit.beforeResets), try !git.isMoved(id, by: commit),
                try !git.isIgnored(path)
            {
                var isKept = try git.isAncestor(commit.new, of: git.head.commit)
                if !isKept { isKept = try git.isOnBranch(commit.new) }
                if isKept { return (true, .isDeletedBy(commit: commit.new)) }
            }
            break
        }
        let wasRemoved = if case .held(let held)? = state.origin { held.mark == nil } else { false }
        // If git had removed the file, a checkout or the like has to have brought it back since.
        let wasThere =
            !wasRemoved || git.steps.contains { !$0.isReset && !isIn($0.old) && isIn($0.new) }
        // Without an index, git hasn't checked out anything.
        if !isSparse, isInHead && git.hasIndex || isInIndex, wasThere,
            git.visited.filter({ $0 != git.last.commit && $0 != git.head.commit }).allSatisfy(isIn)
        {
            return (true, .isInGit)
        }
        if !isInHead, !isSparse, git.head.commit != nil {
            let start = git.steps.last { $0.isCheckout || $0.isReset && $0.old != $0.new }?.new
            if try git.isDeleted(path, since: start ?? git.last.commit), try !git.isIgnored(path) {
                return (true, .isDeletedSince(commit: start ?? git.last.commit))
            }
        }
        if isSparse { return (false, .isSparse) }
        if wasRemoved { return (false, .isStillRemoved) }
        if isInIndex { return (false, .isMissingInVisited) }
        if try git.wasCommitted(id) { return (false, .wasCommitted) }
        if git.steps.contains(where: \.isReset) || !git.hasLog || hasStashChanged {
            return (false, .canBeRemoved)
        }
        if try git.hasObject(of: id) { return (false, .hasObject) }
        // git removes several such files at once, as with `git clean` or `git stash -u`.
        for other in gone where other != id {
            if try !git.wasCommitted(other) { return (false, .areManyGone) }
        }
        return (true, .isNowhere)
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

/// The rule by which ``GitJudge`` decided about a changed or missing file; see the table in SyncEngine.md.
///
/// A commit is its id, or ``GitHistory/index`` for the index.
enum GitRule: Sendable, Hashable {
    // An older file.
    case isConverted
    case hasOlderText(commit: String)
    case hasOlderPath(commit: String)
    case isBackWithOlderText
    case isBeforeSynced(commit: String)
    case areManyOlder
    // A file that is held for another reason.
    case isUnchangedSinceHeld
    case isCheckedOut(commit: String)
    case hasNoAnswer
    // An edit, by what it is based on.
    case isDecided
    case isNew
    case isOfDeletedTodo
    case isMoveOnly
    case isSetBack
    case isOnCheckout(commit: String)
    case isChangedSinceHeld
    case isHeadsOlderEdit
    case hasOlderValues(of: [String])
    case isOnNewest
    // A delete of the user's.
    case isDeletedBy(commit: String)
    case isDeletedSince(commit: String?)
    case isInGit
    case isNowhere
    // A removal of git's.
    case isSparse
    case isStillRemoved
    case isMissingInVisited
    case wasCommitted
    case canBeRemoved
    case hasObject
    case areManyGone

    /// Returns the rule as a clause.
    ///
    /// - Parameter head: The commit that is checked out.
    func words(head: String?) -> String {
        func name(_ commit: String?) -> String {
            guard let commit else { return "the beginning" }
            if commit == GitHistory.index { return "the index" }
            return (commit == head ? "HEAD " : "commit ") + commit.prefix(10)
        }
        return switch self {
        case .isConverted: "git converts the file, so an older version counts as git's"
        case .hasOlderText(let commit): "\(name(commit)) has this synced text, which isn't the newest"
        case .hasOlderPath(let commit): "\(name(commit)) has the newest text at this earlier path"
        case .isBackWithOlderText: "git had removed the file, and it is back with an older text"
        case .isBeforeSynced(let commit):
            "HEAD has this text, which was never synced; that of its descendant, \(name(commit)), was"
        case .areManyOlder: "at least \(GitJudge.manyOlder) files have exactly the text of an older version"
        case .isUnchangedSinceHeld: "the file was held, and hasn't changed since"
        case .isCheckedOut(let commit):
            "the checkout of \(name(commit)) wrote this text, which was never synced"
        case .hasNoAnswer: "git gave no answer, and the text might be git's"
        case .isDecided: "an earlier command decided this, and the file hasn't changed since"
        case .isNew: "no version was ever synced, and no checkout wrote it"
        case .isOfDeletedTodo: "the todo was deleted, so the file is an edit of an older version"
        case .isMoveOnly: "only the path differs, and git doesn't have the file at this path"
        case .isSetBack: "a commit made here set it back, so it is an edit of what it was before"
        case .isOnCheckout(let commit):
            "it is an edit of the version that the checkout of \(name(commit)) led to"
        case .isChangedSinceHeld: "the file was held, and is an edit of the version that it had then"
        case .isHeadsOlderEdit: "HEAD has this text, with no value of the newest version"
        case .hasOlderValues(let fields):
            "git has an older version with the same "
                + (fields.isEmpty ? "comments or path" : fields.joined(separator: ", "))
        case .isOnNewest: "it is an edit of the newest version, and has no older value of git's"
        case .isDeletedBy(let commit): "\(name(commit)), made here, deletes it"
        case .isDeletedSince(let commit): "a commit since \(name(commit)) deletes it"
        case .isInGit: "git still has it, and so had every commit where HEAD has been"
        case .isNowhere: "no commit has it, and git can't have removed it"
        case .isSparse: "a sparse checkout leaves it out"
        case .isStillRemoved: "git had removed it, and hasn't brought it back"
        case .isMissingInVisited: "a commit where HEAD has been since the last command lacks it"
        case .wasCommitted: "HEAD lacks it, and no commit made here deletes it"
        case .canBeRemoved:
            "no commit has it, and a reset or a stash might have removed it, or git has no log of HEAD"
        case .hasObject: "git has a synced text of it as an object"
        case .areManyGone: "several todos that were never committed are gone at once"
        }
    }
}
