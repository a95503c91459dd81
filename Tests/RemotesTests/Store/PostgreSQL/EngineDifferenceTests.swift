#if PostgreSQL
    import LosslessYAML
    import Synchronization
    import TestSupport
    import Testing
    import TodoModel
    @testable import Remotes

    /// The two engines, with the same clock and the same random bytes.
    @Suite(.ownThreads) struct `SQLite and PostgreSQL` {
        private final class RandomBytes: Sendable {
            private let generator: Mutex<SplitMix64>

            init(seed: UInt64) { generator = Mutex(SplitMix64(seed: seed)) }

            func next(_ count: Int) -> [UInt8] {
                generator.withLock { generator in
                    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
                }
            }
        }

        private final class Clock: Sendable {
            let day = Atomic<Int64>(0)
        }

        private static func surroundings(_ seed: UInt64, _ clock: Clock) -> StoreSurroundings {
            let random = RandomBytes(seed: seed)
            return StoreSurroundings(
                now: { 1_000_000 + clock.day.load(ordering: .relaxed) * 86_400_000 },
                randomBytes: { random.next($0) })
        }

        /// Returns a table of each engine.
        private static func tables(
            _ seed: UInt64, in folder: String, _ clock: Clock = Clock()
        ) async throws -> [StoreTable] {
            let database = try TestDatabase()
            let stores = [
                try Store.create(at: folder, surroundings: surroundings(seed, clock)),
                try await Store.create(in: database.address, surroundings: surroundings(seed, clock)),
            ]
            return stores.map { store in
                var table = store.table(.standard)
                // Other tests that run at the same time can delay a query.
                table.queryTime = .seconds(300)
                return table
            }
        }

        @Test(arguments: UInt64(0)..<6)
        func `random writes have the same answers, and the same changes follow`(_ seed: UInt64) async throws {
            let folder = try TemporaryFolder()
            let clock = Clock()
            let tables = try await Self.tables(seed, in: folder.path, clock)
            var writer = RandomWriter(seed: seed)
            var statuses: [String: Int] = [:]
            var forgotten = 0
            var cursor: Cursor?
            for number in 0..<60 {
                let writes = writer.writes()
                let answers = try await tables[0].write(writes)
                let others = try await tables[1].write(writes)
                try #require(answers == others, "step \(number): \(writes)")
                for answer in answers {
                    statuses[String("\(answer)".prefix { $0 != "(" }), default: 0] += 1
                }
                writer.see(answers)
                clock.day.add(Int64.random(in: 0...9, using: &writer.generator), ordering: .relaxed)
                if number.isMultiple(of: 5) {
                    let report = try await tables[0].store.forgetOperations(olderThan: 60 * 86_400)
                    try #require(
                        report == (try await tables[1].store.forgetOperations(olderThan: 60 * 86_400)))
                    forgotten += report.operations
                }
                guard number.isMultiple(of: 7) else { continue }
                let pageSize = Int.random(in: 1...20, using: &writer.generator)
                let pages = try await Self.pages(of: tables, after: cursor, pageSize)
                try #require(pages[0] == pages[1], "changes at step \(number)")
                cursor = pages[0].last?.next
            }
            #expect(forgotten > 10)
            // All kinds of answers occurred.
            #expect(
                Set(statuses.keys)
                    == ["done", "repeated", "exists", "conditionFailed", "notFound", "refused"])
            #expect(try await tables[0].store.problems() == [])
            #expect(try await tables[1].store.problems() == [])
        }

        /// A page of changes.
        private struct Page: Equatable {
            var records: [RemoteRecord]
            var next: Cursor
            var isLast: Bool
            var total: Int?
        }

        private static func pages(
            of tables: [StoreTable], after start: Cursor?, _ pageSize: Int
        ) async throws -> [[Page]] {
            var results: [[Page]] = []
            for var table in tables {
                table.pageSize = pageSize
                var pages: [Page] = []
                var cursor = start
                repeat {
                    let page = try await table.changes(after: cursor)
                    pages.append(
                        Page(
                            records: page.records, next: page.next, isLast: page.isLast, total: page.total))
                    cursor = pages.last?.next
                } while pages.last?.isLast == false
                results.append(pages)
            }
            return results
        }

        @Test(arguments: UInt64(0)..<4)
        func `random queries have the same results`(_ seed: UInt64) async throws {
            let folder = try TemporaryFolder()
            let tables = try await Self.tables(seed, in: folder.path)
            var random = RandomFilter(seed: seed)
            let writes =
                (0..<40).map {
                    RecordWrite(
                        id: "Todo \($0)", change: .insert(fields: random.fields(), layout: nil))
                } + (0..<5).map { RecordWrite(id: "Todo \($0 * 7)", change: .delete) }
            for table in tables { _ = try await table.write(writes) }
            let all = try await tables[0].records(RecordQuery(top: 100, includesDeleted: true)).records
            var selective = 0
            for number in 0..<100 {
                let query = RecordQuery(
                    filter: random.filter(of: all), order: random.order(), skip: number % 3, top: 10 + number,
                    includesDeleted: number.isMultiple(of: 2), countsAll: number.isMultiple(of: 5))
                let list = try await tables[0].records(query)
                try #require(list == (try await tables[1].records(query)), "query \(number): \(query)")
                if (1..<40).contains(list.records.count) { selective += 1 }
            }
            #expect(selective >= 20)
        }
    }

    /// Writes to a few records, whose ids sometimes differ only in case, with conditions that hold or not.
    private struct RandomWriter {
        var generator: SplitMix64
        private var versions: [String: [Version]] = [:]
        private var past: [RecordWrite] = []

        init(seed: UInt64) { generator = SplitMix64(seed: seed) }

        /// Remembers the versions of the answers' records.
        mutating func see(_ answers: [WriteAnswer]) {
            for case .done(let stored) in answers {
                versions[stored.record.id, default: []].append(stored.record.version)
            }
        }

        mutating func writes() -> [RecordWrite] {
            (0..<Int.random(in: 1...6, using: &generator)).map { _ in write() }
        }

        private mutating func write() -> RecordWrite {
            if generator.chance(0.1), let repeated = past.randomElement(using: &generator) { return repeated }
            let id = ["a", "A", "b", "B", "c", "d", "e", "f", ""].randomElement(using: &generator) ?? "a"
            var write = RecordWrite(id: id, change: change(), condition: condition(id))
            if generator.chance(0.5) {
                write.operationID = "operation \(Int.random(in: 0..<200, using: &generator))"
                past.append(write)
            }
            return write
        }

        private mutating func change() -> RecordWrite.Change {
            let text =
                ["", "a \u{0} b", "\u{1F600}", "1e2", String(repeating: "long ", count: 2000)]
                .randomElement(using: &generator) ?? ""
            let fields: Mapping = generator.chance(0.9) ? ["text": .string(text)] : [:]
            let layout = generator.chance(0.5) ? Layout(path: "a.yaml", yaml: "text: a # b\n") : nil
            return switch Int.random(in: 0..<7, using: &generator) {
            case 0...2: .insert(fields: fields, layout: layout)
            case 3: .replace(fields: fields, layout: layout)
            case 4: .delete
            case 5: .undelete
            default: .merge(fields: fields, layout: layout)
            }
        }

        private mutating func condition(_ id: String) -> RecordWrite.Condition {
            let past = versions[id] ?? []
            return switch Int.random(in: 0..<5, using: &generator) {
            case 0: .none
            case 1: .exists
            case 2: .version(Version("AAAAAAAAAAA="))
            case 3: past.randomElement(using: &generator).map { .version($0) } ?? .none
            default: past.last.map { .version($0) } ?? .none
            }
        }
    }
#endif
