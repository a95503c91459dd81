import Testing

@testable import SyncServer

@Suite struct AddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1:8080"), ("[::1]:0", "[::1]:0"), ("localhost:80", "localhost:80"),
        ("EXAMPLE.org:443", "example.org:443"), ("0.0.0.0:8080", "0.0.0.0:8080"), ("localhost", nil),
        (":8080", nil), ("::1:8080", nil), ("localhost:", nil), ("localhost:65536", nil), ("a:-1", nil),
        ("a:+1", nil), ("a:1x", nil), ("[::1]8080", nil), ("[localhost]:1", nil), ("", nil), ("a/b:1", nil),
        ("a\nb:1", nil), ("ä:1", nil), ("localhost:٣", nil),
    ])
    func `an address is a host and a port`(text: String, description: String?) {
        #expect(ListenAddress(text)?.description == description)
    }

    @Test(arguments: [
        ("127.0.0.1:1", true), ("127.9.9.9:1", true), ("localhost:1", true), ("[::1]:1", true),
        ("[::ffff:127.0.0.1]:1", true), ("0.0.0.0:1", false), ("[::]:1", false), ("192.168.1.1:1", false),
        ("127.evil.example:1", false), ("127.1:1", false), ("localhost.example:1", false),
    ])
    func `only loopback addresses are limited to this machine`(text: String, isLoopback: Bool) {
        #expect(ListenAddress(text)?.isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("/a/b?c=d?e", "/a/b", "c=d?e", nil), ("/", "/", "", nil), ("/?", "/", "", nil), ("*", "*", "", nil),
        ("http://h:1/a?b", "/a", "b", "h:1"), ("HTTPS://h", "/", "", "h"), ("http://h?x", "/", "x", "h"),
        ("h:1", "", "", nil), ("", "", "", nil),
    ])
    func `a target is a path or a whole URL`(text: String, path: String, query: String, authority: String?) {
        let target = RequestTarget(text)
        #expect(target.path == path)
        #expect(target.query == query)
        #expect(target.authority == authority)
    }

    @Test(arguments: [
        ("/tables/todoitem", Route.table), ("/Tables/x", .table), ("/tables/x/a%20b", .record),
        ("/tables/x/a/b", .other), ("/tables", .other), ("/$batch", .batch), ("/%24batch", .batch),
        ("/$batch/", .batch), ("/tables/x/", .table), ("/%74ables/x", .table), ("/tables/%ZZ", .other),
        ("/health", .health), ("/metrics", .metrics), ("/openapi.json", .description), ("", .other),
        ("x/tables/a", .other), ("//tables/x", .other),
    ])
    func `each path has a route`(path: String, route: Route) {
        #expect(Route(path: path) == route)
    }
}
