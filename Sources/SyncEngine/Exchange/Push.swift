internal import Logging
internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// Sends pending operations to the remote.
struct Push {
    let exchange: Exchange
    let connection: Connection
    private var locked: LockedWorkspace { exchange.locked }

    /// The maximum number of times that a todo is sent again after a merge.
    private static let maximumRounds = 10
    /// The number of operations in the first batch, and the maximum for any batch.
    ///
    /// Each batch is twice as large as the previous one, so that the remote gets the first one soon.
    private static let (firstCount, batchCount) = (500, 2000)
    /// The approximate maximum size, in bytes, of the texts in a batch.
    private static let batchSize = 4 << 20

    /// Sends pending operations until the remote has accepted them or a conflict needs the user.
    ///
    /// - Parameter selected: The todos to send; nil for all.
    func push(_ selected: Set<TodoID>?) async throws {
        let isSelected = { (id: TodoID) in selected?.contains(id) ?? true }
        var recorded: [TodoID: RemoteState] = [:]
        for (id, todo) in locked.tracked.todos.loaded where isSelected(id) {
            recorded[id] = locked.folder.recordedChange(of: id, todo)
        }
        try await exchange.applyChanges(recorded)
        let edits = plan(selected).edits()
        exchange.withhold(edits.withheld)
        var round = edits.operations
        var number = 1
        while !round.isEmpty {
            try locked.surroundings.checkGoesOn()
            let moved = try await send(round)
            try await exchange.applyChanges(moved)
            round = sendable(moved.keys, selected).filter { $0.kind != .delete }
            number += 1
            guard number <= Self.maximumRounds else {
                for operation in round {
                    hold(
                        operation.id, operation.path, operation.kind, .keepsChanging,
                        "the remote keeps changing; run \"todosync push\" again")
                }
                break
            }
        }
        try await pushDeletes(selected)
    }

    private func plan(_ selected: Set<TodoID>?) -> PushPlan {
        PushPlan(
            snapshot: locked.snapshot, selected: selected, options: exchange.options,
            leavesFiles: exchange.progress != nil, new: { exchange.round.report.newTodos })
    }

    private func sendable(
        _ ids: some Sequence<TodoID>, _ selected: Set<TodoID>?
    ) -> [PendingOperation] {
        plan(selected).sendable(operations(of: ids))
    }

    private func operations(of ids: some Sequence<TodoID>) -> [PendingOperation] {
        let snapshot = locked.snapshot
        return ids.compactMap { snapshot.condition(of: $0).operation }
    }

    /// Sends deletes last, and only of todos whose files are still missing after a moment.
    private func pushDeletes(_ selected: Set<TodoID>?) async throws {
        let isSelected = { (id: TodoID) in selected?.contains(id) ?? true }
        let pending = locked.snapshot.pendingDeletes(of: isSelected)
        let due = Set(plan(selected).sendable(pending).map(\.id))
        guard !due.isEmpty else { return }
        if try await !exchange.waitForFiles(of: due) { try locked.rescan() }
        // Some editors move a file away for a moment to save it.
        let deletes = plan(selected).deletes(operations(of: due))
        if !deletes.withheld.isEmpty { return exchange.withhold(deletes.withheld) }
        let moved = try await send(deletes.operations)
        try await exchange.applyChanges(moved)
        // A delete is pending again, based on the newer version, if the remote's version is newer but has no
        // edit.
        let again = sendable(moved.keys, selected)
        let rest = try await send(again)
        try await exchange.applyChanges(rest)
    }

    /// Sends operations and processes the answers; returns the todos whose operations were rejected because
    /// the remote has newer versions.
    private func send(
        _ operations: [PendingOperation]
    ) async throws -> [TodoID: RemoteState] {
        guard !operations.isEmpty else { return [:] }
        try exchange.remember(connection)
        var moved: [TodoID: RemoteState] = [:]
        // Sort by path, so that a clone fills one folder after another.
        let batches = Self.batches(of: operations.sorted(byBytesOf: \.path))
        var next = try announce(batches.first ?? [])
        var answered: (reply: PushReply, messages: [Message])?
        var done = 0
        for number in batches.indices {
            let (messages, connection, cursor) = (next, connection, locked.tracked.cursor)
            if locked.surroundings.isAskedToEnd() {
                if let answered { try apply(answered.reply, to: answered.messages, &moved) }
                try locked.transaction.record(messages.map { .rejected(id: $0.id) })
                throw CancellationError()
            }
            do {
                async let reply = connection.push(messages.map { $0.operation }, after: cursor)
                // While the remote works, process its last answer and prepare the next batch.
                next = []
                if let answered { try apply(answered.reply, to: answered.messages, &moved) }
                answered = nil
                if number + 1 < batches.count { next = try announce(batches[number + 1]) }
                answered = (try await reply, messages)
                done += messages.count
                if !exchange.isRehearsal {
                    locked.surroundings.progress?(
                        Progress(.pushing, .todos, done: done, total: operations.count))
                }
            } catch let error where error is RemoteError || error is CancellationError {
                // The next batch wasn't sent after all.
                var rejected = next
                // A refusal is an answer: the operations must not be sent again as if they had been lost.
                if case .notAllowed? = error as? RemoteError { rejected += messages }
                try locked.transaction.record(rejected.map { .rejected(id: $0.id) })
                throw error
            }
        }
        if let answered { try apply(answered.reply, to: answered.messages, &moved) }
        return moved
    }

    /// Returns the cursor after the push's own changes.
    ///
    /// It must not skip an operation if the journal doesn't have its outcome.
    private func newCursor(_ reply: PushReply) -> Cursor? {
        let isAnswered = reply.answers.allSatisfy { if case .unknown = $0 { false } else { true } }
        return isAnswered ? reply.end(from: locked.tracked.cursor) : locked.tracked.cursor
    }

    /// Records operations in the journal as sent, just before they are sent.
    private func announce(_ operations: [PendingOperation]) throws -> [Message] {
        let changes = mapConcurrently(operations) { [device = locked.surroundings.deviceName] in
            $0.change(from: device)
        }
        let messages = zip(operations, changes).map { operation, change in
            Message(
                id: operation.id, path: operation.path, kind: operation.kind, base: operation.base,
                sent: SentOperation(
                    operationID: locked.operationIDs.next(), bytes: operation.local?.bytes,
                    path: operation.wirePath, localPath: operation.path),
                change: change)
        }
        try locked.transaction.record(messages.map { .sent(id: $0.id, $0.sent) })
        try locked.transaction.synchronize()
        return messages
    }

    private static func batches(of operations: [PendingOperation]) -> [[PendingOperation]] {
        var batches: [[PendingOperation]] = []
        var (size, limit) = (0, 0)
        for operation in operations {
            let bytes = operation.local?.bytes.count ?? 0
            if batches.last.map({ $0.count == limit || size + bytes > batchSize }) ?? true {
                limit = batches.isEmpty ? firstCount : min(2 * limit, batchCount)
                size = 0
                batches.append([])
            }
            batches[batches.count - 1].append(operation)
            size += bytes
        }
        return batches
    }

    /// Resolves the operations that an earlier command sent without getting an answer.
    ///
    /// If the remote still has the version that an operation is based on, the operation wasn't applied, and
    /// becomes pending again if it still applies. All others are sent again unchanged. The remote recognizes
    /// their ids, or refuses them because it has a newer version. So nothing is applied twice or after it was
    /// undone, and a lost answer never becomes a conflict with the user's own edit. The only exception is a
    /// request that arrives after the remote was asked.
    func resolveSent() async throws -> [TodoID: RemoteState] {
        let messages = locked.tracked.todos.loaded.keys.sorted().compactMap { id -> Message? in
            guard let todo = locked.tracked.todos[id], let sent = todo.sent else { return nil }
            let kind: OperationKind
            let change: PushOperation.Change
            if let bytes = sent.bytes {
                guard let sentTodo = try? Todo(parsing: bytes) else { return nil }
                kind = todo.base?.todo == nil ? .insert : .update
                change = PendingOperation.change(
                    sending: sentTodo, path: sent.path, base: todo.base, from: locked.surroundings.deviceName)
            } else {
                guard let version = todo.base?.version else { return nil }
                kind = .delete
                change = .delete(base: version)
            }
            return Message(
                id: id, path: sent.localPath, kind: kind, base: todo.base, sent: sent, change: change)
        }
        guard !messages.isEmpty else { return [:] }
        let answerable = try await movedOn(messages)
        let rejected = messages.filter { !answerable.contains($0.id) }
        for message in messages {
            locked.surroundings.logger?.info(
                "unanswered \(message.path): \(answerable.contains(message.id) ? "sent again" : "counts as lost")"
            )
        }
        try locked.transaction.record(rejected.map { .rejected(id: $0.id) })
        let again = messages.filter { answerable.contains($0.id) }
        var moved: [TodoID: RemoteState] = [:]
        if !again.isEmpty {
            let reply = try await connection.push(again.map(\.operation), after: locked.tracked.cursor)
            try apply(reply, to: again, &moved)
        }
        return moved
    }

    /// Returns the todos whose version on the remote differs from the one that their operations are based on.
    private func movedOn(_ messages: [Message]) async throws -> Set<TodoID> {
        var moved = Set(messages.map(\.id).filter { locked.tracked.todos[$0]?.held != nil })
        let bases = Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0.base?.version) })
        var batch = try await RecordBatch.read(from: connection, after: locked.tracked.cursor)
        while true {
            for record in batch.records {
                guard let id = record.id, let base = bases[id], record.version != base else { continue }
                moved.insert(id)
            }
            if batch.isLast || moved.count == messages.count { return moved }
            batch = try await RecordBatch.read(from: connection, following: batch)
        }
    }

    /// An operation that is being sent.
    private struct Message {
        var id: TodoID
        var path: String
        var kind: OperationKind
        var base: RemoteState?
        var sent: SentOperation
        var change: PushOperation.Change

        var operation: PushOperation {
            PushOperation(operationID: sent.operationID, id: id.string, change: change)
        }
    }

    private func apply(
        _ reply: PushReply, to messages: [Message], _ moved: inout [TodoID: RemoteState]
    ) throws {
        let answers = reply.answers
        guard answers.count == messages.count else {
            throw RemoteError.badResponse(
                url: connection.url,
                reason: "its response covers \(answers.count) of \(messages.count) operations")
        }
        var records: [JournalRecord] = []
        for (message, answer) in zip(messages, answers) {
            locked.surroundings.logger?.info(
                "push \(message.path) (\(message.kind) of \((message.base?.version).words)): \(answer.words)"
            )
            switch answer {
            case .accepted(let version):
                records.append(.accepted(id: message.id, version))
                if message.kind == .delete {
                    exchange.round.report.formerTexts[message.id] =
                        locked.tracked.todos[message.id]?.base?.todo?.bytes
                }
                if let record = locked.survey?.recordOfCommitted(message.id) { records.append(record) }
                exchange.round.report.pushed.append(
                    ReportRow(id: message.id, path: message.path, operation: message.kind))
                locked.log(message.id, message.path, message.kind, .pushed)
            case .movedOn(let record):
                records.append(.rejected(id: message.id))
                takeMoved(message, record, &moved)
            case .refused(let status, let text):
                records.append(.rejected(id: message.id))
                exchange.round.report.refused.append(
                    ReportRow(id: message.id, path: message.path, reason: text ?? "", status: status))
            case .notAllowed(let problem):
                records.append(.rejected(id: message.id))
                exchange.round.report.unanswered = .notAllowed(problem)
                hold(message.id, message.path, message.kind, .unanswered, "\(problem)")
            case .unknown(let text):
                exchange.round.report.unanswered =
                    exchange.round.report.unanswered ?? .unanswered(url: connection.url, reason: text)
                hold(
                    message.id, message.path, message.kind, .unanswered,
                    "the remote's response was lost (\(text))")
            }
        }
        // The next pull doesn't have to read these operations.
        if let cursor = newCursor(reply), cursor != locked.tracked.cursor { records.append(.cursor(cursor)) }
        try locked.transaction.record(records)
    }

    /// Processes the remote state that an operation conflicts with.
    private func takeMoved(
        _ message: Message, _ record: RemoteRecord?, _ moved: inout [TodoID: RemoteState]
    ) {
        guard let record else {
            moved[message.id] = .deleted(nil)
            return
        }
        let recorded = locked.tracked.todos[message.id]
        guard record.id == message.id.string else {
            exchange.round.report.refused.append(
                ReportRow(
                    id: message.id, path: message.path,
                    reason: "the remote has a todo with the id \(record.id)", status: 409))
            return
        }
        switch incomingTodo(record, base: recorded?.base, local: locked.folder.todos[message.id]?.todo) {
        case .usable(let id, let remote, _): moved[id] = remote
        case .unusable(let unusable):
            hold(message.id, message.path, message.kind, .invalidRecord, unusable.reason)
        }
    }

    private func hold(
        _ id: TodoID, _ path: String, _ operation: OperationKind, _ reason: HeldReason, _ detail: String
    ) {
        exchange.round.report.held.append(
            HeldTodo(id: id, path: path, reason: reason, detail: detail, operation: operation))
    }
}
