import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import Testing

/// The options of a list: protocol.md, 1.8.
@Suite(.oneStoreAtATime) struct ListTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let query: String
        /// Nil for a query that gets 400.
        let v1: [String]?
        let v2: [String]?

        var testDescription: String { query }

        init(_ query: String, _ v1: [String]?, _ v2: [String]?) {
            self.query = query
            self.v1 = v1
            self.v2 = v2
        }

        init(_ query: String, both: [String]?) { self.init(query, both, both) }
    }

    /// Five records; `e` is deleted.
    static let records = [
        #"{"id":"a","text":"milk","n":5,"done":false}"#, #"{"id":"b","text":"Bread","n":3,"done":true}"#,
        #"{"id":"c","text":"a b","n":1.5}"#, #"{"id":"d","text":"Äpfel","n":4,"done":false}"#,
        #"{"id":"e","text":"gone","n":2}"#,
    ]

    static let rows = [
        Row("", both: ["a", "b", "c", "d"]),
        Row("$top=2", both: ["a", "b"]),
        Row("$top=0", both: []),
        Row("$top=1000", both: ["a", "b", "c", "d"]),
        Row("$top=1001", both: nil),
        Row("$top=-1", both: nil),
        Row("$top=x", both: nil),
        Row("$top=", both: nil),
        Row("$top=99999999999999999999", both: nil),
        Row("$top=2&$top=3", both: nil),
        Row("$skip=3", both: ["d"]),
        Row("$skip=9223372036854775807", both: []),
        Row("$skip=-1", both: nil),
        Row("$skip=1&$top=2", both: ["b", "c"]),
        Row("$orderby=n", both: ["c", "b", "d", "a"]),
        Row("$orderby=n%20desc&$top=1", both: ["a"]),
        Row("$orderby=n+desc,id+asc&$top=1", both: ["a"]),
        Row("$orderby=text&$top=3", both: ["c", "d", "b"]),
        Row("$orderby=TEXT", both: ["a", "b", "c", "d"]),
        Row("$orderby=n%20sideways", both: nil),
        Row("$orderby=", both: nil),
        Row("$filter=", both: nil),
        Row("$inlinecount=", both: nil),
        Row("$filter=n%20gt%203", both: ["a", "d"]),
        Row("$filter=n+gt+3", both: ["a", "d"]),
        Row("%24filter=(n%20gt%203)%20and%20(done%20eq%20false)", both: ["a", "d"]),
        Row("$filter=text%20eq%20'a%20b'", both: ["c"]),
        Row("$filter=text%20eq%20%27a+b%27", both: ["c"]),
        Row("$filter=text%20eq%20'%C3%A4PFEL'", both: ["d"]),
        Row("$filter=unknown%20eq%201", both: []),
        Row("$filter=n%20gt", both: nil),
        Row("$filter=((n%20gt%203)", both: nil),
        Row("$filter=nonsense(1)", both: nil),
        Row("$filter=a%ZZ", both: nil),
        Row("$filter=%FF", both: nil),
        Row("$filter=n%20gt%203&$skip=1", both: ["d"]),
        Row("__includeDeleted=true", both: ["a", "b", "c", "d", "e"]),
        Row("__includeDeleted=true&$filter=n%20lt%203", both: ["c", "e"]),
        Row("__includeDeleted=yes", both: nil),
        Row("$filter=__deleted%20eq%20true&__includeDeleted=true", ["e"], []),
        Row("$filter=deleted%20eq%20true&__includeDeleted=true", [], ["e"]),
        Row("$inlinecount=none", both: ["a", "b", "c", "d"]),
        Row("$inlinecount=some", both: nil),
        Row("$count=true", nil, ["a", "b", "c", "d"]),
        Row("$count=false", nil, ["a", "b", "c", "d"]),
        Row("$count=1", nil, nil),
        Row("$expand=x", both: nil),
        Row("$Filter=n%20gt%203", both: nil),
        Row("$format=json", both: nil),
        Row("$", both: nil),
        Row("__unknown=1", both: nil),
        Row("__", both: nil),
        Row("custom=1&other&=x&&", both: ["a", "b", "c", "d"]),
        Row("$deltatoken=x&$top=0", nil, nil),
        Row("$select=", both: nil),
        Row("$select=id,,text", both: nil),
    ]

    @Test(arguments: rows, bothFlavors)
    func `a list follows its query`(row: Row, flavor: Flavor) async throws {
        let server = try await TablesServer()
        for record in Self.records { _ = try await server.send("POST", "/tables/t", body: record) }
        _ = try await server.send("DELETE", "/tables/t/e")
        let answer = try await server.send("GET", "/tables/t?\(row.query)", flavor)
        if let ids = flavor == .v1 ? row.v1 : row.v2 {
            #expect(answer.status == 200)
            #expect(answer.ids == ids)
            #expect(answer.header("etag") == nil)
        } else {
            #expect(answer.status == 400)
            #expect(answer["error"]?.string?.isEmpty == false)
        }
    }

    @Test(arguments: bothFlavors)
    func `a count includes the filter and deleted records, but not the page`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        for record in Self.records { _ = try await server.send("POST", "/tables/t", body: record) }
        _ = try await server.send("DELETE", "/tables/t/e")
        let rows = [
            ("$inlinecount=allpages", 4, 4), ("$inlinecount=allpages&$top=0", 4, 0),
            ("$inlinecount=allpages&$top=1&$skip=1", 4, 1),
            ("$inlinecount=allpages&$filter=n%20gt%203&$top=1", 2, 1),
            ("$inlinecount=allpages&__includeDeleted=true", 5, 5),
        ]
        for (query, count, shown) in rows {
            let answer = try await server.send("GET", "/tables/t?\(query)", flavor)
            #expect(answer.keys == ["results", "count"])
            #expect(answer["count"]?.number == count)
            #expect(answer.ids.count == shown)
        }
        let empty = try await server.send("GET", "/tables/other?$top=0&$inlinecount=allpages", flavor)
        #expect(empty.text == #"{"results":[],"count":0}"#)
    }

    @Test(arguments: ["$filter", "$orderby", "$select", "$skip", "$top", "$inlinecount"], bothFlavors)
    func `an empty option is refused with a message that names it`(option: String, flavor: Flavor)
        async throws
    {
        let server = try await TablesServer()
        for query in [option, option + "="] {
            let answer = try await server.send("GET", "/tables/t?\(query)", flavor)
            #expect(answer.status == 400)
            #expect(answer["error"]?.string?.hasSuffix("The query option \(option) is empty.") == true)
        }
    }

    @Test func `strings and ids are sorted regardless of case, then by accents`() async throws {
        let server = try await TablesServer()
        let texts = ["z", "É", "e", "f", "éa", "eb", "e\u{301}", "Å", "b", "ấ", "ø", "p"]
        for (number, text) in texts.enumerated() {
            let id = number % 2 == 0 ? "b\(number)" : "A\(number)"
            let body = #"{"id":"\#(id)","text":"\#(text)"}"#
            #expect(try await server.send("POST", "/tables/t", body: body).status == 201)
        }
        let byText = try await server.send("GET", "/tables/t?$orderby=text")
        #expect(
            byText.records.compactMap { $0["text"]?.string?.unicodeScalars.map(String.init) }
                == ["Å", "ấ", "b", "e", "e\u{301}", "É", "éa", "eb", "f", "ø", "p", "z"]
                .map { $0.unicodeScalars.map(String.init) })
        let byID = try await server.send("GET", "/tables/t?$orderby=id")
        #expect(byID.ids == ["A1", "A11", "A3", "A5", "A7", "A9", "b0", "b10", "b2", "b4", "b6", "b8"])
        for (filter, ids) in [
            ("id eq 'a1'", ["A1"]), ("id eq 'B2'", ["b2"]), ("'B2' eq id", ["b2"]), ("id eq 'a2'", []),
            ("not (id ne 'A11')", ["A11"]), ("id lt 'A2'", ["A1", "A11"]), ("id gt 'B6'", ["b8"]),
            ("not (id eq 'a1') and id lt 'a3'", ["A11"]),
            ("text eq 'é'", ["A1"]), ("text gt 'E' and text lt 'F'", ["A1", "A5", "b4", "b6"]),
        ] {
            let query = filter.replacing(" ", with: "%20").replacing("é", with: "%C3%A9")
            let answer = try await server.send("GET", "/tables/t?$filter=\(query)&$orderby=id")
            #expect(answer.ids.sorted() == ids.sorted(), "\(filter)")
        }
    }

    struct Selection: Sendable, CustomTestStringConvertible {
        let query: String
        let v1: Set<String>
        let v2: Set<String>

        var testDescription: String { query }
    }

    static let selections = [
        Selection(query: "$select=text", v1: ["text"], v2: ["text"]),
        Selection(query: "$select=id,%20n%20,nothing", v1: ["id", "n"], v2: ["id", "n"]),
        Selection(query: "$select=id,__version", v1: ["id", "__version"], v2: ["id"]),
        Selection(query: "$select=id,version,deleted", v1: ["id"], v2: ["id", "version", "deleted"]),
        Selection(query: "$select=n&__systemProperties=__version", v1: ["n", "__version"], v2: ["n"]),
        Selection(query: "$select=todosync", v1: ["todosync"], v2: ["todosync"]),
        Selection(
            query: "$select=*", v1: ["id", "text", "n", "todosync"],
            v2: ["id", "text", "n", "todosync", "createdAt", "updatedAt", "version", "deleted"]),
    ]

    @Test(arguments: selections, bothFlavors)
    func `a selection limits the properties`(row: Selection, flavor: Flavor) async throws {
        let server = try await TablesServer()
        _ = try await server.send(
            "POST", "/tables/t", body: #"{"id":"a","text":"x","n":1,"todosync":{"path":"a.yaml"}}"#)
        let names = flavor == .v1 ? row.v1 : row.v2
        let list = try await server.send("GET", "/tables/t?\(row.query)", flavor)
        guard case .mapping(let first)? = list.json[0] else {
            Issue.record("expected a list of one record: \(list.text)")
            return
        }
        #expect(Set(first.keys) == names)
        let one = try await server.send("GET", "/tables/t/a?\(row.query)", .v1)
        #expect(one.keys == row.v1)
        #expect((one.version != nil) == row.v1.contains("__version"))
    }

    @Test func `options for lists get 400 in v1 and are ignored in v2 if one item is requested`()
        async throws
    {
        let server = try await TablesServer()
        _ = try await server.fill()
        for query in ["$orderby=n", "$inlinecount=allpages", "$skip=1", "$top=x"] {
            #expect(try await server.send("GET", "/tables/t/live?\(query)", .v1).status == 400)
            #expect(try await server.send("GET", "/tables/t/live?\(query)").keys.count == 7)
        }
        #expect(try await server.send("GET", "/tables/t/live?$filter=n%20eq%201", .v1).status == 200)
        #expect(try await server.send("GET", "/tables/t/live?$filter=n%20eq%202", .v1).status == 404)
        #expect(try await server.send("GET", "/tables/t/live?$filter=n%20eq", .v1).status == 400)
        #expect(try await server.send("GET", "/tables/t/live?$filter=n%20eq%202").status == 200)
        #expect(try await server.send("GET", "/tables/t/live?$foo=1").status == 400)
    }

    @Test(arguments: bothFlavors)
    func `a write ignores the options for lists, but refuses unknown ones`(flavor: Flavor) async throws {
        let server = try await TablesServer()
        _ = try await server.fill()
        let path = "/tables/t/live"
        #expect(
            try await server.send("PATCH", "\(path)?$filter=((&$top=x", flavor, body: "{}").status == 200)
        #expect(try await server.send("PATCH", "\(path)?$foo=1", flavor, body: "{}").status == 400)
        #expect(try await server.send("DELETE", "\(path)?__foo=1", flavor).status == 400)
    }

    @Test func `v1 gets 50 records or up to 1000 on request, and no links`() async throws {
        let server = try await TablesServer()
        try await server.insert(count: 120)
        for (query, count) in [("", 50), ("?$top=100", 100), ("?$top=1000", 120), ("?$skip=100", 20)] {
            let answer = try await server.send("GET", "/tables/t\(query)", .v1)
            #expect(answer.ids.count == count)
            #expect(answer.header("link") == nil)
        }
    }

    @Test(arguments: [
        ("", [50, 50, 20]), ("$top=120", [50, 50, 20]), ("$top=100", [50, 50]), ("$top=99", [50, 49]),
        ("$top=50", [50]), ("$top=7", [7]), ("$top=1000&$skip=70", [50]),
        ("$skip=10&$filter=n%20lt%2070", [50, 10]),
        ("$orderby=n%20desc&$inlinecount=allpages", [50, 50, 20]),
        ("custom=a%3Bb%26%C3%A4&$top=60", [50, 10]),
        ("$top=0", [0]),
    ])
    func `v2's links lead through the pages to the requested records`(query: String, pages: [Int])
        async throws
    {
        let server = try await TablesServer()
        try await server.insert(count: 120)
        var target = "/tables/t?\(query)"
        var sizes: [Int] = []
        var ids: [String] = []
        while sizes.count < 10 {
            let answer = try await server.send("GET", target)
            sizes.append(answer.ids.count)
            ids += answer.ids
            guard let link = answer.header("link") else { break }
            // v2's clients read everything up to the first semicolon as the URL.
            let parts = link.split(separator: ";")
            #expect(parts.count == 2 && parts[1] == " rel=next")
            #expect(link.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
            #expect(parts[0].hasPrefix("\(server.origin)/tables/t?"))
            target = String(parts[0].dropFirst(server.origin.count))
        }
        #expect(sizes == pages)
        #expect(Set(ids).count == ids.count)
    }
}

extension TablesServer {
    func insert(count: Int, table: String = "t") async throws {
        let writes = (0..<count).map { number in
            RecordWrite(
                id: "r\(number)",
                change: .insert(fields: ["text": .string("x"), "n": .number(Number(number))], layout: nil))
        }
        _ = try await store.table(try #require(TableName(table))).write(writes)
    }
}
