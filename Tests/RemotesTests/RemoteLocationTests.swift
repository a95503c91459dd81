import Remotes
import Testing
import TodoModel

@Suite struct `Remote location` {
    @Test(arguments: GoodLocation.all)
    func `a location is recorded so that it can be parsed in any folder`(_ row: GoodLocation) throws {
        let location = try RemoteLocation(parsing: row.text, relativeTo: "/home/me/todos")
        #expect(location == row.location)
        #expect(location.description == row.recorded)
        #expect(try RemoteLocation(parsing: location.description, relativeTo: "/elsewhere") == location)
    }

    @Test(arguments: BadLocation.all)
    func `a text that is not a location is refused with the reason`(_ row: BadLocation) {
        #expect(throws: row.error) { try RemoteLocation(parsing: row.text, relativeTo: "/home/me") }
    }

    @Test func `a missing store is unavailable, and the message shows its path`() {
        let location = RemoteLocation.store(path: "/nowhere/at/all", table: .standard)
        #expect(throws: RemoteError.store(.notFound(path: "/nowhere/at/all"))) {
            try location.open(store: .testing, server: .testing())
        }
    }

    @Test func `opening a server's table doesn't connect`() throws {
        let location = RemoteLocation.server(url: "https://nobody.invalid/tables/todoitem")
        #expect(try location.open(store: .testing, server: .testing()) is HTTPRemote)
    }

    @Test func `table names are compared regardless of case`() {
        #expect(TableName("TodoItem") == .standard)
        #expect(TableName(String(repeating: "a", count: 128)) != nil)
        for name in ["", "1a", "a-b", "a b", "\u{E9}", "a.b", String(repeating: "a", count: 129)] {
            #expect(TableName(name) == nil)
        }
    }
}

struct GoodLocation: Sendable, CustomTestStringConvertible {
    let text: String
    let location: RemoteLocation
    let recorded: String
    var testDescription: String { text }

    private init(_ text: String, path: String, table: TableName? = .standard, recorded: String? = nil) {
        self.text = text
        location = .store(path: path, table: table ?? .standard)
        self.recorded = recorded ?? path
    }

    private init(_ url: String, recorded: String? = nil) {
        text = url
        location = .server(url: recorded ?? url)
        self.recorded = recorded ?? url
    }

    static let all = [
        GoodLocation("/srv/store", path: "/srv/store"),
        GoodLocation("store", path: "/home/me/todos/store"),
        GoodLocation("../store/", path: "/home/me/store"),
        GoodLocation("./a/.././/b", path: "/home/me/todos/b"),
        GoodLocation("../../../../..", path: "/"),
        GoodLocation("a:b", path: "/home/me/todos/a:b"),
        GoodLocation("/a b/\u{E9}%20?x", path: "/a b/\u{E9}%20?x"),
        GoodLocation(
            "/srv/store#work", path: "/srv/store", table: TableName("work"), recorded: "/srv/store#work"),
        GoodLocation("/srv/store#TodoItem", path: "/srv/store"),
        GoodLocation("/c#/store", path: "/c#/store", recorded: "/c#/store#todoitem"),
        GoodLocation("/c#/s#t#u", path: "/c#/s#t", table: TableName("u"), recorded: "/c#/s#t#u"),
        GoodLocation("file:///srv/store", path: "/srv/store"),
        GoodLocation("file:/srv/store", path: "/srv/store"),
        GoodLocation("FILE://localhost/srv/a%20b%23c", path: "/srv/a b#c", recorded: "/srv/a b#c#todoitem"),
        GoodLocation(
            "file:///srv/%C3%A9#t", path: "/srv/\u{E9}", table: TableName("t"), recorded: "/srv/\u{E9}#t"),
        GoodLocation("https://example.org/tables/todoitem"),
        GoodLocation("HTTP://Example.org:8080/tables/Work", recorded: "http://example.org:8080/tables/Work"),
        GoodLocation("http://[::1]:8080/sub/tables/t_1"),
    ]
}

struct BadLocation: Sendable, CustomTestStringConvertible {
    let text: String
    let error: RemoteLocationError
    var testDescription: String { text }

    private init(_ text: String, _ error: RemoteLocationError) {
        self.text = text
        self.error = error
    }

    static let all = [
        BadLocation("", .empty),
        BadLocation("#todoitem", .empty),
        BadLocation("/a\nb", .controlCharacter),
        BadLocation("/a\u{0}", .controlCharacter),
        BadLocation(#"C:\todos"#, .windowsPath(#"C:\todos"#)),
        BadLocation("d:/todos", .windowsPath("d:/todos")),
        BadLocation(#"\\server\share"#, .windowsPath(#"\\server\share"#)),
        BadLocation("ssh://host/store", .unsupportedScheme("ssh")),
        BadLocation("FTP://host/store", .unsupportedScheme("ftp")),
        BadLocation("postgresql://host/todos", .database),
        BadLocation("POSTGRES://host/todos", .database),
        BadLocation("service=todos", .database),
        BadLocation("service=todos dbname=x", .database),
        BadLocation("/store#", .badTableName("")),
        BadLocation("/store#a b", .badTableName("a b")),
        BadLocation("file:store", .badFileURL("file:store")),
        BadLocation("file://otherhost/store", .badFileURL("file://otherhost/store")),
        BadLocation("file:///a%zz", .badFileURL("file:///a%zz")),
        BadLocation("file:///a%+1", .badFileURL("file:///a%+1")),
        BadLocation("file:///a%0", .badFileURL("file:///a%0")),
        BadLocation("file:///a%00b", .badFileURL("file:///a%00b")),
        BadLocation("file:///a%ff", .badFileURL("file:///a%ff")),
        BadLocation("file:///a#b/c", .badTableName("b/c")),
        BadLocation("https://user:secret@example.org/tables/t", .credentialsInURL),
        BadLocation("https://user@example.org/tables/t", .credentialsInURL),
        BadLocation("https://example.org", .badServerURL("https://example.org")),
        BadLocation("https://example.org/tables", .badServerURL("https://example.org/tables")),
        BadLocation("https:///tables/t", .badServerURL("https:///tables/t")),
        BadLocation("https://example.org/tables/t?x=1", .badServerURL("https://example.org/tables/t?x=1")),
        BadLocation("https://example.org/tables/t#x", .badServerURL("https://example.org/tables/t#x")),
        BadLocation("https://example.org/tables/t//", .badServerURL("https://example.org/tables/t//")),
        BadLocation("https://example.org/tables/a-b", .badTableName("a-b")),
    ]
}
