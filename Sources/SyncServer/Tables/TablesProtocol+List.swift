internal import Remotes

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
        let found = try await store.table(call.table()).records(query)

        let shown = found.records.prefix(size)

        var response = TablesResponse(status: 200)
        if call.flavor == .v2, found.records.count > size || found.isCutShort {
            response.headers["Link"] = link(call, options, size: shown.count)
        }
        if options.countsAll { response.body += "{\"results\":".utf8 }
        write(shown, RecordView(call.flavor, options), to: &response.body)
        if options.countsAll { response.body += ",\"count\":\(found.count ?? 0)}".utf8 }
        return response
    }

    private func write(
        _ records: ArraySlice<StoredRecord>, _ view: RecordView, to bytes: inout [UInt8]
    ) {
        bytes.append(UInt8(ascii: "["))
        for (place, record) in records.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            view.write(record, to: &bytes)
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
