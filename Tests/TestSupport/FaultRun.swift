import Foundation
import LosslessYAML
import Synchronization
package import TodoModel

/// A server of a table, as a fault run uses it.
package struct FaultTarget: Sendable {
    /// Sends one operation.
    ///
    /// If this throws an error, whether the operation was applied isn't known.
    let push: @Sendable (PushOperation) async throws -> PushAnswer
    let changes: @Sendable (_ cursor: Cursor?, _ pageSize: Int) async throws -> ChangePage

    package init(
        push: @escaping @Sendable (PushOperation) async throws -> PushAnswer,
        changes: @escaping @Sendable (_ cursor: Cursor?, _ pageSize: Int) async throws -> ChangePage
    ) {
        self.push = push
        self.changes = changes
    }
}

/// Writers and readers of one table on several servers, which check every answer against a model.
///
/// Writers insert records and increment counters in a record that they share. So an answer that is wrong
/// after a fault, such as the refusal of a write that was applied, is noticed. Readers page through the
/// changes all the time.
package final class FaultRun: Sendable {
    /// The number of seconds that a run takes: 3, or `TODOSYNC_DATABASE_SECONDS`.
    package static let seconds =
        ProcessInfo.processInfo.environment["TODOSYNC_DATABASE_SECONDS"].flatMap(Int.init) ?? 3
    /// A version that no record has.
    private static let noVersion = Version("AAAAAAAAAAA=")

    private let targets: [FaultTarget]
    private let state = Mutex(State())

    private struct State {
        var problems: [String] = []
        /// The newest version of each record that a writer received.
        var answered: [String: Version] = [:]
        /// The value of each writer's counter that the server accepted.
        var counters: [String: Int] = [:]
        /// The writers whose last increment has no answer.
        var uncertain: Set<String> = []
        var unansweredCount = 0
        /// The number of runs.
        var round = 0
        var isEnding = false
    }

    package init(_ targets: [FaultTarget]) { self.targets = targets }

    /// The descriptions of wrong answers.
    package var problems: [String] { state.withLock { $0.problems } }
    package var answeredCount: Int { state.withLock { $0.answered.count } }
    package var unansweredCount: Int { state.withLock { $0.unansweredCount } }

    /// Runs writers and readers while `faults` runs, and checks the table afterward.
    ///
    /// - Parameter recovery: Ends all faults, so that the result can be read.
    package func run(
        writers: Int, readers: Int, faults: @escaping @Sendable () async throws -> Void,
        recovery: @Sendable () async throws -> Void
    ) async throws {
        state.withLock {
            $0.round += 1
            $0.isEnding = false
        }
        _ = try await retrying { [targets] in
            try await targets[0].push(.insert("shared", fields: [:]))
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
                while problems.isEmpty, try await !read(targets[0], &seen[index], pageSize: 1000) {}
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

extension PushOperation {
    fileprivate static func insert(_ id: String, fields: Mapping) -> PushOperation {
        PushOperation(
            operationID: .newOperationID, id: id,
            change: .insert(fields: fields, layout: Layout(path: nil, yaml: nil)))
    }
}

extension String {
    fileprivate static var newOperationID: String {
        UUID().uuidString.replacing("-", with: "").lowercased()
    }
}

extension Version {
    /// The position in the table's changes, which a store's version has in its first five bytes.
    fileprivate var sequence: UInt64? {
        guard let bytes = Data(base64Encoded: string), bytes.count == 8 else { return nil }
        return bytes.prefix(5).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

// MARK: - Writing

extension FaultRun {
    private func write(_ name: String) async {
        let round = state.withLock { $0.round }
        var random = SplitMix64(seed: UInt64("\(name) \(round)".utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }))
        var number = 0
        var base = Self.noVersion
        while !isEnding {
            number += 1
            let target = targets[Int.random(in: 0..<targets.count, using: &random)]
            do {
                if random.chance(0.6) {
                    try await insert("\(name) \(round) \(number)", on: target)
                } else {
                    try await increment(name, on: target, &base)
                }
            } catch {
                // The database was unavailable for too long; whether this write was applied isn't known.
                state.withLock { $0.unansweredCount += 1 }
            }
        }
    }

    private func insert(_ id: String, on target: FaultTarget) async throws {
        switch try await target.push(.insert(id, fields: ["text": .string(id)])) {
        case .accepted(let version): answered(id, version)
        case let answer: report("the insert of \(id) was answered with \(answer)")
        }
    }

    private func increment(_ name: String, on target: FaultTarget, _ base: inout Version) async throws {
        // After an increment without an answer, the counter can have either value.
        var (value, isUncertain) = state.withLock {
            ($0.counters[name] ?? 0, $0.uncertain.contains(name))
        }
        for _ in 0..<50 {
            let write = PushOperation(
                operationID: .newOperationID, id: "shared",
                change: .update(
                    fields: [name: .number(Number(value + 1))], layout: Layout(path: nil, yaml: nil),
                    base: base))
            do {
                switch try await target.push(write) {
                case .accepted(let version):
                    base = version
                    state.withLock {
                        $0.counters[name] = value + 1
                        $0.uncertain.remove(name)
                    }
                    return answered("shared", version)
                case .movedOn(let record?):
                    let found = counter(name, in: record)
                    if found != value, !(isUncertain && found == value + 1) {
                        return report("\(name)'s counter is \(found), not \(value)")
                    }
                    // From now on, the value is known.
                    (value, isUncertain, base) = (found, false, record.version)
                    state.withLock {
                        $0.counters[name] = found
                        $0.uncertain.remove(name)
                    }
                case let answer: return report("an increment of \(name) was answered with \(answer)")
                }
            } catch {
                state.withLock { _ = $0.uncertain.insert(name) }
                // Only an answer shows the value.
                base = Self.noVersion
                throw error
            }
        }
    }

    private func counter(_ name: String, in record: RemoteRecord) -> Int {
        guard case .number(let number)? = record.fields[name] else { return 0 }
        return Int(number.json) ?? -1
    }

    private func answered(_ id: String, _ version: Version) {
        guard let sequence = version.sequence else { return report("not a version") }
        state.withLock { state in
            if let recorded = state.answered[id]?.sequence, recorded > sequence { return }
            state.answered[id] = version
        }
    }
}

// MARK: - Reading

extension FaultRun {
    /// A change that a reader saw.
    private struct Sighting: Sendable {
        var id: String
        var version: Version
    }

    /// The state of a reader.
    private struct Reading: Sendable {
        var sightings: [Sighting] = []
        var cursor: Cursor?
    }

    private func read(_ number: Int) async -> Reading {
        var random = SplitMix64(seed: UInt64(1000 + number))
        var reading = Reading()
        while !isEnding {
            let target = targets[Int.random(in: 0..<targets.count, using: &random)]
            do {
                try await read(target, &reading, pageSize: Int.random(in: 1...50, using: &random))
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
    private func read(_ target: FaultTarget, _ reading: inout Reading, pageSize: Int) async throws -> Bool {
        let page = try await target.changes(reading.cursor, pageSize)
        for record in page.records {
            guard let sequence = record.version.sequence else {
                report("\(record.id) has the version \(record.version.string)")
                continue
            }
            if let last = reading.sightings.last?.version.sequence, last >= sequence {
                report("\(record.id) came out of order: \(sequence) after \(last)")
            }
            reading.sightings.append(Sighting(id: record.id, version: record.version))
        }
        reading.cursor = page.next
        return page.isLast
    }

    private func check(_ readers: [[Sighting]]) async throws {
        var stored: [String: Version] = [:]
        var shared: RemoteRecord?
        var reading: (cursor: Cursor?, isLast: Bool) = (nil, false)
        while !reading.isLast {
            let page = try await retrying { try await targets[0].changes(reading.cursor, 1000) }
            for record in page.records {
                // Nobody writes any more, so the changes don't end otherwise.
                guard stored.updateValue(record.version, forKey: record.id) == nil else {
                    return report("\(record.id) came twice at the end")
                }
                if record.id == "shared" { shared = record }
            }
            reading = (page.next, page.isLast)
        }
        let (answered, counters, uncertain) = state.withLock { ($0.answered, $0.counters, $0.uncertain) }
        for (id, version) in answered where id != "shared" && stored[id] != version {
            report("\(id) was answered, and is not stored")
        }
        if let shared {
            for (name, value) in counters {
                let found = counter(name, in: shared)
                if found != value, !(uncertain.contains(name) && found == value + 1) {
                    report("\(name)'s counter is \(found) at the end, not \(value)")
                }
            }
        } else {
            report("the shared record is missing")
        }
        for seen in readers {
            let last = Dictionary(seen.map { ($0.id, $0.version) }) { $1 }
            for (id, version) in stored where last[id] != version {
                report("a reader skipped the last change to \(id)")
            }
        }
    }
}
