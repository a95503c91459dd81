internal import Remotes

extension Flavour {
    /// The flavour that a request asks for with `ZUMO-API-VERSION`: none is v1, `2.0.x` is v2.
    ///
    /// Of a query and a header that both say it, the query wins.
    init(_ headers: Headers, _ parameters: QueryParameters, unsaid: Flavour = .v1) throws(Refusal) {
        let name = "zumo-api-version"
        guard let text = try parameters.value(anyCase: name) ?? headers[name] else {
            self = unsaid
            return
        }
        let parts = text.trimmedOfBlanks.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("2".utf8), parts[1].elementsEqual("0".utf8),
            !parts[2].isEmpty, parts[2].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            throw .malformed(
                "An invalid API version was specified in the request: ZUMO-API-VERSION is 2.0.0, or absent.")
        }
        self = .v2
    }
}
