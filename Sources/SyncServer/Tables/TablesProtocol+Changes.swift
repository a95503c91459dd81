internal import LosslessYAML
internal import Remotes
internal import TodoModel
internal import Values

extension Call {
    /// Whether the request is for the table's change feed (OData 4.01, delta), which doesn't exist in v1.
    var asksForChanges: Bool {
        endpoint == .list && flavour == .v2
            && (preferences.tracksChanges || parameters.all.contains { $0.name == "$deltatoken" })
    }
}

extension TablesProtocol {
    /// The maximum number of records in a page of changes.
    private static let pageSize = 1000

    /// Returns the records that were written after a token, or all records without one.
    ///
    /// With `$top=0`, the response contains only the table's identity, after a check that the token belongs
    /// to the table's history.
    func changes(_ call: Call, _ options: RequestOptions) async throws -> TablesResponse {
        try checkChangeOptions(call, options)
        var table = try store.table(call.table())
        if let text = call.headers["todosync-accepted"] {
            try await table.verify(acceptedOperation(text))
        }
        let size = call.preferences.maximumPageSize.map { min($0, Self.pageSize) }
        table.pageSize = options.top == 0 ? 0 : size ?? Self.pageSize
        let page = try await table.storedChanges(after: options.deltaToken.map { Cursor($0) })

        var response = TablesResponse(status: 200)
        response.headers["Preference-Applied"] =
            "odata.track-changes" + (size.map { ", odata.maxpagesize=\($0)" } ?? "")
        response.body += "{\"@todosync.identity\":".utf8
        JSON.write(.string(try await table.identity().string), to: &response.body)
        response.body += ",\"@todosync.layout\":".utf8
        JSON.write(.list(LayoutProperty.members.map { .string($0) }), to: &response.body)
        if let total = page.total { response.body += ",\"@odata.count\":\(total)".utf8 }
        response.body += ",\"value\":[".utf8
        for (place, stored) in page.records.enumerated() {
            if place > 0 { response.body.append(UInt8(ascii: ",")) }
            write(stored, to: &response.body)
        }
        let link = "\(call.url())?$deltatoken=\(PercentEncoding.ofLink(page.next.string))"
        response.body += "],\"\(page.isLast ? "@odata.deltaLink" : "@odata.nextLink")\":".utf8
        JSON.write(.string(link), to: &response.body)
        response.body.append(UInt8(ascii: "}"))
        return response
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
        where name.utf8.first == UInt8(ascii: "$") && !["$deltatoken", "$top"].contains(name) {
            throw .malformed("\(name) is not supported for changes.")
        }
        if let top = options.top, top != 0 { throw .malformed("For changes, $top takes only 0.") }
        if let token = options.deltaToken, !StoreTable.isWellFormed(Cursor(token)) {
            throw .malformed("$deltatoken is not a token from this server's links.")
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
