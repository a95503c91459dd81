import Foundation
import LosslessYAML
import Remotes
import SQLite
import TestSupport
import Testing
import TodoModel

/// Tests what a repair saves from a damaged store.
@Suite(.oneStoreAtATime) struct StoreRepairTests {
    private static let pageSize = 4096
    /// The maximum number of records in a page, because each takes at least 100 bytes.
    private static let recordsPerPage = 40

    /// A store whose records were inserted, changed, deleted and enlarged beyond a page.
    private struct Filled {
        let folder: String
        var file: String { folder + "/todosync-store.sqlite" }
        /// All texts that a record has had, by id.
        var texts: [String: Set<String>] = [:]
        var deleted: Set<String> = []
        var cursor: TodoModel.Cursor?
        /// The database and its log while the store was open.
        var opened = (file: Data(), log: Data())

        var bytes: Data { get throws { try Data(contentsOf: URL(filePath: file)) } }

        init(in folder: String) async throws {
            self.folder = folder
            let store = try Store.create(at: folder, surroundings: .testing)
            _ = try await store.addKey(
                AccessKey(name: "kept", table: nil, access: .write, isAnonymous: false, createdAt: 0))
            _ = try await store.addKey(
                AccessKey(name: "revoked", table: nil, access: .write, isAnonymous: false, createdAt: 0))
            _ = try await store.revokeKey(named: "revoked")
            let table = store.table(.standard)
            for number in 0..<300 {
                let id = number.isMultiple(of: 3) ? "Todo-\(number)" : "todo-\(number)"
                let size = number.isMultiple(of: 40) ? 9_000 : number
                try await write(.insert(fields: fields(id, "one", size), layout: nil), id, "one", to: table)
            }
            for number in stride(from: 0, to: 300, by: 7) where !number.isMultiple(of: 3) {
                let id = "todo-\(number)"
                let record = try #require(try await table.record(id: id)).record
                try await write(
                    .replace(fields: fields(id, "two", 200), layout: nil), id, "two", to: table,
                    condition: .version(record.version))
            }
            for number in [1, 2, 4, 5, 100, 200] {
                try await write(.delete, "todo-\(number)", nil, to: table)
                deleted.insert("todo-\(number)")
            }
            cursor = try await table.changes(after: nil).next
            opened = (try bytes, try Data(contentsOf: URL(filePath: file + "-wal")))
            try SQLConnection(file).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        }

        private func fields(_ id: String, _ word: String, _ size: Int) -> Mapping {
            ["text": .string("\(id) \(word)"), "notes": .string(String(repeating: "n", count: size))]
        }

        private mutating func write(
            _ change: RecordWrite.Change, _ id: String, _ word: String?, to table: StoreTable,
            condition: RecordWrite.Condition = .none
        ) async throws {
            if let word { texts[id, default: []].insert("\(id) \(word)") }
            let answers = try await table.write([
                RecordWrite(id: id, change: change, condition: condition)
            ])
            guard case .done = answers[0] else { throw CancellationError() }
        }
    }

    /// Repairs a store and returns its records, after checking that all of them existed before.
    private func repaired(
        _ filled: Filled, _ comment: Comment? = nil
    ) async throws -> (repair: StoreRepair, records: [StoredRecord]) {
        let repair = try Store.repair(at: filled.folder, surroundings: .testing, timeout: .zero)
        let store = try Store.open(at: filled.folder, surroundings: .testing)
        let problems = try await store.problems()
        #expect(problems == [], comment)
        let table = store.table(.standard)
        let records = try await table.storedChanges(after: nil).records
        #expect(records.count == repair.recordCount, comment)
        for record in records.map(\.record) {
            guard case .string(let text)? = record.fields["text"] else {
                Issue.record("\(record)", sourceLocation: #_sourceLocation)
                continue
            }
            #expect(filled.texts[record.id]?.contains(text) == true, comment)
        }
        let cursor = try #require(filled.cursor)
        await #expect(throws: RemoteError.otherHistory, comment) {
            _ = try await table.changes(after: cursor)
        }
        return (repair, records)
    }

    /// Returns the offsets of the pages that contain a table's rows with a text.
    private func recordPages(of bytes: Data) -> [Int] {
        stride(from: Self.pageSize, to: bytes.count, by: Self.pageSize).filter { start in
            let page = bytes[start..<start + Self.pageSize]
            return page[start] == 13 && page.firstRange(of: Data(#""text":"#.utf8)) != nil
        }
    }

    private func damage(_ filled: Filled, _ change: (inout Data) -> Void) throws {
        var bytes = try filled.bytes
        change(&bytes)
        try bytes.write(to: URL(filePath: filled.file))
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: filled.file + suffix) }
    }

    @Test func `a repair saves everything that is not in damaged pages of records`() async throws {
        try await withTemporaryFolder { scratch in
            let filled = try await Filled(in: scratch + "/store")
            let sound = try filled.bytes
            let possible = recordPages(of: sound)
            for seed in UInt64(0)..<(PropertySeeds.isLongRun ? 2_000 : 60) {
                var random = SplitMix64(seed: seed)
                let pages = possible.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
                try damage(filled) { bytes in
                    bytes = sound
                    for start in pages {
                        let way = Int.random(in: 0..<3, using: &random)
                        for position in start..<start + Self.pageSize {
                            switch way {
                            case 0: bytes[position] = 0
                            case 1: bytes[position] = UInt8.random(in: 0...255, using: &random)
                            default: bytes[position] = bytes[(position + 4 * Self.pageSize) % bytes.count]
                            }
                        }
                    }
                }
                let damaged = try filled.bytes
                let (repair, records) = try await repaired(filled, "seed \(seed)")
                #expect(
                    records.count >= 300 - Self.recordsPerPage * pages.count, "seed \(seed), \(pages)")
                #expect(try Data(contentsOf: URL(filePath: repair.keptPath)) == damaged)
                // The next round starts with an undamaged store.
                try FileManager.default.removeItem(atPath: repair.keptPath)
            }
        }
    }

    @Test func `flipped bits never create a todo that didn't exist`() async throws {
        try await withTemporaryFolder { scratch in
            let filled = try await Filled(in: scratch + "/store")
            let sound = try filled.bytes
            var repairs = 0
            for seed in UInt64(0)..<(PropertySeeds.isLongRun ? 1_000 : 30) {
                var random = SplitMix64(seed: seed)
                // This damages the structure around records, not their texts, where damage can't be detected.
                try damage(filled) { bytes in
                    bytes = sound
                    for page in stride(from: Self.pageSize, to: bytes.count, by: Self.pageSize) {
                        let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
                        bytes[page + Int.random(in: 0..<12, using: &random)] ^= bit
                    }
                }
                do {
                    let (repair, _) = try await repaired(filled, "seed \(seed)")
                    try FileManager.default.removeItem(atPath: repair.keptPath)
                    repairs += 1
                } catch StoreError.lost {}
            }
            #expect(repairs > 0)
        }
    }

    @Test func `a repaired store is sound and writable, whichever bits of records were flipped`() async throws
    {
        try await withTemporaryFolder { scratch in
            let filled = try await Filled(in: scratch + "/store")
            let sound = try filled.bytes
            let pages = recordPages(of: sound)
            for seed in UInt64(0)..<(PropertySeeds.isLongRun ? 1_000 : 30) {
                var random = SplitMix64(seed: seed)
                try damage(filled) { bytes in
                    bytes = sound
                    for page in pages {
                        let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
                        bytes[page + Int.random(in: 0..<Self.pageSize, using: &random)] ^= bit
                    }
                }
                let repair = try Store.repair(at: filled.folder, surroundings: .testing, timeout: .zero)
                #expect(repair.recordCount > 200, "seed \(seed)")
                let store = try Store.open(at: filled.folder, surroundings: .testing)
                let answers = try await store.table(.standard).write([
                    RecordWrite(id: "one-more", change: .insert(fields: ["text": .string("a")], layout: nil))
                ])
                guard case .done = answers[0] else {
                    Issue.record("seed \(seed): \(answers)")
                    continue
                }
                let problems = try await store.problems()
                #expect(problems == [], "seed \(seed)")
                try FileManager.default.removeItem(atPath: repair.keptPath)
            }
        }
    }

    @Test(arguments: [false, true])
    func `nothing is lost if only indices are damaged`(isInLog: Bool) async throws {
        try await withTemporaryFolder { scratch in
            let filled = try await Filled(in: scratch + "/store")
            try damage(filled) { bytes in
                if isInLog { bytes = filled.opened.file }
                // The first byte of an index's inner page is 2.
                for page in stride(from: Self.pageSize, to: bytes.count, by: Self.pageSize)
                where bytes[page] == 2 {
                    bytes.replaceSubrange(page..<page + Self.pageSize, with: Data(count: Self.pageSize))
                }
            }
            if isInLog { try filled.opened.log.write(to: URL(filePath: filled.file + "-wal")) }
            let problems = try await Store.problems(at: filled.folder, surroundings: .testing)
            if !isInLog { #expect(!problems.isEmpty) }
            let (repair, records) = try await repaired(filled)
            #expect(Set(records.map(\.record.id)) == Set(filled.texts.keys))
            #expect(Set(records.filter(\.record.isDeleted).map(\.record.id)) == filled.deleted)
            // Each record has its latest text.
            for record in records where !record.record.isDeleted {
                let isChanged = filled.texts[record.record.id]?.count == 2
                #expect(
                    record.record.fields["text"] == .string(record.record.id + (isChanged ? " two" : " one")))
            }
            #expect(repair.tableCount == 1 && repair.keyCount == 1)
            let store = try Store.open(at: filled.folder, surroundings: .testing)
            #expect(try await store.accessKeys().map(\.name) == ["kept"])
        }
    }

    @Test func `tables keep their names`() async throws {
        try await withTemporaryFolder { folder in
            let names = ["errands", "chores", "empty"].compactMap(TableName.init)
            do {
                let store = try Store.create(at: folder, surroundings: .testing)
                for name in names.dropLast() { _ = try await store.table(name).write([.testing("one")]) }
                _ = try await store.addTable(names[2])
            }
            let file = "\(folder)/todosync-store.sqlite"
            var bytes = try Data(contentsOf: URL(filePath: file))
            // Give the pages of all indices a type that doesn't exist.
            for page in stride(from: Self.pageSize, to: bytes.count, by: Self.pageSize)
            where bytes[page] == 10 {
                bytes[page] = 0xFF
            }
            try bytes.write(to: URL(filePath: file))
            let repair = try Store.repair(at: folder, surroundings: .testing, timeout: .zero)
            #expect(repair.tableCount == 3 && repair.recordCount == 2)
            let store = try Store.open(at: folder, surroundings: .testing)
            #expect(try await store.tableNames().map(\.string) == ["chores", "empty", "errands"])
            for name in names.dropLast() {
                #expect(try await store.table(name).record(id: "one") != nil, "\(name.string)")
            }
        }
    }

    @Test(arguments: [40, 1_000_000])
    func `a store without readable content stays unchanged`(damaged: Int) async throws {
        try await withTemporaryFolder { scratch in
            let filled = try await Filled(in: scratch + "/store")
            try damage(filled) { bytes in
                for position in 0..<min(damaged, bytes.count) { bytes[position] = 0x5A }
            }
            let before = try filled.bytes
            #expect(throws: StoreError.lost(path: filled.folder)) {
                _ = try Store.repair(at: filled.folder, surroundings: .testing, timeout: .zero)
            }
            #expect(try filled.bytes == before)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: filled.folder)
                    == ["todosync-store.sqlite"])
        }
    }

    @Test func `an interrupted repair continues with the database that it moved away`() async throws {
        try await withTemporaryFolder { scratch in
            let filled = try await Filled(in: scratch + "/store")
            try FileManager.default.moveItem(atPath: filled.file, toPath: filled.file + ".damaged-1")
            for name in [".repaired", "-wal"] {
                try Data([1, 2, 3]).write(to: URL(filePath: filled.file + name))
            }
            #expect(
                try await Store.problems(at: filled.folder, surroundings: .testing) == [
                    "an interrupted repair"
                ])
            let (repair, records) = try await repaired(filled)
            #expect(records.count == 300)
            #expect(repair.keptPath == filled.file + ".damaged-1")
        }
    }
}
