import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import Testing

/// How a request selects its flavor, and what that changes.
@Suite(.oneStoreAtATime) struct FlavorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var header: String?
        var query: String?
        /// Nil for a refused request.
        let flavor: Flavor?

        var testDescription: String { "header \(header ?? "-"), query \(query ?? "-")" }
    }

    static let rows = [
        Row(flavor: .v1), Row(header: "2.0.0", flavor: .v2), Row(header: "2.0.12", flavor: .v2),
        Row(query: "zumo-api-version=2.0.0", flavor: .v2),
        Row(query: "ZUMO-API-Version=2.0.1", flavor: .v2),
        Row(header: "3.0.0", flavor: nil), Row(header: "2.1.0", flavor: nil),
        Row(header: "2.0", flavor: nil),
        Row(header: "2.0.", flavor: nil), Row(header: "1.0.0", flavor: nil), Row(header: "", flavor: nil),
        Row(query: "zumo-api-version=", flavor: nil), Row(query: "zumo-api-version=2.0.x", flavor: nil),
        Row(header: "3.0.0", query: "zumo-api-version=2.0.0", flavor: .v2),
        Row(header: "2.0.0", query: "zumo-api-version=3.0.0", flavor: nil),
        Row(query: "zumo-api-version=2.0.0&ZUMO-API-VERSION=2.0.0", flavor: nil),
    ]

    @Test(arguments: rows)
    func `the query selects the flavor, otherwise the header`(row: Row) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let answer = try await server.send(
            "GET", "/tables/t/live" + (row.query.map { "?" + $0 } ?? ""), .v1,
            headers: row.header.map { [("zumo-api-version", $0)] } ?? [])
        switch row.flavor {
        case .v1?: #expect(answer.keys == ["id", "text", "n"])
        case .v2?: #expect(answer.keys.contains("version"))
        case nil:
            #expect(answer.status == 400)
            #expect(answer["error"]?.string?.isEmpty == false)
        }
    }

    @Test(arguments: bothFlavors)
    func `a response states its content type, and that it must not be cached`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        for target in ["/tables/t", "/tables/t/absent", "/nowhere"] {
            let answer = try await server.send("GET", target, flavor)
            #expect(answer.header("content-type") == "application/json; charset=utf-8")
            #expect(answer.header("cache-control") == "no-cache")
            #expect(answer.header("x-zumo-server-version") != nil)
        }
    }

    struct Properties: Sendable, CustomTestStringConvertible {
        let parameter: String
        /// Nil for a refused parameter.
        let names: Set<String>?

        var testDescription: String { parameter }
    }

    static let all: Set<String> = ["__createdAt", "__updatedAt", "__version", "__deleted"]
    static let properties = [
        Properties(parameter: "", names: []),
        Properties(parameter: "__systemProperties=", names: []),
        Properties(parameter: "__systemProperties=*", names: all),
        Properties(parameter: "__systemproperties=__version", names: ["__version"]),
        Properties(parameter: "__SYSTEMPROPERTIES=Version", names: ["__version"]),
        Properties(
            parameter: "__systemProperties=__createdAt%2C__updatedAt%2C__deleted%2C__version", names: all),
        Properties(
            parameter: "__systemProperties=%20createdat%20,,__UPDATEDAT,",
            names: ["__createdAt", "__updatedAt"]),
        Properties(
            parameter: "__systemProperties=%0A__version%0D%0A,%C2%A0deleted%E2%80%83,%09,%EF%BB%BFcreatedAt",
            names: ["__version", "__deleted", "__createdAt"]),
        Properties(parameter: "__systemProperties=%0A*%0A", names: all),
        Properties(parameter: "__systemProperties=version,*", names: nil),
        Properties(parameter: "__systemProperties=version%20deleted", names: nil),
        Properties(parameter: "__systemProperties=id", names: nil),
        Properties(parameter: "__systemProperties=____version", names: nil),
        Properties(parameter: "__systemProperties=version&__systemproperties=deleted", names: nil),
    ]

    @Test(arguments: properties)
    func `v1 returns the requested system properties`(row: Properties) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let requests = [
            ("GET", "/tables/t/live", ""), ("PATCH", "/tables/t/live", #"{"text":"a"}"#),
            ("PUT", "/tables/t/live", #"{"text":"a","n":1}"#), ("POST", "/tables/t/live", ""),
            ("POST", "/tables/t", #"{"text":"a","n":1}"#),
        ]
        for (method, path, body) in requests {
            let answer = try await server.send(method, "\(path)?\(row.parameter)", .v1, body: body)
            if let names = row.names {
                #expect(answer.status < 300)
                #expect(answer.keys == names.union(["id", "text", "n"]), "\(method)")
                #expect((answer.version != nil) == names.contains("__version"), "\(method)")
            } else {
                #expect(answer.status == 400)
                #expect(answer["error"]?.string?.hasPrefix("Error: ") == true)
            }
        }
        let list = try await server.send("GET", "/tables/t?\(row.parameter)", .v1)
        #expect(list.status == (row.names == nil ? 400 : 200))
    }

    @Test func `v1 gets an ETag only if it requested the version or sent a condition`() async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let key = [("Idempotency-Key", "k")]
        let requests = [
            ("GET", "/tables/t/live", "", []), ("PATCH", "/tables/t/live", #"{"text":"a"}"#, key),
            ("PATCH", "/tables/t/live", #"{"text":"b"}"#, []),
            ("PATCH", "/tables/t/live", #"{"text":"a"}"#, key),
            ("PUT", "/tables/t/live", #"{"text":"a"}"#, []), ("POST", "/tables/t/live", "", []),
            ("POST", "/tables/t", #"{"text":"a"}"#, []),
        ]
        for (method, path, body, headers) in requests {
            let plain = try await server.send(method, path, .v1, headers: headers, body: body)
            #expect([200, 201].contains(plain.status))
            #expect(plain.version == nil && plain["__version"] == nil, "\(method)")
        }
        for (method, body) in [("GET", ""), ("PATCH", "{}"), ("PUT", "{}"), ("POST", "")] {
            let answer = try await server.send(
                method, "/tables/t/live", .v1, headers: [("If-Match", "*")], body: body)
            #expect(answer.status == 200)
            #expect(answer.version != nil && answer["__version"] == nil, "\(method)")
        }
        for query in ["__systemProperties=version", "$select=__version"] {
            let answer = try await server.send("GET", "/tables/t/live?\(query)", .v1)
            #expect(answer.version == answer["__version"]?.string)
        }
    }

    @Test(arguments: bothFlavors)
    func `a response that depends on the flavor has a Vary header`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let targets = ["/tables/t", "/tables/t/live", "/tables/t/absent", "/tables/t?$top=x", "/nowhere"]
        for target in targets {
            #expect(try await server.send("GET", target, flavor).header("vary") == "ZUMO-API-VERSION")
        }
        #expect(try await server.send("DELETE", "/health", flavor).header("vary") == "ZUMO-API-VERSION")
        #expect(try await server.send("GET", "/health", flavor).header("vary") == nil)
    }

    @Test(arguments: [
        (["2.0.0", "2.0.0"], 200), (["2.0.0", "2.0.1"], 200), (["2.0.0, 2.0.0"], 200),
        (["2.0.0", "3.0.0"], 400), (["3.0.0", "2.0.0"], 400), (["2.0.0, 3.0.0"], 400), (["2.0.0", ""], 400),
    ])
    func `contradictory version headers are refused`(values: [String], status: Int) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let answer = try await server.send(
            "GET", "/tables/t/live", .v1, headers: values.map { ("ZUMO-API-VERSION", $0) })
        #expect(answer.status == status)
    }

    @Test func `the message names an unknown system property`() async throws {
        let server = try await TablesServer()
        let answer = try await server.send("GET", "/tables/t?__systemProperties=__foo", .v1)
        #expect(answer["error"] == .string("Error: '__foo' is not a supported system property."))
    }

    @Test func `v2 returns all system properties, and ignores v1's parameter`() async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let answer = try await server.send("GET", "/tables/t/live?__systemProperties=nonsense")
        #expect(answer.keys == ["id", "text", "n", "createdAt", "updatedAt", "version", "deleted"])
        #expect(answer["createdAt"]?.string?.utf8.count == 24)
        #expect(answer["deleted"] == .bool(false))
    }

    @Test(arguments: bothFlavors)
    func `reserved names are refused in a body`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let before = try await server.content()
        var names = [
            "__version", "__x", "createdAt", "CREATEDAT", "updatedAt", "deleted", "Version", "ID", "Id",
        ]
        names += ["todoSync", "", String(repeating: "a", count: 256), "a\\u0007"]
        if flavor == .v1 { names.append("version") }
        for name in names {
            let body = #"{"text":"a","\#(name)":"x"}"#
            for (method, path) in [("POST", ""), ("PATCH", "/live"), ("PUT", "/live")] {
                let answer = try await server.send(method, "/tables/t\(path)", flavor, body: body)
                #expect(answer.status == 400, "\(method) \(name)")
            }
        }
        #expect(try await server.content() == before)
    }

    @Test func `v2 ignores a version in an insert`() async throws {
        let server = try await TablesServer()
        for version in [#""abc""#, "1", "null"] {
            let answer = try await server.send(
                "POST", "/tables/t", body: #"{"text":"a","version":\#(version)}"#)
            #expect(answer.status == 201)
            #expect(answer["version"] == .string(answer.version ?? ""))
            #expect(answer.version != "abc")
        }
    }
}
