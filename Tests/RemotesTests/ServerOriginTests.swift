import Remotes
import Testing

@Suite struct ServerOriginTests {
    @Test(arguments: [
        [
            "https://example.org", "HTTPS://Example.ORG:443/tables/t", "https://example.org:0443?x",
            "https://example.org./",
        ],
        ["http://127.0.0.1:8080", "http://127.0.0.1:8080/tables/todoitem#x"],
        ["http://[::1]", "http://[0:0:0:0:0:0:0:1]:80/", "http://[0000::0001]"],
        ["https://[2001:db8::a]:8443", "https://[2001:DB8:0:0::A]:8443"],
        ["https://xn--bcher-kva.example", "https://XN--Bcher-KVA.example:443"],
    ])
    func `different spellings of an origin are equal`(spellings: [String]) throws {
        let origins = try spellings.map { try #require(ServerOrigin(url: $0), "\($0)") }
        #expect(Set(origins).count == 1)
        #expect(origins.first?.description == spellings[0])
    }

    @Test(arguments: [
        "http://example.org", "https://example.org:8443", "https://example.org.evil.example",
        "https://www.example.org", "https://example.com", "https://example.org.:8443",
        "https://example.org:80", "https://0x7f.1", "https://[::ffff:127.0.0.1]",
    ])
    func `different origins are not equal`(url: String) throws {
        let origin = try #require(ServerOrigin(url: url))
        #expect(origin != ServerOrigin(url: "https://example.org"))
        #expect(origin != ServerOrigin(url: "https://127.0.0.1"))
    }

    @Test func `a single label with a trailing dot is a different host`() throws {
        let (rooted, bare) = (ServerOrigin(url: "http://localhost."), ServerOrigin(url: "http://localhost"))
        #expect(rooted != bare)
        #expect(rooted?.isSafeForKeys == false)
    }

    @Test(arguments: [
        "https://example.org@evil.example/", "https://user:secret@example.org", "https://example.org:pw@evil",
        "https://example.org%2eevil.example", "https://example.org%00.evil", #"https://example.org\@evil"#,
        "https://exämple.org", "https://example\u{3002}org", "https://[example.org]", "https://[::1",
        "https://[fe80::1%eth0]", "https://::1", "https://example..org", "https://.example.org", "https://.",
        "https://example.org..", "https://example.org:", "https://example.org:65536",
        "https://example.org:+1",
        "https:///tables/t", "https:example.org", "example.org", "ftp://example.org", " https://example.org",
        "https://ex ample.org", "",
    ])
    func `an invalid or ambiguous origin is refused`(url: String) {
        #expect(ServerOrigin(url: url) == nil)
    }
}
