internal import LosslessYAML
package import TodoModel

/// The state that `.todosync` records: the result of applying all records of the journal.
package struct State: Sendable {
    package private(set) var todos = TodoStates()
    package private(set) var cursor: Cursor?
    /// Whether the remote had more changes after the cursor that haven't been read yet.
    package private(set) var isCursorMidway = false
    /// The remote that last answered, and its URL.
    package private(set) var remote: RecordedRemote?
    /// The last operation that the remote accepted.
    package private(set) var lastAccepted: AcceptedOperation?
    /// The format that the first record declares; 0 if there are no records yet.
    package private(set) var format = 0
    /// The operation that has begun but not ended.
    package private(set) var openOperation: OpenOperation?

    /// The deletes applied since the end of the last operation that didn't withhold any.
    package private(set) var deletes = AppliedDeletes()
    private var isWithholding = false

    /// The number of changes that the guards withhold until the user answers.
    package private(set) var guards = WithheldCounts()

    /// The base versions that might be older than their files, until they are compared with the remote's
    /// versions.
    package private(set) var doubted: Set<DoubtedVersion> = []

    /// The branch and commit that git had checked out when the last writing command ended; nil if the folder
    /// wasn't in a repository.
    package private(set) var head: RecordedHead?

    /// The time when the oldest operation in the journal began.
    private(set) var firstTime: String?
    private(set) var operationCount = 0

    /// The number of bytes of the journal that were read or written.
    private(set) var journalLength = 0
    /// The open journal.
    var journal: OpenFile?
    /// The part of the journal whose checksum is known: it was read or written, or the cache covers it.
    private(set) var checked = JournalBeginning()

    /// Adds bytes to the part of the journal whose checksum is known.
    mutating func check(_ bytes: ArraySlice<UInt8>) { checked.append(bytes) }

    /// An operation that has begun but not ended: it is running or was interrupted.
    package struct OpenOperation: Sendable {
        package var operation: String
        package var command: String
        /// Whether the operation has applied all remote changes or has sent anything.
        package internal(set) var mayBeSending = false
        var touched: [TodoID] = []
        /// The todos that earlier interrupted operations touched.
        var inherited: [TodoID] = []
    }

    /// The paths of todos that were deleted.
    package struct AppliedDeletes: Sendable, Hashable {
        /// Todos deleted locally, and then on the remote.
        package internal(set) var local: [String] = []
        /// Todos deleted on the remote, and then locally.
        package internal(set) var remote: [String] = []

        package var isEmpty: Bool { local.isEmpty && remote.isEmpty }
    }

    /// A remote that has answered, and its URL.
    package struct RecordedRemote: Sendable, Hashable {
        package var identity: RemoteIdentity
        package var url: String
    }

    package init() {}

    /// Creates the state that a cache stores.
    init(_ cache: Cache) {
        todos = TodoStates(cache)
        for (record, textLocations) in cache.records {
            apply(record)
            if case .remembered(let id, _) = record { todos[id]?.textLocations = textLocations }
        }
        firstTime = cache.firstTime
        operationCount = cache.operationCount
        journalLength = cache.journalBeginning.length
        checked = cache.journalBeginning
        journal = cache.journal
    }

    /// The folders of the files that the open operation and earlier interrupted operations changed.
    package var foldersUnderWay: [String] {
        let touched = openOperation.map { $0.inherited + $0.touched } ?? []
        let paths = touched.flatMap { id in
            [todos[id]?.localPath, todos[id]?.unfinished?.from, todos[id]?.unfinished?.to].compactMap(\.self)
        }
        return paths.map { String(FolderTree.parent(of: $0[...])) }
    }

    /// Applies records that were appended to the journal.
    mutating func take(_ records: [JournalRecord], _ written: Journal.Written) {
        todos.expect(records.count)
        for (record, length) in zip(records, written.lengths) {
            apply(record, at: journalLength..<journalLength + length)
        }
        check(written.bytes[...])
    }

    /// Applies the next record.
    ///
    /// - Parameter line: The range of the record's line in the journal; nil for a record that isn't in it.
    package mutating func apply(_ record: JournalRecord, at line: Range<Int>? = nil) {
        if let line { journalLength = line.upperBound }
        let text = line.map { TextLocation(line: $0, isSent: false) }
        let sentText = line.map { TextLocation(line: $0, isSent: true) }
        switch record {
        case .format(let number): format = number
        case .begin(let operation, let time, let command):
            firstTime = firstTime ?? time
            operationCount += 1
            // This operation recovers an operation that didn't end, and can be interrupted itself.
            let before = openOperation
            openOperation = OpenOperation(
                operation: operation, command: command, mayBeSending: before?.mayBeSending ?? false,
                inherited: before.map { $0.inherited + $0.touched } ?? [])
        case .end: endOperation()
        case .announced(let edit):
            change(edit.id) {
                $0.unfinished = edit
                $0.textLocations.unfinished = text
            }
            openOperation?.touched.append(edit.id)
        case .finished(let id): change(id) { _ in }
        case .abandoned(let id):
            todos[id]?.giveUp()
            change(id) { _ in }
        case .confirmed(let id, let remote, let localPath, _):
            change(id) {
                $0.confirm(remote, localPath: localPath)
                $0.textLocations.base = text
            }
        case .found(let id, let path):
            change(id) {
                $0.isPathLocalOnly = $0.isLocalOnlyPath(path)
                $0.localPath = path
                if $0.origin == .notKept { $0.origin = nil }
            }
        case .dropped(let id): todos[id] = nil
        case .sent(let id, let sent):
            openOperation?.mayBeSending = true
            change(id) {
                $0.send(sent)
                $0.textLocations.sent = sentText
            }
        case .accepted(let id, let version):
            if let sent = todos[id]?.sent {
                if sent.bytes == nil { deletes.local.append(sent.localPath) }
                lastAccepted = AcceptedOperation(operationID: sent.operationID, version: version)
            }
            change(id) { $0.accept(version) }
        case .rejected(let id): change(id) { $0.sent = nil }
        case .held(let id, let remote): change(id) { $0.held = remote }
        case .kept: break
        case .cursor(let cursor, let isMidway):
            self.cursor = cursor
            isCursorMidway = isMidway
            if !isMidway { openOperation?.mayBeSending = true }
        case .identity(let identity, let url): remote = RecordedRemote(identity: identity, url: url)
        case .forgotten:
            cursor = nil
            isCursorMidway = false
            remote = nil
            lastAccepted = nil
            deletes = AppliedDeletes()
            guards = WithheldCounts()
            doubted = []
            todos.loadAll()
            for id in todos.loaded.keys { change(id) { $0.forgetRemote() } }
        case .undoes: break
        case .origin(let id, let origin): change(id) { $0.origin = origin }
        case .past: break
        case .head(let head): self.head = head
        case .withheld: isWithholding = true
        case .guards(let counts): guards = counts
        case .doubted(let versions): doubted = versions
        case .distrusted(let ids):
            cursor = nil
            isCursorMidway = false
            for id in ids { change(id) { $0.forgetBase() } }
        case .remembered(let id, var todo):
            todo.textLocations = TextLocations(base: text, sent: sentText)
            todos[id] = todo.isEmpty ? nil : todo
        case .lastAccepted(let accepted): lastAccepted = accepted
        }
    }

    /// Applies a record about a single todo.
    ///
    /// Records are written in order, so an edit announced earlier for the todo has been applied, unless there
    /// was a record ``JournalRecord/abandoned(id:)``.
    private mutating func change(_ id: TodoID, _ body: (inout TodoState) -> Void) {
        var deleted: String?
        func update(_ todo: inout TodoState) {
            deleted = todo.unfinished?.deletedPath
            todo.finish()
            body(&todo)
        }
        if !todos.changeLoaded(id, update) {
            var todo = todos[id] ?? TodoState()
            update(&todo)
            todos[id] = todo.isEmpty ? nil : todo
        }
        if let deleted { deletes.remote.append(deleted) }
    }

    private mutating func endOperation() {
        for id in openOperation?.touched ?? [] where todos.loaded[id]?.unfinished != nil {
            change(id) { _ in }
        }
        openOperation = nil
        if !isWithholding { deletes = AppliedDeletes() }
        isWithholding = false
    }

    /// The records that produce this state, except for its todos and unfinished edits.
    var recordsBesidesTodos: [JournalRecord] {
        var records: [JournalRecord] = [.format(format)]
        if let remote { records.append(.identity(remote.identity, url: remote.url)) }
        if let cursor { records.append(.cursor(cursor, isMidway: isCursorMidway)) }
        if let lastAccepted { records.append(.lastAccepted(lastAccepted)) }
        if guards != WithheldCounts() { records.append(.guards(guards)) }
        if !doubted.isEmpty { records.append(.doubted(doubted)) }
        if let head { records.append(.head(head)) }
        return records
    }

    /// Whether there are announced edits that aren't known to be applied.
    package var hasUnfinished: Bool { todos.loaded.values.contains { $0.unfinished != nil } }

    /// Drops the loaded states of todos with unchanged files, which a cache then provides.
    mutating func leave(_ unchanged: UnchangedFiles, to cache: Cache) { todos.leave(unchanged, to: cache) }

    /// Loads all todos from the cache except those whose files a scan found unchanged.
    package mutating func load(besides unchanged: UnchangedFiles) { todos.load(besides: unchanged) }
}

extension AnnouncedEdit {
    /// The path of a file that is removed because the remote deleted the todo; nil for any other edit.
    fileprivate var deletedPath: String? {
        guard to == nil, conflict == .none, case .deleted? = remote else { return nil }
        return from
    }
}

/// A base version that might be older than its file, including a version that a conflict's resolution will
/// set.
package struct DoubtedVersion: Sendable, Hashable {
    package var id: TodoID
    package var version: Version

    package init(id: TodoID, version: Version) {
        self.id = id
        self.version = version
    }
}

/// The number of changes that the guards last withheld.
package struct WithheldCounts: Sendable, Hashable {
    /// Deletes made locally.
    package var local: Int
    /// Deletes made on the remote.
    package var remote: Int
    /// Edits made locally.
    package var edits: Int

    package init(local: Int = 0, remote: Int = 0, edits: Int = 0) {
        self.local = local
        self.remote = remote
        self.edits = edits
    }
}

/// The recorded state of one todo.
package struct TodoState: Sendable, Hashable {
    /// The state last confirmed by the remote; nil if there isn't one.
    package var base: RemoteState?
    /// The last recorded path of the todo's file in the folder.
    package var localPath: String? { didSet { if localPath != nil { formerLocalPath = nil } } }
    /// Whether ``localPath`` is used only in this folder, because the todo's own path isn't available here.
    package var isPathLocalOnly = false
    /// The former path of a locally removed file while the delete is pending; it is used only to name the
    /// todo.
    @Rare package var formerLocalPath: String?
    /// A newer state of the remote that couldn't be applied yet.
    @Rare package var held: RemoteState?
    @Rare package var conflict: OpenConflict?
    @Rare package var sent: SentOperation?
    /// The origin of the file; nil for the newest base version or an edit of it.
    @Rare package var origin: FileOrigin?
    /// An announced edit of the file that the journal doesn't show as applied.
    package var unfinished: AnnouncedEdit?
    var textLocations = TextLocations()

    package init() {}

    /// Whether the todo's file has, or had, the markers of an open conflict.
    package var hasMarkedConflict: Bool { conflict.map { $0.obstacle == nil } ?? false }

    /// The path of the todo's file, or its former path if the file was removed.
    package var lastLocalPath: String? { localPath ?? formerLocalPath }

    /// Whether the user purged the todo: it is on the remote, and this folder doesn't need its file.
    ///
    /// If the file exists anyway, it is still the todo's file.
    package var isNotKept: Bool { origin == .notKept && localPath == nil && base?.todo != nil }

    /// Returns whether the todo has this path only in this folder.
    package func isLocalOnlyPath(_ path: String) -> Bool {
        isPathLocalOnly && lastLocalPath?.isSameBytes(as: path) == true
    }

    /// Whether there is nothing to record.
    ///
    /// The origin of a file that no longer exists doesn't count.
    var isEmpty: Bool {
        base == nil && localPath == nil && held == nil && conflict == nil && sent == nil && unfinished == nil
            && origin?.isOfFile != true
    }

    private mutating func forgetLocalPath() {
        (localPath, formerLocalPath, isPathLocalOnly) = (nil, nil, false)
    }

    mutating func confirm(_ remote: RemoteState, localPath: String?) {
        base = remote
        if remote.todo == nil {
            forgetLocalPath()
            if origin == .notKept { origin = nil }
        }
        if let localPath {
            isPathLocalOnly = isLocalOnlyPath(localPath)
            self.localPath = localPath
        }
        held = nil
    }

    mutating func send(_ sent: SentOperation) {
        // The user has since edited, removed or restored the file that a command wrote or removed.
        switch origin {
        case .command(let mark)? where sent.bytes.map({ ContentMark(of: $0) }) != mark: origin = nil
        case .removedByCommand?, .deleted?: if sent.bytes != nil { origin = nil }
        default: break
        }
        self.sent = sent
    }

    mutating func accept(_ version: Version) {
        guard let sent else { return }
        if let confirmed = sent.confirmed(version) {
            base = .todo(confirmed)
            textLocations.base = textLocations.sent
            localPath = sent.localPath
            isPathLocalOnly = sent.path != sent.localPath
        } else {
            base = .deleted(version)
            forgetLocalPath()
        }
        // The user's text was sent, so the file is now the newest base version or an edit of it.
        switch (origin, sent.bytes.map { ContentMark(of: $0) }) {
        case (.command(let written)?, let sent?) where written != sent: break
        case (.notKept?, .some): break
        default: origin = nil
        }
        self.sent = nil
    }

    /// Marks the unfinished edit as applied.
    mutating func finish() {
        guard let unfinished else { return }
        self.unfinished = nil
        trace(unfinished)
        if let to = unfinished.to {
            localPath = to
            isPathLocalOnly = unfinished.isPathLocalOnly
        } else {
            isPathLocalOnly = unfinished.from.map(isLocalOnlyPath) ?? isPathLocalOnly
            (localPath, formerLocalPath) = (nil, unfinished.from ?? formerLocalPath)
        }
        defer { if base?.todo == nil, localPath == nil { forgetLocalPath() } }
        switch unfinished.conflict {
        case .none:
            guard let remote = unfinished.remote else { break }
            base = remote
            textLocations.base = textLocations.unfinished
            held = nil
        case .opens(let conflict):
            self.conflict = conflict
            held = nil
        case .closes:
            conflict = nil
            guard let remote = unfinished.remote else { break }
            base = remote
            textLocations.base = textLocations.unfinished
            // A state that arrived during the conflict is newer and still has to be applied.
            if held?.version == remote.version { held = nil }
        case .aborts:
            held = held ?? conflict?.remote
            conflict = nil
        case .reopens(let conflict, let base):
            self.base = base
            textLocations.base = nil
            self.conflict = conflict
            if held?.version == conflict.remote.version { held = nil }
        }
    }

    /// Records the origin of the file after an edit is applied.
    private mutating func trace(_ edit: AnnouncedEdit) {
        switch (edit.to, edit.remote) {
        case (nil, _) where edit.purges: origin = .notKept
        case (nil, nil): origin = .removedByCommand
        case (nil, .some): origin = nil
        case (.some, nil):
            let isMoved = edit.from.map { $0 != edit.to } ?? false
            origin = edit.bytes.flatMap {
                $0 == base?.todo?.bytes && !isMoved ? nil : .command(ContentMark(of: $0))
            }
        case (.some, let remote?):
            origin = edit.bytes.flatMap { $0 == remote.todo?.bytes ? nil : .command(ContentMark(of: $0)) }
        }
    }

    /// Marks the unfinished edit as not applied, so that its remote change still has to be applied.
    mutating func giveUp() {
        guard let unfinished else { return }
        self.unfinished = nil
        // The edit's state is newer than the state that was held before.
        if conflict == nil, let remote = unfinished.remote { held = remote }
    }

    /// Forgets a base version that might be older than the file.
    ///
    /// An open conflict stays open.
    mutating func forgetBase() {
        guard conflict == nil else { return }
        base = nil
        held = nil
        sent = nil
    }

    mutating func forgetRemote() {
        base = nil
        held = nil
        conflict = nil
        sent = nil
        if origin == .notKept { origin = nil }
    }
}

extension AnnouncedEdit {
    /// The folder that the edit removes the file from; nil if the file stays in its folder.
    package var folderLeft: String? {
        guard let from else { return nil }
        let folder = FolderTree.parent(of: from[...])
        if let to, FolderPath(FolderTree.parent(of: to[...])) == FolderPath(folder) { return nil }
        return String(folder)
    }
}

/// An optional value that is rarely present.
///
/// An absent value takes only a single word of memory.
@propertyWrapper
package struct Rare<Value: Sendable & Hashable>: Sendable, Hashable {
    private var box: Box?

    private final class Box: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    package init(wrappedValue: Value?) { box = wrappedValue.map(Box.init) }

    package var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map(Box.init) }
    }

    package static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
