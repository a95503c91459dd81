internal import NIOHTTP1

extension HTTPRequestHead {
    /// The reason why a request is refused because of its header alone.
    struct Problem {
        var status: Int
        var message: String
    }

    /// Returns the problem with the header; nil if it is valid.
    func problem(_ limits: ConnectionLimits, bodyLimit: Int) -> Problem? {
        if uri.utf8.count > limits.target { return Problem(status: 414, message: "The URL is too long.") }
        if headers.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) > limits.header {
            return Problem(status: 431, message: "The request's header is too large.")
        }
        guard version == .http1_1 || version == .http1_0 else {
            return Problem(status: 505, message: "This version of HTTP is not supported; use HTTP/1.1.")
        }
        // The values of these two headers are compared in lowercase: HTTP ignores their case.
        let codings = headers[canonicalForm: "Transfer-Encoding"].map { $0.lowercased() }
        guard codings.isEmpty || codings == ["chunked"] else {
            return Problem(status: 501, message: "This Transfer-Encoding is not supported; use chunked.")
        }
        let encodings = headers[canonicalForm: "Content-Encoding"].map { $0.lowercased() }
        guard encodings.isEmpty || encodings == ["identity"] || isGzipped else {
            return Problem(status: 415, message: "This Content-Encoding is not supported; use gzip.")
        }
        if let length = headers.first(name: "Content-Length"), (Int(length) ?? .max) > bodyLimit {
            return Problem(status: 413, message: "The request's body is too large.")
        }
        let expectations = headers[canonicalForm: "Expect"].map { $0.lowercased() }
        guard expectations.isEmpty || expectations == ["100-continue"] else {
            return Problem(status: 417, message: "This Expect is not supported; use 100-continue.")
        }
        return nil
    }

    /// Whether the client waits for status 100 (Continue) before it sends the body.
    var expectsContinue: Bool { version == .http1_1 && headers.contains(name: "Expect") }

    /// Whether the connection can carry another request after this one.
    ///
    /// After a request to upgrade the protocol, the parser waits for the upgrade and reads no more HTTP.
    var leavesConnectionOpen: Bool {
        let offersUpgrade = headers[canonicalForm: "Connection"].contains { $0.lowercased() == "upgrade" }
        return isKeepAlive && !offersUpgrade && method != .CONNECT
    }

    /// The header, with `Content-Encoding` and `Accept-Encoding` in the form that the later handlers need.
    ///
    /// Otherwise, the compressor would choose deflate over gzip if the client accepts both equally, and would
    /// compress the absent body of a response to HEAD.
    var withPlainEncodings: HTTPRequestHead {
        var head = self
        if isGzipped { head.headers.replaceOrAdd(name: "Content-Encoding", value: "gzip") }
        if head.headers.contains(name: "Accept-Encoding") {
            let accepted = method != .HEAD && acceptsGzip
            head.headers.replaceOrAdd(name: "Accept-Encoding", value: accepted ? "gzip" : "identity")
        }
        return head
    }

    /// Whether the body is compressed with gzip, which has two names (RFC 9110, section 8.4.1.3).
    private var isGzipped: Bool {
        ["gzip", "x-gzip"].contains(
            headers[canonicalForm: "Content-Encoding"].joined(separator: ",").lowercased())
    }

    private var acceptsGzip: Bool {
        headers[canonicalForm: "Accept-Encoding"].contains { element in
            let parts = element.lowercased().split(separator: ";", omittingEmptySubsequences: false)
                .map { $0.filter { $0 != " " && $0 != "\t" } }
            guard parts.first == "gzip" || parts.first == "x-gzip" else { return false }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            return quality.map { (Double($0) ?? 0) > 0 } ?? true
        }
    }
}
