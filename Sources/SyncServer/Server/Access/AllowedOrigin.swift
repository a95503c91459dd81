internal import Remotes

/// An origin whose web pages can use the server (WHATWG Fetch, "CORS protocol").
package struct AllowedOrigin: Sendable, Hashable {
    /// The origin as browsers send it: `https://example.org`, `http://localhost:3000`.
    package let string: String

    /// Creates an origin from a scheme, a host and an optional port; nil for any other text.
    package init?(_ text: String) {
        let string = text.lowercased()
        let rest =
            switch string {
            case _ where string.hasPrefix("https://"): string.dropFirst("https://".utf8.count)
            case _ where string.hasPrefix("http://"): string.dropFirst("http://".utf8.count)
            default: Substring()
            }
        guard Authority(rest) != nil else { return nil }
        self.string = string
    }
}

/// The server's CORS headers.
struct OriginRules: Sendable {
    private let allowed: Set<String>

    init(_ origins: [AllowedOrigin]) { allowed = Set(origins.map(\.string)) }

    func allows(_ origin: String) -> Bool { allowed.contains(origin) }

    private static let methods = "GET, PUT, PATCH, POST, DELETE, OPTIONS"
    private static let exposed = "Link, ETag, Location, Retry-After"
    /// The number of seconds that a browser can cache a preflight response.
    private static let maximumAge = "300"
    private static let longestHeaderList = 500

    /// Returns the response to a preflight request from an allowed origin.
    func preflight(_ headers: Headers) -> TablesResponse {
        var answer = TablesResponse(status: 204)
        answer.headers["Access-Control-Allow-Methods"] = Self.methods
        let wanted = headers.values("Access-Control-Request-Headers").joined(separator: ", ")
        if !wanted.isEmpty, wanted.utf8.count <= Self.longestHeaderList {
            answer.headers["Access-Control-Allow-Headers"] = wanted
        }
        answer.headers["Access-Control-Max-Age"] = Self.maximumAge
        return answer
    }

    /// Adds the CORS headers to a response, so that a page of an allowed origin can read it.
    func admit(_ origin: String?, to answer: inout TablesResponse) {
        guard !allowed.isEmpty else { return }
        // A cached response is valid for one origin only.
        answer.headers["Vary"] = (answer.headers.values("Vary") + ["Origin"]).joined(separator: ", ")
        guard let origin, allows(origin) else { return }
        answer.headers["Access-Control-Allow-Origin"] = origin
        answer.headers["Access-Control-Expose-Headers"] = Self.exposed
    }
}
