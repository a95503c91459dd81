internal import LosslessYAML
internal import Remotes
internal import Synchronization
internal import TodoModel
internal import Values

extension Call {
    /// Whether the request is for the table's change feed (OData 4.01, delta), which doesn't exist in v1.
    var asksForChanges: Bool {
        endpoint == .changes
            || endpoint == .list && flavor == .v2
                && (preferences.tracksChanges || parameters.all.contains { $0.name == "$deltatoken" })
    }

    /// Returns the URL of the changes after a cursor.
    fileprivate func url(after cursor: Cursor) -> String {
        let token = PercentEncoding.ofLink(cursor.string)
        return endpoint == .changes ? "\(url(id: "changes"))?after=\(token)" : "\(url())?$deltatoken=\(token)"
    }
}

extension TablesProtocol {
    /// The maximum number of records in a page of changes.
    private static let pageSize = 1000
    /// The size in bytes that ends a page of awaited changes.
    private static let awaitedPageByteSize = 256 << 10

    /// Returns the records that were written after a token, or all records without one.
    ///
    /// With `$top=0`, the response contains only the table's identity, after a check that the token belongs
    /// to the table's history.
    ///
    /// - Parameter waiting: How long to wait if nothing has changed yet.
    func changes(
        _ call: Call, _ options: RequestOptions, waiting: Duration = .zero
    ) async throws -> TablesResponse {
        let table = try changedTable(call, options, waits: waiting > .zero)
        if let text = call.headers["todosync-accepted"] {
            try await table.verify(acceptedOperation(text))
        }
        let cursor = options.deltaToken.map { Cursor($0) }
        let body =
            waiting == .zero
            ? try await table.storedChanges(after: cursor) { json($0, of: table, call) }
            : try await table.storedChanges(after: cursor, waiting: waiting, form: call.url()) {
                json($0, of: table, call)
            }.text
        var response = TablesResponse(status: 200, body: body)
        let size = call.preferences.maximumPageSize == nil ? nil : table.pageSize
        response.headers["Preference-Applied"] =
            "odata.track-changes" + (size.map { ", odata.maxpagesize=\($0)" } ?? "")
        return response
    }

    /// Returns the table of a request for changes, with the size of its pages, after a check of the options.
    ///
    /// - Parameter waits: Whether the request waits for changes. Many such requests can get the same page at
    ///   the same time, so it is small.
    private func changedTable(_ call: Call, _ options: RequestOptions, waits: Bool) throws -> StoreTable {
        try checkChangeOptions(call, options)
        var table = try table(of: call)
        let size = call.preferences.maximumPageSize.map { min($0, Self.pageSize) }
        table.pageSize = options.top == 0 ? 0 : size ?? Self.pageSize
        if waits { table.pageByteSize = Self.awaitedPageByteSize }
        return table
    }

    /// Returns a page of changes as JSON.
    func json(_ page: StoredChangePage, of table: StoreTable, _ call: Call) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes += "{\"@todosync.identity\":".utf8
        JSON.write(.string(table.storedIdentity.string), to: &bytes)
        bytes += ",\"@todosync.layout\":".utf8
        JSON.write(.list(LayoutProperty.members.map { .string($0) }), to: &bytes)
        if let total = page.total { bytes += ",\"@odata.count\":\(total)".utf8 }
        bytes += ",\"value\":[".utf8
        for (position, stored) in page.records.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            write(stored, to: &bytes)
        }
        bytes += "],\"\(page.isLast ? "@odata.deltaLink" : "@odata.nextLink")\":".utf8
        JSON.write(.string(call.url(after: page.next)), to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private func write(_ stored: StoredRecord, to bytes: inout [UInt8]) {
        var stored = stored
        bytes.append(UInt8(ascii: "{"))
        if stored.record.isDeleted {
            // A tombstone's field with this name would repeat the key, which JSON readers refuse.
            stored.record.fields["@removed"] = nil
            bytes += "\"@removed\":{\"reason\":\"deleted\"},".utf8
        }
        RecordView.whole(.v2).writeMembers(of: stored, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }

    private func checkChangeOptions(_ call: Call, _ options: RequestOptions) throws(Refusal) {
        for name in call.parameters.all.map(\.name)
        where name.utf8.first == UInt8(ascii: "$") && name != "$top"
            && !(name == "$deltatoken" && call.endpoint == .list)
        {
            throw .malformed("\(name) is not supported for changes.")
        }
        if let top = options.top, top != 0 { throw .malformed("For changes, $top must be 0.") }
        if let token = options.deltaToken, !StoreTable.isWellFormed(Cursor(token)) {
            let name = call.endpoint == .changes ? "after" : "$deltatoken"
            throw .malformed("\(name) is not a token from this server's links.")
        }
    }

    /// Parses an operation's id and the version that it created.
    private func acceptedOperation(_ text: String) throws(Refusal) -> AcceptedOperation {
        let parts = text.split(separator: " ")
        guard parts.count == 2 else {
            throw .malformed("todosync-accepted takes an operation's id and a version.")
        }
        return AcceptedOperation(operationID: String(parts[0]), version: Version(String(parts[1])))
    }
}

extension TablesRequest {
    /// Returns whether a request at the path of a table's changes is for the changes, and not for a record
    /// with the id `changes`.
    func asksForChanges(_ parameters: QueryParameters) -> Bool {
        ["GET", "HEAD"].contains(method)
            && (acceptsEvents || parameters.all.contains { ["after", "wait"].contains($0.name) })
    }

    /// Whether the client accepts server-sent events (WHATWG HTML, section 9.2).
    fileprivate var acceptsEvents: Bool { headers.acceptEvents }
}

extension Headers {
    var acceptEvents: Bool {
        values("Accept").joined(separator: ",").lowercased().split(separator: ",").contains {
            ($0.split(separator: ";").first.map(String.init) ?? "").trimmedOfBlanks == "text/event-stream"
        }
    }
}

extension TablesProtocol {
    /// Returns the changes after a cursor as soon as there are any, or sends all changes as events.
    ///
    /// The sender's access is checked again after each wait, because the key might have been revoked.
    func awaitedChanges(
        _ call: Call, _ grant: Grant, _ currentGrant: @escaping @Sendable () async throws -> Grant
    ) async throws -> TablesResponse {
        var options = try await checked(call, grant) { () throws(Refusal) in
            try RequestOptions(call.parameters, call.endpoint, call.flavor)
        }
        guard call.headers.acceptEvents else {
            let response = try await changes(call, options, waiting: .seconds(options.wait))
            try await admit(call, currentGrant())
            return response
        }
        guard options.top == nil else { throw Refusal.malformed("$top is not supported for events.") }
        if let last = call.headers["Last-Event-ID"], !last.isEmpty { options.deltaToken = last }
        let table = try changedTable(call, options, waits: true)
        let cursor = options.deltaToken.map { Cursor($0) }
        // A token from another history is refused before the first event.
        if let cursor { try await table.verify(cursor) }
        let events = ChangeEvents(table: table, cursor: cursor, form: "events " + call.url()) {
            try await admit(call, currentGrant())
        } json: {
            json($0, of: table, call)
        }
        var response = TablesResponse(status: 200)
        response.headers["Content-Type"] = "text/event-stream; charset=utf-8"
        // nginx would hold events back until its buffer is full.
        response.headers["X-Accel-Buffering"] = "no"
        response.nextPart = { await events.next() }
        return response
    }
}

/// A table's changes as server-sent events; each event has a page of changes and its cursor.
private actor ChangeEvents {
    private let table: StoreTable
    private var cursor: Cursor?
    /// What the JSON depends on besides the page.
    private let form: String
    private let checkAccess: @Sendable () async throws -> Void
    private let json: @Sendable (StoredChangePage) -> [UInt8]
    private var hasBegun = false

    /// The time until a comment shows proxies and clients that the connection is alive.
    private static let pause = Duration.seconds(20)

    init(
        table: StoreTable, cursor: Cursor?, form: String,
        checkAccess: @escaping @Sendable () async throws -> Void,
        json: @escaping @Sendable (StoredChangePage) -> [UInt8]
    ) {
        self.table = table
        self.cursor = cursor
        self.form = form
        self.checkAccess = checkAccess
        self.json = json
    }

    /// Returns the next event, or a comment if nothing changes for a while; nil to end the response.
    ///
    /// The client connects again after the end, and then gets any error.
    func next() async -> [UInt8]? {
        guard hasBegun else {
            hasBegun = true
            // The time in milliseconds before the client connects again.
            return Array("retry: 1000\n\n".utf8)
        }
        let changes = try? await table.storedChanges(after: cursor, waiting: Self.pause, form: form) {
            [json] page in
            if page.records.isEmpty { return Array(": no changes\n\n".utf8) }
            return Array("id: \(page.next.string)\ndata: ".utf8) + json(page) + Array("\n\n".utf8)
        }
        guard let changes, !changes.page.records.isEmpty || !table.store.tableWatch.hasEnded,
            (try? await checkAccess()) != nil
        else { return nil }
        cursor = changes.page.next
        return changes.text
    }
}
