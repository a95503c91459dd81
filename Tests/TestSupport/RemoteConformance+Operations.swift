internal import LosslessYAML
package import TodoModel

// Shorthand for operations and their results.

extension PushOperation {
    /// Returns an operation id that is the same for the same number.
    static func operationID(_ number: UInt64) -> String {
        var generator = SplitMix64(seed: number)
        return (0..<32).map { _ in String(generator.next() >> 60, radix: 16) }.joined()
    }

    static func insert(_ id: String, _ fields: Mapping, operation: UInt64) -> PushOperation {
        PushOperation(
            operationID: operationID(operation), id: id,
            change: .insert(fields: fields, layout: layout(of: id)))
    }

    static func update(_ id: String, _ fields: Mapping, base: Version, operation: UInt64) -> PushOperation {
        PushOperation(
            operationID: operationID(operation), id: id,
            change: .update(fields: fields, layout: layout(of: id), base: base))
    }

    static func delete(_ id: String, base: Version, operation: UInt64) -> PushOperation {
        PushOperation(operationID: operationID(operation), id: id, change: .delete(base: base))
    }

    static func recreate(_ id: String, _ fields: Mapping, base: Version, operation: UInt64) -> PushOperation {
        PushOperation(
            operationID: operationID(operation), id: id,
            change: .recreate(fields: fields, layout: layout(of: id), base: base))
    }

    static func layout(of id: String) -> Layout {
        Layout(path: "list/\(id).yaml", yaml: "id: \(id)\ntext: \"a\\tb\" # comment\r\n")
    }
}

extension Remote {
    /// Pushes operations and returns only the answers.
    package func answers(to operations: [PushOperation]) async throws -> [PushAnswer] {
        try await push(operations).answers
    }

    /// Pushes one operation.
    func push(_ operation: PushOperation) async throws -> PushAnswer {
        let answers = try await answers(to: [operation])
        try expect(answers.count, 1, "answers to one operation")
        return answers[0]
    }

    /// Pushes an operation that must be accepted, and returns its version.
    func accepted(_ operation: PushOperation, line: Int = #line) async throws -> Version {
        let answer = try await push(operation)
        guard case .accepted(let version) = answer else {
            throw Disagreement(description: "accepted (line \(line)): \(answer)")
        }
        return version
    }

    /// Pushes an operation that must be refused with a status.
    func expectRefusal(_ status: Int, of operation: PushOperation, line: Int = #line) async throws {
        let answer = try await push(operation)
        guard case .refused(status, _) = answer else {
            throw Disagreement(description: "refused with \(status) (line \(line)): \(answer)")
        }
    }

    /// Returns all changes after a cursor, page by page, and the cursor for the next time.
    func allChanges(after cursor: Cursor? = nil) async throws -> (records: [RemoteRecord], next: Cursor) {
        var records: [RemoteRecord] = []
        var cursor = cursor
        while true {
            let page = try await changes(after: cursor)
            records += page.records
            if page.isLast { return (records, page.next) }
            try expect(page.next != cursor, "a page that is not the last moves on")
            cursor = page.next
        }
    }

    /// Returns the newest state of a record.
    func current(_ id: String) async throws -> RemoteRecord? {
        try await allChanges().records.last { $0.id.isSameBytes(as: id) }
    }

    /// Starts an exchange with a known cursor.
    func verify(_ cursor: Cursor) async throws {
        let identity = try await meet(nil)
        let recorded = RecordedHistory(identity: identity, cursor: cursor, accepted: nil)
        try expect(try await meet(recorded), identity, "the identity")
    }

    /// Starts an exchange with a known accepted operation.
    func verify(operation: UInt64, accepted version: Version) async throws {
        let identity = try await meet(nil)
        let accepted = AcceptedOperation(
            operationID: PushOperation.operationID(operation), version: version)
        let recorded = RecordedHistory(identity: identity, cursor: nil, accepted: accepted)
        try expect(try await meet(recorded), identity, "the identity")
    }

    /// Throws unless a cursor is refused as one from another history.
    func expectOtherHistory(_ cursor: Cursor, line: Int = #line) async throws {
        try await expectOtherHistory("changes after \(cursor.string)", line: line) {
            _ = try await changes(after: cursor)
        }
        try await expectOtherHistory("verifying \(cursor.string)", line: line) { try await verify(cursor) }
    }

    /// Throws unless an operation is refused as one that was not applied here.
    func expectOtherHistory(operation: UInt64, accepted version: Version, line: Int = #line) async throws {
        try await expectOtherHistory("operation \(operation)", line: line) {
            try await verify(operation: operation, accepted: version)
        }
    }

    private func expectOtherHistory(_ call: String, line: Int, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch RemoteError.otherHistory {
            return
        }
        throw Disagreement(description: "other history (line \(line)): \(call) was taken")
    }
}
