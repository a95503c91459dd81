internal import LosslessYAML
internal import Remotes
internal import TodoModel
internal import Values

extension TablesProtocol {
    /// Responds to each request of a batch.
    ///
    /// Consecutive writes to the same table form one transaction.
    func batch(_ call: Call, _ grant: Grant) async throws -> TablesResponse {
        if grant.isEmpty { throw Refusal.unauthorized }
        let requests = try BatchedRequest.list(
            call.body.mapping(
                maximumSize: BatchedRequest.maximumSize, maximumDepth: BatchedRequest.maximumDepth))
        var batch = BatchResponses(count: requests.count, memory: memory)
        defer { batch.freeMemory() }
        var run: [(position: Int, write: WriteCall)] = []
        for (position, request) in requests.enumerated() {
            switch await take(request, of: call, grant, batch) {
            case .answer(let response): batch[position] = response
            case .read(let read):
                await apply(&run, &batch)
                batch.add(await answer(read, grant), of: read, at: position)
            case .write(let write):
                if let last = run.last, last.write.table != write.table {
                    await apply(&run, &batch)
                }
                run.append((position, write))
            }
        }
        // If the whole batch is one transaction, return the part of the history that the batch created.
        let part = await apply(&run, &batch, asksForPart: run.count == requests.count)
        var response = TablesResponse(status: 200, body: batch.body(requests))
        response.headers[CursorHeader.name] = part.map(CursorHeader.text)
        return response
    }

    /// A parsed request of a batch, before the store is accessed.
    private enum Taken {
        case answer(TablesResponse)
        case read(Call)
        case write(WriteCall)
    }

    private func take(
        _ request: BatchedRequest, of batch: Call, _ grant: Grant, _ answers: BatchResponses
    ) async -> Taken {
        var flavor = batch.flavor
        do {
            let parameters = try QueryParameters(request.query)
            flavor = try Flavor(request.headers, parameters, fallback: batch.flavor)
            var preferences = Preferences(request.headers)
            if request.headers["prefer"] == nil { preferences.isMinimal = batch.preferences.isMinimal }
            let call = try Call(
                TablesRequest(
                    method: request.method, path: request.path, query: request.query,
                    headers: request.headers, root: batch.root, client: batch.client,
                    arrival: batch.arrival),
                body: .value(request.body), flavor: flavor, parameters: parameters,
                preferences: preferences)
            switch call.endpoint {
            case .batch, .describe: throw Refusal.malformed("A batch can contain only requests for tables.")
            case .list, .read, .changes:
                guard !answers.areTooLarge else {
                    throw Refusal(413, "The batch's responses are too large; send this request on its own.")
                }
                return .read(call)
            default: return .write(try await prepare(call, grant))
            }
        } catch {
            return .answer(refusal(for: error).response(flavor))
        }
    }

    private func answer(_ call: Call, _ grant: Grant) async -> TablesResponse {
        do {
            return try await read(call, grant)
        } catch {
            return refusal(for: error).response(call.flavor)
        }
    }

    @discardableResult
    private func apply(
        _ run: inout [(position: Int, write: WriteCall)], _ batch: inout BatchResponses,
        asksForPart: Bool = false
    ) async -> HistoryPart? {
        defer { run = [] }
        do {
            let (responses, part) = try await write(
                run.map(\.write), asksForPart: asksForPart, answerSize: batch.sizeForWrites)
            for (position, response) in zip(run.map(\.position), responses) { batch[position] = response }
            if responses.contains(where: { $0.status == 503 }) { batch.takesNoWrites = true }
            return part
        } catch {
            for (position, write) in run { batch[position] = refusal(for: error).response(write.flavor) }
            return nil
        }
    }
}

/// The responses of a batch, in the order of its requests.
private struct BatchResponses {
    private var responses: [TablesResponse?]
    private var size = 0
    /// Whether to refuse later writes because the client has to retry an earlier write.
    ///
    /// Later writes can affect the same record, so they must not overtake the earlier one.
    var takesNoWrites = false
    private let memory: BodyMemory
    /// The number of bytes that are reserved for responses to reads.
    private var reserved = 0
    /// The size of responses in bytes above which the rest of the batch is refused.
    private static let maximumSize = 64 << 20

    init(count: Int, memory: BodyMemory) {
        responses = Array(repeating: nil, count: count)
        self.memory = memory
    }

    /// Adds the response to a read, or a refusal if there isn't enough memory for it.
    ///
    /// Otherwise, many slow batches could fill the memory with responses that nobody has counted yet.
    mutating func add(_ response: TablesResponse, of call: Call, at position: Int) {
        guard memory.take(response.body.count) else {
            self[position] = Refusal(503, "The server is busy with large responses; try again later.")
                .response(call.flavor)
            return
        }
        reserved += response.body.count
        self[position] = response
    }

    mutating func freeMemory() {
        memory.give(reserved)
        reserved = 0
    }

    var areTooLarge: Bool { size > Self.maximumSize }

    /// The maximum size of the records in the responses to the next writes, in bytes.
    var sizeForWrites: Int { takesNoWrites ? 0 : Self.maximumSize - size }

    subscript(position: Int) -> TablesResponse? {
        get { responses[position] }
        set {
            responses[position] = newValue
            size += newValue?.body.count ?? 0
        }
    }

    /// Returns the body of the batch's response.
    ///
    /// The bodies of the individual responses are already JSON, and are copied unchanged.
    func body(_ requests: [BatchedRequest]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 128 * requests.count + 32)
        bytes += "{\"responses\":[".utf8
        for (request, response) in zip(requests, responses.compactMap(\.self)) {
            if bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
            bytes += "{\"id\":".utf8
            JSON.write(.string(request.id), to: &bytes)
            bytes += ",\"status\":\(response.status)".utf8
            if !response.headers.fields.isEmpty {
                bytes += ",\"headers\":".utf8
                var headers = Mapping()
                for field in response.headers.fields {
                    headers[field.name.lowercased()] = .string(field.value)
                }
                JSON.write(.mapping(headers), to: &bytes)
            }
            if !response.body.isEmpty {
                bytes += ",\"body\":".utf8
                bytes += response.body
            }
            bytes.append(UInt8(ascii: "}"))
        }
        bytes += "]}".utf8
        return bytes
    }
}

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
            let position = "Request \(requests.count + 1) of the batch"
            let request = try BatchedRequest(value, position: position)
            guard ids.insert(ByteKey(request.id)).inserted else {
                throw .malformed("\(position) has the same id as an earlier one.")
            }
            requests.append(request)
        }
        return requests
    }

    private init(_ value: Value, position: String) throws(Refusal) {
        guard case .mapping(let members) = value else { throw .malformed("\(position) is not an object.") }
        for key in members.keys where !["id", "method", "url", "headers", "body"].contains(key) {
            throw .malformed("\(position) has \(key.shortened), which is not supported.")
        }
        guard case .string(let id)? = members["id"], case .string(let method)? = members["method"],
            case .string(let url)? = members["url"]
        else { throw .malformed("\(position) needs the strings id, method and url.") }
        guard url.utf8.count <= Self.maximumURLSize else {
            throw .malformed("\(position) has too long a url.")
        }
        self.id = id
        self.method = method.uppercased()
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = (url.utf8.first == UInt8(ascii: "/") ? "" : "/") + (parts.first ?? "")
        query = String(parts.dropFirst().first ?? "")
        headers = try Self.headers(members["headers"], position: position)
        body = members["body"] == .null ? nil : members["body"]
    }

    private static func headers(_ value: Value?, position: String) throws(Refusal) -> Headers {
        switch value {
        case nil, .null?: return Headers()
        case .mapping(let mapping)? where mapping.count <= 100:
            var fields: [Headers.Field] = []
            for (name, value) in mapping.entries {
                guard case .string(let text) = value else {
                    throw .malformed("\(position) has a header that is not a string.")
                }
                fields.append(Headers.Field(name: name, value: text))
            }
            return Headers(fields)
        default: throw .malformed("\(position) has too many headers, or headers that are not an object.")
        }
    }
}
