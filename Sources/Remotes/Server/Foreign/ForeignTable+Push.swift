internal import LosslessYAML
internal import TodoModel
internal import Values

/// Writes to other servers, with one request for each operation, conditional on the operation's base version.
///
/// Retrying a request is safe because the record shows whether the first try was applied: the content of an
/// insert or update is there, or a deleted record is gone.
extension ForeignTable {
    private static let maximumInFlight = 8

    func push(_ operations: [PushOperation]) async throws -> [PushAnswer] {
        guard let first = operations.first else { return [] }
        var answers = PushAnswers(count: operations.count)
        // Send the first operation alone: its response can show what the server accepts, or that the server
        // can't be reached.
        await answers.answer(0) { try await answer(to: first) }
        await withTaskGroup(of: (Int, Result<PushAnswer, any Error>).self) { group in
            var next = 1
            func startNext() {
                guard next < operations.count, !answers.isStopped else { return }
                let (number, operation) = (next, operations[next])
                next += 1
                // Await the result before creating the pair; otherwise, an optimizing compiler (Swift 6.3.1)
                // loses the number.
                group.addTask {
                    let result = await result(of: operation)
                    return (number, result)
                }
            }
            for _ in 0..<Self.maximumInFlight { startNext() }
            while let (number, result) = await group.next() {
                switch result {
                case .success(let answer): answers.set(number, answer)
                case .failure(let error): answers.fail(number, error)
                }
                startNext()
            }
        }
        return try answers.all()
    }

    private func result(of operation: PushOperation) async -> Result<PushAnswer, any Error> {
        do {
            return .success(try await answer(to: operation))
        } catch {
            return .failure(error)
        }
    }

    private func answer(to operation: PushOperation) async throws -> PushAnswer {
        switch operation.change {
        case .insert(let fields, let layout): try await insert(operation, fields, layout)
        case .update(let fields, let layout, let base): try await update(operation, fields, layout, base)
        case .delete: try await delete(operation)
        case .recreate(let fields, let layout, let base):
            try await recreate(operation, fields, layout, base)
        }
    }

    private func insert(
        _ operation: PushOperation, _ fields: Mapping, _ layout: Layout
    ) async throws -> PushAnswer {
        var insert = operation
        insert.change = .insert(fields: fields, layout: layout)
        let answer = try await send(insert)
        if answer.isSuccess { return .accepted(try await version(in: answer, operation)) }
        guard answer.status == 409 else { return try failure(answer) }
        guard let record = try await record(operation.id) else {
            return .refused(status: 409, message: answer.message)
        }
        guard record.id.isSameBytes(as: operation.id) else {
            return .refused(
                status: 409,
                message: "the id \(ServerMessage.oneLine(record.id)) differs from this one only in case")
        }
        return SentContent(fields: fields, layout: layout).isWhole(record)
            ? .accepted(record.version) : .movedOn(record)
    }

    private func update(
        _ operation: PushOperation, _ fields: Mapping, _ layout: Layout, _ base: Version
    ) async throws -> PushAnswer {
        // The operation contains nothing that this server accepts.
        if fields.isEmpty, session.refusesLayout { return .accepted(base) }
        let answer = try await send(operation)
        if answer.isSuccess { return .accepted(try await version(in: answer, operation)) }
        guard [404, 409, 412].contains(answer.status) else { return try failure(answer) }
        guard let record = try await current(answer, operation) else { return .movedOn(nil) }
        let sent = SentContent(fields: fields, layout: layout)
        if sent.isResult(record) { return .accepted(record.version) }
        // The update was applied, and then another client changed other fields. The version in between is
        // unknown; a version that no record has makes the next write fetch the record.
        return sent.isPart(record) ? .accepted(Self.unknownVersion(after: operation)) : .movedOn(record)
    }

    private func delete(_ operation: PushOperation) async throws -> PushAnswer {
        let answer = try await send(operation)
        guard answer.isSuccess || [404, 409, 412].contains(answer.status) else { return try failure(answer) }
        let record = try await current(answer, operation)
        if let record, record.isDeleted { return .accepted(record.version) }
        if record == nil { session.note(lackOf: .tombstones) }
        // If the record is gone or was already undeleted, the tombstone's version is unknown.
        if record == nil || answer.isSuccess { return .accepted(Self.unknownVersion(after: operation)) }
        return .movedOn(record)
    }

    /// Undeletes a record, and then writes all its fields.
    ///
    /// After a crash in between, the record has its fields from before the deletion, and the next pull
    /// fetches it.
    private func recreate(
        _ operation: PushOperation, _ fields: Mapping, _ layout: Layout, _ base: Version
    ) async throws -> PushAnswer {
        guard let tombstone = try await record(operation.id) else {
            return try await insert(operation, fields, layout)
        }
        if SentContent(fields: fields, layout: layout).isWhole(tombstone) {
            return .accepted(tombstone.version)
        }
        guard tombstone.isDeleted, tombstone.version == base else { return .movedOn(tombstone) }
        let write = WireWrite(operation, url: session.url)
        let answer = try await exchange(
            ServerRequest(method: .post, target: target(write.path), headers: headers(write)))
        guard answer.isSuccess || [404, 409, 412].contains(answer.status) else { return try failure(answer) }
        let record = try await current(answer, operation)
        // The server can refuse because an earlier try, whose response was lost, undeleted the record.
        guard let record, record.problem == nil, tombstone.problem == nil, !record.isDeleted,
            answer.isSuccess || record.fields == tombstone.fields
        else {
            return .movedOn(record)
        }
        var changed = fields
        for name in record.fields.keys where changed[name] == nil { changed[name] = .null }
        var update = operation
        update.change = .update(fields: changed, layout: layout, base: record.version)
        return try await self.update(update, changed, layout, record.version)
    }
}

// MARK: - Requests

extension ForeignTable {
    /// Sends a write, without the property `todosync` if the server refuses unknown properties.
    private func send(_ operation: PushOperation) async throws -> ServerResponse {
        let hasLayout = !session.refusesLayout
        let answer = try await exchange(request(operation, hasLayout: hasLayout))
        if hasLayout, answer.isSuccess, operation.hasLayout {
            session.takesLayout = true
            if answer.isRecordWithoutLayout { session.note(lackOf: .nestedValues) }
        }
        // If the server accepted the property before, it refuses for a different reason.
        guard hasLayout, !session.takesLayout, answer.status == 400 || answer.isOfUnsupportedType,
            case let bare = request(operation, hasLayout: false), bare.body != nil
        else { return answer }
        let second = try await exchange(bare)
        if second.status != 400, second.status < 500 {
            session.refusesLayout = true
            session.note(lackOf: .nestedValues)
        }
        return second
    }

    private func exchange(_ request: ServerRequest) async throws -> ServerResponse {
        try await session.exchange(
            request, flavor: flavor,
            retrying: { $0.isTemporaryFailure && !$0.isOfUnsupportedType })
    }

    private func request(_ operation: PushOperation, hasLayout: Bool) -> ServerRequest {
        let write = WireWrite(operation, url: session.url, hasLayout: hasLayout)
        return ServerRequest(
            method: write.method, target: target(write.path), headers: headers(write),
            body: write.body.map { JSON.write(.mapping($0)) })
    }

    private func target(_ path: String) -> String {
        session.url.prefix + path
            + (flavor.systemProperties.isEmpty ? "" : "?" + flavor.systemProperties)
    }

    private func headers(_ write: WireWrite) -> [(name: String, value: String)] {
        write.condition.map { [("if-match", EntityTag.text($0))] } ?? []
    }
}

// MARK: - Answers

extension ForeignTable {
    /// Returns the version that a write created.
    private func version(in answer: ServerResponse, _ operation: PushOperation) async throws -> Version {
        if case .mapping(let body)? = try? answer.json(recordDepth: 1) {
            if case .string(let id)? = body["id"], !id.isSameBytes(as: operation.id) {
                throw InvalidResponse("the response contains a different record")
            }
            // A gateway can replace the response's ETag, so the version in the body takes precedence.
            if case .string(let text)? = body[flavor.version],
                let version = WireRecord.version(text)
            {
                return version
            }
        }
        if let version = answer.version { return version }
        throw InvalidResponse("the response to a write has no valid version")
    }

    /// Returns the current record: from the response if it has one, otherwise from the server.
    private func current(
        _ answer: ServerResponse, _ operation: PushOperation
    ) async throws -> RemoteRecord? {
        if let value = try? answer.json(recordDepth: 1), let record = try? WireRecord(value, flavor).record {
            guard record.id.lowercased() == operation.id.lowercased() else {
                throw InvalidResponse("the response contains a different record")
            }
            return record
        }
        return try await record(operation.id)
    }

    private func failure(_ answer: ServerResponse) throws -> PushAnswer {
        switch answer.status {
        case 401, 403: throw session.error(for: answer, writing: true)
        case 408, 429: .unknown(message: answer.words)
        case 400..<500, 507: .refused(status: answer.status, message: answer.message)
        case 500... where answer.isOfUnsupportedType:
            .refused(status: answer.status, message: answer.message)
        case 500...: .unknown(message: answer.words)
        default: throw InvalidResponse("the response to a write has the status \(answer.status)")
        }
    }

    /// Returns a version that no record has, in the format of the servers' own versions: base64 of an
    /// eight-byte counter, which never reaches this value.
    private static func unknownVersion(after operation: PushOperation) -> Version {
        Version(Base64.encode([0xFF] + Array(operation.operationID.utf8).sha256.prefix(7)))
    }
}

extension PushOperation {
    /// Whether the operation has a value for the property `todosync`.
    fileprivate var hasLayout: Bool {
        switch change {
        case .insert(_, let layout), .update(_, let layout, _), .recreate(_, let layout, _):
            LayoutProperty.value(layout) != nil
        case .delete: false
        }
    }
}

extension ServerResponse {
    /// Whether the response contains a record that lacks the property `todosync`, although the request had
    /// it.
    fileprivate var isRecordWithoutLayout: Bool {
        guard case .mapping(let body)? = try? json(recordDepth: 1), body["id"] != nil else { return false }
        return body[LayoutProperty.name] == nil && body[JSON.problemName] == nil
    }

    /// Whether the Node server refuses a list or an object as a value, which only its message shows.
    fileprivate var isOfUnsupportedType: Bool {
        status == 500 && message?.contains("Unsupported type") == true
    }
}

/// The content that a write sent, used to recognize the write in the server's current record.
struct SentContent {
    var fields: Mapping
    var layout: Layout

    /// Returns whether the record has these fields and no others.
    func isWhole(_ record: RemoteRecord) -> Bool {
        hasLayout(record) && Self.areEqual(record.fields, fields)
    }

    /// Returns whether the record has the fields of the todo that was sent, although the write itself
    /// contained only the changed fields.
    func isResult(_ record: RemoteRecord) -> Bool {
        guard hasLayout(record), let yaml = layout.yaml, let todo = try? Todo(parsing: Array(yaml.utf8))
        else {
            return false
        }
        var whole = todo.document.fields
        whole[FieldName.id] = nil
        return Self.areEqual(record.fields, whole)
    }

    /// Returns whether the record has these fields, and possibly others, as well as the path and text that
    /// were sent.
    func isPart(_ record: RemoteRecord) -> Bool {
        guard hasLayout(record), !fields.isEmpty else { return false }
        var stored = Mapping()
        for name in fields.keys { stored[name] = record.fields[name] }
        return Self.areEqual(stored, fields)
    }

    private func hasLayout(_ record: RemoteRecord) -> Bool {
        // The content of an unreadable record is unknown, so it never counts as sent.
        record.problem == nil && !record.isDeleted && (record.layout == nil || record.layout == layout)
    }

    private static func areEqual(_ left: Mapping, _ right: Mapping) -> Bool {
        CanonicalField.areEqual(rounded(left), rounded(right))
    }

    private static func rounded(_ mapping: Mapping) -> Mapping {
        Mapping(mapping.entries.map { (key: $0.key, value: rounded($0.value)) })
    }

    /// Returns the value as servers store it, with numbers as binary floats.
    private static func rounded(_ value: Value) -> Value {
        switch value {
        case .number(let number):
            Double(number.json).flatMap { Number(json: "\($0)") }.map { .number($0) } ?? value
        case .list(let list): .list(list.map(rounded))
        case .mapping(let mapping): .mapping(rounded(mapping))
        default: value
        }
    }
}
