internal import LosslessYAML
internal import TodoModel

extension RemoteConformance {
    static let concurrency = [
        RemoteConformance("a push of thousands of operations is answered in order") { makeClients in
            let remote = try await makeClients(700).0
            let operations = (0..<3000).map { number in
                PushOperation.insert(
                    "id \(number)", ["text": .string("\(number)")], operation: UInt64(number))
            }
            let versions = try await remote.push(operations).answers.map { answer in
                guard case .accepted(let version) = answer else {
                    throw Disagreement(description: "\(answer)")
                }
                return version
            }
            let records = try await remote.allChanges().records
            try expect(records.count, operations.count, "the number of records")
            // They can have been applied in a different order.
            let stored = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.version) })
            let answered = Dictionary(uniqueKeysWithValues: zip(operations.map(\.id), versions))
            try expect(stored, answered, "the records' versions")
        },
        RemoteConformance("exactly one of several concurrent writers of a version is accepted") {
            makeClients in
            let (one, other) = try await makeClients(1000)
            let base = try await one.accepted(.insert("one", ["text": .string("")], operation: 0))
            let answers = try await withThrowingTaskGroup(of: PushAnswer.self) { group in
                for number in UInt64(1)...8 {
                    let client = number % 2 == 0 ? one : other
                    group.addTask {
                        try await client.push(
                            .update("one", ["text": .string("\(number)")], base: base, operation: number))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let accepted = answers.filter { if case .accepted = $0 { true } else { false } }
            try expect(accepted.count, 1, "the number of accepted writes")
            let current = try await one.current("one")
            try expect(accepted.first, current.map { .accepted($0.version) }, "the accepted write")
            try expect(answers.filter { $0 == .movedOn(current) }.count, 7, "the number of writes that lost")
        },
        RemoteConformance(
            "many retrying writers lose no update, and a concurrent reader misses none"
        ) {
            makeClients in
            let (one, other) = try await makeClients(3)
            let keys = (0..<6).map { "writer \($0)" }
            let rounds = 5
            _ = try await one.accepted(.insert("shared", [:], operation: 0))
            async let seen = changesUntil("done", from: other)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, key) in keys.enumerated() {
                    let client = number % 2 == 0 ? one : other
                    group.addTask {
                        for round in 1...rounds {
                            let operation = UInt64(1000 * (number + 1) + 10 * round)
                            let id = "\(key) \(round)"
                            _ = try await client.accepted(.insert(id, [:], operation: operation))
                            try await increment(key, of: "shared", on: client, operation: operation + 1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            _ = try await one.accepted(.insert("done", [:], operation: 1))
            let records = try await seen
            let expected = Set(keys.flatMap { key in (1...rounds).map { "\(key) \($0)" } })
            try expect(expected.subtracting(records.map(\.id)), [], "the records that the reader missed")
            let last = records.last { $0.id == "shared" }
            try expect(
                last?.version, try await one.current("shared")?.version, "the last state that the reader saw")
            for key in keys {
                try expect(last?.fields[key], .number(Number(rounds)), "the updates of \(key)")
            }
        },
    ]

    /// Adds one to a field, retrying until no other writer was faster.
    private static func increment(
        _ field: String, of id: String, on remote: any Remote, operation: UInt64
    ) async throws {
        guard var record = try await remote.current(id) else { throw Disagreement(description: "no \(id)") }
        while true {
            var count = 1
            if case .number(let number)? = record.fields[field], let old = Int(number.json) {
                count = old + 1
            }
            let update = PushOperation.update(
                id, [field: .number(Number(count))], base: record.version, operation: operation)
            switch try await remote.push(update) {
            case .accepted: return
            case .movedOn(let newer?): record = newer
            case let answer: throw Disagreement(description: "\(answer)")
            }
        }
    }

    /// Reads the feed page by page until it contains a record.
    private static func changesUntil(_ id: String, from remote: any Remote) async throws -> [RemoteRecord] {
        var records: [RemoteRecord] = []
        var cursor: Cursor?
        while !records.contains(where: { $0.id == id }) {
            let page = try await remote.changes(after: cursor)
            records += page.records
            cursor = page.next
            if page.records.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        }
        return records
    }
}
