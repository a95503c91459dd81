internal import LosslessYAML
package import TodoModel

/// The questions that the first request to a server asks.
struct Probe {
    var cursor: Cursor?
    var accepted: AcceptedOperation?
    /// The table whose first page after the cursor comes with the response; nil for no page.
    var wantsNewsOf: RemoteIdentity?

    init() {}

    /// Creates a probe that checks a recorded history, unless it belongs to a server other than todosync.
    init(_ recorded: RecordedHistory?, wantsNews: Bool) {
        guard let recorded, !ForeignTable.isIdentity(recorded.identity) else { return }
        cursor = recorded.cursor
        accepted = recorded.accepted
        wantsNewsOf = wantsNews ? recorded.identity : nil
    }
}

/// A page of changes that came with the response to a ``Probe``.
struct FirstPage {
    /// The cursor that the page follows.
    var cursor: Cursor?
    var page: ChangePage
}

/// A server's response to a ``Probe``.
enum Meeting {
    case identity(RemoteIdentity)
    case otherHistory
}

extension HTTPRemote {
    /// Requests the table's identity, checks that its history continues, and detects the kind of server.
    ///
    /// The response contains changes only if the probe asks for them.
    func meet(_ probe: Probe) async throws -> Meeting {
        session.forgetFirstPage()
        var request = deltaRequest(after: probe.cursor, top: probe.wantsNewsOf == nil ? 0 : nil)
        if let accepted = probe.accepted {
            request.headers.append(
                ("todosync-accepted", "\(accepted.operationID) \(accepted.version.string)"))
        }
        let answer = try await session.exchange(request, flavor: .v2)
        switch answer.status {
        case 200:
            let value = try answer.json(recordDepth: DeltaResponse.recordDepth)
            if let identity = try DeltaResponse.identity(in: value) {
                session.kind = .todosync(identity: identity)
                session.takesDevice = DeltaResponse.takesDevice(value)
                let met = RemoteIdentity(identity)
                if met == probe.wantsNewsOf {
                    let page = try page(value, after: probe.cursor, identity: identity)
                    session.remember(FirstPage(cursor: probe.cursor, page: page))
                }
                return .identity(met)
            }
            return try meet(answer, .v2)
        case _ where answer.indicatesOtherHistory(than: probe.cursor): return .otherHistory
        case 400 where answer.isOfTodosyncServer:
            throw InvalidResponse("it does not identify the table: \(answer.words)")
        case 400:
            // A server of the first flavor refuses requests in the second flavor.
            let answer = try await session.exchange(
                ServerRequest(target: session.url.tablePath + "?$top=0&" + WireFlavor.v1.systemProperties),
                flavor: .v1)
            guard answer.status == 200 else { throw session.error(for: answer) }
            return try meet(answer, .v1)
        default: throw session.error(for: answer)
        }
    }

    private func meet(_ answer: ServerResponse, _ flavor: WireFlavor) throws -> Meeting {
        _ = try ForeignList(answer, flavor)
        session.kind = .other(flavor)
        return .identity(ForeignTable.identity(session.url))
    }

    /// Returns a page of changes from a todosync server.
    func delta(after cursor: Cursor?, identity: String) async throws -> ChangePage {
        let answer = try await session.exchange(
            deltaRequest(after: cursor, top: nil), flavor: .v2)
        if answer.indicatesOtherHistory(than: cursor) { throw RemoteError.otherHistory }
        guard answer.status == 200 else { throw session.error(for: answer) }
        return try page(
            answer.json(recordDepth: DeltaResponse.recordDepth), after: cursor, identity: identity)
    }

    package func awaitChanges(after cursor: Cursor?, for time: Duration) async throws -> Bool? {
        try await throwingRemoteErrors {
            var target = session.url.tablePath + "/changes?wait=\(time.components.seconds)&$top=0"
            if let cursor { target += "&after=\(PercentEncoding.ofValue(cursor.string))" }
            let answer = try await session.exchange(ServerRequest(target: target), flavor: .v2)
            switch answer.status {
            // Other servers interpret the path as a record's path.
            case 200:
                let value = try answer.json(recordDepth: DeltaResponse.recordDepth)
                guard let identity = try DeltaResponse.identity(in: value) else { return nil }
                return try !DeltaResponse(value, identity: identity).isLast
            case 400, 404, 405, 501: return nil
            case 410: throw RemoteError.otherHistory
            default: throw session.error(for: answer)
            }
        }
    }

    private func page(_ value: Value, after cursor: Cursor?, identity: String) throws -> ChangePage {
        let page = try DeltaResponse(value, identity: identity)
        guard page.isLast || page.next != cursor else {
            throw InvalidResponse("its list of changes has no usable link")
        }
        return ChangePage(records: page.records, next: page.next, isLast: page.isLast, total: page.total)
    }

    private func deltaRequest(after cursor: Cursor?, top: Int?) -> ServerRequest {
        var query: [String] = []
        if let cursor { query.append("$deltatoken=\(PercentEncoding.ofValue(cursor.string))") }
        if let top { query.append("$top=\(top)") }
        return ServerRequest(
            target: session.url.tablePath + (query.isEmpty ? "" : "?" + query.joined(separator: "&")),
            headers: [("prefer", "odata.track-changes, odata.maxpagesize=\(pageSize)")])
    }
}

extension ServerResponse {
    fileprivate var isOfTodosyncServer: Bool {
        headers["x-zumo-server-version"]?.hasPrefix("todosync") ?? false
    }

    /// Returns whether the response means that the cursor belongs to a different history or can't be read.
    fileprivate func indicatesOtherHistory(than cursor: Cursor?) -> Bool {
        status == 410 || status == 400 && isOfTodosyncServer && cursor != nil
    }
}

/// A response with changes: OData JSON 4.01, section 15, with the table's identity.
struct DeltaResponse {
    var records: [RemoteRecord] = []
    var next: Cursor
    var isLast: Bool
    /// The number of records from this page on; nil if the server didn't count them.
    var total: Int?

    /// The depth of the records in the JSON: the response is at 1, its list at 2, and the records at 3.
    static let recordDepth = 3
    private static let maximumIdentitySize = 512
    private static let maximumTokenSize = 4096

    init(_ value: Value, identity expected: String) throws(InvalidResponse) {
        guard case .mapping(let answer) = value, case .list(let list)? = answer["value"],
            let identity = try Self.identity(in: value)
        else { throw InvalidResponse("expected a page of changes") }
        guard identity.isSameBytes(as: expected) else {
            throw InvalidResponse("a page of changes is from a different table")
        }
        switch (answer["@odata.nextLink"], answer["@odata.deltaLink"]) {
        case (.string(let link)?, nil): (next, isLast) = (try Self.cursor(in: link), false)
        case (nil, .string(let link)?): (next, isLast) = (try Self.cursor(in: link), true)
        default: throw InvalidResponse("a page of changes has no valid link to continue from")
        }
        if case .number(let count)? = answer["@odata.count"] { total = Int(count.json) }
        records.reserveCapacity(list.count)
        for element in list { records.append(try WireRecord(element, .v2).record) }
    }

    /// Returns the identity of the table that sent a response; nil if a different kind of server sent it.
    static func identity(in value: Value) throws(InvalidResponse) -> String? {
        guard case .mapping(let answer) = value, let identity = answer["@todosync.identity"] else {
            return nil
        }
        guard case .string(let string) = identity, (1...maximumIdentitySize).contains(string.utf8.count),
            string.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw InvalidResponse("its response does not identify the table") }
        return string
    }

    /// Returns whether the server that sent a response accepts the device in the property `todosync`.
    ///
    /// Older servers refuse a write that contains a device.
    static func takesDevice(_ value: Value) -> Bool {
        guard case .mapping(let answer) = value, case .list(let members)? = answer["@todosync.layout"] else {
            return false
        }
        return members.contains(.string("device"))
    }

    /// Returns the cursor in a link's query.
    ///
    /// The rest of the link is ignored, because the client doesn't follow it.
    private static func cursor(in link: String) throws(InvalidResponse) -> Cursor {
        let query = link.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        for part in query.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let name = PercentEncoding.decoded(pair[0]),
                ["$deltatoken", "after"].contains(name),
                let token = PercentEncoding.decoded(pair[1]),
                (1...maximumTokenSize).contains(token.utf8.count)
            else { continue }
            return Cursor(token)
        }
        throw InvalidResponse("a page of changes has no valid link to continue from")
    }
}
