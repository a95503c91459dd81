import LosslessYAML
import Remotes
import TestSupport
import Testing
import Values

@testable import SyncServer

@Suite(.oneStoreAtATime) struct OpenAPITests {
    private static let document = try? JSON.read(PackageResources.openapi_json)

    @Test func `the description is served without a key`() async throws {
        let server = try await TablesServer()
        let answer = try await server.send("GET", "/openapi.json", .v1, as: .stranger)
        #expect(answer.status == 200)
        #expect(answer["openapi"] == .string("3.1.0"))
        #expect(answer.json == Self.document)
    }

    @Test func `the description names exactly the server's paths and methods`()
        async throws
    {
        let server = try await TablesServer()
        guard case .mapping(let paths)? = Self.document?["paths"] else {
            Issue.record("there are no paths")
            return
        }
        #expect(Set(paths.keys) == Set(Endpoint.Path.allCases.map(\.rawValue)))
        for endpoint in Endpoint.allCases {
            let operation = paths[endpoint.path.rawValue]?[endpoint.method.lowercased()]
            #expect(operation?["operationId"] == .string("\(endpoint)"))
        }
        // The path for changes is also the path of a record.
        for path in paths.keys where path != Endpoint.Path.changes.rawValue {
            let target = path.replacing("{table}", with: "t").replacing("{id}", with: "live")
            for method in ["GET", "PUT", "POST", "DELETE", "PATCH", "TRACE"] {
                let answer = try await server.send(method, target)
                let isDescribed = paths[path]?[method.lowercased()] != nil
                #expect((answer.status == 405) == !isDescribed, "\(method) \(path)")
            }
        }
    }

    @Test func `every reference leads to a part of the description`() {
        let document = Self.document
        var count = 0
        func check(_ value: Value) {
            switch value {
            case .list(let list): list.forEach(check)
            case .mapping(let mapping):
                if let path = mapping["$ref"]?.string {
                    let parts = path.split(separator: "/").dropFirst()
                    let target = parts.reduce(document) { $0?[String($1)] }
                    #expect(path.hasPrefix("#/") && target != nil, "\(path)")
                    count += 1
                }
                mapping.entries.forEach { check($0.value) }
            default: break
            }
        }
        if let document { check(document) }
        #expect(count > 50)
    }

    @Test func `every status is described`() async throws {
        let server = try await TablesServer()
        let versions = try await server.fill()
        let stale = versions.headers(.stale, id: "live")
        let key = [("Idempotency-Key", "k")]
        let requests: [(String, String, String, [(String, String)], String)] = [
            ("GET", "/tables/{table}", "", [], ""), ("GET", "/tables/{table}", "?$top=x", [], ""),
            ("GET", "/tables/{table}", "?$deltatoken=1-1-0", [], ""),
            ("POST", "/tables/{table}", "", [], "{}"), ("POST", "/tables/{table}", "", [], #"{"id":"live"}"#),
            ("POST", "/tables/{table}", "", key, #"{"id":"k"}"#),
            ("POST", "/tables/{table}", "", key, #"{"id":"k","n":1}"#),
            ("PATCH", "/tables/{table}/{id}", "", stale, "{}"), ("PUT", "/tables/{table}/{id}", "", [], "{}"),
            ("PATCH", "/tables/{table}/{id}", "", [], #"{"version":"x"}"#),
            ("DELETE", "/tables/{table}/{id}", "", [], ""),
            ("DELETE", "/tables/{table}/{id}", "", [], ""), ("POST", "/tables/{table}/{id}", "", [], ""),
            ("GET", "/tables/{table}/{id}", "", [("If-None-Match", "*")], ""),
            ("GET", "/tables/{table}/changes", "?wait=0", [], ""),
            ("GET", "/tables/{table}/changes", "?wait=61", [], ""),
            ("GET", "/tables/{table}/changes", "?after=1-1-0", [], ""),
            ("POST", "/$batch", "", [], #"{"requests":[]}"#), ("POST", "/$batch", "", [], ""),
            ("GET", "/openapi.json", "", [("ZUMO-API-VERSION", "1")], ""),
        ]
        let long = String(repeating: "x", count: 20_000)
        // These refusals come before the path is examined.
        let ofAll = ["/tables/{table}", "/tables/{table}/{id}", "/$batch", "/openapi.json"].flatMap { path in
            [
                ("", [("Expect", "rain")]), ("", [("Content-Encoding", "br")]), ("?" + long, []),
                ("", [("X", long + long)]), ("", [("Transfer-Encoding", "gzip")]),
                ("", [("Content-Length", "99999999")]),
            ].map { (path == "/$batch" ? "POST" : "GET", path, $0, $1, "") }
        }
        var statuses: Set<Int> = []
        for (method, path, query, headers, body) in requests + ofAll {
            let target = path.replacing("{table}", with: "t").replacing("{id}", with: "live")
            let answer = try await server.send(method, target + query, headers: headers, body: body)
            let operation = Self.document?["paths"]?[path]?[method.lowercased()]
            #expect(
                operation?["responses"]?[String(answer.status)] != nil, "\(method) \(path): \(answer.status)")
            statuses.insert(answer.status)
        }
        #expect(
            statuses
                == [200, 201, 204, 304, 400, 404, 409, 410, 412, 413, 414, 415, 417, 422, 431, 501])
    }
}
