internal import NIOHTTP1

extension HTTPRequestHead {
    /// Why a request is refused by its header alone.
    struct Problem {
        var status: Int
        var message: String
    }

    /// Returns what is wrong with the header; nil if nothing is.
    func problem(_ limits: ConnectionLimits, bodyLimit: Int) -> Problem? {
        if uri.utf8.count > limits.target { return Problem(status: 414, message: "The URL is too long.") }
        if headers.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) > limits.header {
            return Problem(status: 431, message: "The request's header is too large.")
        }
        guard version == .http1_1 || version == .http1_0 else {
            return Problem(status: 505, message: "This version of HTTP is not supported.")
        }
        // Words in these two fields are the client's own, and short.
        let codings = headers[canonicalForm: "Transfer-Encoding"].map { $0.lowercased() }
        guard codings.isEmpty || codings == ["chunked"] else {
            return Problem(status: 501, message: "This Transfer-Encoding is not supported.")
        }
        let encodings = headers[canonicalForm: "Content-Encoding"].map { $0.lowercased() }
        guard encodings.isEmpty || encodings == ["identity"] || isGzipped else {
            return Problem(status: 415, message: "This Content-Encoding is not supported; gzip is.")
        }
        if let length = headers.first(name: "Content-Length"), (Int(length) ?? .max) > bodyLimit {
            return Problem(status: 413, message: "The request's body is too large.")
        }
        let expectations = headers[canonicalForm: "Expect"].map { $0.lowercased() }
        guard expectations.isEmpty || expectations == ["100-continue"] else {
            return Problem(status: 417, message: "The server can't meet this Expect.")
        }
        return nil
    }

    /// Whether the client waits for a word before it sends the body.
    var expectsContinue: Bool { version == .http1_1 && headers.contains(name: "Expect") }

    /// Whether the connection can take another request after this one.
    ///
    /// After an offer of another protocol the parser waits for the answer to it and reads no more HTTP.
    var leavesConnectionOpen: Bool {
        let offersUpgrade = headers[canonicalForm: "Connection"].contains { $0.lowercased() == "upgrade" }
        return isKeepAlive && !offersUpgrade && method != .CONNECT
    }

    /// The same with the encodings in the only words that the handlers behind should see.
    ///
    /// The compressor would choose deflate where gzip is as welcome, and compress the absent body of an
    /// answer to HEAD.
    var withPlainEncodings: HTTPRequestHead {
        var head = self
        if isGzipped { head.headers.replaceOrAdd(name: "Content-Encoding", value: "gzip") }
        if head.headers.contains(name: "Accept-Encoding") {
            let accepted = method != .HEAD && acceptsGzip
            head.headers.replaceOrAdd(name: "Accept-Encoding", value: accepted ? "gzip" : "identity")
        }
        return head
    }

    /// Whether the body is compressed in the one way that the server knows, which has two names (RFC 9110,
    /// section 8.4.1.3).
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
