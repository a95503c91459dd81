import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import Testing
import TodoModel

/// The outcome of a write, by the record's state and the request's condition.
@Suite(.oneStoreAtATime) struct ConditionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let method: String
        let id: String
        let condition: Versions.Condition
        let status: Int

        init(_ method: String, _ id: String, _ condition: Versions.Condition, _ status: Int) {
            self.method = method
            self.id = id
            self.condition = condition
            self.status = status
        }

        var testDescription: String { "\(method) \(id), If-Match \(condition): \(status)" }
    }

    static let rows = [
        Row("PATCH", "live", .none, 200), Row("PATCH", "live", .current, 200),
        Row("PATCH", "live", .stale, 412), Row("PATCH", "live", .any, 200),
        Row("PUT", "live", .none, 200), Row("PUT", "live", .current, 200),
        Row("PUT", "live", .stale, 412), Row("PUT", "live", .any, 200),
        Row("DELETE", "live", .none, 204), Row("DELETE", "live", .current, 204),
        Row("DELETE", "live", .stale, 412), Row("DELETE", "live", .any, 204),
        Row("POST", "live", .none, 200), Row("POST", "live", .current, 200),
        Row("POST", "live", .stale, 412), Row("POST", "live", .any, 200),

        Row("PATCH", "tomb", .none, 404), Row("PATCH", "tomb", .current, 404),
        Row("PATCH", "tomb", .stale, 412), Row("PATCH", "tomb", .any, 404),
        Row("PUT", "tomb", .none, 412), Row("PUT", "tomb", .current, 200),
        Row("PUT", "tomb", .stale, 412), Row("PUT", "tomb", .any, 412),
        Row("DELETE", "tomb", .none, 404), Row("DELETE", "tomb", .current, 404),
        Row("DELETE", "tomb", .stale, 412), Row("DELETE", "tomb", .any, 404),
        Row("POST", "tomb", .none, 200), Row("POST", "tomb", .current, 200),
        Row("POST", "tomb", .stale, 412), Row("POST", "tomb", .any, 200),

        Row("PATCH", "absent", .none, 404), Row("PATCH", "absent", .stale, 404),
        Row("PATCH", "absent", .any, 404), Row("PUT", "absent", .none, 404),
        Row("PUT", "absent", .stale, 404), Row("PUT", "absent", .any, 404),
        Row("DELETE", "absent", .none, 404), Row("DELETE", "absent", .stale, 404),
        Row("POST", "absent", .none, 404), Row("POST", "absent", .stale, 404),
    ]

    @Test(arguments: rows, bothFlavors)
    func `a write's outcome depends on the record's state and the condition`(
        row: Row, flavor: Flavor
    ) async throws {
        let server = try await TablesServer()
        let versions = try await server.fill()
        let before = try await server.content()
        let takesBody = ["PATCH", "PUT"].contains(row.method)
        let answer = try await server.send(
            row.method, "/tables/t/\(row.id)?__systemProperties=*", flavor,
            headers: versions.headers(row.condition, id: row.id),
            body: takesBody ? #"{"text":"third"}"# : "")
        #expect(answer.status == row.status)
        let after = try await server.content()
        if row.status < 300 {
            #expect(after.contains { $0.version.string == answer.version })
            #expect(answer.version != versions.current[row.id])
        } else {
            #expect(after == before, "a refused write changes nothing")
        }
        switch row.status {
        case 200:
            #expect(answer["id"] == .string(row.id))
            #expect(answer["text"] == .string(takesBody ? "third" : "second"))
            #expect(answer["n"] == (row.method == "PUT" ? nil : .number(Number(1))))
            #expect(answer[flavor == .v1 ? "__deleted" : "deleted"] == .bool(false))
        case 204: #expect(answer.text.isEmpty)
        case 412:
            #expect(answer["id"] == .string(row.id))
            #expect(answer["text"] == .string("second"))
            #expect(answer.version == versions.current[row.id])
            let names = ["createdAt", "updatedAt", "version", "deleted"]
            #expect(answer.keys.isSuperset(of: names.map { flavor == .v1 ? "__" + $0 : $0 }))
            #expect(answer[flavor == .v1 ? "__deleted" : "deleted"] == .bool(row.id == "tomb"))
        default:
            let prefix = flavor == .v1 ? "Error: " : ""
            let message = Value.string("\(prefix)An item with id '\(row.id)' does not exist.")
            #expect(answer["error"] == message)
            #expect(answer["message"] == message)
            #expect(answer["code"]?.number == 404)
        }
    }

    @Test(arguments: ["live", "tomb"], bothFlavors)
    func `an insert with an existing id gets 409 with the record`(
        id: String, flavor: Flavor
    ) async throws {
        let server = try await TablesServer()
        let versions = try await server.fill()
        let before = try await server.content()
        let answer = try await server.send("POST", "/tables/t", flavor, body: #"{"id":"\#(id)","text":"x"}"#)
        #expect(answer.status == 409)
        #expect(answer.version == versions.current[id])
        #expect(answer["text"] == .string("second"))
        #expect(answer[flavor == .v1 ? "__deleted" : "deleted"] == .bool(id == "tomb"))
        #expect(
            answer["error"]
                == (flavor == .v1
                    ? .string(
                        "Error: Could not insert the item because an item with that id already exists.")
                    : nil))
        #expect(try await server.content() == before)
    }

    @Test(arguments: bothFlavors)
    func `an insert whose id differs only in case gets 409 with the other record`(
        flavor: Flavor
    ) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let answer = try await server.send("POST", "/tables/t", flavor, body: #"{"id":"LIVE","text":"x"}"#)
        #expect(answer.status == 409)
        #expect(answer["id"] == .string("live"))
        #expect(try await server.send("GET", "/tables/t/LIVE", flavor).status == 404)
    }

    @Test(
        arguments: [
            "abc", "W/\"abc\"", "\"a\", \"b\"", "\"a", "\"a\"b", "", "*, \"a\"", "\"\\\"", "'a'",
        ], bothFlavors)
    func `an If-Match that is not one strong version or a star gets 400`(
        value: String, flavor: Flavor
    ) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let before = try await server.content()
        for (method, body) in [("PATCH", "{}"), ("PUT", "{}"), ("DELETE", ""), ("POST", "")] {
            let answer = try await server.send(
                method, "/tables/t/live", flavor, headers: [("if-match", value)], body: body)
            #expect(answer.status == 400, "\(method)")
        }
        #expect(try await server.content() == before)
    }

    @Test func `two If-Match headers get 400`() async throws {
        let server = try await TablesServer()
        let version = try await server.fill().current["live"] ?? ""
        let answer = try await server.send(
            "PATCH", "/tables/t/live",
            headers: [("If-Match", "\"\(version)\""), ("If-Match", "\"\(version)\"")], body: "{}")
        #expect(answer.status == 400)
    }

    @Test func `a well-formed version that no store assigned gets 412`() async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        for value in [#""abc""#, #""a\"b""#, #""a,b""#, #""""#] {
            let answer = try await server.send(
                "PATCH", "/tables/t/live", headers: [("If-Match", value)], body: "{}")
            #expect(answer.status == 412, "\(value)")
        }
    }

    @Test func `in v2, a version in the body is a condition that gets 409, and the header takes precedence`()
        async throws
    {
        let server = try await TablesServer()
        let versions = try await server.fill()
        let stale = try #require(versions.stale["live"])
        for method in ["PATCH", "PUT"] {
            let old = try await server.send(
                method, "/tables/t/live", body: #"{"text":"x","version":"\#(stale)"}"#)
            #expect(old.status == 409)
            #expect(old["text"] == .string("second"))
            #expect(old.version == versions.current["live"])
        }
        let header = try await server.send(
            "PATCH", "/tables/t/live", headers: versions.headers(.current, id: "live"),
            body: #"{"text":"x","version":"\#(stale)"}"#)
        #expect(header.status == 200)
        let now = try #require(header.version)
        let body = try await server.send(
            "PATCH", "/tables/t/live", body: #"{"text":"y","version":"\#(now)"}"#)
        #expect(body.status == 200)
        let none = try await server.send("PATCH", "/tables/t/live", body: #"{"text":"z","version":null}"#)
        #expect(none.status == 200)
        let number = try await server.send("PATCH", "/tables/t/live", body: #"{"text":"z","version":1}"#)
        #expect(number.status == 400)
    }

    @Test(arguments: bothFlavors)
    func `If-None-Match with the current version gets 304`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        let version = try await server.fill().current["live"] ?? ""
        let rows = [
            ("\"\(version)\"", 304), ("*", 304), ("\"a\", \"\(version)\"", 304), ("\"a\"", 200),
            ("W/\"\(version)\"", 304), ("\"a\", W/\"\(version)\"", 304), ("W/\"a\"", 200),
            ("w/\"\(version)\"", 400), ("W/ \"\(version)\"", 400), (version, 400), ("\"a\",", 400),
        ]
        for (value, status) in rows {
            let answer = try await server.send(
                "GET", "/tables/t/live?__systemProperties=__version", flavor,
                headers: [("If-None-Match", value)])
            #expect(answer.status == status, "\(value)")
            #expect(answer.text.isEmpty == (status == 304))
            #expect(status == 400 || answer.version == version)
        }
    }
}
