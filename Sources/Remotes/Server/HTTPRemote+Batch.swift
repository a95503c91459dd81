internal import LosslessYAML
internal import TodoModel

/// Writes to a server of ours: many in a request, as an OData JSON batch (OData JSON 4.01, section 19).
extension HTTPRemote {
    /// The writes that a request has at most.
    private static let maximumBatchCount = 1000

    func pushInBatches(_ operations: [PushOperation]) async throws -> [PushAnswer] {
        var answers: [PushAnswer] = []
        answers.reserveCapacity(operations.count)
        while answers.count < operations.count {
            let part = operations[answers.count...].prefix(Self.maximumBatchCount)
            do {
                answers += try await answersOfBatch(part)
            } catch let failure as TransferFailure {
                // What was answered counts, whatever becomes of the rest.
                guard failure.wasSent || !answers.isEmpty else { throw failure }
                answers += part.map { _ in .unknown(message: failure.reason) }
            }
        }
        return answers
    }

    /// Sends a batch; again those of its writes that the server could not carry out for now.
    private func answersOfBatch(_ operations: ArraySlice<PushOperation>) async throws -> [PushAnswer] {
        var results: [BatchResult?] = operations.map { _ in nil }
        var open = Array(operations.enumerated())
        for number in 1...RetryDelay.maximumTries {
            let received = try await send(open.map(\.element))
            for (position, result) in zip(open.map(\.offset), received) { results[position] = result }
            open = open.filter { results[$0.offset]?.isTemporaryFailure ?? true }
            if open.isEmpty { break }
            guard number < RetryDelay.maximumTries, try await session.wait(for: nil, afterTry: number) else {
                break
            }
        }
        var answers: [PushAnswer] = []
        for (operation, result) in zip(operations, results) {
            answers.append(try await answer(to: operation, result))
        }
        return answers
    }

    /// Sends writes in one request, or in two halves where the server finds it too large.
    private func send(_ operations: [PushOperation]) async throws -> [BatchResult?] {
        let answer = try await session.exchange(request(for: operations), flavour: .v2)
        if answer.status == 413, operations.count > 1 {
            let half = operations.count / 2
            let first = try await send(Array(operations[..<half]))
            return try await first + send(Array(operations[half...]))
        }
        if answer.status == 413 {
            return [BatchResult(status: 413, version: nil, body: .string(answer.message))]
        }
        if answer.isTemporaryFailure {
            throw TransferFailure(reason: answer.message, wasSent: true, isWorthARetry: false)
        }
        guard answer.status == 200 else { throw session.error(for: answer) }
        return try BatchResult.results(in: answer.json(), count: operations.count)
    }

    private func request(for operations: [PushOperation]) -> ServerRequest {
        let requests = operations.enumerated().map { number, operation in
            let write = WireWrite(operation, url: session.url)
            var headers: Mapping = ["idempotency-key": .string(operation.operationID)]
            headers["if-match"] = write.condition.map { .string(EntityTag.text($0)) }
            var request: Mapping = [
                "id": .string(String(number)), "method": .string(write.method.rawValue),
                "url": .string(write.path), "headers": .mapping(headers),
            ]
            request["body"] = write.body.map { .mapping($0) }
            return Value.mapping(request)
        }
        return ServerRequest(
            method: .post, target: session.url.prefix + "/$batch", headers: [("prefer", "return=minimal")],
            body: JSON.write(.mapping(["requests": .list(requests)])), mayBePacked: true)
    }

    private func answer(to operation: PushOperation, _ result: BatchResult?) async throws -> PushAnswer {
        guard let result else { return .unknown(message: "the server left it out of its answer") }
        let message = ServerMessage.text(result.body, status: result.status)
        switch result.status {
        case 200..<300:
            guard let version = result.version else {
                throw NonsenseAnswer("a write was answered without a version")
            }
            return .accepted(version)
        case 401, 403: throw RemoteError.notAllowed("\(session.url.string): \(message)")
        case 404:
            if case .insert = operation.change { return .refused(status: 404, message: message) }
            return .movedOn(try await recordOrTombstone(operation.id))
        case 409, 412:
            guard let body = result.body else { throw NonsenseAnswer("a conflict has no record") }
            let record = try WireRecord(body, .v2).record
            if record.id.isSameBytes(as: operation.id) { return .movedOn(record) }
            guard result.status == 409, record.id.lowercased() == operation.id.lowercased() else {
                throw NonsenseAnswer("a conflict is with another record")
            }
            return .refused(
                status: 409,
                message: "the id \(ServerMessage.oneLine(record.id)) differs from this one only in case")
        case _ where result.isTemporaryFailure || result.status >= 500: return .unknown(message: message)
        case 400..<500: return .refused(status: result.status, message: message)
        default: throw NonsenseAnswer("a write was answered \(result.status)")
        }
    }

    /// Fetches the record with an id, or its tombstone; nil if there is neither.
    private func recordOrTombstone(_ id: String) async throws -> RemoteRecord? {
        let target = "\(session.url.tablePath)/\(PercentEncoding.ofValue(id))?__includeDeleted=true"
        let answer = try await session.exchange(ServerRequest(target: target), flavour: .v2)
        if answer.status == 404 { return nil }
        guard answer.status == 200 else { throw session.error(for: answer) }
        let record = try WireRecord(answer.json(), .v2).record
        guard record.id.isSameBytes(as: id) else { throw NonsenseAnswer("it answers with another record") }
        return record
    }
}

/// The answer to one write of a batch.
private struct BatchResult {
    var status: Int
    var version: Version?
    var body: Value?

    var isTemporaryFailure: Bool { [408, 429, 500, 502, 503, 504].contains(status) }

    /// Reads a batch's answer: a result for each write, in the writes' order, nil where there is none.
    static func results(in value: Value, count: Int) throws(NonsenseAnswer) -> [BatchResult?] {
        guard case .mapping(let answer) = value, case .list(let responses)? = answer["responses"] else {
            throw NonsenseAnswer("a batch's answer is none")
        }
        var results = [BatchResult?](repeating: nil, count: count)
        for response in responses {
            guard case .mapping(let response) = response, case .string(let id)? = response["id"],
                let number = Int(id), results.indices.contains(number), results[number] == nil,
                case .number(let written)? = response["status"], let status = Int(written.json)
            else { throw NonsenseAnswer("a batch's answer does not fit what was sent") }
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
