internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// Answers the operations of a dry run as the remote would, without sending them.
///
/// The remote's changes since the last pull show which operations it would accept. What only the remote knows
/// can't be foreseen: that it refuses an operation, that it has a deleted todo or an unusable record with the
/// id of a new todo, or that an operation without an answer was applied before somebody else changed the
/// todo.
actor RehearsedRemote {
    private let connection: Connection
    /// The ids of operations that an earlier command sent without getting an answer.
    private let unanswered: Set<String>
    /// The newest records that aren't base versions yet, by id.
    private var records: [String: RemoteRecord]
    /// The positions after which the changes were read.
    private var readAfter: Set<Cursor?> = []
    private var count = 0

    init(_ connection: Connection, _ state: State) {
        self.connection = connection
        let sent = state.todos.loaded.filter { $0.value.sent != nil }
        unanswered = Set(sent.values.compactMap(\.sent?.operationID))
        records = Dictionary(
            sent.compactMap { id, todo in
                todo.held.flatMap { RemoteRecord(id, $0) }.map { (id.string, $0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter cursor: The position up to which the remote's changes are recorded.
    func answers(to operations: [PushOperation], after cursor: Cursor?) async throws -> PushReply {
        try await readNews(after: cursor)
        return PushReply(answers: operations.map(answer))
    }

    private func readNews(after cursor: Cursor?) async throws {
        guard readAfter.insert(cursor).inserted else { return }
        var next = cursor
        while true {
            let page = try await connection.changes(after: next)
            for record in page.records { records[record.id] = record }
            if page.isLast { return }
            next = page.next
        }
    }

    private func answer(to operation: PushOperation) -> PushAnswer {
        guard let record = records[operation.id] else {
            count += 1
            return .accepted(Version("rehearsal-\(count)"))
        }
        let isAccepted =
            unanswered.contains(operation.operationID)
            ? record.isResult(of: operation.change) : record.version == operation.change.base
        return isAccepted ? .accepted(record.version) : .movedOn(record)
    }
}

extension PushOperation.Change {
    /// The version that the remote must still have; nil for an insert.
    fileprivate var base: Version? {
        switch self {
        case .insert: nil
        case .update(_, _, let base), .delete(let base), .recreate(_, _, let base): base
        }
    }
}

extension RemoteRecord {
    /// Creates the record of a remote state; nil if the remote has no record.
    fileprivate init?(_ id: TodoID, _ state: RemoteState) {
        switch state {
        case .deleted(nil): return nil
        case .deleted(let version?):
            self.init(id: id.string, version: version, isDeleted: true, fields: [:])
        case .todo(let todo):
            let layout = Layout(
                path: todo.path, yaml: String(decoding: todo.bytes, as: UTF8.self), device: todo.device)
            let fields = (try? Todo(parsing: todo.bytes))?.fields ?? [:]
            self.init(id: id.string, version: todo.version, fields: fields, layout: layout)
        }
    }

    /// Returns whether a change leads to this record.
    fileprivate func isResult(of change: PushOperation.Change) -> Bool {
        switch change {
        case .delete: isDeleted
        case .insert(_, let layout), .update(_, let layout, _), .recreate(_, let layout, _):
            !isDeleted && self.layout == layout
        }
    }
}
