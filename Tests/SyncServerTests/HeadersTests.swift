import SyncServer
import Testing

@Suite struct HeadersTests {
    @Test func `a name is found whatever its letters' case, and setting it replaces all its values`() {
        var headers = Headers([
            Headers.Field(name: "If-Match", value: "a"), Headers.Field(name: "if-match", value: "b"),
        ])
        #expect(headers.values("IF-MATCH") == ["a", "b"])
        headers["if-Match"] = "c"
        #expect(headers.fields == [Headers.Field(name: "if-Match", value: "c")])
    }
}
