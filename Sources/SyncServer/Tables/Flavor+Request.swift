internal import Remotes

extension Flavor {
    static let headerName = "ZUMO-API-VERSION"

    /// Parses a request's `ZUMO-API-VERSION`: `2.0.x` is v2; without it, the flavor is `unsaid`.
    ///
    /// The query takes precedence over the header.
    init(_ headers: Headers, _ parameters: QueryParameters, unsaid: Flavor = .v1) throws(Refusal) {
        self = unsaid
        // A proxy can combine several headers into one.
        let fields = headers.values(Self.headerName).flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        for text in try parameters.value(anyCase: Self.headerName).map({ [$0] }) ?? fields {
            self = try Self.read(text)
        }
    }

    private static func read(_ text: String) throws(Refusal) -> Flavor {
        let parts = text.trimmedOfBlanks.utf8.split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("2".utf8), parts[1].elementsEqual("0".utf8),
            !parts[2].isEmpty, parts[2].allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else {
            throw .malformed(
                "An invalid API version was specified in the request: use ZUMO-API-VERSION 2.0.0, or none.")
        }
        return .v2
    }
}
