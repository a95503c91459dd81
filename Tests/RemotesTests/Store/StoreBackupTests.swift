import Foundation
import LosslessYAML
import TestSupport
import Testing
import TodoModel

@testable import Remotes

/// Backups of a store in a folder.
@Suite(.oneStoreAtATime) struct StoreBackupTests {
    @Test func `a backup made during writes is a whole store with the same history`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder + "/store", surroundings: .testing)
            let table = store.table(.standard)
            let first = try await table.write([.testing("first")])
            guard case .done = first[0] else {
                Issue.record("\(first)")
                return
            }
            let cursor = try await table.changes(after: nil).next
            let writer = Task {
                var count = 0
                while !Task.isCancelled {
                    _ = try await table.write([.testing("\(count)")])
                    count += 1
                }
                return count
            }
            for number in 0..<5 {
                let target = "\(folder)/backup \(number)"
                let summary = try await Store.backUp(folder + "/store", to: target, surroundings: .testing)
                let backup = try Store.open(at: target, surroundings: .testing)
                #expect(backup.identity == store.identity)
                #expect(try await backup.problems() == [])
                try await backup.table(.standard).verify(cursor)
                let records = try await backup.table(.standard).changes(after: nil).records
                #expect(records.count == min(summary.recordCount, 1000))
                // The backup has all records up to some moment, without a gap.
                let count = summary.recordCount - 1
                if count > 0 { #expect(try await backup.table(.standard).record(id: "\(count - 1)") != nil) }
                // The backup has its own log, and only its owner can read it.
                _ = try await backup.table(.standard).write([.testing("in the backup")])
                let file = target + "/todosync-store.sqlite"
                let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
                #expect(permissions as? Int == 0o600)
                #expect(FileManager.default.fileExists(atPath: file + "-wal"))
                try await backup.close()
            }
            writer.cancel()
            _ = await writer.result
            #expect(try await table.record(id: "in the backup") == nil)
            #expect(!FileManager.default.fileExists(atPath: folder + "/backup 0.unfinished"))
        }
    }

    @Test func `a folder with files is unchanged, and an interrupted backup is replaced`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder + "/store", surroundings: .testing)
            _ = try await store.table(.standard).write([.testing("first")])
            await #expect(throws: StoreError.folderNotEmpty(path: folder + "/store")) {
                try await Store.backUp(folder + "/store", to: folder + "/store", surroundings: .testing)
            }
            try FileManager.default.createDirectory(
                atPath: folder + "/backup.unfinished", withIntermediateDirectories: false)
            try Data("half".utf8).write(
                to: URL(filePath: folder + "/backup.unfinished/todosync-store.sqlite"))
            try FileManager.default.createDirectory(
                atPath: folder + "/backup", withIntermediateDirectories: false)
            _ = try await Store.backUp(folder + "/store", to: folder + "/backup", surroundings: .testing)
            let backup = try Store.open(at: folder + "/backup", surroundings: .testing)
            #expect(try await backup.table(.standard).record(id: "first") != nil)
        }
    }

    @Test func `a damaged store has no backup`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder + "/store", surroundings: .testing)
            for number in 0..<2000 { _ = try await store.table(.standard).write([.testing("\(number)")]) }
            try await store.close()
            let path = folder + "/store/todosync-store.sqlite"
            var bytes = try Data(contentsOf: URL(filePath: path))
            let size = 4096
            for page in stride(from: bytes.count / size / 2, to: bytes.count / size, by: 3) {
                bytes.replaceSubrange(page * size..<page * size + 64, with: Data(repeating: 7, count: 64))
            }
            try bytes.write(to: URL(filePath: path))
            await #expect(throws: (any Error).self) {
                try await Store.backUp(folder + "/store", to: folder + "/backup", surroundings: .testing)
            }
            #expect(!FileManager.default.fileExists(atPath: folder + "/backup"))
            #expect(!FileManager.default.fileExists(atPath: folder + "/backup.unfinished"))
        }
    }
}
