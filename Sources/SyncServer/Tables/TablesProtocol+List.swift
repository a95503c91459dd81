internal import Remotes

/// Lets other requests go on while a long response is written, because few threads write all responses.
struct WritingPauses {
    private var last = 0
    /// The number of bytes to write without a pause, which takes about a millisecond.
    private static let interval = 128 << 10

    /// Lets others go on if enough was written since the last time.
    ///
    /// - Parameter size: The number of bytes so far.
    mutating func pause(at size: Int) async {
        guard size - last >= Self.interval else { return }
        last = size
        await Task.yield()
    }
}

extension TablesProtocol {
    /// Returns a page of a table's records.
    ///
    /// In v2, `$top` is the total number of records, which come in pages, each with a `Link` to the next. In
    /// v1, `$top` is the size of the page, and there are no links.
    func list(_ call: Call, _ options: RequestOptions) async throws -> TablesResponse {
        let size =
            call.flavor == .v1
            ? options.top ?? RequestOptions.pageSize
            : min(options.top ?? .max, RequestOptions.pageSize)
        // An extra record shows whether there is a next page.
        let looksAhead = call.flavor == .v2 && size < options.top ?? .max
        let query = RecordQuery(
            filter: options.filter, order: options.order, skip: options.skip,
            top: looksAhead ? size + 1 : size, includesDeleted: options.includesDeleted,
            countsAll: options.countsAll)
        let found = try await table(of: call).records(query, since: call.arrival)

        let shown = found.records.prefix(size)

        var response = TablesResponse(status: 200)
        if call.flavor == .v2, found.records.count > size || found.isCutShort {
            response.headers["Link"] = link(call, options, size: shown.count)
        }
        if options.countsAll { response.body += "{\"results\":".utf8 }
        await write(shown, RecordView(call.flavor, options), to: &response.body)
        if options.countsAll { response.body += ",\"count\":\(found.count ?? 0)}".utf8 }
        return response
    }

    private func write(
        _ records: ArraySlice<StoredRecord>, _ view: RecordView, to bytes: inout [UInt8]
    ) async {
        bytes.append(UInt8(ascii: "["))
        var pauses = WritingPauses()
        for (place, record) in records.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            view.write(record, to: &bytes)
            await pauses.pause(at: bytes.count)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Returns the link to the next page.
    ///
    /// The link has no angle brackets, because v2 clients read everything up to the first `;` as the URL.
    private func link(_ call: Call, _ options: RequestOptions, size: Int) -> String {
        let (skip, isTooFar) = options.skip.addingReportingOverflow(size)
        var changed = [QueryParameters.Parameter(name: "$skip", value: String(isTooFar ? .max : skip))]
        if let top = options.top {
            changed.append(QueryParameters.Parameter(name: "$top", value: String(top - size)))
        }
        return "\(call.url())?\(call.parameters.replacing(changed)); rel=next"
    }
}
