internal import Logging
internal import Synchronization
internal import TodoModel
internal import Values

/// The exchanges with one server while a remote is open.
///
/// The session sends requests with the key, retries them if that can help, and remembers the features that
/// the server supports.
final class ServerSession: Sendable {
    let url: ServerURL
    private let transport: any ServerTransport
    private let surroundings: ServerSurroundings
    private let memory = Mutex(Memory())

    private struct Memory {
        /// The key; nil until it is requested, and an inner nil for a server without a key.
        var key: String??
        var hasAnswered = false
        var kind: ServerKind?
        var firstPage: FirstPage?
        var refusesLayout = false
        var takesLayout = false
        var takesDevice = false
        var lacking: Set<ServerFeature> = []
        var readRows = 0
        /// The cursors of the pages that were read since the list's beginning.
        var passed: Set<Cursor> = []
        /// The cursor of the page that continues the list.
        var next: Cursor?
    }

    init(_ url: ServerURL, _ surroundings: ServerSurroundings) throws(RemoteError) {
        self.url = url
        self.surroundings = surroundings
        transport = try surroundings.transport(url.origin)
    }

    /// The kind of server; nil until it is known.
    var kind: ServerKind? {
        get { memory.withLock { $0.kind } }
        set { memory.withLock { $0.kind = newValue } }
    }

    /// Whether the server refuses the property `todosync`, so writes contain only the fields.
    var refusesLayout: Bool {
        get { memory.withLock { $0.refusesLayout } }
        set { memory.withLock { $0.refusesLayout = newValue } }
    }

    /// Whether the server has accepted the property `todosync`.
    var takesLayout: Bool {
        get { memory.withLock { $0.takesLayout } }
        set { memory.withLock { $0.takesLayout = newValue } }
    }

    /// Whether a todosync server accepts the device in the property `todosync`.
    var takesDevice: Bool {
        get { memory.withLock { $0.takesDevice } }
        set { memory.withLock { $0.takesDevice = newValue } }
    }

    /// Records that the server lacks a feature, and reports it the first time.
    func note(lackOf feature: ServerFeature) {
        if memory.withLock({ $0.lacking.insert(feature).inserted }) { surroundings.lacks(feature) }
    }

    /// Keeps a page of changes until it is requested.
    func remember(_ page: FirstPage) { memory.withLock { $0.firstPage = page } }

    func forgetFirstPage() { memory.withLock { $0.firstPage = nil } }

    /// Returns the page after a cursor if it came with the first response, and forgets it.
    func takeFirstPage(after cursor: Cursor?) -> ChangePage? {
        memory.withLock { memory in
            defer { memory.firstPage = nil }
            return memory.firstPage.flatMap { $0.cursor == cursor ? $0.page : nil }
        }
    }

    /// Counts the records of a page of changes, and remembers its cursor.
    ///
    /// - Parameter cursor: The cursor that the page follows.
    /// - Throws: ``InvalidResponse`` if the list doesn't end.
    func noteRead(_ page: ChangePage, after cursor: Cursor?) throws(InvalidResponse) {
        let (rows, goesBack) = memory.withLock { memory in
            // A page that doesn't follow the last one begins a new list.
            if cursor != memory.next { memory.passed = [] }
            memory.next = page.next
            if let cursor { memory.passed.insert(cursor) }
            let goesBack = !page.isLast && memory.passed.contains(page.next)
            // Small pages count as larger pages, so that an endless list of small or empty pages is detected
            // soon.
            memory.readRows += page.records.isEmpty ? 10_000 : max(page.records.count, 100)
            if page.isLast { (memory.readRows, memory.passed) = (0, []) }
            return (memory.readRows, goesBack)
        }
        guard rows <= Self.maximumRows, !goesBack else {
            throw InvalidResponse("its list of changes does not end")
        }
    }

    /// The maximum number of records in a table.
    private static let maximumRows = 10_000_000

    /// Sends a request until it gets a response other than a temporary failure, or runs out of tries.
    ///
    /// The request must be safe to send twice.
    /// - Parameter isTemporary: Whether to send the request again after a response.
    /// - Throws: ``TransferFailure`` if there is no response; ``RemoteError`` if the key can't be used.
    func exchange(
        _ request: ServerRequest, flavor: WireFlavor,
        retrying isTemporary: (ServerResponse) -> Bool = \.isTemporaryFailure
    ) async throws -> ServerResponse {
        var request = request
        request.headers += flavor.headers(key: try await key())
        var wasSent = false
        var waited = Duration.zero
        for number in 1... {
            do {
                let answer = try await follow(request)
                memory.withLock { $0.hasAnswered = true }
                guard isTemporary(answer), number < RetryDelay.maximumTries,
                    try await wait(for: answer.headers, afterTry: number, &waited)
                else { return answer }
                wasSent = true
            } catch var failure as TransferFailure {
                try Task.checkCancellation()
                failure.wasSent = failure.wasSent || wasSent
                wasSent = failure.wasSent
                // A server that responded before and can't be reached now might be restarting.
                let mayPass = failure.isWorthARetry || (!failure.wasSent && memory.withLock(\.hasAnswered))
                guard mayPass, number < RetryDelay.maximumTries,
                    try await wait(for: nil, afterTry: number, &waited)
                else { throw failure }
            }
        }
        preconditionFailure("the loop ends with the last try")
    }

    /// Waits before another try; returns false if the server requests a longer delay than the maximum.
    ///
    /// - Parameter waited: The total delay of the earlier tries.
    func wait(
        for headers: Headers?, afterTry number: Int, _ waited: inout Duration
    ) async throws -> Bool {
        let backoff = RetryDelay.backoff(afterTry: number, random: surroundings.randomBytes(2))
        let requested = headers.flatMap { headers in
            headers["retry-after"].flatMap { RetryDelay.requested($0, date: headers["date"]) }
        }
        let delay = max(backoff, requested ?? .zero)
        guard delay <= RetryDelay.longestRequested, waited + delay <= RetryDelay.longestInAll else {
            return false
        }
        waited += delay
        try await surroundings.wait(delay)
        return true
    }
}

// MARK: - The key

extension ServerSession {
    /// Whether there is a key; false until the key is requested.
    var hasKey: Bool { memory.withLock { ($0.key ?? nil) != nil } }

    private func key() async throws -> String? {
        if let cached = memory.withLock({ $0.key }) { return cached }
        let key = try await surroundings.key(url.origin)
        if key != nil, !url.origin.isSafeForKeys {
            throw RemoteError.notAllowed(.exposed(url: url.string))
        }
        if let key, !key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) || key.utf8.count > 8192 {
            throw RemoteError.notAllowed(.malformed(url: url.string))
        }
        memory.withLock { $0.key = key }
        return key
    }
}

// MARK: - Redirects

extension ServerSession {
    private static let maximumRedirects = 5

    /// Sends a request; follows redirects of GET requests within the origin.
    private func follow(_ request: ServerRequest) async throws -> ServerResponse {
        var request = request
        for _ in 0...Self.maximumRedirects {
            let answer = try await send(request)
            guard [301, 302, 303, 307, 308].contains(answer.status) else { return answer }
            guard request.method == .get else { throw unfollowed(.ofWrite) }
            guard let location = answer.headers["location"],
                let target = target(of: location)
            else { throw unfollowed(.toOtherServer) }
            request.target = target
        }
        throw unfollowed(.endless)
    }

    /// Sends a request once, and logs it and its response.
    private func send(_ request: ServerRequest) async throws(TransferFailure) -> ServerResponse {
        let logger = surroundings.logger
        // The query can contain words from todos or a server's signature.
        let name: () -> String = { "\(request.method.rawValue) \(request.target.prefix { $0 != "?" })" }
        logger?.debug("request \(name()), \(request.body?.count ?? 0) bytes")
        do {
            let answer = try await transport.send(request)
            let version = answer.headers["etag"]
            logger?.debug(
                """
                response to \(name()): status \(answer.status), \(version.map { "ETag \($0), " } ?? "")\
                \(answer.body.count) bytes
                """)
            return answer
        } catch {
            logger?.debug("no response to \(name()): \(error.reason)")
            throw error
        }
    }

    private func unfollowed(_ redirect: RemoteError.Redirect) -> RemoteError {
        .redirected(url: url.string, redirect)
    }

    /// Returns the path and query of a URL within the origin; nil for any other URL.
    private func target(of location: String) -> String? {
        guard location.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        if location.hasPrefix("/"), !location.hasPrefix("//") { return location }
        guard let (origin, rest) = ServerOrigin.split(location), origin == url.origin,
            rest.first == "/"
        else { return nil }
        return String(rest)
    }
}

extension ServerSession {
    /// Returns the error for a response that stops the exchange: neither a success nor a status that the
    /// caller handles.
    func error(for answer: ServerResponse, writing: Bool = false) -> RemoteError {
        switch answer.status {
        case 401, 403: denial(answer.status, answer.words, writing: writing)
        case 404: .noSuchTable(url: url.string, message: answer.words)
        case 429: .overloaded(url: url.string, pause: pause(answer), message: answer.words)
        case 503 where hasLongPause(answer):
            .overloaded(url: url.string, pause: pause(answer), message: answer.words)
        default: .refused(url: url.string, status: answer.status, message: answer.message)
        }
    }

    /// Returns the error for a 401 or a 403.
    func denial(_ status: Int, _ message: String, writing: Bool) -> RemoteError {
        guard status == 403, hasKey else { return .notAllowed(.unknown(url: url.string, message: message)) }
        let table = url.table.string
        return .notAllowed(
            .insufficient(
                url: url.string, needed: writing ? .write(table: table) : .read(table: table),
                message: message))
    }

    /// Returns the number of seconds that the server asks to wait; nil if it doesn't ask.
    private func pause(_ answer: ServerResponse) -> Int64? {
        answer.headers["retry-after"].flatMap {
            RetryDelay.requested($0, date: answer.headers["date"])?.components.seconds
        }
    }

    /// Returns whether the server asks for a longer pause than a request waits for.
    private func hasLongPause(_ answer: ServerResponse) -> Bool {
        pause(answer).map { .seconds($0) > RetryDelay.longestRequested } ?? false
    }
}

// MARK: - Waiting

/// The delays before retries.
enum RetryDelay {
    /// The maximum number of times that a request is sent.
    static let maximumTries = 4
    /// The longest delay that a server can request with `Retry-After`.
    static let longestRequested = Duration.seconds(30)
    /// The longest total delay of a request's retries.
    static let longestInAll = Duration.seconds(60)

    /// Returns a delay between zero and the given number of milliseconds, doubled with each try.
    ///
    /// This is exponential backoff with full jitter: it keeps clients that failed together from retrying
    /// together.
    static func backoff(
        afterTry number: Int, random: [UInt8], upTo milliseconds: Int64 = 500
    ) -> Duration {
        let share = random.prefix(2).reduce(0) { $0 << 8 | Int64($1) }
        return .milliseconds((milliseconds << min(number - 1, 6)) * share / 65_536)
    }

    /// Returns the delay that a `Retry-After` requests (RFC 9110, section 10.2.3); nil if it can't be parsed.
    ///
    /// - Parameter date: The response's `Date`. A date in `Retry-After` is compared with it, because the
    ///   server's clock can differ from the local one.
    static func requested(_ text: String, date: String?) -> Duration? {
        if !text.isEmpty, text.utf8.allSatisfy(\.isDecimalDigit) {
            return .seconds(Int64(text) ?? .max)
        }
        guard let until = HTTPDate.seconds(text), let now = date.flatMap(HTTPDate.seconds) else { return nil }
        return .seconds(max(0, until - now))
    }
}

/// The date format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    /// Returns the seconds since 1970-01-01T00:00:00Z.
    static func seconds(_ text: String) -> Int? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]),
            let month = Instant.months.firstIndex(of: String(words[2])), let year = Int(words[3])
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (1...31).contains(day), (1970...9999).contains(year),
            (0...23).contains(clock[0]), (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        let days = CivilDay(year: year, month: month + 1, day: day).daysSinceEpoch
        return days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }
}
