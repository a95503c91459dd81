internal import LosslessYAML
internal import TodoModel

extension RemoteConformance {
    /// How far a writer knows the changes without reading what it wrote itself.
    static let cursors = [
        RemoteConformance("who writes alone knows the changes to their end, from the first write on") {
            remote in
            var cursor: Cursor?
            for number in UInt64(0)..<3 {
                let operations = (0..<4).map { index in
                    PushOperation.insert("\(number)-\(index)", [:], operation: 10 * number + UInt64(index))
                }
                cursor = try await remote.push(operations).end(from: cursor)
                try expect(cursor, try await remote.allChanges().next, "the cursor behind push \(number)")
            }
        },
        RemoteConformance("who has read that there is nothing yet knows the changes to their end") { remote in
            let start = try await remote.allChanges().next
            let cursor = try await remote.push([.insert("a", [:], operation: 1)]).end(from: start)
            try expect(cursor, try await remote.allChanges().next, "the cursor behind the first write")
        },
        RemoteConformance("who writes alone more than one request takes knows the changes to their end") {
            makeClients in
            let (one, other) = try await makeClients(1000)
            let operations = (0..<1301).map { PushOperation.insert("\($0)", [:], operation: UInt64($0)) }
            let first = try await one.push(Array(operations[..<1300])).end(from: nil)
            try expect(first, try await one.allChanges().next, "the cursor behind many")
            // Of two that write at the same time, what the one wrote is not known to the other.
            async let late = other.push([operations[1300]])
            let changes = (0..<1300).map {
                PushOperation.insert("x\($0)", [:], operation: 10_000 + UInt64($0))
            }
            let end = try await one.push(changes).end(from: first)
            _ = try await late
            let rest = try await one.allChanges(after: end).records.map(\.id)
            let known = Set(changes.map(\.id)).subtracting(rest)
            try expect(rest.contains("1300"), true, "whether the other one's is still to come")
            try expect(rest.count, changes.count - known.count + 1, "what is still to come")
        },
        RemoteConformance("what is not carried out leaves the others of its push their cursor") { remote in
            let version = try await remote.accepted(.insert("a", [:], operation: 1))
            let start = try await remote.allChanges().next
            let operations: [PushOperation] = [
                .insert("a", [:], operation: 2), .insert("x/y", [:], operation: 3),
                .update("a", ["text": .string("b")], base: version, operation: 4),
            ]
            let cursor = try await remote.push(operations).end(from: start)
            try expect(cursor, try await remote.allChanges().next, "the cursor")
        },
        RemoteConformance("who did not know all before a push does not know all behind it") { makeClients in
            let (one, other) = try await makeClients(1000)
            let start = try await one.push([.insert("a", [:], operation: 1)]).end(from: nil)
            let middle = try await other.push([.insert("b", [:], operation: 2)]).end(from: start)
            try expect(start != nil && middle != start, true, "whether who knows all is led on")
            let late = [PushOperation.insert("c", [:], operation: 3)]
            try expect(try await one.push(late).end(from: start), start, "the cursor of who is behind")
            try expect(
                try await one.push([.insert("d", [:], operation: 4)]).end(from: nil), nil,
                "the cursor of who knows nothing")
            // Sent again, they are not what came last.
            try expect(try await one.push(late).parts, [], "the parts that a repetition made")
            try expect(
                try await one.allChanges(after: start).records.map(\.id), ["b", "c", "d"], "what came since")
        },
        RemoteConformance("a cursor of another remote, or none at all, is not led on") { makeClients in
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
        RemoteConformance("writers at the same time that skip their own writes miss none of the others'") {
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
            try expect(all.count, 80, "how many records there are")
            for (seen, cursor) in results {
                let rest = try await one.allChanges(after: cursor).records.map(\.id)
                try expect(all.subtracting(seen).subtracting(rest), [], "what a writer missed")
            }
        },
    ]

    /// Writes again and again, and reads now and then what came after the cursor that the writing led to;
    /// returns the ids of what was written and read,
    /// and the cursor behind it.
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
