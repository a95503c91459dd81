package import TodoModel

/// The earlier texts of a todo: those that it had on the remote, and those that it had locally before a later
/// text reached the remote.
///
/// A text that is still pending isn't included, even if a push of it was rejected.
package struct PastTexts: Sendable {
    package private(set) var texts: Set<[UInt8]> = []
    /// The marks of texts that were dropped from the journal.
    private(set) var marks: Set<ContentMark> = []
    /// The texts that commands wrote and that git removed before they reached the remote.
    package fileprivate(set) var unsent: Set<[UInt8]> = []
    /// The paths that the todo has had, as far as the journal still has them.
    package private(set) var paths: Set<String> = []

    package init(texts: Set<[UInt8]> = [], unsent: Set<[UInt8]> = []) {
        self.texts = texts
        self.unsent = unsent
    }

    /// Returns whether a text is an earlier text of the todo.
    package func contains(_ text: [UInt8]) -> Bool {
        texts.contains(text) || marks.contains(ContentMark(of: text))
    }

    /// Returns a journal record with these texts and marks.
    package func record(of id: TodoID) -> JournalRecord {
        .past(
            id: id, texts: texts.sorted { $0.lexicographicallyPrecedes($1) },
            marks: marks.sorted { $0.description < $1.description })
    }

    fileprivate mutating func add(_ found: [[UInt8]?]) { texts.formUnion(found.compactMap(\.self)) }

    fileprivate mutating func add(paths found: [String?]) { paths.formUnion(found.compactMap(\.self)) }

    fileprivate mutating func add(_ found: [ContentMark]) { marks.formUnion(found) }
}

/// Collects the earlier texts of todos from the journal's records.
struct PastTextsReader {
    private(set) var todos: [TodoID: PastTexts] = [:]
    /// The texts that have only been in this folder so far.
    ///
    /// These texts become earlier texts once the remote has a later text.
    private var pending: [TodoID: Set<[UInt8]>] = [:]
    /// The pending texts that a command wrote.
    private var written: [TodoID: Set<[UInt8]>] = [:]
    private var sent: [TodoID: (text: [UInt8]?, pending: Set<[UInt8]>)] = [:]
    private let isWanted: (TodoID) -> Bool

    init(of isWanted: @escaping (TodoID) -> Bool = { _ in true }) { self.isWanted = isWanted }

    mutating func read(_ record: JournalRecord) {
        readPaths(record)
        switch record {
        case .announced(let edit):
            if let bytes = edit.bytes, bytes != edit.remote?.todo?.bytes, isWanted(edit.id) {
                written[edit.id, default: []].insert(bytes)
            }
            guard let remote = edit.remote else { return addPending(edit.id, edit.bytes, edit.replaced) }
            add(edit.id, edit.replaced, remote.todo?.bytes)
            supersede(edit.id, pending[edit.id] ?? [])
            if edit.bytes != remote.todo?.bytes { addPending(edit.id, edit.bytes) }
        case .confirmed(let id, let remote, _, _):
            add(id, remote.todo?.bytes)
            supersede(id, pending[id] ?? [])
        case .held(let id, let remote): add(id, remote.todo?.bytes)
        case .kept(let id, _, let bytes): addPending(id, bytes)
        case .sent(let id, let operation): sent[id] = (operation.bytes, pending[id] ?? [])
        case .accepted(let id, _):
            guard let sent = sent[id] else { return }
            add(id, sent.text)
            if let text = sent.text { todos[id]?.unsent.remove(text) }
            supersede(id, sent.pending)
        case .origin(let id, let origin):
            if case .version(let bytes)? = origin { add(id, bytes) }
            setAside(id, origin)
        case .past(let id, let texts, let marks):
            guard isWanted(id) else { return }
            todos[id, default: PastTexts()].add(texts)
            todos[id, default: PastTexts()].add(marks)
        case .remembered(let id, let todo):
            add(id, todo.base?.todo?.bytes, todo.held?.todo?.bytes, todo.conflict?.remote.todo?.bytes)
            sent[id] = todo.sent.map { ($0.bytes, []) }
        default: break
        }
    }

    private mutating func readPaths(_ record: JournalRecord) {
        switch record {
        case .announced(let edit): addPaths(edit.id, edit.from, edit.to, edit.remote?.todo?.path)
        case .confirmed(let id, let remote, let place, _): addPaths(id, remote.todo?.path, place)
        case .held(let id, let remote): addPaths(id, remote.todo?.path)
        case .placed(let id, let path), .kept(let id, let path, _): addPaths(id, path)
        case .sent(let id, let operation): addPaths(id, operation.path, operation.place)
        case .remembered(let id, let todo): addPaths(id, todo.base?.todo?.path, todo.lastPlace)
        default: break
        }
    }

    private mutating func addPaths(_ id: TodoID, _ paths: String?...) {
        if isWanted(id) { todos[id, default: PastTexts()].add(paths: paths) }
    }

    private mutating func add(_ id: TodoID, _ texts: [UInt8]?...) {
        if isWanted(id) { todos[id, default: PastTexts()].add(texts) }
    }

    private mutating func addPending(_ id: TodoID, _ texts: [UInt8]?...) {
        if isWanted(id) { pending[id, default: []].formUnion(texts.compactMap(\.self)) }
    }

    /// Moves texts that commands wrote and git removed out of the pending texts, because later texts of the
    /// file don't contain them.
    private mutating func setAside(_ id: TodoID, _ origin: FileOrigin?) {
        switch origin {
        case .command, .removedByCommand, .removedByCommit, .notKept: return
        case nil, .version, .removedByGit: break
        }
        guard let texts = pending[id]?.intersection(written[id] ?? []), !texts.isEmpty else { return }
        todos[id, default: PastTexts()].unsent.formUnion(texts)
        pending[id]?.subtract(texts)
    }

    private mutating func supersede(_ id: TodoID, _ texts: Set<[UInt8]>) {
        guard !texts.isEmpty else { return }
        todos[id, default: PastTexts()].add(Array(texts))
        pending[id]?.subtract(texts)
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
        return reader.todos
    }
}
