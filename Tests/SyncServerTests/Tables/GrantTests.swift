import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import Testing

/// What each key allows.
@Suite(.oneStoreAtATime) struct GrantTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let caller: Caller
        let read: Int
        let write: Int
        /// The statuses for reading and writing a table that doesn't exist.
        let readUnknown: Int
        let writeUnknown: Int

        var testDescription: String { name }

        init(
            _ name: String, _ caller: Caller, _ read: Int, _ write: Int, _ readUnknown: Int,
            _ writeUnknown: Int
        ) {
            self.name = name
            self.caller = caller
            self.read = read
            self.write = write
            self.readUnknown = readUnknown
            self.writeUnknown = writeUnknown
        }
    }

    static func anonymous(_ access: AccessKey.Access, table: String? = nil, key: AccessKey? = nil) -> Caller {
        Caller(key: key, anonymous: .testing(access, table: table, isAnonymous: true))
    }

    static let rows = [
        Row("a server without keys", .trusted, 200, 200, 200, 201),
        Row("no key", .stranger, 401, 401, 401, 401),
        Row("read", .key(.read), 200, 403, 404, 403),
        Row("write", .key(.write), 200, 200, 404, 404),
        Row("admin", .key(.admin), 200, 200, 200, 201),
        Row("read for t", .key(.read, table: "T"), 200, 403, 403, 403),
        Row("write for t", .key(.write, table: "t"), 200, 200, 403, 403),
        Row("admin for t", .key(.admin, table: "t"), 200, 200, 403, 403),
        Row("read for the other", .key(.read, table: "other"), 403, 403, 404, 403),
        Row("write for the other", .key(.write, table: "Other"), 403, 403, 200, 201),
        Row("anonymous read", anonymous(.read), 200, 401, 404, 401),
        Row("anonymous write for t", anonymous(.write, table: "t"), 200, 200, 401, 401),
        Row(
            "anonymous read, and a key for the other",
            anonymous(.read, key: .testing(.write, table: "other")), 200, 403, 200, 201),
    ]

    @Test(arguments: rows, bothFlavors)
    func `a request can do what its keys allow`(row: Row, flavor: Flavor) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        func status(_ method: String, _ path: String, _ body: String = "") async throws -> Int {
            try await server.send(method, path, flavor, body: body, as: row.caller).status
        }
        #expect(try await status("GET", "/tables/t") == row.read)
        #expect(try await status("GET", "/tables/t/live") == row.read)
        #expect(try await status("PATCH", "/tables/t/live", "{}") == row.write)
        #expect(try await status("PUT", "/tables/t/live", "{}") == row.write)
        #expect(try await status("POST", "/tables/t/live") == row.write)
        #expect(try await status("POST", "/tables/t", "{}") == (row.write == 200 ? 201 : row.write))
        #expect(try await status("DELETE", "/tables/t/live") == (row.write == 200 ? 204 : row.write))
        #expect(try await status("GET", "/tables/other") == row.readUnknown)
        #expect(try await status("POST", "/tables/other", "{}") == row.writeUnknown)
    }

    @Test(arguments: bothFlavors)
    func `a request without a key is asked for one, and a key without access is refused`(
        flavor: Flavor
    ) async throws {
        let server = try await TablesServer()
        let stranger = try await server.send("GET", "/tables/t", flavor, as: .stranger)
        #expect(stranger["error"] == .string(flavor == .v1 ? "Error: Unauthorized" : "Unauthorized"))
        #expect(stranger["code"]?.number == 401)
        #expect(stranger.header("www-authenticate") == "Bearer")
        let reader = try await server.send("POST", "/tables/t", flavor, body: "{}", as: .key(.read))
        #expect(reader["code"]?.number == 403)
        let prefix = flavor == .v1 ? "Error: " : ""
        #expect(
            reader["message"]
                == .string("\(prefix)The key doesn't allow this: it needs write access to the table 't'."))
        #expect(reader.header("www-authenticate") == nil)
    }

    @Test(arguments: bothFlavors)
    func `the 404 names a missing table`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        let rows = [
            ("GET", "/tables/none", ""), ("GET", "/tables/none/a", ""), ("POST", "/tables/none", "{}"),
            ("PATCH", "/tables/none/a", "{}"), ("PUT", "/tables/none/a", "{}"),
            ("DELETE", "/tables/none/a", ""),
            ("POST", "/tables/none/a", ""),
        ]
        for (method, path, body) in rows {
            let answer = try await server.send(method, path, flavor, body: body, as: .key(.write))
            #expect(answer.status == 404)
            let prefix = flavor == .v1 ? "Error: " : ""
            #expect(answer["error"] == .string("\(prefix)Table 'none' does not exist."))
        }
    }

    @Test func `a table exists from its first write on`() async throws {
        let server = try await TablesServer()
        let writer = Caller.key(.write)
        #expect(try await server.send("GET", "/tables/t", as: writer).status == 404)
        #expect(try await server.send("GET", "/tables/t", as: .trusted).ids == [])
        #expect(try await server.send("GET", "/tables/t", as: writer).status == 404)
        #expect(
            try await server.send("POST", "/tables/t", body: #"{"id":"a"}"#, as: .key(.admin)).status == 201)
        #expect(try await server.send("GET", "/tables/t", as: writer).ids == ["a"])
        #expect(try await server.send("POST", "/tables/t", body: #"{"id":"b"}"#, as: writer).status == 201)
    }

    @Test func `an invalid table name gets 400 in an insert and 404 elsewhere`() async throws {
        let server = try await TablesServer()
        for name in ["a-b", "1a", "%20", "t%C3%A4", "sqlite.x", String(repeating: "a", count: 129)] {
            #expect(try await server.send("POST", "/tables/\(name)", body: "{}").status == 400)
            #expect(try await server.send("GET", "/tables/\(name)").status == 404)
            #expect(try await server.send("DELETE", "/tables/\(name)/a").status == 404)
        }
    }
}
