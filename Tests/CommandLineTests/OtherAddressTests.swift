import Testing

@testable import todosync

/// Addresses that aren't a remote's.
@Suite struct OtherAddressTests {
    @Test(arguments: [
        ("git@github.com:ann/todos.git", "is the address of a git repository"),
        ("git@host:x", "is the address of a git repository"),
        ("ssh://host/x", "is the address of a git repository"),
        ("git://host/x", "is the address of a git repository"),
        ("https://github.com/ann/todos.git", "is the address of a git repository"),
        ("https://example.org", "names no table"), ("http://localhost:8080/", "names no table"),
        ("example.org/tables/todoitem", "doesn't begin with https://"),
        ("localhost:8080/tables/todoitem", "doesn't begin with https://"),
    ])
    func `an address of another kind is refused with what to type`(typed: String, message: String) throws {
        let failure = try #require(throws: Failure.self) {
            try RemoteAddress(typed, currentDirectory: "/nowhere")
        }
        #expect(failure.status == .usage && failure.message.contains(message), "\(failure.message)")
        #expect(failure.hint?.contains("http") == true)
    }

    @Test(arguments: [
        "store", "../store", "./git@host:x", "/srv/store.git", "a.b/store", "todos/tables/x",
        "./example.org/tables/x",
        "https://example.org/git/tables/todoitem", "/home/a@b:c/store",
    ])
    func `an address that might be a remote's isn't taken for another kind`(typed: String) {
        #expect(OtherAddress(typed, currentDirectory: "/nowhere") == nil)
    }
}
