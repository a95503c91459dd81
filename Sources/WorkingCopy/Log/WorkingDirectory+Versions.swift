internal import LosslessYAML
internal import Platform
package import TodoModel
internal import Values

/// The earlier texts and paths of a todo.
package struct PastTexts: Sendable {
    /// All texts that the todo has had here or on the remote, as far as the journal has them.
    package private(set) var texts: Set<[UInt8]> = []
    /// The marks of texts that were dropped from the journal.
    private var marks: Set<ContentMark> = []
    /// The marks of the texts that the remote confirmed to this folder, and of those that the file, git's
    /// index or HEAD's commit had at that moment, oldest first.
    private var synced: [ContentMark] = []
    /// The marks of texts that were held without ever having been on the remote.
    private var unsent: Set<ContentMark> = []
    /// The paths that the todo has had, as far as the journal still has them.
    package private(set) var paths: Set<String> = []
    /// The paths at which the remote confirmed the todo.
    package private(set) var syncedPaths: [String] = []

    package init() {}

    /// Returns whether a text is an earlier text of the todo, ignoring line endings.
    package func contains(_ text: [UInt8]) -> Bool {
        let mark = ContentMark(ofLines: text)
        return texts.contains(text) || marks.contains(mark) || marks.contains(ContentMark(of: text))
            || texts.contains { ContentMark(ofLines: $0) == mark }
    }

    /// Returns the position of a text among the synced ones, counted from the oldest and ignoring line
    /// endings; nil if it isn't one.
    package func rank(of text: [UInt8]) -> Int? {
        synced.lastIndex(of: ContentMark(ofLines: text))
    }

    /// Returns the text with a mark, if the journal still has it.
    package func text(with mark: ContentMark?) -> [UInt8]? {
        mark.flatMap { mark in texts.first { ContentMark(ofLines: $0) == mark } }
    }

    /// The synced texts that the journal still has.
    package var syncedTexts: [[UInt8]] {
        let synced = Set(synced)
        return texts.filter { synced.contains(ContentMark(ofLines: $0)) }
    }

    /// Returns a journal record with these texts and marks.
    package func record(of id: TodoID) -> JournalRecord { .past(id: id, recorded(keepingTexts: true)) }

    /// Returns a journal record with only the marks of these texts; nil if there is only the base version.
    func recordOfMarks(_ id: TodoID, besides base: RemoteTodo?) -> JournalRecord? {
        let recorded = recorded(keepingTexts: false, besides: base?.bytes)
        let isNew = !recorded.marks.isEmpty || !recorded.unsent.isEmpty || recorded.synced.count > 1
        return isNew || recorded.paths.contains { $0 != base?.path } ? .past(id: id, recorded) : nil
    }

    /// - Parameters:
    ///   - keepsTexts: Whether to record texts, and not only their marks.
    ///   - besides: A text that another record has.
    fileprivate func recorded(keepingTexts keepsTexts: Bool, besides: [UInt8]? = nil) -> RecordedPast {
        var past = RecordedPast()
        let dropped = keepsTexts ? [] : texts.filter { $0 != besides }.map { ContentMark(ofLines: $0) }
        if keepsTexts { past.texts = texts.sorted { $0.lexicographicallyPrecedes($1) } }
        past.marks = marks.union(dropped).sorted { $0.description < $1.description }
        past.synced = synced
        past.unsent = unsent.sorted { $0.description < $1.description }
        past.paths = syncedPaths
        return past
    }

    fileprivate mutating func add(_ found: [UInt8]?...) { texts.formUnion(found.compactMap(\.self)) }

    fileprivate mutating func add(paths found: String?...) { paths.formUnion(found.compactMap(\.self)) }

    /// Adds a version that the remote confirmed.
    ///
    /// - Parameter text: What the file had until then; nil if that isn't known or has conflict markers.
    fileprivate mutating func confirm(_ version: [UInt8], at path: String?, insteadOf text: [UInt8]? = nil) {
        if let text, text != version { addOlder(ContentMark(ofLines: text)) }
        let mark = ContentMark(ofLines: version)
        synced.removeAll { $0 == mark }
        synced.append(mark)
        texts.insert(version)
        if let path, !syncedPaths.contains(path) { syncedPaths.append(path) }
    }

    private mutating func addOlder(_ mark: ContentMark) {
        if !synced.contains(mark), !unsent.contains(mark) { synced.append(mark) }
    }

    /// Adds a text that is held; it stays unsynced, if it is.
    fileprivate mutating func hold(_ mark: ContentMark) { if !synced.contains(mark) { unsent.insert(mark) } }

    fileprivate mutating func add(_ past: RecordedPast) {
        texts.formUnion(past.texts)
        marks.formUnion(past.marks)
        // These are older than the version that the remote confirmed last.
        let new = past.synced.filter { !synced.contains($0) && !unsent.contains($0) }
        synced.insert(contentsOf: new, at: max(0, synced.count - 1))
        unsent.formUnion(past.unsent)
        for path in past.paths where !syncedPaths.contains(path) { syncedPaths.append(path) }
        paths.formUnion(past.paths)
    }
}

/// Collects the earlier texts of todos from the journal's records.
struct PastTextsReader {
    private var todos: [TodoID: PastTexts] = [:]
    /// The texts that commands last wrote into the files.
    private var written: [TodoID: [UInt8]] = [:]
    private var sent: [TodoID: SentOperation] = [:]
    /// The announced edits that might still be abandoned.
    private var announced: [TodoID: AnnouncedEdit] = [:]
    private let isWanted: (TodoID) -> Bool

    init(of isWanted: @escaping (TodoID) -> Bool = { _ in true }) { self.isWanted = isWanted }

    /// The earlier texts of the todos, as if no edit were abandoned any more.
    var found: [TodoID: PastTexts] {
        var reader = self
        for id in announced.keys { reader.applyAnnounced(id) }
        return reader.todos
    }

    /// Applies a todo's announced edit: a later record about the todo shows that it wasn't abandoned.
    private mutating func applyAnnounced(_ id: TodoID) {
        guard let edit = announced.removeValue(forKey: id) else { return }
        change(id) { past, written, _ in
            switch (edit.remote, edit.conflict) {
            case (.todo(let remote)?, .none):
                // Unless both sides were merged, the file had the base version.
                let isMerged = edit.bytes != remote.bytes
                past.confirm(
                    remote.bytes, at: remote.path, insteadOf: edit.replaced ?? (isMerged ? written : nil))
            case (.todo(let remote)?, .closes): past.confirm(remote.bytes, at: remote.path)
            default: break
            }
            written = edit.bytes
        }
    }

    mutating func read(_ record: JournalRecord) {
        if case .abandoned(let id) = record { announced[id] = nil }
        switch record {
        case .announced(let edit):
            applyAnnounced(edit.id)
            announced[edit.id] = edit
            change(edit.id) { past, _, _ in
                past.add(edit.bytes, edit.replaced, edit.remote?.todo?.bytes)
                past.add(paths: edit.from, edit.to, edit.remote?.todo?.path)
            }
        case .confirmed(let id, let remote, let localPath, _):
            applyAnnounced(id)
            change(id) { past, _, _ in
                past.add(paths: remote.todo?.path, localPath)
                if let todo = remote.todo { past.confirm(todo.bytes, at: todo.path) }
            }
        case .held(let id, let remote):
            change(id) { past, _, _ in
                past.add(remote.todo?.bytes)
                past.add(paths: remote.todo?.path)
            }
        case .found(let id, let path): change(id) { past, _, _ in past.add(paths: path) }
        case .kept(let id, let path, let bytes):
            change(id) { past, _, _ in
                past.add(bytes)
                past.add(paths: path)
            }
        case .sent(let id, let operation):
            applyAnnounced(id)
            change(id) { past, _, sent in
                past.add(operation.bytes)
                past.add(paths: operation.path, operation.localPath)
                sent = operation
            }
        case .accepted(let id, _):
            change(id) { past, _, sent in
                if let bytes = sent?.bytes { past.confirm(bytes, at: sent?.path) }
            }
        case .origin(let id, .held(let file)?):
            if let mark = file.mark { change(id) { past, _, _ in past.hold(mark) } }
        case .past(let id, let recorded):
            applyAnnounced(id)
            change(id) { past, _, _ in past.add(recorded) }
        case .remembered(let id, let todo):
            change(id) { past, _, sent in
                past.add(todo.held?.todo?.bytes, todo.conflict?.remote.todo?.bytes)
                past.add(paths: todo.base?.todo?.path, todo.lastLocalPath)
                if let base = todo.base?.todo { past.confirm(base.bytes, at: base.path) }
                sent = todo.sent
            }
        default: break
        }
    }

    private mutating func change(
        _ id: TodoID, _ body: (inout PastTexts, inout [UInt8]?, inout SentOperation?) -> Void
    ) {
        guard isWanted(id) else { return }
        body(&todos[id, default: PastTexts()], &written[id], &sent[id])
    }
}

extension WorkingDirectory {
    /// Returns the configuration, the state and the todos' earlier texts, read while no other command runs.
    package func remembered(
        timeout: Duration
    ) throws -> (configuration: Configuration, state: State, past: [TodoID: PastTexts]) {
        let lock = try lock(timeout: timeout)
        defer { withExtendedLifetime(lock) {} }
        return (try configuration(), try state(), try pastTexts(of: nil))
    }

    /// Returns the earlier texts of some todos, or of all todos if `ids` is nil.
    package func pastTexts(of ids: Set<TodoID>?) throws -> [TodoID: PastTexts] {
        var reader = PastTextsReader { ids?.contains($0) ?? true }
        for line in JournalLines(try wholeJournal()) { reader.read(line.record) }
        return reader.found
    }
}

/// The texts that a todo has had on the remote, in the order that they became known in this folder.
///
/// Pushes are conditional, so each confirmed version was made from the version before it. Texts that were
/// only local aren't included, nor are texts whose order was lost, because of `gc` or a linked worktree.
package struct ConfirmedVersions: Sendable {
    /// The texts, oldest first; the same text can occur more than once.
    package private(set) var texts: [[UInt8]] = []

    private let id: TodoID
    private var sent: [UInt8]?

    init(of id: TodoID) { self.id = id }

    /// Reads the texts from a working directory's journal, without waiting for a running command.
    package init(of id: TodoID, in directory: WorkingDirectory) throws {
        self.init(of: id)
        // Parsing all lines would be slow, and git runs the merge driver once for each file.
        let words = [JSON.write(.string(id.string)), Array("\"forgotten\"".utf8), Array("\"format\"".utf8)]
        let lines = try directory.wholeJournal().split(separator: UInt8(ascii: "\n")).filter { line in
            words.contains { line.contains($0) }
        }
        for line in lines {
            guard let record = JournalLines.record(in: line) else { break }
            if case .format(let number) = record { try directory.check(format: number) }
            read(record)
        }
    }

    mutating func read(_ record: JournalRecord) {
        switch record {
        case .announced(let edit) where edit.id == id: add(edit.remote)
        case .confirmed(id, let remote, _, _), .held(id, let remote): add(remote)
        case .sent(id, let operation): sent = operation.bytes
        case .accepted(id, _):
            if let sent { texts.append(sent) }
        case .remembered(id, let todo):
            for remote in [todo.base, todo.conflict?.remote, todo.held] { add(remote) }
            sent = todo.sent?.bytes
        // The versions of a different remote don't continue these, and damage might have removed versions in
        // between.
        case .forgotten: texts = []
        case .distrusted(let ids) where ids.contains(id): texts = []
        default: break
        }
    }

    private mutating func add(_ remote: RemoteState?) {
        if let bytes = remote?.todo?.bytes { texts.append(bytes) }
    }
}
