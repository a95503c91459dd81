internal import LosslessYAML
internal import TodoModel
internal import Values

/// Writes to a todosync server, with many writes in each request, as an OData JSON batch (OData JSON 4.01,
/// section 19).
extension HTTPRemote {
    /// The maximum number of writes in a request.
    private static let maximumBatchCount = 500
    /// The approximate maximum size of a request in bytes; the server accepts at most 16 MiB.
    private static let maximumBatchSize = 4 << 20

    /// The maximum number of requests in flight: the server handles one while the client prepares the next
    /// and reads the last response.
    private static let maximumInFlight = 2

    func pushInBatches(_ operations: [PushOperation]) async throws -> PushReply {
        var results = [BatchResult?](repeating: nil, count: operations.count)
        var parts: [HistoryPart] = []
        var answers = PushAnswers(count: operations.count)
        await withTaskGroup(of: SentBatch.self) { group in
            var (next, inFlight) = (0, 0)
            var isStopped = false
            while true {
                while !isStopped, inFlight < Self.maximumInFlight, next < operations.count {
                    let batch = SentBatch(items: items(of: operations, from: next))
                    next += batch.items.count
                    inFlight += 1
                    group.addTask { await push(batch) }
                }
                guard let sent = await group.next() else { break }
                inFlight -= 1
                for (position, result) in sent.results { results[position] = result }
                parts += sent.parts
                if let failure = sent.failure {
                    for item in sent.items where sent.results[item.position] == nil {
                        answers.fail(item.position, failure)
                    }
                }
                // The remaining writes need the same access as this write.
                isStopped = isStopped || sent.failure != nil || sent.isDenied
            }
        }
        for (position, result) in results.enumerated() {
            guard let result else { continue }
            let isReachable = !answers.isStopped
            await answers.answer(position) {
                try await answer(to: operations[position], result, isReachable: isReachable)
            }
        }
        if !answers.isStopped, results.allSatisfy({ $0 == nil }) {
            answers.fail(InvalidResponse("the response to a batch contains none of the writes"))
        }
        return PushReply(answers: try answers.all(), parts: parts)
    }

    /// Returns the writes that fit into one request.
    private func items(of operations: [PushOperation], from start: Int) -> [BatchItem] {
        var items: [BatchItem] = []
        var size = 0
        for position in start..<min(start + Self.maximumBatchCount, operations.count) {
            let item = BatchItem(position: position, json: json(operations[position]))
            size += item.json.count
            guard items.isEmpty || size <= Self.maximumBatchSize else { break }
            items.append(item)
        }
        return items
    }

    /// Sends a batch, and retries the writes that failed temporarily.
    private func push(_ batch: SentBatch) async -> SentBatch {
        var batch = batch
        var open = batch.items
        var waited = Duration.zero
        do {
            for number in 1...RetryDelay.maximumTries {
                try await send(open, &batch)
                open.removeAll { !(batch.results[$0.position]?.isTemporaryFailure ?? true) }
                guard !open.isEmpty, number < RetryDelay.maximumTries,
                    try await session.wait(for: nil, afterTry: number, &waited)
                else { break }
            }
        } catch {
            batch.failure = error
        }
        return batch
    }

    /// Sends writes in one request, or in two halves if the request is too large for the server or the
    /// response is too large for the client.
    private func send(_ items: [BatchItem], _ batch: inout SentBatch) async throws {
        let answer: ServerResponse?
        do {
            answer = try await session.exchange(request(for: items), flavor: .v2)
        } catch let failure as TransferFailure where failure.isTooLarge {
            guard items.count > 1 else {
                batch.results[items[0].position] = .unreadable(failure.reason)
                return
            }
            answer = nil
        }
        if items.count > 1, answer == nil || answer?.status == 413 {
            let half = items.count / 2
            try await send(Array(items[..<half]), &batch)
            return try await send(Array(items[half...]), &batch)
        }
        guard let answer else { return }
        if answer.status == 413 {
            batch.results[items[0].position] = BatchResult(
                status: 413, version: nil, body: answer.message.map { .string($0) })
            return
        }
        if answer.isTemporaryFailure {
            throw TransferFailure(reason: answer.words, wasSent: true, isWorthARetry: false)
        }
        guard answer.status == 200 else { throw session.error(for: answer, writing: true) }
        let received = try BatchResult.results(in: answer.json(recordDepth: 4), count: items.count)
        for (item, result) in zip(items, received) where result != nil {
            batch.results[item.position] = result
        }
        if let part = answer.headers[CursorHeader.name].flatMap(CursorHeader.part) {
            batch.parts.append(part)
        }
    }

    private func request(for items: [BatchItem]) -> ServerRequest {
        var body = Array(#"{"requests":["#.utf8)
        for (number, item) in items.enumerated() {
            body += (number == 0 ? #"{"id":"\#(number)","# : #",{"id":"\#(number)","#).utf8
            body += item.json.dropFirst()
        }
        body += "]}".utf8
        return ServerRequest(
            method: .post, target: session.url.prefix + "/$batch",
            headers: [("prefer", "return=minimal")], body: body, mayBePacked: true)
    }

    /// Returns a write as an element of a batch, without its number in the batch.
    private func json(_ operation: PushOperation) -> [UInt8] {
        let write = WireWrite(operation, url: session.url, hasDevice: session.takesDevice)
        var headers: Mapping = ["idempotency-key": .string(operation.operationID)]
        headers["if-match"] = write.condition.map { .string(EntityTag.text($0)) }
        var request: Mapping = [
            "method": .string(write.method.rawValue), "url": .string(write.path),
            "headers": .mapping(headers),
        ]
        request["body"] = write.body.map { .mapping($0) }
        return JSON.write(.mapping(request))
    }

    private func answer(
        to operation: PushOperation, _ result: BatchResult, isReachable: Bool
    ) async throws -> PushAnswer {
        let message = result.body.flatMap(ServerMessage.text)
        let words = message ?? RemoteError.words(ofStatus: result.status, message: nil)
        switch result.status {
        case 200..<300:
            guard let version = result.version else {
                throw InvalidResponse("the response to a write has no valid version")
            }
            return .accepted(version)
        case 401, 403: throw session.denial(result.status, words, writing: true)
        case 404:
            if case .insert = operation.change { return .refused(status: 404, message: message) }
            guard isReachable else { return .unknown(message: words) }
            return .movedOn(try await recordOrTombstone(operation.id))
        case 409, 412:
            guard let body = result.body else { throw InvalidResponse("a conflict has no record") }
            let record = try WireRecord(body, .v2).record
            if record.id.isSameBytes(as: operation.id) { return .movedOn(record) }
            guard result.status == 409, record.id.lowercased() == operation.id.lowercased() else {
                throw InvalidResponse("a conflict has a different record")
            }
            return .refused(
                status: 409,
                message: "the id \(ServerMessage.oneLine(record.id)) differs from this one only in case")
        // The table is full until somebody deletes todos.
        case 507: return .refused(status: result.status, message: message)
        case _ where result.isTemporaryFailure || result.status >= 500: return .unknown(message: words)
        case 400..<500: return .refused(status: result.status, message: message)
        default: throw InvalidResponse("the response to a write has the status \(result.status)")
        }
    }

    /// Fetches the record with an id, or its tombstone; returns nil if neither exists.
    private func recordOrTombstone(_ id: String) async throws -> RemoteRecord? {
        let target = "\(session.url.tablePath)/\(PercentEncoding.ofValue(id))?__includeDeleted=true"
        let answer = try await session.exchange(ServerRequest(target: target), flavor: .v2)
        if answer.status == 404 { return nil }
        guard answer.status == 200 else { throw session.error(for: answer) }
        let record = try WireRecord(answer.json(recordDepth: 1), .v2).record
        guard record.id.isSameBytes(as: id) else {
            throw InvalidResponse("the response contains a different record")
        }
        return record
    }
}

/// A write as an element of a batch.
private struct BatchItem {
    /// The operation's index in the push.
    var position: Int
    /// The request as a nonempty JSON object, without its id.
    var json: [UInt8]
}

/// The writes of a batch and their results so far.
private struct SentBatch: Sendable {
    let items: [BatchItem]
    /// The results by the writes' positions; writes without a response are missing.
    var results: [Int: BatchResult] = [:]
    var parts: [HistoryPart] = []
    /// The error that stopped the exchange.
    var failure: (any Error)?

    init(items: [BatchItem]) { self.items = items }

    /// Whether the key doesn't permit one of the writes.
    var isDenied: Bool { results.values.contains(where: \.isNotAllowed) }
}

/// The response to one write of a batch.
private struct BatchResult {
    var status: Int
    var version: Version?
    var body: Value?

    /// Returns a result for a write whose response can't be read, with a status that servers don't use.
    static func unreadable(_ reason: String) -> BatchResult {
        BatchResult(status: 599, version: nil, body: .string(reason))
    }

    var isTemporaryFailure: Bool { ServerResponse.temporaryStatuses.contains(status) }
    var isNotAllowed: Bool { [401, 403].contains(status) }

    /// Parses a batch's response: the results in the order of the writes, nil for a write without a result.
    static func results(in value: Value, count: Int) throws(InvalidResponse) -> [BatchResult?] {
        guard case .mapping(let answer) = value, case .list(let responses)? = answer["responses"] else {
            throw InvalidResponse("expected the response to a batch")
        }
        var results = [BatchResult?](repeating: nil, count: count)
        for response in responses {
            guard case .mapping(let response) = response, case .string(let id)? = response["id"],
                let number = Int(id), results.indices.contains(number), results[number] == nil,
                case .number(let written)? = response["status"], let status = Int(written.json)
            else { throw InvalidResponse("the response to a batch does not match the request") }
            let body = response["body"]
            results[number] = BatchResult(status: status, version: version(response, body), body: body)
        }
        return results
    }

    private static func version(_ response: Mapping, _ body: Value?) -> Version? {
        if case .mapping(let headers)? = response["headers"] {
            for (name, value) in headers.entries where name.lowercased() == "etag" {
                if case .string(let text) = value { return EntityTag.version(text) }
            }
        }
        guard case .mapping(let record)? = body, case .string(let text)? = record["version"] else {
            return nil
        }
        return WireRecord.version(text)
    }
}
