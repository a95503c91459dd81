import Foundation
import LosslessYAML

@testable import Remotes

extension StoreSurroundings {
    /// Returns system services with a clock that stands still, real randomness, and time for queries on a
    /// busy machine.
    static let testing = {
        var surroundings = StoreSurroundings(
            now: { 1_000_000 },
            randomBytes: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } })
        surroundings.queryTime = .seconds(300)
        return surroundings
    }()

    /// Returns the same with a clock that stands at the given day, counted from 1970-01-01.
    static func testing(day: Int64) -> StoreSurroundings {
        StoreSurroundings(now: { day * 86_400_000 }, randomBytes: testing.randomBytes)
    }
}

extension Store {
    /// Creates a store of one of ``TableQuotaTests/kinds``: in a folder, or in a database of its own.
    static func testing(
        _ kind: String, at folder: String, _ surroundings: StoreSurroundings = .testing
    ) async throws -> Store {
        #if PostgreSQL
            if kind == "database" {
                return try await Store.create(in: TestDatabase().address, surroundings: surroundings)
            }
        #endif
        return try Store.create(at: folder, surroundings: surroundings)
    }

    /// The engine of a store in a folder.
    var sqlite: SQLiteEngine {
        guard let engine = engine as? SQLiteEngine else { preconditionFailure("not a store in a folder") }
        return engine
    }
}

extension RecordWrite {
    /// Returns an insert of a small record.
    static func testing(_ id: String) -> RecordWrite {
        RecordWrite(id: id, change: .insert(fields: ["text": .string(id)], layout: nil))
    }
}

/// Calls `body` with a new folder, and removes the folder afterward.
func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "todosync-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}
