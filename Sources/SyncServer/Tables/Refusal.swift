internal import LosslessYAML
internal import Remotes
internal import TodoModel
internal import Values

/// An answer with an error's status and a message, thrown where a request is found wanting.
struct Refusal: Error {
    let status: Int
    let message: String
    let headers: [Headers.Field]

    init(_ status: Int, _ message: String, headers: [Headers.Field] = []) {
        self.status = status
        self.message = message
        self.headers = headers + Self.headers(of: status)
    }

    /// What each answer with a status has: how to be let in (RFC 9110, section 11.6.1), or when to come
    /// again.
    private static func headers(of status: Int) -> [Headers.Field] {
        switch status {
        case 401: [Headers.Field(name: "WWW-Authenticate", value: "Bearer")]
        case 503: [Headers.Field(name: "Retry-After", value: "1")]
        default: []
        }
    }

    /// Refuses what the request says, with a sentence that tells what is wrong and where.
    static func malformed(_ message: String) -> Refusal { Refusal(400, message) }
}

extension Refusal {
    /// The answer to a request that failed for the store's sake; the reason is for the server's operator.
    init(storeFailure error: any Error) {
        switch error as? RemoteError {
        case .otherHistory:
            self.init(410, "The token or the operation is not of this table's history.")
        case .unavailable, .failing, nil:
            self.init(503, "The store can't be used at the moment.")
        default: self.init(500, "The store can't be used.")
        }
    }

    static let unauthorized = Refusal(401, "Unauthorized")

    /// For the log only, where servers have this status for it.
    static let clientIsGone = Refusal(499, "The client has closed the connection.")

    static func noSuchTable(_ name: String) -> Refusal {
        Refusal(404, "Table '\(name.shortened)' does not exist.")
    }

    static func noSuchRecord(_ id: String) -> Refusal {
        Refusal(404, "An item with id '\(id.shortened)' does not exist.")
    }
}

extension Refusal {
    /// The refusal as an answer: `error` is what clients of both flavours look for, those of v2's first
    /// server took `message`.
    func response(_ flavour: Flavour) -> TablesResponse {
        var body: [UInt8] = []
        JSON.write(.mapping(members(flavour)), to: &body)
        return TablesResponse(status: status, headers: Headers(headers), body: body)
    }

    /// The members of an error's body; v1's clients know messages by how they begin.
    func members(_ flavour: Flavour) -> Mapping {
        let text = flavour == .v1 ? "Error: \(message)" : message
        return [
            "code": .number(Number(status)), "error": .string(text), "message": .string(text),
        ]
    }
}

extension String {
    /// The text as far as a message can quote it.
    var shortened: String {
        unicodeScalars.count <= 255
            ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(255))) + "…"
    }
}
