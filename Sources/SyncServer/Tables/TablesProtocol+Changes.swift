internal import LosslessYAML
internal import Remotes
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

    /// Returns the records that were written after a token, or all records without one.
    ///
    /// With `$top=0`, the response contains only the table's identity, after a check that the token belongs
    /// to the table's history.
    ///
    /// - Parameter waiting: How long to wait if nothing has changed yet.
    func changes(
        _ call: Call, _ options: RequestOptions, waiting: Duration = .zero
    ) async throws -> TablesResponse {
        let table = try changedTable(call, options)
        if let text = call.headers["todosync-accepted"] {
            try await table.verify(acceptedOperation(text))
        }
        let cursor = options.deltaToken.map { Cursor($0) }
        let page =
            waiting == .zero
            ? try await table.storedChanges(after: cursor)
            : try await table.storedChanges(after: cursor, waiting: waiting)
        var response = TablesResponse(status: 200, body: try await json(page, of: table, call))
        let size = call.preferences.maximumPageSize == nil ? nil : table.pageSize
        response.headers["Preference-Applied"] =
            "odata.track-changes" + (size.map { ", odata.maxpagesize=\($0)" } ?? "")
        return response
    }

    /// Returns the table of a request for changes, with the size of its pages, after a check of the options.
    func changedTable(_ call: Call, _ options: RequestOptions) throws -> StoreTable {
        try checkChangeOptions(call, options)
        var table = try table(of: call)
        let size = call.preferences.maximumPageSize.map { min($0, Self.pageSize) }
        table.pageSize = options.top == 0 ? 0 : size ?? Self.pageSize
        return table
    }

    /// Returns a page of changes as JSON.
    func json(_ page: StoredChangePage, of table: StoreTable, _ call: Call) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes += "{\"@todosync.identity\":".utf8
        JSON.write(.string(try await table.identity().string), to: &bytes)
        bytes += ",\"@todosync.layout\":".utf8
        JSON.write(.list(LayoutProperty.members.map { .string($0) }), to: &bytes)
        if let total = page.total { bytes += ",\"@odata.count\":\(total)".utf8 }
        bytes += ",\"value\":[".utf8
        var pauses = WritingPauses()
        for (place, stored) in page.records.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            write(stored, to: &bytes)
            await pauses.pause(at: bytes.count)
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
