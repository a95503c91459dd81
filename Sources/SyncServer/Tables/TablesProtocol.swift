internal import LosslessYAML
internal import Remotes
internal import Synchronization
internal import TodoModel

/// The tables protocol over a store.
///
/// This is the protocol of Azure Mobile Services (v1) and Azure Mobile Apps (v2). In addition, todosync's own
/// client uses OData's batches and deltas, and the `Idempotency-Key` header.
package struct TablesProtocol: Sendable {
    let store: Store
    /// The memory that the responses of a batch take until all are there.
    let memory: BodyMemory
    private let tables: TableCache
    private let storeFailed: @Sendable (any Error) -> Void

    /// Creates the protocol for a store.
    ///
    /// - Parameter storeFailed: Called with the error if the store can't be used; clients don't get the
    ///   details.
    init(
        store: Store, memory: BodyMemory = BodyMemory(size: .max),
        storeFailed: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.store = store
        self.memory = memory
        self.storeFailed = storeFailed
        tables = TableCache()
    }

    /// Responds to a request; an invalid request gets an error response.
    ///
    /// `HEAD` gets the same response as `GET`; the caller sends its `Content-Length`, but not its body.
    ///
    /// - Parameter currentGrant: Returns the sender's access after a wait; nil if it never changes.
    package func respond(
        to request: TablesRequest, grant: Grant, currentGrant: (@Sendable () async throws -> Grant)? = nil
    ) async -> TablesResponse {
        var response = await answer(request, grant, currentGrant ?? { grant })
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Vary"] = Flavor.headerName
        response.headers["x-zumo-server-version"] = "todosync"
        if !response.body.isEmpty {
            response.headers["Content-Type"] = "application/json; charset=utf-8"
        }
        return response
    }

    private func answer(
        _ request: TablesRequest, _ grant: Grant, _ currentGrant: @escaping @Sendable () async throws -> Grant
    ) async -> TablesResponse {
        let parameters: QueryParameters
        let flavor: Flavor
        do throws(Refusal) {
            parameters = try QueryParameters(request.query)
            flavor = try Flavor(request.headers, parameters)
        } catch {
            return error.response(.v2)
        }
        do {
            let call = try Call(
                request, body: .bytes(request.body), flavor: flavor, parameters: parameters,
                preferences: Preferences(request.headers))
            if call.endpoint == .changes { return try await awaitedChanges(call, grant, currentGrant) }
            return try await answer(call, grant)
        } catch {
            return refusal(for: error).response(flavor)
        }
    }

    private func answer(_ call: Call, _ grant: Grant) async throws -> TablesResponse {
        switch call.endpoint {
        case .describe: TablesResponse(status: 200, body: PackageResources.openapi_json)
        case .batch: try await batch(call, grant)
        case .list, .read, .changes: try await read(call, grant)
        default: try await write([prepare(call, grant)], answerSize: .max).answers[0]
        }
    }

    /// Returns the refusal for an error, and reports the error if the store caused it.
    func refusal(for error: any Error) -> Refusal {
        switch error {
        case let refusal as Refusal: return refusal
        case let problem as ODataProblem: return .malformed("$filter or $orderby: \(problem.message).")
        case is CancellationError: return .clientIsGone
        case let refusal as ReadRefusal: return Refusal(refusal)
        case RemoteError.otherHistory: break
        default: storeFailed(error)
        }
        return Refusal(storeFailure: error)
    }
}

// MARK: - Access

extension TablesProtocol {
    /// Checks that a request has the access that it needs, and that its table exists or may be created.
    func admit(_ call: Call, _ grant: Grant) async throws {
        let table = try call.table()
        let access = call.endpoint.access
        guard grant.allows(access, on: table) else {
            throw grant.refusal(need: "\(access.rawValue) access to the table '\(table.string)'")
        }
        // If the key may create the table, a missing table counts as empty, because apps list records before
        // they insert any. The change feed works before a table's first write, whatever the key.
        if grant.mayMake(table) || call.asksForChanges { return }
        guard try await tables.contain(table, of: store) else { throw Refusal.noSuchTable(call.tableText) }
    }

    /// Parses a request's content and checks its access, in this order in v1 and in reverse order in v2.
    ///
    /// The original servers use the same orders.
    func checked<Result>(
        _ call: Call, _ grant: Grant, _ read: () throws(Refusal) -> Result
    ) async throws -> Result {
        if call.flavor == .v2 { try await admit(call, grant) }
        let result = try read()
        if call.flavor == .v1 { try await admit(call, grant) }
        return result
    }
}

// MARK: - Reading

extension TablesProtocol {
    /// Returns a request's table, which its client reads beside the other clients.
    func table(of call: Call) throws -> StoreTable {
        var table = try store.table(call.table())
        table.client = call.client
        return table
    }

    func read(_ call: Call, _ grant: Grant) async throws -> TablesResponse {
        if !call.isQuery { return try await answer(read: call, grant) }
        return try await store.querying(for: call.client) { try await answer(read: call, grant) }
    }

    private func answer(read call: Call, _ grant: Grant) async throws -> TablesResponse {
        let options = try await checked(call, grant) { () throws(Refusal) in
            try RequestOptions(call.parameters, call.endpoint, call.flavor)
        }
        if call.asksForChanges { return try await changes(call, options) }
        if call.endpoint == .list { return try await list(call, options) }
        return try await one(call, options)
    }

    private func one(_ call: Call, _ options: RequestOptions) async throws -> TablesResponse {
        if let problem = TodoID.problem(with: call.id) {
            throw Refusal.malformed("The id is not valid: \(problem).")
        }
        let table = try table(of: call)
        guard let stored = try await record(call, in: table, passing: options.filter),
            !stored.record.isDeleted || options.includesDeleted
        else { throw Refusal.noSuchRecord(call.id) }
        var response = TablesResponse(status: 200)
        let view = RecordView(call.flavor, options)
        if try call.headers.ifNoneMatchHas(stored.record.version) {
            response.status = 304
        } else {
            view.write(stored, to: &response.body)
        }
        if response.status == 304 || view.showsETag(call.headers) {
            response.headers["ETag"] = EntityTag.text(stored.record.version)
        }
        return response
    }

    private func record(
        _ call: Call, in table: StoreTable, passing filter: FilterExpression?
    ) async throws -> StoredRecord? {
        let id = call.id
        guard let filter else { return try await table.record(id: id) }
        let hasID = FilterExpression.comparison(.equal, .property(.id), .literal(.string(id)))
        let query = RecordQuery(filter: .and([hasID, filter]), top: 1, includesDeleted: true)
        // Filters ignore case in strings, but ids are case-sensitive.
        return try await table.records(query, since: call.arrival).records.first {
            $0.record.id.isSameBytes(as: id)
        }
    }
}

// MARK: - Writing

extension TablesProtocol {
    func prepare(_ call: Call, _ grant: Grant) async throws -> WriteCall {
        try await checked(call, grant) { () throws(Refusal) in try WriteCall(call, store: store) }
    }

    /// Applies writes to one table, and returns the response to each.
    ///
    /// - Parameters:
    ///   - asksForPart: Whether to return the part of the table's history that the writes created.
    ///   - answerSize: The maximum size of the records in the responses, in bytes; later writes are refused.
    func write(
        _ writes: [WriteCall], asksForPart: Bool = false, answerSize: Int
    ) async throws -> (answers: [TablesResponse], part: HistoryPart?) {
        guard let first = writes.first else { return ([], nil) }
        return try await store.table(first.table).write(
            writes.map(\.write), asksForPart: asksForPart, answerSize: answerSize
        ) { writes[$0].response(to: $1) }
    }
}

extension RecordView {
    init(_ flavor: Flavor, _ options: RequestOptions) {
        self.init(
            flavor: flavor, systemProperties: options.systemProperties, selection: options.selection)
    }
}

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
        for (position, record) in records.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
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

/// A cache of the store's tables.
///
/// Tables are never removed, so each is looked up only once.
private final class TableCache: Sendable {
    private let names = Mutex<Set<TableName>>([])

    func contain(_ name: TableName, of store: Store) async throws -> Bool {
        if names.withLock({ $0.contains(name) }) { return true }
        guard try await store.table(name).exists() else { return false }
        names.withLock { _ = $0.insert(name) }
        return true
    }
}
