import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import Testing

/// Requests of the protocol's existing clients, exactly as they send them: protocol.md, 1.2, 1.9 and 1.11.
@Suite(.oneStoreAtATime) struct ClientTests {
    struct Pull: Sendable, CustomTestStringConvertible {
        let client: String
        let flavor: Flavor
        let query: String
        let ids: [String]

        var testDescription: String { client }
    }

    static let pulls = [
        Pull(
            client: "iOS, first pull", flavor: .v1,
            query: "$filter=(__updatedAt%20ge%20datetimeoffset'1970-01-01T00:00:00.000Z')"
                + "&$orderby=__updatedAt%20asc&$skip=0&$top=50&__includeDeleted=true"
                + "&__systemProperties=__createdAt%2C__updatedAt%2C__deleted%2C__version",
            ids: ["b", "a", "c", "gone"]),
        Pull(
            client: "iOS, with a predicate", flavor: .v1,
            query: "$filter=((price%20gt%205.99d)%20and%20"
                + "(__updatedAt%20ge%20datetimeoffset'1970-01-01T00:00:00.000Z'))"
                + "&$orderby=__updatedAt%20asc&$skip=0&$top=50",
            ids: ["b", "a"]),
        Pull(
            client: "iOS, nothing since then", flavor: .v1,
            query: "$filter=(__updatedAt%20ge%20datetimeoffset'2100-01-01T00:00:00.000Z')"
                + "&$orderby=__updatedAt%20asc&$skip=0&$top=50&__includeDeleted=true",
            ids: []),
        Pull(
            client: "iOS, predicates", flavor: .v1,
            query: "$filter=(1%20eq%201)%20and%20not((tolower(text)%20eq%20tolower('MILK')))&$orderby=id",
            ids: ["b", "c"]),
        Pull(
            client: "JavaScript, pull", flavor: .v2,
            query: "$filter=(updatedAt%20ge%20datetimeoffset'1970-01-01T00:00:00.000Z')"
                + "&$orderby=updatedAt&$top=50&__includeDeleted=true",
            ids: ["b", "a", "c", "gone"]),
        Pull(
            client: "JavaScript, second page of a timestamp", flavor: .v2,
            query: "$filter=(updatedAt%20ge%20datetimeoffset'1970-01-01T00:00:00.000Z')"
                + "&$orderby=updatedAt&$skip=3&$top=50&__includeDeleted=true",
            ids: ["gone"]),
        Pull(
            client: "Managed, pull", flavor: .v2,
            query: "$filter=(updatedAt%20ge%20datetimeoffset'2015-12-13T04%3A28%3A12.8160000%2B00%3A00')"
                + "&$orderby=updatedAt&$skip=0&$top=50&__includeDeleted=true",
            ids: ["b", "a", "c", "gone"]),
        Pull(
            client: "Android, pull", flavor: .v1,
            query: "$filter=__updatedAt%20gt%20(datetimeoffset'2015-12-13T04:28:12.816Z')"
                + "&$orderby=__updatedAt%20asc,id%20asc&$top=50",
            ids: ["b", "a", "c"]),
        Pull(
            client: "JavaScript, query builder", flavor: .v2,
            query: "$filter=(((month(due)%20sub%201)%20eq%2010)%20and%20"
                + "(substring(text%2C1)%20eq%20'ilk'))%20or%20(trim(replace(text%2C'x'%2C'')))%20eq%20'Bread'"
                + "&$orderby=id",
            ids: ["a", "b"]),
        Pull(
            client: "JavaScript, in a list of values", flavor: .v2,
            query: "$filter=(id%20eq%20'a')%20or%20(id%20eq%20'c')&$orderby=id%20desc", ids: ["c", "a"]),
        Pull(client: "JavaScript, refresh", flavor: .v2, query: "$filter=id%20eq%20'b'", ids: ["b"]),
        Pull(
            client: "a form's encoding", flavor: .v2,
            query: "%24filter=substringof%28%27rea%27%2Ctext%29+eq+true&%24top=5", ids: ["b"]),
    ]

    @Test(arguments: pulls)
    func `each client's query is understood`(pull: Pull) async throws {
        let server = try await TablesServer()
        let records = [
            #"{"id":"b","text":"Bread","price":6}"#,
            #"{"id":"a","text":"milk","price":6.5,"due":"2026-11-21T07:00:00.000Z"}"#,
            #"{"id":"c","text":"tea","price":5.99}"#, #"{"id":"gone","text":"milk","price":1}"#,
        ]
        for record in records { _ = try await server.send("POST", "/tables/t", body: record) }
        _ = try await server.send("DELETE", "/tables/t/gone")
        let answer = try await server.send("GET", "/tables/t?" + pull.query, pull.flavor)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.ids == pull.ids)
    }

    @Test func `a list without an order is sorted by id`() async throws {
        let server = try await TablesServer()
        for id in ["c", "a", "b"] {
            _ = try await server.send("POST", "/tables/t", body: #"{"id":"\#(id)"}"#)
        }
        for flavor in bothFlavors {
            #expect(try await server.send("GET", "/tables/t", flavor).ids == ["a", "b", "c"])
            #expect(try await server.send("GET", "/tables/t?$skip=1&$top=1", flavor).ids == ["b"])
        }
    }

    @Test(arguments: bothFlavors)
    func `headers that describe the client change nothing`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let headers = [
            ("X-ZUMO-MASTER", "key"), ("X-ZUMO-INSTALLATION-ID", "1"), ("X-ZUMO-FEATURES", "TQ,OC"),
            ("X-ZUMO-VERSION", "ZUMO/2.0 (lang=Managed; os=--)"), ("Accept", "text/html"),
            ("If-Modified-Since", "Sat, 21 Nov 2099 07:00:00 GMT"),
            ("If-Unmodified-Since", "Sat, 21 Nov 1998 07:00:00 GMT"),
        ]
        let plain = try await server.send("GET", "/tables/t/live", flavor)
        let dressed = try await server.send("GET", "/tables/t/live", flavor, headers: headers)
        #expect(dressed.text == plain.text && dressed.status == 200)
        let write = try await server.send(
            "PATCH", "/tables/t/live", flavor, headers: headers, body: #"{"text":"third"}"#)
        #expect(write.status == 200)
    }

    @Test func `a v1 client's exchange works as it expects`() async throws {
        let server = try await TablesServer()
        let path = "/tables/todoitem/a1?__systemProperties=__version"
        func change(_ version: String) async throws -> Answer {
            try await server.send(
                "PATCH", path, .v1, headers: [("If-Match", "\"\(version)\"")],
                body: #"{"id":"a1","complete":true}"#)
        }
        let made = try await server.send(
            "POST", "/tables/todoitem?__systemProperties=__version", .v1,
            body: #"{"id":"a1","text":"milk","complete":false}"#)
        let first = try #require(made.version)
        #expect(made.status == 201)
        #expect(made.header("Location") == "\(server.origin)/tables/todoitem/a1")
        #expect(made.text == #"{"id":"a1","text":"milk","complete":false,"__version":"\#(first)"}"#)
        let changed = try await change(first)
        let second = try #require(changed.version)
        #expect(changed.status == 200)
        #expect(changed.text == #"{"id":"a1","text":"milk","complete":true,"__version":"\#(second)"}"#)
        let conflict = try await change(first)
        #expect(conflict.status == 412)
        #expect(conflict.version == second)
        #expect(conflict["__version"] == .string(second))
        #expect(conflict["__deleted"] == .bool(false))
        let gone = try await server.send(
            "DELETE", "/tables/todoitem/a1", .v1, headers: [("If-Match", "\"\(second)\"")])
        #expect(gone.status == 204)
        #expect(gone.text.isEmpty)
        let again = try await server.send("DELETE", "/tables/todoitem/a1", .v1)
        #expect(again.status == 404)
        #expect(again["code"]?.number == 404)
        #expect(again["error"] == .string("Error: An item with id 'a1' does not exist."))
    }

    @Test func `a v2 client's pull ends with the row that it already has`() async throws {
        let server = try await TablesServer()
        try await server.insert(count: 3)
        func pull(since time: String, skip: Int = 0) async throws -> Answer {
            try await server.send(
                "GET",
                "/tables/t?$filter=(updatedAt%20ge%20datetimeoffset'\(time)')&$orderby=updatedAt&$top=50"
                    + "&__includeDeleted=true" + (skip == 0 ? "" : "&$skip=\(skip)"))
        }
        let first = try await pull(since: "1970-01-01T00:00:00.000Z")
        #expect(first.ids.count == 3)
        let last = try #require(first.records.last?["updatedAt"]?.string)
        #expect(try await pull(since: last).ids == first.ids.suffix(1))
        #expect(try await pull(since: last, skip: 1).ids == [])
    }

    @Test(arguments: bothFlavors)
    func `a repeated insert without a key gets 409 with the existing record`(
        flavor: Flavor
    ) async throws {
        let server = try await TablesServer()
        let body = #"{"id":"a","text":"x"}"#
        let made = try await server.send(
            "POST", "/tables/t?__systemProperties=__version", flavor, body: body)
        let again = try await server.send("POST", "/tables/t", flavor, body: body)
        #expect(again.status == 409)
        #expect(again.version == made.version)
        #expect(again["text"] == .string("x"))
    }
}
