import Testing
import Values

@testable import todosync

@Suite struct AddressTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var typed: String
        var url: String
        var folder: String
        var testDescription: String { typed.debugDescription }

        init(_ typed: String, _ url: String, folder: String) {
            self.typed = typed
            self.url = url
            self.folder = folder
        }
    }

    @Test(arguments: [
        Row("store", "/home/ann/store", folder: "store"),
        Row("./store/", "/home/ann/store", folder: "store"),
        Row("../bob//store", "/home/bob/store", folder: "store"),
        Row("/srv/store", "/srv/store", folder: "store"),
        Row("/srv/store#work", "/srv/store#work", folder: "work"),
        Row("/srv/store#TodoItem", "/srv/store", folder: "store"),
        Row("file:///srv/my%20store", "/srv/my store", folder: "my store"),
        Row("file:/srv/store#work", "/srv/store#work", folder: "work"),
        Row("file://localhost/srv/store", "/srv/store", folder: "store"),
        Row("file:///srv/a%23b", "/srv/a#b#todoitem", folder: "a#b"),
        Row("https://example.org/tables/todoitem", "https://example.org/tables/todoitem", folder: "todoitem"),
    ])
    func `an address is recorded absolute, and read back the same`(_ row: Row) throws {
        let address = try RemoteAddress(row.typed, currentDirectory: "/home/ann")
        #expect(address.url == row.url)
        #expect(address.folderName == row.folder)
        #expect(try RemoteAddress(address.url, currentDirectory: "/elsewhere").url == row.url)
    }

    @Test(arguments: [
        "", "ssh://host/store", "file://host/store", "file:store", "file:///a%", "file:///a%00", "/srv/a#1",
    ])
    func `what is no address is a wrong command line`(_ typed: String) throws {
        let failure = #expect(throws: Failure.self) {
            try RemoteAddress(typed, currentDirectory: "/home/ann")
        }
        #expect(failure?.status == .usage)
    }
}

@Suite struct PathTests {
    @Test(arguments: [
        ("milk.yaml", "", "milk.yaml"), ("milk.yaml", "work", "../milk.yaml"),
        ("work/milk.yaml", "work", "milk.yaml"), ("work/a/milk.yaml", "work/b", "../a/milk.yaml"),
        ("work", "work", "../work"), ("workshop/a.yaml", "work", "../workshop/a.yaml"),
    ])
    func `paths are shown as they would be typed`(path: String, folder: String, expected: String) {
        #expect(relativePath(path, from: folder) == expected)
    }

    @Test(
        arguments: [
            ("/a/b", "/a/b/c.yaml", "c.yaml"), ("/a/b", "/a/b", ""), ("/a/b", "/a/bc", nil),
            ("/a/b", "/a", nil),
            ("/", "/a", "a"),
        ] as [(String, String, String?)])
    func `a path below a folder begins with the whole name of it`(
        root: String, path: String, expected: String?
    ) {
        #expect(pathBelow(root, path) == expected)
    }

    @Test(arguments: [("/a/./b/../c//", "/a/c"), ("/..", "/"), ("/a/b", "/a/b")])
    func `dots are taken out of paths`(path: String, expected: String) {
        #expect(normalized(path) == expected)
    }

    @Test(arguments: [
        ("milk.yaml", "milk.yaml"), ("Buy milk", "'Buy milk'"), ("", "''"), ("it's", "'it'\\''s'"),
        ("text=a$b", "'text=a$b'"), ("#a", "'#a'"), ("größe=1", "größe=1"),
    ])
    func `a command line is shown as a shell would read it`(word: String, expected: String) {
        #expect(shellQuoted(word) == expected)
    }
}
