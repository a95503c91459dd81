internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// How to treat a todo's changed or absent file if git might have changed it.
///
/// Todos don't belong to a branch, so a file that git rolled back to an older version, or removed, is neither
/// an edit nor a delete, and isn't sent. On the home branch, where the newest versions belong, such a todo is
/// held until the user decides; on any other branch, its file isn't changed, so that git can switch back.
enum Standing: Sendable, Hashable {
    /// The user's edit of the newest base version, or the user's delete.
    case edit
    /// The user's edit of an older version; the value is the older version's text.
    case editOf([UInt8])
    /// An edit of an older version; in the fields that differ between that version and the newest, its values
    /// might be git's.
    case goesBack(to: [UInt8])
    /// Git checked out an older version.
    case behind
    /// Git removed the file.
    case absent
    /// Git might have changed or removed the file; the user decides.
    case held(HeldReason)
    /// The user decided: the file becomes the newest version.
    case forwarded

    /// Whether the todo isn't pending, and its file isn't changed.
    var isExcludedFromPush: Bool {
        switch self {
        case .behind, .absent, .held: true
        case .edit, .editOf, .goesBack, .forwarded: false
        }
    }

    /// Whether the file has to be merged with the newest version before it can be sent.
    var isOfOlderVersion: Bool {
        switch self {
        case .editOf, .goesBack: true
        case .edit, .behind, .absent, .held, .forwarded: false
        }
    }
}

/// Why a todo is held.
package enum HeldReason: Sendable, Hashable {
    /// The file is a committed older version.
    case olderVersion
    /// The file is committed, and the todo was deleted.
    case deleted
    /// The file is gone, and a commit or a stash has it.
    case removed
    /// Git failed, and HEAD has moved; with the reason.
    case unanswered(String)
}

/// Git's information about one todo.
struct GitFacts: Sendable {
    /// The text in HEAD's commit at the todo's path; nil if it is missing there or belongs to another todo.
    var headText: [UInt8]?
    /// The text in the index, which `git checkout .` brings back.
    var stagedText: [UInt8]?
    /// Whether HEAD's commit or the index has the todo at the file's path, and not only at its former one.
    var hasPath = false
    /// Whether a filter, `ident` or an encoding converts between git's texts and the file, so that git's
    /// texts are unknown.
    var isConverted = false
    /// The texts at the todo's path in HEAD's history, latest first, if ``headText`` is neither the newest
    /// version nor an older one.
    var headHistory: [[UInt8]] = []
    /// Whether a later commit (the last writing command's or the home branch's) has a text that was here;
    /// ``headText`` is then older, even if it was never here.
    var isSuperseded = false
    /// Whether HEAD's commit or the index has the todo's path, and a sparse checkout doesn't leave it out.
    var isTracked = false
    /// Whether the HEAD of the last writing command has the path, and HEAD's commit doesn't.
    var wasRemovedByCommit = false
    /// Whether the ignore files name the path.
    var isIgnored = false
    /// Whether a commit of any branch, tag, reflog or stash has the path.
    var isInAnyCommit = false

    /// The texts in commits whose files a reset might have left, latest first.
    var textsBeforeResets: [[UInt8]] = []

    var hasText: Bool { headText != nil || stagedText != nil || !textsBeforeResets.isEmpty }
}

/// Decides how to treat the files of a working directory, without reading files or asking git.
struct GitJudge: Sendable {
    /// Whether the home branch is checked out.
    let isHome: Bool
    /// Whether the HEAD of the last writing command is HEAD or one of its ancestors.
    let isDescendant: Bool

    /// A todo's file that differs from the newest base version.
    struct ChangedFile {
        var bytes: [UInt8]
        /// The newest base version; nil if there isn't one, or if it is a deletion.
        var newest: [UInt8]?
        var isDeleted: Bool
        /// Whether the file's path differs from the newest version's, and the todo had it before.
        var hasOldPath = false
        var origin: FileOrigin?
        var past: PastTexts
    }

    func standing(of file: ChangedFile, _ git: GitFacts) -> Standing {
        if case .command(let mark) = file.origin, mark == ContentMark(of: file.bytes) { return .edit }
        if file.isNewest(file.bytes) { return standing(ofMoved: file, git) }
        switch file.origin {
        case .version(let version) where isSameText(version, file.bytes),
            // Git brought back the version that it had removed.
            .removedByGit(was: let version?) where isSameText(version, file.bytes):
            return behind(file)
        default: break
        }
        if let staged = git.stagedText, isSameText(staged, file.bytes),
            file.isDeleted || !file.isNewest(staged) && file.hasHad(staged)
        {
            return behind(file)
        }
        // If HEAD's text is unknown, a text that was here before might be git's.
        if let head = git.headText ?? (git.isConverted && file.hasHad(file.bytes) ? file.bytes : nil) {
            let isOlder = !file.isNewest(head) && file.hasHad(head)
            // The version that commits edited to get HEAD's text.
            let version = isOlder ? head : git.headHistory.first { file.isNewest($0) || file.hasHad($0) }
            let older = version.flatMap { file.isNewest($0) ? nil : $0 }
            if isSameText(head, file.bytes) {
                if isOlder || file.isDeleted { return behind(file) }
                if file.isNewest(head) { return .edit }
                let isUnsent = file.past.unsent.contains(file.bytes)
                if git.isSuperseded, !isUnsent { return behind(file) }
                guard isHome || isDescendant || isUnsent else { return .behind }
                if let older { return .editOf(older) }
                // If HEAD's history lacks the version in the file's origin, that version is another branch's.
                return file.origin?.version.map { version in
                    git.headHistory.contains { isSameText($0, version) } ? .editOf(version) : .edit
                } ?? .edit
            }
            if let older, let standing = edit(of: older, file) { return standing }
        }
        for text in git.textsBeforeResets where !file.isNewest(text) && file.hasHad(text) {
            if isSameText(text, file.bytes) { return behind(file) }
            if let standing = edit(of: text, file) { return standing }
        }
        return editOfOrigin(file)
    }

    /// Returns the standing of a file as an edit of an older version that git has; nil if it isn't one.
    private func edit(of older: [UInt8], _ file: ChangedFile) -> Standing? {
        if file.isDeleted { return .editOf(older) }
        guard let newest = file.newest, Self.isEdit(file.bytes, of: older, notOf: newest) else { return nil }
        return isHome ? .goesBack(to: older) : .editOf(older)
    }

    /// Returns the standing of a file that has the newest text at a different path.
    private func standing(ofMoved file: ChangedFile, _ git: GitFacts) -> Standing {
        let isGits = [git.headText, git.stagedText].contains {
            $0.map { isSameText($0, file.bytes) } ?? false
        }
        guard git.hasPath, isGits else { return .edit }
        if file.hasOldPath { return behind(file) }
        return isHome || isDescendant ? .edit : .behind
    }

    /// Returns the standing of a file as an edit of the version in its origin, unless git has since brought
    /// back the newest version.
    private func editOfOrigin(_ file: ChangedFile) -> Standing {
        guard let version = file.origin?.version else { return .edit }
        if let newest = file.newest, Self.isEdit(file.bytes, of: newest, notOf: version) { return .edit }
        return .editOf(version)
    }

    private func behind(_ file: ChangedFile) -> Standing {
        guard isHome else { return .behind }
        // The todo is new, so the file can't be older than any version.
        if file.newest == nil, !file.isDeleted { return .edit }
        return .held(file.isDeleted ? .deleted : .olderVersion)
    }

    func standing(ofGone origin: FileOrigin?, _ git: GitFacts) -> Standing {
        switch origin {
        case .removedByCommand, .removedByCommit: return .edit
        // A mixed reset to a commit that has the path doesn't make the missing file the user's delete.
        case .removedByGit(was: nil), .notKept: return .absent
        case .removedByGit: return isHome ? .held(.removed) : .absent
        case nil, .command, .version: break
        }
        if git.isTracked { return .edit }
        // A commit that stops tracking ignored files removes them from the folders of everyone who pulls it.
        if git.wasRemovedByCommit { return git.isIgnored ? .absent : .edit }
        guard git.isInAnyCommit else { return .edit }
        return isHome ? .held(.removed) : .absent
    }

    /// Returns whether a text is an edit of an older version, rather than of the newest.
    ///
    /// Among the fields that differ between the two versions, at least one then has the older value, and none
    /// has the newest.
    static func isEdit(_ text: [UInt8], of version: [UInt8], notOf newest: [UInt8]) -> Bool {
        guard let old = try? Todo(parsing: version), let new = try? Todo(parsing: newest),
            let own = try? Todo(parsing: text)
        else { return false }
        let fields = CanonicalField.differences(from: old.fields, to: new.fields)
        let changed = Set(CanonicalField.differences(from: old.fields, to: own.fields))
        let notNewest = Set(CanonicalField.differences(from: new.fields, to: own.fields))
        return fields.contains { !changed.contains($0) } && fields.allSatisfy(notNewest.contains)
    }
}

extension FileOrigin {
    /// The version that git checked out or removed.
    fileprivate var version: [UInt8]? {
        switch self {
        case .version(let version), .removedByGit(was: let version?): version
        case .command, .removedByCommand, .removedByCommit, .removedByGit(was: nil), .notKept: nil
        }
    }
}

extension GitJudge.ChangedFile {
    /// Returns whether the file differs from a text that git has and that was never here.
    func isEdit(ofNew text: [UInt8]) -> Bool {
        !isSameText(text, bytes) && !isNewest(text) && !hasHad(text)
    }

    func isNewest(_ text: [UInt8]) -> Bool { newest.map { isSameText($0, text) } ?? false }

    func hasHad(_ text: [UInt8]) -> Bool { past.hasHad(text) }
}

extension PastTexts {
    /// Returns whether a text is one of these, ignoring line endings.
    func hasHad(_ text: [UInt8]) -> Bool {
        // If only a text's mark is left, its line endings aren't known.
        [text, text.converted(to: .lineFeed), text.converted(to: .carriageReturnLineFeed)].contains(
            where: contains)
            || texts.contains { isSameText($0, text) }
    }
}

extension GitJudge {
    /// Returns the standings of the changed and absent files of pending operations; todos without one are the
    /// user's edits.
    func standings(
        of operations: [PendingOperation], _ files: [TodoID: ChangedFile], _ snapshot: Snapshot,
        facts: (PendingOperation) -> GitFacts
    ) -> [TodoID: Standing] {
        var standings: [TodoID: Standing] = [:]
        for operation in operations {
            let git = facts(operation)
            let standing =
                files[operation.id].map { self.standing(of: $0, git) }
                ?? self.standing(ofGone: snapshot.tracked.todos[operation.id]?.origin, git)
            if standing != .edit { standings[operation.id] = standing }
        }
        return standings
    }
}

extension GitJudge {
    /// Determines the standings of a snapshot's changed and absent files.
    ///
    /// - Parameter survey: The repository; nil if there isn't one.
    static func judge(_ snapshot: inout Snapshot, by survey: GitSurvey?) throws {
        if let survey {
            try survey.judge(&snapshot)
        } else {
            snapshot.standings = standingsOfOrigins(in: snapshot)
        }
    }

    /// Returns the files' standings outside a repository, where git's earlier changes still aren't the
    /// user's.
    private static func standingsOfOrigins(in snapshot: Snapshot) -> [TodoID: Standing] {
        let ids = Set(snapshot.tracked.todos.loaded.filter { $0.value.origin != nil }.map(\.key))
        guard !ids.isEmpty else { return [:] }
        var undoubted = snapshot
        undoubted.standings = [:]
        let operations = undoubted.pendingOperations(of: ids.contains)
        var files: [TodoID: GitJudge.ChangedFile] = [:]
        for operation in operations {
            files[operation.id] = ChangedFile(operation, PastTexts(), in: snapshot)
        }
        return GitJudge(isHome: true, isDescendant: true).standings(of: operations, files, snapshot) { _ in
            GitFacts()
        }
    }
}

extension GitJudge.ChangedFile {
    /// Creates the changed file of a pending operation; nil if it is gone.
    init?(_ operation: PendingOperation, _ past: PastTexts, in snapshot: Snapshot) {
        guard let local = operation.local else { return nil }
        let known = snapshot.tracked.todos[operation.id]
        let isDeleted = if case .deleted? = known?.base { true } else { false }
        self.init(
            bytes: local.bytesWithID, newest: known?.base?.todo?.bytes, isDeleted: isDeleted,
            hasOldPath: operation.previousPath != nil && past.paths.contains(operation.path),
            origin: known?.origin, past: past)
    }
}

extension Snapshot {
    /// Returns the text that a todo's file is an edit of, if that isn't the base version's.
    func basis(of id: TodoID) -> [UInt8]? {
        switch standings[id] {
        case .editOf(let version): version
        case .goesBack(let version):
            tracked.todos[id]?.base?.todo.flatMap { basisForConflicts(version, besides: $0.bytes) } ?? version
        // The file isn't an edit of anything: the newest version replaces it.
        case .forwarded: folder.todos.bytes(of: id)
        case nil, .edit, .behind, .absent, .held: nil
        }
    }
}

/// Returns a version without the fields that differ from the newest, so that a merge finds a conflict in each
/// of them and nowhere else.
///
/// - Parameter mergesCollections: Whether lists and mappings merge without a base instead.
func basisForConflicts(
    _ version: [UInt8], besides newest: [UInt8], mergesCollections: Bool = false
) -> [UInt8]? {
    guard let old = try? Todo(parsing: version), let new = try? Todo(parsing: newest) else { return nil }
    var fields = old.document.fields
    for name in CanonicalField.differences(from: old.fields, to: new.fields) {
        let isInBoth = old.fields[name] != nil && new.fields[name] != nil
        let areCollections = [old.fields[name], new.fields[name]].allSatisfy { $0?.isCollection ?? false }
        // With a value that neither side has, removals conflict, too, and so do lists and mappings.
        let canBeAbsent = isInBoth && (mergesCollections || !areCollections) && name != FieldName.text
        fields[name] = canBeAbsent ? nil : .string("")
    }
    return old.document.updated(to: fields)
}

extension Value {
    fileprivate var isCollection: Bool {
        switch self {
        case .list, .mapping: true
        case .null, .bool, .number, .string: false
        }
    }
}

extension FieldRules {
    /// Creates the rules for a todo's fields, without configured rules where older values might be git's.
    init(for id: TodoID, in snapshot: Snapshot) {
        self = snapshot.rules
        guard case .goesBack(let version)? = snapshot.standings[id],
            let newest = snapshot.tracked.todos[id]?.base?.todo
        else { return }
        self = withoutChoices(of: changedFields(from: version, to: newest.bytes))
    }
}
