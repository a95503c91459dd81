internal import NIOCore
internal import Remotes
internal import Synchronization
internal import TodoModel
internal import Values

/// Responds to the requests of all connections: checks access and limits, then runs the tables protocol.
struct Responder: Sendable {
    let store: Store
    let settings: Server.Settings
    let surroundings: Server.Surroundings
    let metrics = Metrics()
    let memory: BodyMemory
    let connections: OpenConnections
    let compression = CompressionBudget()
    let trust = Trust()
    private let tables: TablesProtocol
    private let log: ServerLog
    private let origins: OriginRules
    private let limiter = RequestLimiter()

    init(store: Store, settings: Server.Settings, surroundings: Server.Surroundings) {
        self.store = store
        self.settings = settings
        self.surroundings = surroundings
        let log = ServerLog(surroundings)
        self.log = log
        memory = BodyMemory(size: settings.limits.allBodies)
        tables = TablesProtocol(store: store, memory: memory, storeFailed: log.storeFailed)
        connections = OpenConnections(
            maximum: settings.limits.connections, maximumPerAddress: settings.connectionsPerAddress,
            maximumWatching: settings.watchers)
        origins = OriginRules(settings.allowedOrigins)
    }

    /// The sender of a request, and the sender's access.
    private struct Caller {
        var grant: Grant
        /// The address that the request comes from.
        var address: String
        /// The name of the request's key; nil if the request had no valid key.
        var keyName: String?
        /// The name for limits: a key has the same limits for all addresses, and an address for all requests
        /// without a key.
        var name: String { keyName.map { "key " + $0 } ?? address }
        /// Whether the server has no keys and the request comes from this machine.
        var isTrusted = false
        /// Whether the key has admin access to all tables.
        var isAdmin = false
    }

    func respond(to request: ReceivedRequest) async -> TablesResponse {
        let begin = NIODeadline.now()
        metrics.requestBegan()
        defer { metrics.requestEnded() }
        var keyName: String?
        var answer: TablesResponse
        do {
            let caller = try await caller(of: request)
            keyName = caller.keyName
            answer = try await self.answer(request, of: caller)
        } catch is CancellationError {
            answer = Refusal.clientIsGone.response(request.isVersion2 ? .v2 : .v1)
        } catch {
            log.storeFailed(error)
            answer = .error(503, "The store can't be used at the moment; try again later.", to: request)
            answer.headers["Retry-After"] = "5"
        }
        complete(&answer, for: request)
        let seconds = Double((NIODeadline.now() - begin).nanoseconds) / 1e9
        log(answer, to: request, seconds: seconds, keyName: keyName)
        return answer
    }

    /// Returns the refusal of a request before its body has arrived; nil to receive the body.
    ///
    /// A request is refused early if its sender has no access to any table, or if its address has too many
    /// connections.
    func earlyRefusal(of request: ReceivedRequest) async -> TablesResponse? {
        guard let caller = try? await caller(of: request),
            isSurplus(request, of: caller)
                || Route(path: request.path).isAboutTables && caller.grant.isEmpty,
            var answer = try? await answer(request, of: caller)
        else { return nil }
        complete(&answer, for: request)
        return answer
    }

    /// Refuses and logs a request that doesn't reach ``respond(to:)``.
    ///
    /// - Parameter receivedBytes: The number of bytes of the body that have arrived.
    func refuse(
        _ request: ReceivedRequest, _ status: Int, _ message: String, receivedBytes: Int
    ) -> TablesResponse {
        let answer = refusal(of: request, status, message)
        log(answer, to: request, seconds: 0, receivedBytes: receivedBytes)
        return answer
    }

    /// Returns a refusal with the headers that every response has.
    func refusal(of request: ReceivedRequest, _ status: Int, _ message: String) -> TablesResponse {
        var answer = TablesResponse.error(status, message, to: request)
        complete(&answer, for: request)
        return answer
    }

    /// Logs a response, and counts it in the metrics.
    ///
    /// - Parameter receivedBytes: The number of bytes of the body that have arrived; nil for the whole body.
    func log(
        _ answer: TablesResponse, to request: ReceivedRequest, seconds: Double, receivedBytes: Int? = nil,
        keyName: String? = nil
    ) {
        let record = RequestRecord(
            method: request.method, path: request.path, status: answer.status, seconds: seconds,
            receivedBytes: receivedBytes ?? request.body.count, sentBytes: answer.body.count,
            client: request.client, keyName: keyName)
        metrics.answered(record)
        log.write(record)
    }

    // MARK: Access

    private func caller(of request: ReceivedRequest) async throws -> Caller {
        // Looking up keys would wait for a database that can't be reached.
        if Route(path: request.path).isForMonitoring {
            return Caller(grant: Grant(keys: [], isIdentified: false), address: request.client)
        }
        let keys = try await store.keys(shown: request.headers.secrets)
        if keys.storeHasKeys { trust.withdraw() }
        // A proxy on this machine can forward requests from other machines.
        if trust.holds, request.connection.isLoopback, !request.isForwarded {
            return Caller(grant: .all, address: request.client, isTrusted: true, isAdmin: true)
        }
        guard let key = keys.key else {
            return Caller(
                grant: Grant(keys: keys.anonymous, isIdentified: false), address: request.client)
        }
        connections.identify(request.connection.id)
        return Caller(
            grant: Grant(keys: [key] + keys.anonymous, isIdentified: true), address: request.client,
            keyName: key.name,
            isAdmin: key.access == .admin && key.table == nil)
    }

    // MARK: Answers

    private func answer(_ request: ReceivedRequest, of caller: Caller) async throws -> TablesResponse {
        if let refusal = refusal(of: request, of: caller) { return refusal }
        if request.method == "OPTIONS" { return options(request) }
        let route = Route(path: request.path)
        if route.isForMonitoring || route == .metrics, !["GET", "HEAD"].contains(request.method) {
            var answer = TablesResponse.error(405, "Method Not Allowed", to: request)
            answer.headers["Allow"] = "GET, HEAD"
            return answer
        }
        switch route {
        case .health, .ready:
            try await store.check()
            if route == .health { return status("ok") }
            if connections.isDraining { return status("draining", code: 503) }
            guard let problem = await store.writeHealth.problem(of: store) else { return status("ok") }
            return status("writes: \(problem.reason)", code: 503)
        case .metrics:
            if !caller.isAdmin {
                let refusal = Grant(keys: [], isIdentified: caller.keyName != nil)
                    .refusal(need: "admin access to all tables")
                return .error(refusal.status, refusal.message, to: request)
            }
            return .text(
                metrics.current.text(
                    heldBytes: memory.used, watching: connections.watching, feed: store.tableWatch,
                    store: await store.figures),
                type: Metrics.Counts.contentType)
        // Check this before the request is parsed, so that its content doesn't matter.
        case _ where route.isAboutTables && caller.grant.isEmpty:
            return .error(Refusal.unauthorized.status, Refusal.unauthorized.message, to: request)
        default:
            guard route == .changes, request.mayWait else { return await tableAnswer(request, of: caller) }
            guard connections.beginWatching(request.connection.id) else {
                var answer = TablesResponse.error(
                    503, "Too many requests are waiting for changes; try again later.", to: request)
                answer.headers["Retry-After"] = "10"
                return answer
            }
            var answer = await tableAnswer(request, of: caller)
            // NIO would send the last chunk even without a body.
            if request.method == "HEAD" { answer.nextPart = nil }
            if answer.nextPart == nil { connections.endWatching(request.connection.id) }
            return answer
        }
    }

    private func status(_ word: String, code: Int = 200) -> TablesResponse {
        var answer = TablesResponse.text(
            "{\"status\":\"\(word)\"}", type: "application/json; charset=utf-8")
        answer.status = code
        return answer
    }

    private func tableAnswer(_ request: ReceivedRequest, of caller: Caller) async -> TablesResponse {
        await tables.respond(
            to: TablesRequest(
                // HEAD is answered like GET; the body is dropped when the response is sent.
                method: request.method == "HEAD" ? "GET" : request.method, path: request.path,
                query: request.query, headers: request.headers, body: request.body, root: request.root,
                client: caller.name, arrival: request.arrival),
            grant: caller.grant, currentGrant: { try await self.caller(of: request).grant })
    }

    /// Returns the refusal that applies to a request on any path; nil if the request is allowed.
    private func refusal(of request: ReceivedRequest, of caller: Caller) -> TablesResponse? {
        if isSurplus(request, of: caller) {
            var answer = TablesResponse.error(
                429, "This address has too many connections without a key; try again later.", to: request)
            answer.headers["Retry-After"] = "1"
            answer.headers["Connection"] = "close"
            return answer
        }
        guard let authority = request.authority else {
            return .error(400, "The request's Host is missing or not valid.", to: request)
        }
        // A web page can reach a server on its user's machine or network, but must not use it without a key.
        if caller.keyName == nil {
            // With DNS rebinding, a page can reach a server on this machine under the page's own host name.
            let isForMonitoring = Route(path: request.path).isForMonitoring
            if settings.address.isLoopback, !authority.isLoopback, !isForMonitoring {
                return .error(
                    403, "Without a key, the request's Host must be localhost or a loopback address.",
                    to: request)
            }
            if let origin = request.headers["Origin"], !origins.allows(origin), origin != request.origin {
                return .error(403, "Pages from this origin are not allowed to use the server.", to: request)
            }
        }
        // Monitoring sends these requests often.
        if Route(path: request.path).isForMonitoring { return nil }
        let perMinute =
            settings.requestsPerMinute ?? (caller.isTrusted ? nil : Server.Settings.standardRequestsPerMinute)
        if let perMinute, let wait = limiter.take(for: caller.name, perMinute: perMinute, at: .now()) {
            var answer = TablesResponse.error(429, "Too many requests; try again later.", to: request)
            answer.headers["Retry-After"] = String(wait)
            return answer
        }
        return nil
    }

    /// Returns whether a request has no key and its connection is above the limit for its address.
    private func isSurplus(_ request: ReceivedRequest, of caller: Caller) -> Bool {
        caller.keyName == nil && connections.isSurplus(request.connection.id)
    }

    private func options(_ request: ReceivedRequest) -> TablesResponse {
        guard let origin = request.headers["Origin"] else {
            var answer = TablesResponse(status: 204)
            let methods = (try? Endpoint.methods(at: request.path)) ?? ["GET"]
            answer.headers["Allow"] = (methods + ["OPTIONS"]).joined(separator: ", ")
            return answer
        }
        guard origins.allows(origin) else {
            return .error(403, "Pages from this origin are not allowed to use the server.", to: request)
        }
        return origins.preflight(request.headers)
    }

    /// Adds the headers that every response has.
    private func complete(_ answer: inout TablesResponse, for request: ReceivedRequest) {
        origins.admit(request.headers["Origin"], to: &answer)
        answer.headers["Date"] = Instant(milliseconds: surroundings.now()).httpDate
    }
}

extension ReceivedRequest {
    /// Whether the request can wait for changes.
    fileprivate var mayWait: Bool {
        headers.acceptEvents
            || query.split(separator: "&").contains { $0.hasPrefix("wait=") && $0 != "wait=0" }
    }
}

extension TablesResponse {
    fileprivate static func text(_ text: String, type: String) -> TablesResponse {
        TablesResponse(
            status: 200,
            headers: Headers([
                Headers.Field(name: "Content-Type", value: type),
                Headers.Field(name: "Cache-Control", value: "no-store"),
            ]),
            body: Array(text.utf8))
    }
}

extension StoreError {
    /// The reason without the store's path and the system's details, which only the log shows.
    fileprivate var reason: String {
        switch self {
        case .diskFull: "disk full"
        case .readOnly: "the store is read-only"
        case .notPermitted: "permission denied"
        case .damaged, .lost: "the store is damaged"
        case .inputOutput: "input/output error"
        default: "the store can't be used"
        }
    }
}

/// Whether a server without keys gives access to every process on this machine.
///
/// The server grants this access when it starts, and withdraws it for good once the store has a key. If the
/// last key is revoked, nobody has access: an administrator who revokes keys doesn't want to open the store
/// to everybody.
final class Trust: Sendable {
    private let isGiven = Atomic(false)

    var holds: Bool { isGiven.load(ordering: .sequentiallyConsistent) }

    func give() { isGiven.store(true, ordering: .sequentiallyConsistent) }

    func withdraw() { isGiven.store(false, ordering: .sequentiallyConsistent) }
}

extension Headers {
    /// The secrets in a request, from all headers that clients of the tables protocol send them in.
    var secrets: [String] {
        let bearers = values("Authorization").compactMap { value -> String? in
            let words = value.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
            return String(words[1].drop { $0 == " " })
        }
        return (values("x-zumo-application") + bearers + values("X-ZUMO-AUTH")).filter { !$0.isEmpty }
    }
}

extension TablesResponse {
    /// Returns an error response in the format of a version of the tables protocol.
    static func error(_ status: Int, _ message: String, isVersion2: Bool) -> TablesResponse {
        var response = Refusal(status, message).response(isVersion2 ? .v2 : .v1)
        response.headers["Content-Type"] = "application/json; charset=utf-8"
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Vary"] = Flavor.headerName
        return response
    }

    /// Returns an error response in the format that a request's client expects.
    static func error(_ status: Int, _ message: String, to request: ReceivedRequest) -> TablesResponse {
        error(status, message, isVersion2: request.isVersion2)
    }
}
