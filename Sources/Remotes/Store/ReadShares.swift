internal import Platform
internal import Synchronization
internal import TodoModel

/// Shares the connections for one kind of read among a store's clients.
///
/// No client uses all of them at the same time, so the next client finds one free.
final class ReadShares: Sendable {
    private struct Waiting {
        let number: Int
        let client: String
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// The numbers of running reads.
        var running: [String: Int] = [:]
        /// In the order of their arrival.
        var waiting: [Waiting] = []
        var lastNumber = 0

        var count: Int { running.values.reduce(0, +) }
    }

    private let state = Mutex(State())
    private let kind: ReadKind

    /// How long a read waits for its turn; nil for as long as it takes.
    private let patience: Duration?

    /// - Parameter patience: The kind's patience if nil.
    init(_ kind: ReadKind, patience: Duration? = nil) {
        self.kind = kind
        self.patience = patience ?? kind.patience
    }

    /// Runs a read as soon as its client and the others leave a connection free.
    ///
    /// - Throws: ``ReadRefusal`` if none is free for too long, and the errors of the read.
    func run<Result>(for client: String, _ read: () async throws -> Result) async throws -> Result {
        guard await begin(client) else {
            try Task.checkCancellation()
            throw state.withLock { isAtShare(client, $0) } ? ReadRefusal.ownReads : .allReads
        }
        defer { end(client) }
        return try await read()
    }

    private func isAtShare(_ client: String, _ state: borrowing State) -> Bool {
        state.running[client, default: 0] >= kind.shareOfClient
    }

    private func hasRoom(for client: String, _ state: borrowing State) -> Bool {
        !isAtShare(client, state) && state.count < ReadKind.connectionCount
    }

    /// Waits until a client may read; returns false if its patience ends first.
    private func begin(_ client: String) async -> Bool {
        let number: Int? = state.withLock { state in
            if hasRoom(for: client, state) {
                state.running[client, default: 0] += 1
                return nil
            }
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let begins: Bool? = state.withLock { state in
                    // If the task was cancelled before, nothing would resume the continuation.
                    if Task.isCancelled { return false }
                    if hasRoom(for: client, state) {
                        state.running[client, default: 0] += 1
                        return true
                    }
                    state.waiting.append(
                        Waiting(number: number, client: client, continuation: continuation))
                    return nil
                }
                if let begins { return continuation.resume(returning: begins) }
                guard let patience else { return }
                Task {
                    try await Task.sleep(for: patience)
                    giveUp(number)
                }
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func giveUp(_ number: Int) {
        let waiting = state.withLock { state in
            state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
        }
        waiting?.continuation.resume(returning: false)
    }

    /// Ends a read, and lets the first client that is below its share begin one.
    private func end(_ client: String) {
        let next = state.withLock { state -> Waiting? in
            let count = state.running[client, default: 0] - 1
            state.running[client] = count > 0 ? count : nil
            let index = state.waiting.firstIndex { hasRoom(for: $0.client, state) }
            guard let next = index.map({ state.waiting.remove(at: $0) }) else { return nil }
            state.running[next.client, default: 0] += 1
            return next
        }
        next?.continuation.resume(returning: true)
    }
}

/// The reason why a query isn't run.
package enum ReadRefusal: Error {
    /// The client has too many other queries.
    case ownReads
    /// The other clients have too many queries.
    case allReads
}

/// What a read is for.
///
/// Each kind of read has connections of its own, so that short reads never wait for long ones.
enum ReadKind {
    /// A few rows that are found by their keys.
    case lookup
    /// A page of the change feed.
    case feed
    /// Any number of rows, which can take seconds.
    case query

    /// The maximum number of concurrent reads.
    static let connectionCount = 4

    /// The maximum number of concurrent reads for one client.
    var shareOfClient: Int {
        switch self {
        case .lookup, .feed: 3
        // They use a processor for seconds.
        case .query: 2
        }
    }

    /// The time that a client waits until its own reads leave it a connection; nil for any time.
    var patience: Duration? {
        switch self {
        case .lookup, .feed: nil
        // A moment, so that several short queries at once are all answered.
        case .query: .milliseconds(250)
        }
    }
}

/// A value for each kind of read.
struct ByReadKind<Value: Sendable>: Sendable {
    private let lookup: Value
    private let feed: Value
    private let query: Value

    init(_ value: (ReadKind) -> Value) {
        (lookup, feed, query) = (value(.lookup), value(.feed), value(.query))
    }

    var all: [Value] { [lookup, feed, query] }

    subscript(kind: ReadKind) -> Value {
        switch kind {
        case .lookup: lookup
        case .feed: feed
        case .query: query
        }
    }
}

/// Shares reads among a client's tasks that wait for the same changes, so that a write that wakes thousands
/// of tasks costs only a few reads.
///
/// A read answers only the tasks that asked before it began, so no answer is older than its request.
actor SharedReads {
    /// What a task asks for.
    struct Request: Hashable {
        /// The client, because the read takes one of its connections and waits for its other reads.
        var client: String?
        var table: TableName
        var cursor: Cursor?
        var pageSize: Int
        var pageByteSize: Int
        /// What the text depends on besides the page.
        var form: String
    }

    typealias Answer = (changes: WrittenChanges, sequence: Int64)

    /// The reads that tasks wait for, with the number of these tasks.
    private(set) var reads: [Request: (lookup: CombinedLookup<Request, Answer>, taskCount: Int)] = [:]

    /// Returns the answer to a request.
    ///
    /// - Parameter read: Reads the answer. Later tasks with the same request get their answers from it, too.
    func answer(
        to request: Request, _ read: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let (lookup, taskCount) = reads[request] ?? (CombinedLookup { _ in try await read() }, 0)
        reads[request] = (lookup, taskCount + 1)
        defer {
            reads[request]?.taskCount -= 1
            if reads[request]?.taskCount == 0 { reads[request] = nil }
        }
        return try await lookup.answer(for: [request])
    }
}

/// Combines the lookups of requests that arrive at the same time into one round trip.
///
/// Nothing is cached, so an answer is never older than its request.
actor CombinedLookup<Key: Hashable & Sendable, Answer: Sendable> {
    typealias Waiting = (keys: [Key], continuation: CheckedContinuation<Answer, any Error>)

    private let read: @Sendable ([Key]) async throws -> Answer
    private(set) var waiting: [Waiting] = []
    private var isRunning = false

    /// - Parameter read: Reads the answer for the keys of several requests.
    init(read: @escaping @Sendable ([Key]) async throws -> Answer) { self.read = read }

    /// Returns an answer for the given keys, and possibly for others.
    func answer(for keys: [Key]) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            waiting.append((keys, continuation))
            if isRunning { return }
            isRunning = true
            // This is not part of the first caller's task: cancelling that task must not affect the others.
            Task(executorPreference: WorkThreads.current) { await self.run() }
        }
    }

    private func run() async {
        while !waiting.isEmpty {
            let callers = waiting
            waiting = []
            do {
                let found = try await read(Array(Set(callers.flatMap(\.keys))))
                for caller in callers { caller.continuation.resume(returning: found) }
            } catch {
                for caller in callers { caller.continuation.resume(throwing: error) }
            }
        }
        isRunning = false
    }
}
