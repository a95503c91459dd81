import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import Testing
import TodoModel
import Values

/// Valid and invalid paths, methods, bodies and ids, and which error comes first.
@Suite(.oneStoreAtATime) struct RequestTests {
    @Test(
        arguments: [
            "/", "/tables", "/tables/", "/tables/t/a/b", "/table/t", "//tables/t",
            "/tables/no-name", "/tables/1a/x", "/$batch/x", "/OpenAPI.json", "/api/x", "/.auth/me",
            "/tables//a",
        ], bothFlavors)
    func `an unknown path gets 404`(path: String, flavor: Flavor) async throws {
        let server = try await TablesServer()
        let answer = try await server.send("GET", path, flavor)
        #expect(answer.status == 404)
        #expect(answer["error"]?.string?.hasPrefix("Error: ") == (flavor == .v1))
        #expect(answer.keys == ["code", "error", "message"])
    }

    @Test func `tables are found in any case, even with a trailing slash`()
        async throws
    {
        let server = try await TablesServer()
        _ = try await server.fill()
        for path in ["/tables/t", "/TABLES/T", "/tables/t/", "/tables/%74"] {
            #expect(try await server.send("GET", path).ids == ["live"], "\(path)")
        }
        #expect(try await server.send("GET", "/Tables/T/live").status == 200)
    }

    struct Method: Sendable, CustomTestStringConvertible {
        let method: String
        let path: String
        let allow: String

        var testDescription: String { "\(method) \(path)" }
    }

    static let record = "GET, PATCH, PUT, DELETE, POST"
    static let methods = [
        Method(method: "PUT", path: "/tables/t", allow: "GET, POST"),
        Method(method: "DELETE", path: "/tables/t", allow: "GET, POST"),
        Method(method: "TRACE", path: "/tables/t/live", allow: record),
        Method(method: "GET", path: "/$batch", allow: "POST"),
        Method(method: "HEAD", path: "/$batch", allow: "POST"),
        Method(method: "POST", path: "/openapi.json", allow: "GET"),
    ]

    @Test(arguments: methods, bothFlavors)
    func `an unsupported method gets 405 with the supported ones`(
        row: Method, flavor: Flavor
    ) async throws {
        let server = try await TablesServer()
        let answer = try await server.send(row.method, row.path, flavor)
        #expect(answer.status == 405)
        #expect(answer.header("allow") == row.allow)
        #expect(row.method == "HEAD" || answer["code"]?.number == 405)
    }

    @Test(arguments: [
        ("/tables/t", "GET, POST, PATCH, OPTIONS"), ("/tables/t/live", record + ", OPTIONS"),
        ("/$batch", "POST, OPTIONS"), ("/nowhere", "GET, OPTIONS"),
    ])
    func `OPTIONS lists the methods of a path`(path: String, allow: String) async throws {
        let answer = try await TablesServer().send("OPTIONS", path)
        #expect(answer.status == 204)
        #expect(
            answer.header("allow")?.split(separator: ", ").sorted() == allow.split(separator: ", ").sorted())
    }

    @Test(arguments: ["/tables/t", "/tables/t/live", "/tables/t/absent", "/openapi.json"])
    func `HEAD is answered like GET, with the length of its body`(path: String) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let get = try await server.send("GET", path)
        let head = try await server.send("HEAD", path)
        #expect(head.status == get.status)
        #expect(head.response.fields.map(\.name) == get.response.fields.map(\.name))
        #expect(head.response.fields.map(\.value) == get.response.fields.map(\.value))
        #expect(head.text.isEmpty && !get.text.isEmpty)
    }

    @Test(
        arguments: [
            "", " ", "\n", "nonsense", "[]", "\"text\"", "null", "1", "{", #"{"a":1,}"#, #"{"a":1,"a":2}"#,
            #"{"a":"\ud800"}"#, #"{"a":01}"#, String(repeating: #"{"a":"#, count: 80), #"{"todosync":1}"#,
            #"{"todosync":{"path":1}}"#, #"{"todosync":{"device":{}}}"#, #"{"todosync":{"yaml":[]}}"#,
            #"{"todosync":{"mode":"x"}}"#,
            #"{"todosync":"x"}"#, #"{"id":1}"#, #"{"id":["a"]}"#,
        ], bothFlavors)
    func `a body that is not a record gets 400 and changes nothing`(body: String, flavor: Flavor)
        async throws
    {
        let server = try await TablesServer()
        _ = try await server.fill()
        let before = try await server.content()
        for (method, path) in [("POST", ""), ("PATCH", "/live"), ("PUT", "/live")] {
            let answer = try await server.send(method, "/tables/t\(path)", flavor, body: body)
            #expect(answer.status == 400, "\(method)")
            #expect(answer["message"]?.string?.isEmpty == false)
        }
        #expect(try await server.content() == before)
    }

    @Test func `bytes that are not UTF-8 get 400`() async throws {
        let server = try await TablesServer()
        let body = Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8)
        #expect(try await server.send("POST", "/tables/t", bytes: body).status == 400)
    }

    @Test(arguments: bothFlavors)
    func `a record of more than 8 MiB gets 413`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        for size in [8 << 20, 9 << 20] {
            let body = #"{"text":"\#(String(repeating: "a", count: size))"}"#
            #expect(try await server.send("POST", "/tables/t", flavor, body: body).status == 413)
        }
        #expect(try await server.content().isEmpty)
    }

    @Test(arguments: ["/tables/t", "/$batch"])
    func `a body with too many values gets 413`(path: String) async throws {
        let server = try await TablesServer()
        let values = String(repeating: "0,", count: JSON.defaultMaximumValueCount) + "0"
        let answer = try await server.send("POST", path, body: "{\"requests\":[\(values)]}")
        #expect(answer.status == 413)
        #expect(answer["message"]?.string?.contains("values") == true)
        #expect(try await server.content().isEmpty)
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "nonsense", ""])
    func `any content type is accepted, because the body decides`(type: String) async throws {
        let server = try await TablesServer()
        let answer = try await server.send(
            "POST", "/tables/t", headers: [("Content-Type", type)], body: #"{"text":"a"}"#)
        #expect(answer.status == 201)
    }

    @Test(
        arguments: [
            "a%2Fb", "a%5Cb", "a%22b", "a+b", "a%2Bb", "a%3Fb", "a%60b", "%00", "a%1F", "%C2%80", ".", "..",
            "%20", "%E3%80%80", "a%", "a%2", "a%zz", "%FF", "%ED%A0%80",
            String(repeating: "a", count: 256),
        ], bothFlavors)
    func `an invalid id gets 400`(id: String, flavor: Flavor) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        for (method, body) in [("GET", ""), ("PATCH", "{}"), ("PUT", "{}"), ("DELETE", ""), ("POST", "")] {
            let answer = try await server.send(method, "/tables/t/\(id)", flavor, body: body)
            #expect(answer.status == 400, "\(method)")
        }
    }

    @Test(arguments: [
        "a", "A b", "ä€😀", "a%b", "a;b", "{x}", "a'b", "#", "…", String(repeating: "é", count: 255),
    ])
    func `an id is one percent-encoded segment, and Location leads to it`(id: String) async throws {
        let server = try await TablesServer()
        let made = try await server.send("POST", "/tables/todoitem", body: #"{"id":"\#(id)","text":"x"}"#)
        #expect(made.status == 201)
        let location = try #require(made.header("location"))
        #expect(location.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(location.hasPrefix("\(server.origin)/tables/todoitem/"))
        let path = String(location.dropFirst(server.origin.count))
        #expect(try await server.send("GET", path)["id"] == .string(id))
    }

    @Test(arguments: bothFlavors)
    func `an insert without an id gets a random lower-case UUID`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        var ids: Set<String> = []
        var bodies = [#"{"text":"a"}"#, #"{"id":null,"text":"a"}"#, "{}"]
        if flavor == .v1 { bodies.append(#"{"id":""}"#) }
        for body in bodies {
            let answer = try await server.send("POST", "/tables/t", flavor, body: body)
            #expect(answer.status == 201)
            let id = try #require(answer["id"]?.string)
            let form = try Regex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
            #expect(id.wholeMatch(of: form) != nil)
            ids.insert(id)
        }
        #expect(ids.count == bodies.count)
    }

    @Test func `v2 refuses an empty id`() async throws {
        let server = try await TablesServer()
        #expect(try await server.send("POST", "/tables/t", body: #"{"id":""}"#).status == 400)
    }

    @Test(arguments: bothFlavors)
    func `an id in the body must be the one in the URL`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let rows = [
            (#"{"id":"live"}"#, 200), (#"{"id":"Live"}"#, 400), (#"{"id":"x"}"#, 400), (#"{"id":null}"#, 400),
        ]
        for (body, status) in rows {
            #expect(try await server.send("PATCH", "/tables/t/live", flavor, body: body).status == status)
            #expect(try await server.send("PUT", "/tables/t/live", flavor, body: body).status == status)
        }
    }

    @Test func `an update without an id in the URL uses the body's in v2, and gets 400 in v1`()
        async throws
    {
        let server = try await TablesServer()
        let versions = try await server.fill()
        let body = #"{"id":"live","text":"x"}"#
        #expect(try await server.send("PATCH", "/tables/t", .v1, body: body).status == 400)
        for (body, message) in [
            (#"{"text":"x"}"#, "The id of the item to update is missing in the body."),
            (#"{"id":null}"#, "The id of the item to update is missing in the body."),
            (#"{"id":1}"#, "The id is not a string."),
        ] {
            let answer = try await server.send("PATCH", "/tables/t", body: body)
            #expect(answer.status == 400)
            #expect(answer["error"] == .string(message))
        }
        let stale = try await server.send(
            "PATCH", "/tables/t", headers: versions.headers(.stale, id: "live"), body: body)
        #expect(stale.status == 412)
        let answer = try await server.send("PATCH", "/tables/t", body: body)
        #expect(answer.status == 200)
        #expect(answer["n"]?.number == 1)
    }

    @Test func `an undelete can't have a record`() async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let rows: [(Flavor, String, Int)] = [
            (.v1, "{}", 400), (.v1, #"{"text":"x"}"#, 400), (.v2, #"{"text":"x"}"#, 400), (.v2, "[]", 400),
            (.v2, "{", 400), (.v2, "{}", 200), (.v1, "", 200),
        ]
        for (flavor, body, status) in rows {
            #expect(
                try await server.send("POST", "/tables/t/tomb", flavor, body: body).status == status,
                "\(body)")
        }
    }

    @Test(arguments: bothFlavors)
    func `errors are found in the flavor's order`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        func status(_ method: String, _ target: String, _ body: String, _ caller: Caller) async throws -> Int
        {
            try await server.send(method, target, flavor, body: body, as: caller).status
        }
        let isV1 = flavor == .v1
        let other = Caller.key(.write, table: "other")
        #expect(try await status("POST", "/tables/t", "{", other) == (isV1 ? 400 : 403))
        #expect(try await status("GET", "/tables/t?$foo=1", "", other) == (isV1 ? 400 : 403))
        #expect(try await status("PATCH", "/tables/none/x", "{", .key(.write)) == (isV1 ? 400 : 404))
        #expect(try await status("PATCH", "/tables/t/live", "{}", .key(.read)) == 403)
        #expect(try await status("PUT", "/tables/t", "{", other) == 405)
        // A request without any access is refused before anything is read.
        #expect(try await status("POST", "/tables/t", "{", .stranger) == 401)
        #expect(try await status("PUT", "/tables/t", "{", .stranger) == 401)
        #expect(try await status("GET", "/nowhere", "", .stranger) == 404)
    }
}
