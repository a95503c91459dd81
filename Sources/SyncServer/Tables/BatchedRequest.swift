internal import LosslessYAML
internal import Remotes
internal import TodoModel
internal import Values

/// A request in a batch (OData JSON format 4.01, section 19.1).
struct BatchedRequest: Sendable {
    let id: String
    let method: String
    let path: String
    let query: String
    let headers: Headers
    let body: Value?

    static let maximumCount = 1000
    /// The maximum size of a batch in bytes.
    static let maximumSize = 16 << 20
    /// The maximum depth: the levels of a record, and those of its request, the list of requests and the
    /// batch.
    static let maximumDepth = JSON.defaultMaximumDepth + 3
    private static let maximumURLSize = 16 << 10

    /// Parses the requests of a batch.
    ///
    /// An error that is thrown here affects the whole batch. An error in a single request's content becomes
    /// that request's response.
    static func list(_ batch: Mapping) throws(Refusal) -> [BatchedRequest] {
        guard case .list(let values)? = batch["requests"] else {
            throw .malformed("The batch has no list of requests.")
        }
        guard values.count <= maximumCount else {
            throw .malformed("A batch can't have more than \(maximumCount) requests.")
        }
        var requests: [BatchedRequest] = []
        requests.reserveCapacity(values.count)
        var ids: Set<ByteKey> = []
        for value in values {
            let place = "Request \(requests.count + 1) of the batch"
            let request = try BatchedRequest(value, place: place)
            guard ids.insert(ByteKey(request.id)).inserted else {
                throw .malformed("\(place) has the same id as an earlier one.")
            }
            requests.append(request)
        }
        return requests
    }

    private init(_ value: Value, place: String) throws(Refusal) {
        guard case .mapping(let members) = value else { throw .malformed("\(place) is not an object.") }
        for key in members.keys where !["id", "method", "url", "headers", "body"].contains(key) {
            throw .malformed("\(place) has \(key.shortened), which is not supported.")
        }
        guard case .string(let id)? = members["id"], case .string(let method)? = members["method"],
            case .string(let url)? = members["url"]
        else { throw .malformed("\(place) needs the strings id, method and url.") }
        guard url.utf8.count <= Self.maximumURLSize else { throw .malformed("\(place) has too long a url.") }
        self.id = id
        self.method = method.uppercased()
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = (url.utf8.first == UInt8(ascii: "/") ? "" : "/") + (parts.first ?? "")
        query = String(parts.dropFirst().first ?? "")
        headers = try Self.headers(members["headers"], place: place)
        body = members["body"] == .null ? nil : members["body"]
    }

    private static func headers(_ value: Value?, place: String) throws(Refusal) -> Headers {
        switch value {
        case nil, .null?: return Headers()
        case .mapping(let mapping)? where mapping.count <= 100:
            var fields: [Headers.Field] = []
            for (name, value) in mapping.entries {
                guard case .string(let text) = value else {
                    throw .malformed("\(place) has a header that is not a string.")
                }
                fields.append(Headers.Field(name: name, value: text))
            }
            return Headers(fields)
        default: throw .malformed("\(place) has too many headers, or headers that are not an object.")
        }
    }
}
