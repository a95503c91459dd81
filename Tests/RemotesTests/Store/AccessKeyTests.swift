import Foundation
import Remotes
import SQLite
import TestSupport
import Testing
import TodoModel

@Suite(.oneStoreAtATime) struct `The keys of a store` {
    private func key(
        _ name: String, table: TableName? = nil, access: AccessKey.Access = .write, isAnonymous: Bool = false
    ) -> AccessKey {
        AccessKey(name: name, table: table, access: access, isAnonymous: isAnonymous, createdAt: 0)
    }

    @Test func `a key is found by its secret, which is shown once and not stored`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            #expect(try await store.hasKeys() == false)
            let table = try #require(TableName("Work"))
            let phone = try await store.addKey(key("phone", table: table))
            let laptop = try await store.addKey(key("laptop", access: .admin))
            let secret = try #require(phone.secret)
            #expect(secret.utf8.count == 73)
            #expect(secret.hasPrefix("todosync_"))
            #expect(laptop.secret != secret)
            #expect(phone.key.createdAt == 1_000_000)
            #expect(try await store.keys(shown: [secret]).key == phone.key)
            #expect(try await store.accessKeys() == [laptop.key, phone.key])
            #expect(try await store.hasKeys())
            let wrong = [
                "", "todosync_", String(secret.dropLast()), secret + "0", secret.uppercased(), "phone",
            ]
            for text in wrong { #expect(try await store.keys(shown: [text]).key == nil, "\(text)") }
            let random = Data(secret.dropFirst(9).utf8)
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
                #expect(bytes.range(of: random) == nil, "\(name)")
            }
        }
    }

    @Test func `an anonymous key has no secret, and no secret finds it`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let added = try await store.addKey(
                key("everyone", table: .standard, access: .read, isAnonymous: true))
            _ = try await store.addKey(key("phone"))
            #expect(added.secret == nil)
            #expect(try await store.keys(shown: []).anonymous == [added.key])
            #expect(try await store.keys(shown: [""]).key == nil)
            #expect(try await store.keys(shown: ["everyone"]).key == nil)
        }
    }

    @Test func `a key that another connection adds or revokes takes effect at once`() async throws {
        try await withTemporaryFolder { folder in
            let server = try Store.create(at: folder, surroundings: .testing)
            let tool = try Store.open(at: folder, surroundings: .testing)
            #expect(try await server.hasKeys() == false)
            for round in 0..<3 {
                let added = try await tool.addKey(key("phone"))
                let secret = try #require(added.secret)
                #expect(try await server.keys(shown: [secret]).key == added.key, "\(round)")
                _ = try await server.table(.standard).push([.example("todo \(round)")])
                #expect(try await server.keys(shown: [secret]).key == added.key, "\(round)")
                #expect(try await tool.revokeKey(named: "phone"))
                #expect(try await server.keys(shown: [secret]).key == nil, "\(round)")
                #expect(try await tool.keys(shown: [secret]).key == nil, "\(round)")
            }
            #expect(try await server.revokeKey(named: "phone") == false)
            let own = try await server.addKey(key("own"))
            #expect(try await server.accessKeys() == [own.key])
        }
    }

    @Test func `names of keys are plain and unique in a store`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            let first = try await store.addKey(key("a.B-c_9"))
            await #expect(throws: AccessKeyError.nameIsTaken("a.B-c_9")) {
                try await store.addKey(key("a.B-c_9", isAnonymous: true))
            }
            #expect(try await store.accessKeys() == [first.key])
            #expect(try await store.keys(shown: [try #require(first.secret)]).key == first.key)
            _ = try await store.addKey(key(String(repeating: "x", count: 64)))
            for name in ["", "a b", "ä", "a\n", "a/b", "a\u{0}", String(repeating: "x", count: 65)] {
                await #expect(throws: AccessKeyError.invalidName(name)) { try await store.addKey(key(name)) }
            }
        }
    }

    @Test func `each access level includes the ones before it`() {
        #expect(AccessKey.Access.allCases == [.read, .write, .admin])
        #expect(AccessKey.Access.allCases.sorted() == AccessKey.Access.allCases)
        #expect(AccessKey.Access.read < .admin)
    }

    @Test func `an unsupported key allows nothing, but counts as a key`() async throws {
        try await withTemporaryFolder { folder in
            let store = try Store.create(at: folder, surroundings: .testing)
            #expect(try await store.keys(shown: []).storeHasKeys == false)
            try SQLConnection("\(folder)/todosync-store.sqlite")
                .execute("INSERT INTO access_key VALUES ('new', NULL, NULL, 'own rows', 0)")
            let keys = try await store.keys(shown: [""])
            #expect(keys == ShownKeys(key: nil, anonymous: [], storeHasKeys: true))
            #expect(try await store.hasKeys())
            #expect(try await store.accessKeys().isEmpty)
        }
    }
}
