internal import LosslessYAML
internal import TodoModel
internal import Values

/// The rule for the operations that stay in the log when the journal is compacted.
package struct Retention: Sendable, Hashable {
    /// The start of the period whose operations are kept, in seconds since 1970-01-01T00:00:00Z.
    package var since: Int
    /// The number of newest operations that are kept regardless of their age.
    package var minimumCount: Int

    package init(since: Int, minimumCount: Int) {
        self.since = since
        self.minimumCount = minimumCount
    }

    /// Returns whether an operation can be dropped, given its RFC 3339 start time and the number of newer
    /// operations.
    func lets(go time: String, newer: Int) -> Bool {
        guard newer >= minimumCount, case .instant(let instant)? = Due(time) else { return false }
        return instant.seconds <= since
    }
}

/// The result of compacting a journal.
package struct CompactionReport: Sendable, Hashable {
    /// The number of operations that were dropped from the log.
    package var dropped: Int
    package var kept: Int
    /// The size of the journal before compacting, in bytes.
    package var sizeBefore: Int
    package var sizeAfter: Int
    /// The number of remembered resolutions that were dropped as well.
    package var forgottenResolutions = 0
}

extension CompactionReport {
    /// Creates the report of a journal that wasn't compacted.
    package init() { self.init(dropped: 0, kept: 0, sizeBefore: 0, sizeAfter: 0) }
}

/// A compacted journal: the state of all todos at some time, followed by the records from the first kept
/// operation on.
struct Compaction {
    let bytes: [UInt8]
    let report: CompactionReport

    /// Compacts a journal without changing the resulting state; nil if nothing can be dropped.
    ///
    /// - Parameter pending: The todos whose operations are kept because their pending changes depend on them.
    init?(
        of journal: [UInt8], _ retention: Retention, pending: Set<TodoID> = [],
        progress: Progress.Reporter? = nil
    ) {
        let counter = progress.map { ProgressCounter(.compacting, .bytes, total: journal.count, $0) }
        var state = State()
        // The operation that first made each todo's file differ from the remote.
        var departures: [TodoID: Int] = [:]
        // The offsets where operations begin, and whether no earlier operation was unfinished there.
        var beginnings: [(offset: Int, time: String, isClean: Bool)] = []
        var end = 0
        for line in JournalLines(journal) {
            if case .begin(_, let time, _) = line.record {
                beginnings.append((line.range.lowerBound, time, state.openOperation == nil))
            }
            departures.follow(line.record, operation: beginnings.count - 1)
            state.apply(line.record)
            counter?.add(line.range.count)
            end = line.range.upperBound
        }
        var first = beginnings.indices.first { index in
            !retention.lets(go: beginnings[index].time, newer: beginnings.count - 1 - index)
        }
        if first == nil, state.openOperation != nil { first = beginnings.indices.last }
        if let oldest = departures.filter({ pending.contains($0.key) }).map(\.value).min() {
            first = max(0, min(first ?? oldest, oldest))
        }
        while let index = first, index > 0, !beginnings[index].isClean { first = index - 1 }
        guard end == journal.count, first != 0, !beginnings.isEmpty else { return nil }
        let cut = first.map { beginnings[$0].offset } ?? end
        guard let records = Self.snapshot(journal[..<cut]) else { return nil }
        bytes = records.flatMap(JournalLines.line) + journal[cut...]
        let kept = first.map { beginnings.count - $0 } ?? 0
        report = CompactionReport(
            dropped: beginnings.count - kept, kept: kept, sizeBefore: journal.count, sizeAfter: bytes.count)
        guard Journal.contents(of: bytes).state.remembersSame(as: state) else { return nil }
    }

    /// Returns records that produce the same state as the beginning of a journal; nil if anything is
    /// unfinished at that point.
    private static func snapshot(_ beginning: ArraySlice<UInt8>) -> [JournalRecord]? {
        let state = Journal.contents(of: Array(beginning)).state
        guard state.openOperation == nil, state.deletes.isEmpty, !state.hasUnfinished else { return nil }
        var past = PastTextsReader()
        for line in JournalLines(Array(beginning)) { past.read(line.record) }
        // Keep the marks of dropped texts, because git can bring the texts back.
        let marks = past.found.sorted { $0.key < $1.key }.compactMap { id, past in
            past.recordOfMarks(id, besides: state.todos.loaded[id]?.base?.todo)
        }
        return state.recordsBesidesTodos + marks
            + state.todos.loaded.sorted { $0.key < $1.key }.map { .remembered(id: $0.key, $0.value) }
    }
}

extension [TodoID: Int] {
    /// Updates the todo's first differing operation, if the record makes the file differ from or agree with
    /// the remote.
    fileprivate mutating func follow(_ record: JournalRecord, operation: Int) {
        switch record {
        case .accepted(let id, _): self[id] = nil
        case .announced(let edit) where edit.makesEqual: self[edit.id] = nil
        case .announced(let edit): self[edit.id] = self[edit.id] ?? operation
        case .sent(let id, _): self[id] = self[id] ?? operation
        default: break
        }
    }
}

extension AnnouncedEdit {
    /// Whether the file agrees with the remote after the edit is applied.
    fileprivate var makesEqual: Bool {
        switch conflict {
        case .none, .closes: remote.map { $0.todo?.bytes == bytes } ?? false
        case .opens, .aborts, .reopens: false
        }
    }
}

extension State {
    /// Returns whether two states are equal in everything that commands depend on.
    func remembersSame(as other: State) -> Bool {
        todos == other.todos && cursor == other.cursor && isCursorMidway == other.isCursorMidway
            && remote == other.remote && lastAccepted == other.lastAccepted && deletes == other.deletes
            && guards == other.guards && doubted == other.doubted && head == other.head
            && format == other.format
            && openOperation?.operation == other.openOperation?.operation
    }

    /// The approximate size in bytes of a journal with only this state.
    var size: Int {
        var size = 0
        if let cache = todos.cache {
            for index in todos.cached { size += Int(cache.entries[index].lineLength) }
        }
        for todo in todos.loaded.values {
            let texts: [[UInt8]?] = [
                todo.base?.todo?.bytes, todo.held?.todo?.bytes, todo.sent?.bytes, todo.conflict?.local,
                todo.conflict?.remote.todo?.bytes,
            ]
            size += 300
            for text in texts { size += text?.count ?? 0 }
        }
        return size
    }
}
