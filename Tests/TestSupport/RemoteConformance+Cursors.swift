internal import LosslessYAML
internal import TodoModel

extension RemoteConformance {
    /// The cursors that writers get without reading their own writes.
    static let cursors = [
        RemoteConformance("a single writer knows all changes from the first write on") {
            remote in
            var cursor: Cursor?
            for number in UInt64(0)..<3 {
                let operations = (0..<4).map { index in
                    PushOperation.insert("\(number)-\(index)", [:], operation: 10 * number + UInt64(index))
                }
                cursor = try await remote.push(operations).end(from: cursor)
                try expect(cursor, try await remote.allChanges().next, "the cursor after push \(number)")
            }
        },
        RemoteConformance("a writer that has read an empty table knows all changes") { remote in
            let start = try await remote.allChanges().next
            let cursor = try await remote.push([.insert("a", [:], operation: 1)]).end(from: start)
            try expect(cursor, try await remote.allChanges().next, "the cursor after the first write")
        },
        RemoteConformance("a single writer of several requests knows all changes") {
            makeClients in
            let (one, other) = try await makeClients(1000)
            let operations = (0..<1301).map { PushOperation.insert("\($0)", [:], operation: UInt64($0)) }
            let first = try await one.push(Array(operations[..<1300])).end(from: nil)
            try expect(first, try await one.allChanges().next, "the cursor after many writes")
            // Of two concurrent writers, neither knows the other's writes.
            async let late = other.push([operations[1300]])
            let changes = (0..<1300).map {
                PushOperation.insert("x\($0)", [:], operation: 10_000 + UInt64($0))
            }
            let end = try await one.push(changes).end(from: first)
            _ = try await late
            let rest = try await one.allChanges(after: end).records.map(\.id)
            let recorded = Set(changes.map(\.id)).subtracting(rest)
            try expect(rest.contains("1300"), true, "whether the other writer's change is still to come")
            try expect(
                rest.count, changes.count - recorded.count + 1, "the number of changes that are still to come"
            )
        },
        RemoteConformance("an operation that is not applied doesn't affect its push's cursor") { remote in
            let version = try await remote.accepted(.insert("a", [:], operation: 1))
            let start = try await remote.allChanges().next
            let operations: [PushOperation] = [
                .insert("a", [:], operation: 2), .insert("x/y", [:], operation: 3),
                .update("a", ["text": .string("b")], base: version, operation: 4),
            ]
            let cursor = try await remote.push(operations).end(from: start)
            try expect(cursor, try await remote.allChanges().next, "the cursor")
        },
        RemoteConformance("a writer that didn't know all changes before a push doesn't know them afterward") {
            makeClients in
            let (one, other) = try await makeClients(1000)
            let start = try await one.push([.insert("a", [:], operation: 1)]).end(from: nil)
            let middle = try await other.push([.insert("b", [:], operation: 2)]).end(from: start)
            try expect(
                start != nil && middle != start, true,
                "whether a writer that knows all changes gets a new cursor")
            let late = [PushOperation.insert("c", [:], operation: 3)]
            try expect(
                try await one.push(late).end(from: start), start, "the cursor of a writer that is behind")
            try expect(
                try await one.push([.insert("d", [:], operation: 4)]).end(from: nil), nil,
                "the cursor of a writer without one")
            // Retried operations are not the latest ones.
            try expect(try await one.push(late).parts, [], "the parts of a retry")
            try expect(
                try await one.allChanges(after: start).records.map(\.id), ["b", "c", "d"], "what came since")
        },
        RemoteConformance("another remote's cursor, or an invalid one, gets no new cursor") { makeClients in
            let one = try await makeClients(1000).0
            let other = try await makeClients(1000).0
            _ = try await one.accepted(.insert("a", [:], operation: 1))
            _ = try await other.accepted(.insert("a", [:], operation: 1))
            let strings = ["x", "1", "1-1-zz", "9-9-9", try await other.allChanges().next.string]
            for (number, string) in strings.enumerated() {
                let insert = PushOperation.insert("\(number)", [:], operation: UInt64(10 + number))
                let reply = try await one.push([insert])
                let cursor = Cursor(string)
                try expect(reply.end(from: cursor), cursor, "behind \(string)")
                guard case .accepted? = reply.answers.first else {
                    throw Disagreement(description: "\(reply.answers) after \(string)")
                }
            }
        },
        RemoteConformance("concurrent writers that skip their own writes miss no others") {
            makeClients in
            let (one, other) = try await makeClients(3)
            let results = try await withThrowingTaskGroup(of: (Set<String>, Cursor?).self) { group in
                for writer in 0..<4 {
                    let client = writer % 2 == 0 ? one : other
                    group.addTask { try await writeAndRead(as: writer, client) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let all = Set(try await one.allChanges().records.map(\.id))
            try expect(all.count, 80, "the number of records")
            for (seen, cursor) in results {
                let rest = try await one.allChanges(after: cursor).records.map(\.id)
                try expect(all.subtracting(seen).subtracting(rest), [], "the records that a writer missed")
            }
        },
    ]

    /// Writes repeatedly, and sometimes reads the changes after its cursor.
    ///
    /// Returns the ids of the written and read records, and the last cursor.
    private static func writeAndRead(
        as writer: Int, _ remote: any Remote
    ) async throws -> (Set<String>, Cursor?) {
        var seen: Set<String> = []
        var cursor: Cursor?
        for number in 0..<20 {
            let id = "\(writer)-\(number)"
            let insert = PushOperation.insert(id, [:], operation: UInt64(100 * writer + number))
            cursor = try await remote.push([insert]).end(from: cursor)
            seen.insert(id)
            guard number % 3 == 2 else { continue }
            let (records, next) = try await remote.allChanges(after: cursor)
            seen.formUnion(records.map(\.id))
            cursor = next
        }
        return (seen, cursor)
    }
}
