#if PostgreSQL
    import LosslessYAML
    import Synchronization
    import TestSupport
    import TodoModel
    @testable import Remotes

    /// Writers and readers of one table on several servers, which check every answer against a model.
    ///
    /// Writers insert records and increment counters in a record that they share, without operation ids. So
    /// an answer that is wrong after a fault, such as the refusal of a write that was applied, is noticed.
    /// Readers page through the changes all the time.
    final class FaultRun: Sendable {
        private let tables: [StoreTable]
        private let state = Mutex(State())

        private struct State {
            var problems: [String] = []
            /// The newest version of each record that a writer was told of.
            var answered: [String: RecordVersion] = [:]
            /// The value of each writer's counter that the server accepted.
            var counters: [String: Int] = [:]
            /// The writers whose last increment has no answer.
            var uncertain: Set<String> = []
            var unansweredCount = 0
            var isEnding = false
        }

        init(_ stores: [Store], table: TableName) { tables = stores.map { $0.table(table) } }

        /// The descriptions of wrong answers.
        var problems: [String] { state.withLock { $0.problems } }
        var answeredCount: Int { state.withLock { $0.answered.count } }
        var unansweredCount: Int { state.withLock { $0.unansweredCount } }

        /// Runs writers and readers while `faults` runs, and checks the table afterwards.
        ///
        /// - Parameter recovery: ends all faults, so that the result can be read.
        func run(
            writers: Int, readers: Int, faults: @escaping @Sendable () async throws -> Void,
            recovery: @Sendable () async throws -> Void
        ) async throws {
            _ = try await retrying { [tables] in
                try await tables[0].write([
                    RecordWrite(id: "shared", change: .insert(fields: [:], layout: nil))
                ])
            }
            var seen = try await withThrowingTaskGroup(of: Reading?.self) { group in
                for number in 0..<writers {
                    group.addTask {
                        await self.write("writer \(number)"); return nil
                    }
                }
                for number in 0..<readers { group.addTask { await self.read(number) } }
                group.addTask {
                    defer { self.state.withLock { $0.isEnding = true } }
                    try await faults()
                    return nil
                }
                return try await group.reduce(into: [Reading]()) { if let seen = $1 { $0.append(seen) } }
            }
            try await recovery()
            // The writers have ended, so the readers can read to the end, unless the changes repeat forever.
            for index in seen.indices {
                try await retrying {
                    while problems.isEmpty, try await !read(tables[0], &seen[index]) {}
                }
            }
            try await check(seen.map(\.sightings))
        }

        private func report(_ problem: String) {
            state.withLock { if $0.problems.count < 20 { $0.problems.append(problem) } }
        }

        private var isEnding: Bool { state.withLock { $0.isEnding } }

        /// Runs work until it succeeds, at the end of the run, when there are no faults.
        private func retrying<Result>(_ work: () async throws -> Result) async throws -> Result {
            for _ in 0..<20 {
                do { return try await work() } catch { try await Task.sleep(for: .milliseconds(500)) }
            }
            return try await work()
        }
    }

    // MARK: - Writing

    extension FaultRun {
        private func write(_ name: String) async {
            var random = SplitMix64(seed: UInt64(name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }))
            var number = 0
            while !isEnding {
                number += 1
                let table = tables[Int.random(in: 0..<tables.count, using: &random)]
                do {
                    if random.chance(0.6) {
                        try await insert("\(name) \(number)", in: table)
                    } else {
                        try await increment(name, in: table)
                    }
                } catch {
                    // The database was away for too long; whether this write was applied isn't known.
                    state.withLock { $0.unansweredCount += 1 }
                }
            }
        }

        private func insert(_ id: String, in table: StoreTable) async throws {
            let write = RecordWrite(id: id, change: .insert(fields: ["text": .string(id)], layout: nil))
            switch try await table.write([write])[0] {
            case .done(let stored): answered(stored)
            case let answer: report("the insert of \(id) was answered with \(answer)")
            }
        }

        private func increment(_ name: String, in table: StoreTable) async throws {
            // After an increment without an answer, the counter can have either value.
            let (expected, isUncertain) = state.withLock {
                ($0.counters[name] ?? 0, $0.uncertain.contains(name))
            }
            guard var current = try await table.record(id: "shared") else {
                return report("the shared record is missing")
            }
            var value = expected
            for _ in 0..<50 {
                let found = counter(name, in: current)
                if found != value, !(isUncertain && found == value + 1) {
                    return report("\(name)'s counter is \(found), not \(value)")
                }
                value = found
                let write = RecordWrite(
                    id: "shared",
                    change: .merge(fields: [name: .number(Number(value + 1))], layout: nil),
                    condition: .version(current.record.version))
                do {
                    switch try await table.write([write])[0] {
                    case .done(let stored):
                        state.withLock {
                            $0.counters[name] = value + 1
                            $0.uncertain.remove(name)
                        }
                        return answered(stored)
                    case .conditionFailed(let stored):
                        if counter(name, in: stored) != value {
                            return report("an increment of \(name) was applied, and answered as refused")
                        }
                        current = stored
                    case let answer: return report("an increment of \(name) was answered with \(answer)")
                    }
                } catch {
                    state.withLock {
                        $0.counters[name] = value
                        _ = $0.uncertain.insert(name)
                    }
                    throw error
                }
            }
        }

        private func counter(_ name: String, in stored: StoredRecord) -> Int {
            guard case .number(let number)? = stored.record.fields[name] else { return 0 }
            return Int(number.json) ?? -1
        }

        private func answered(_ stored: StoredRecord) {
            guard let version = RecordVersion(stored.record.version) else { return report("not a version") }
            state.withLock { state in
                if let known = state.answered[stored.record.id], known.bits > version.bits { return }
                state.answered[stored.record.id] = version
            }
        }
    }

    // MARK: - Reading

    extension FaultRun {
        /// A change that a reader saw.
        struct Sighting: Sendable {
            var id: String
            var version: RecordVersion
        }

        /// The state of a reader.
        struct Reading: Sendable {
            var sightings: [Sighting] = []
            var cursor: Cursor?
        }

        private func read(_ number: Int) async -> Reading {
            var random = SplitMix64(seed: UInt64(1000 + number))
            var reading = Reading()
            while !isEnding {
                var table = tables[Int.random(in: 0..<tables.count, using: &random)]
                table.pageSize = Int.random(in: 1...50, using: &random)
                do {
                    try await read(table, &reading)
                } catch RemoteError.otherHistory {
                    report("a reader's cursor is not known any more")
                    return reading
                } catch {}
                try? await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &random)))
            }
            return reading
        }

        /// Reads a page, and returns whether it is the last one.
        @discardableResult
        private func read(_ table: StoreTable, _ reading: inout Reading) async throws -> Bool {
            let page = try await table.storedChanges(after: reading.cursor)
            for record in page.records.map(\.record) {
                guard let version = RecordVersion(record.version) else { continue }
                if let last = reading.sightings.last, last.version.sequence >= version.sequence {
                    report(
                        "\(record.id) came out of order: \(version.sequence) after \(last.version.sequence)")
                }
                reading.sightings.append(Sighting(id: record.id, version: version))
            }
            reading.cursor = page.next
            return page.isLast
        }

        private func check(_ readers: [[Sighting]]) async throws {
            var table = tables[0]
            table.pageSize = 1_000_000
            let records = try await retrying {
                try await table.storedChanges(after: nil).records.map(\.record)
            }
            let stored = Dictionary(records.map { ($0.id, RecordVersion($0.version)) }) { first, _ in first }
            let (answered, counters, uncertain) = state.withLock { ($0.answered, $0.counters, $0.uncertain) }
            for (id, version) in answered where id != "shared" && stored[id] != version {
                report("\(id) was answered, and is not stored")
            }
            if let shared = records.first(where: { $0.id == "shared" }) {
                for (name, value) in counters {
                    let found = counter(name, in: StoredRecord(record: shared, createdAt: 0, updatedAt: 0))
                    if found != value, !(uncertain.contains(name) && found == value + 1) {
                        report("\(name)'s counter is \(found) at the end, not \(value)")
                    }
                }
            }
            for seen in readers {
                let last = Dictionary(seen.map { ($0.id, $0.version) }) { $1 }
                for (id, version) in stored where last[id] != version {
                    report("a reader skipped the last change of \(id)")
                }
            }
        }
    }
#endif
