internal import LosslessYAML
internal import Remotes
internal import Synchronization
internal import TodoModel

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
