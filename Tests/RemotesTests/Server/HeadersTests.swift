import Remotes
import Testing

@Suite struct HeadersTests {
    @Test func `names ignore case, and setting a header replaces all its values`() {
        var headers = Headers([
            Headers.Field(name: "If-Match", value: "a"), Headers.Field(name: "if-match", value: "b"),
        ])
        #expect(headers.values("IF-MATCH") == ["a", "b"])
        headers["if-Match"] = "c"
        #expect(headers.fields == [Headers.Field(name: "if-Match", value: "c")])
    }
}
