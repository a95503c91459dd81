internal import LosslessYAML
internal import Remotes
internal import TodoModel

/// An answer with an error's status and a message, thrown where a request is found wanting.
struct Refusal: Error {
    let status: Int
    let message: String
    let headers: [Headers.Field]

    init(_ status: Int, _ message: String, headers: [Headers.Field] = []) {
        self.status = status
        self.message = message
        self.headers = headers
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
        case .unavailable, nil:
            self.init(
                503, "The store can't be used at the moment.",
                headers: [Headers.Field(name: "Retry-After", value: "1")])
        default: self.init(500, "The store can't be used.")
        }
    }

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
