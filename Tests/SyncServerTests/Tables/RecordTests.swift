import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import Testing
import TodoModel

/// How records are written and returned.
@Suite(.oneStoreAtATime) struct RecordTests {
    @Test(arguments: bothFlavors)
    func `every response with a record contains all of it, with its ETag`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        let query = "?__systemProperties=__version"
        let made = try await server.send(
            "POST", "/tables/t\(query)", flavor, body: #"{"id":"a","text":"milk","tags":["x"]}"#)
        let read = try await server.send("GET", "/tables/t/a\(query)", flavor)
        let changed = try await server.send(
            "PATCH", "/tables/t/a\(query)", flavor, body: #"{"complete":true}"#)
        let whole = try await server.send("PUT", "/tables/t/a\(query)", flavor, body: #"{"text":"milk"}"#)
        let back = try await server.send("POST", "/tables/t/a\(query)", flavor)
        #expect([made, read, changed, whole, back].map(\.status) == [201, 200, 200, 200, 200])
        for answer in [made, read, changed, whole, back] {
            #expect(answer["text"] == .string("milk"))
            #expect(answer[flavor == .v1 ? "__version" : "version"] == answer.version.map { .string($0) })
        }
        #expect(changed["tags"] == .list([.string("x")]))
        #expect(whole["tags"] == nil && whole["complete"] == nil)
        #expect(made.header("location") == "\(server.origin)/tables/t/a")
        let versions = [made, changed, whole, back].compactMap(\.version)
        #expect(Set(versions).count == 4)
        #expect(read.version == made.version)
    }

    @Test(arguments: bothFlavors)
    func `DELETE leaves a tombstone that only requests for deleted records show`(
        flavor: Flavor
    ) async throws {
        let server = try await TablesServer()
        let versions = try await server.fill()
        #expect(try await server.send("GET", "/tables/t/tomb", flavor).status == 404)
        #expect(try await server.send("GET", "/tables/t/tomb?__includeDeleted=false", flavor).status == 404)
        for parameter in ["__includeDeleted=true", "__INCLUDEDELETED=True"] {
            let tomb = try await server.send(
                "GET", "/tables/t/tomb?\(parameter)&__systemProperties=*", flavor)
            #expect(tomb.status == 200)
            #expect(tomb.version == versions.current["tomb"])
            #expect(tomb["text"] == .string("second"))
            #expect(tomb[flavor == .v1 ? "__deleted" : "deleted"] == .bool(true))
            let list = try await server.send("GET", "/tables/t?\(parameter)", flavor)
            #expect(list.ids == ["live", "tomb"])
        }
        #expect(try await server.send("GET", "/tables/t", flavor).ids == ["live"])
        #expect(try await server.send("GET", "/tables/t?__includeDeleted=1", flavor).status == 400)
    }

    @Test(arguments: bothFlavors)
    func `values keep their types, digits and nesting`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        let fields =
            #""n":1.10,"big":1e400,"long":12345678901234567890.5,"t":true,"z":null,"#
            + #""list":[{"text":"a","done":false},[]],"map":{"":0},"ä/b c":"\u0007\"\\""#
        for fields in [fields, fields.replacing(#"{"":0}"#, with: #"{"k":{}}"#)] {
            let made = try await server.send("POST", "/tables/t", flavor, body: #"{"id":"a",\#(fields)}"#)
            guard made.status == 201 else {
                #expect(made.status == 400, "an empty name is refused")
                continue
            }
            let text = try await server.send("GET", "/tables/t/a", flavor).text
            #expect(text.hasPrefix(#"{"id":"a",\#(fields)"#))
        }
    }

    @Test(arguments: bothFlavors)
    func `PATCH changes the members that it contains, and null is stored as null`(flavor: Flavor)
        async throws
    {
        let server = try await TablesServer()
        _ = try await server.send("POST", "/tables/t", body: #"{"id":"a","text":"x","due":"y","n":{"a":1}}"#)
        let answer = try await server.send(
            "PATCH", "/tables/t/a", flavor, body: #"{"due":null,"n":{"b":2},"new":1}"#)
        #expect(answer["due"] == .null)
        #expect(answer["n"] == .mapping(["b": .number(Number(2))]))
        #expect(answer["text"] == .string("x"))
        #expect(answer["new"]?.number == 1)
    }

    @Test(arguments: bothFlavors)
    func `names of properties are case-sensitive`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        let body = #"{"id":"a","text":"x","Text":"y","TEXT":1}"#
        #expect(
            try await server.send("POST", "/tables/t", flavor, body: body).text.hasPrefix(body.dropLast()))
        let answer = try await server.send("PATCH", "/tables/t/a", flavor, body: #"{"Text":"z"}"#)
        #expect(answer["text"] == .string("x"))
        #expect(answer["Text"] == .string("z"))
    }

    @Test(arguments: bothFlavors)
    func `the property todosync stays unless a write contains it`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        let layout = Value.mapping(["path": .string("a.yaml"), "yaml": .string("text: x # y\n")])
        let made = try await server.send(
            "POST", "/tables/t", flavor,
            body: #"{"id":"a","text":"x","todosync":{"path":"a.yaml","yaml":"text: x # y\n"}}"#)
        #expect(made["todosync"] == layout)
        for method in ["PATCH", "PUT"] {
            let answer = try await server.send(method, "/tables/t/a", flavor, body: #"{"text":"z"}"#)
            #expect(answer["todosync"] == layout, "\(method)")
        }
        let changed = try await server.send(
            "PUT", "/tables/t/a", flavor, body: #"{"text":"z","todosync":{"path":"b.yaml","yaml":null}}"#)
        #expect(changed["todosync"] == .mapping(["path": .string("b.yaml")]))
        let gone = try await server.send("PATCH", "/tables/t/a", flavor, body: #"{"todosync":null}"#)
        #expect(gone.status == 200)
        #expect(gone["todosync"] == nil)
        #expect(gone["text"] == .string("z"))
    }

    @Test func `updatedAt and version grow with every write, delete and undelete`() async throws {
        let server = try await TablesServer()
        var times: [String] = []
        var versions: [[UInt8]] = []
        func look() async throws {
            let answer = try await server.send("GET", "/tables/t/a?__includeDeleted=true")
            times.append(answer["updatedAt"]?.string ?? "")
            versions.append(decodedBase64(answer.version ?? ""))
        }
        let writes = [
            ("POST", "/tables/t", #"{"id":"a","text":"x"}"#), ("PATCH", "/tables/t/a", #"{"text":"y"}"#),
            ("DELETE", "/tables/t/a", ""), ("POST", "/tables/t/a", ""),
            ("PUT", "/tables/t/a", #"{"text":"z"}"#),
        ]
        for (method, path, body) in writes {
            _ = try await server.send(method, path, body: body)
            try await look()
        }
        #expect(times[0] == "2026-11-21T07:00:00.000Z")
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(versions.allSatisfy { $0.count == 8 })
        #expect(zip(versions, versions.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test func `the tutorial's PATCH is answered with the requested version`() async throws {
        let server = try await TablesServer()
        _ = try await server.send(
            "POST", "/tables/todoitem", body: #"{"id":"a","text":"Hello","complete":false}"#)
        let answer = try await server.send(
            "PATCH", "/tables/todoitem/a?__systemproperties=__version", .v1,
            headers: [("x-zumo-application", "key"), ("Content-Type", "application/json")],
            body: #"{"id": "a", "text": "Hello world 23"}"#)
        #expect(answer.status == 200)
        #expect(answer.text.hasPrefix(#"{"id":"a","text":"Hello world 23","complete":false,"__version":""#))
    }
}

private func decodedBase64(_ text: String) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var bits = 0
    var count = 0
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        guard let digit = digits.firstIndex(of: byte) else { break }
        bits = bits << 6 | digit
        count += 6
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
    }
    return bytes
}
