internal import LosslessYAML
package import TodoModel

/// A remote that wraps another one and imitates the failures of networks and servers.
///
/// ``Behavior``s determine what goes wrong, a rate how often, and a seed when.
package actor MisbehavingRemote: Remote {
    /// A way to misbehave.
    package enum Behavior: Sendable, Hashable, CaseIterable {
        /// The exchange stops before anything is sent.
        case throwsUnavailable
        /// A push doesn't arrive, and its answers report that.
        case losesRequests
        /// A push is applied, completely or only at its beginning, and the remaining answers are lost.
        case losesAnswers
        /// A push is applied twice, as if the network repeated a request, and the second answers are
        /// returned.
        case repeatsRequests
        /// A push arrives after later ones, and its answers are lost.
        case delaysRequests
        /// The changes are the ones that were first returned for the same cursor.
        case answersStale
        /// The table seems to be empty: there are no changes and no records.
        case emptiesTable
        /// Every record seems to be deleted.
        case deletesEverything
        /// The changes contain records that no todosync would write.
        case addsGarbage
    }

    private let inner: any Remote
    private var behaviors: Set<Behavior>
    private var rate: Double
    private var generator: SplitMix64
    /// The first page that was returned for each cursor.
    private var firstPages: [Cursor?: ChangePage] = [:]
    private var garbageCount = 0
    /// Operations that were sent and have not arrived yet.
    private var delayed: [PushOperation] = []

    /// How often each behavior has occurred, so that tests can check it.
    package private(set) var counts: [Behavior: Int] = [:]

    /// Whether anything was returned or applied late.
    package var wasLate: Bool { counts[.answersStale] != nil || counts[.delaysRequests] != nil }

    /// Creates a remote.
    ///
    /// - Parameters:
    ///   - rate: The probability of each behavior in each call.
    ///   - seed: The seed for the random numbers.
    package init(_ inner: any Remote, behaviors: Set<Behavior>, rate: Double = 1, seed: UInt64 = 0) {
        self.inner = inner
        self.behaviors = behaviors
        self.rate = rate
        generator = SplitMix64(seed: seed)
    }

    /// Switches to other behaviors; an empty set makes the remote behave well from now on.
    package func setBehaviors(_ behaviors: Set<Behavior>, rate: Double = 1) {
        self.behaviors = behaviors
        self.rate = rate
    }

    package func meet(_ recorded: RecordedHistory?, wantsNews: Bool) async throws -> RemoteIdentity {
        if happens(.throwsUnavailable) {
            throw RemoteError.unreachable(url: "u", reason: "the connection was refused")
        }
        return try await inner.meet(recorded, wantsNews: wantsNews)
    }

    /// Decides at random whether a behavior occurs now.
    private func happens(_ behavior: Behavior) -> Bool {
        guard behaviors.contains(behavior), generator.chance(rate) else { return false }
        counts[behavior, default: 0] += 1
        return true
    }
}

// MARK: - Changes

extension MisbehavingRemote {
    package func changes(after cursor: Cursor?) async throws -> ChangePage {
        if happens(.throwsUnavailable) {
            throw RemoteError.unreachable(url: "u", reason: "the connection was lost")
        }
        if let page = firstPages[cursor], happens(.answersStale) { return page }
        var page = try await inner.changes(after: cursor)
        if firstPages[cursor] == nil { firstPages[cursor] = page }
        if happens(.emptiesTable) { return ChangePage(records: [], next: cursor ?? page.next, isLast: true) }
        if happens(.deletesEverything) {
            for index in page.records.indices { page.records[index].isDeleted = true }
        }
        if happens(.addsGarbage) {
            let position = Int.random(in: 0...page.records.count, using: &generator)
            page.records.insert(contentsOf: garbage(), at: position)
        }
        return page
    }
}

// MARK: - Push

extension MisbehavingRemote {
    package func push(_ operations: [PushOperation]) async throws -> PushReply {
        if happens(.throwsUnavailable) {
            throw RemoteError.unreachable(url: "u", reason: "the connection was refused")
        }
        if happens(.losesRequests) { return PushReply(answers: operations.map { _ in Self.lost }) }
        if happens(.delaysRequests) {
            delayed += operations
            return PushReply(answers: operations.map { _ in Self.lost })
        }
        defer { delayed = [] }
        let reply = try await reply(to: operations)
        if !delayed.isEmpty { _ = try await inner.push(delayed) }
        return reply
    }

    private func reply(to operations: [PushOperation]) async throws -> PushReply {
        if happens(.losesAnswers) {
            let count = Int.random(in: 0...operations.count, using: &generator)
            let recorded = generator.chance(0.5) ? count : 0
            var reply = try await inner.push(Array(operations.prefix(count)))
            reply.answers[recorded...] = operations.dropFirst(recorded).map { _ in Self.lost }[...]
            return reply
        }
        if happens(.repeatsRequests) { _ = try await inner.push(operations) }
        if happens(.emptiesTable) { return PushReply(answers: operations.map { _ in .movedOn(nil) }) }
        return try await inner.push(operations)
    }

    private static let lost = PushAnswer.unknown(message: "the connection was lost before the answer came")
}

// MARK: - Garbage

extension MisbehavingRemote {
    /// Returns records with everything that a remote must not be trusted with.
    private func garbage() -> [RemoteRecord] {
        garbageCount += 1
        let number = garbageCount
        let version = Version("garbage\u{1B}[2J \(number)")
        let text: Mapping = ["text": .string("garbage")]
        let ids = [
            "", " ", ".", "..", "../../etc/passwd", "a/b", "a\\b", "a\"b", "a\u{0}b", "a\u{1B}[2Jb", "a\nb",
            String(repeating: "x", count: 100_000),
        ]
        let paths = [
            "", "/", "/etc/passwd.yaml", "../outside.yaml", "a/../../outside.yaml", "a/./b.yaml",
            ".hidden.yaml",
            ".todosync/config.yaml", ".git/hooks/x.yaml", "a//b.yaml", "a\\b.yaml", "a\u{0}b.yaml",
            "a\u{1B}[2J.yaml",
            "no-extension", "todo.txt", "CON.yaml", String(repeating: "d/", count: 5000) + "x.yaml",
            String(repeating: "n", count: 300) + ".yaml",
        ]
        let deep = (0..<60).reduce(Value.string("deep")) { value, _ in .list([value]) }
        let fields: [Mapping] = [
            [:], ["text": .null], ["text": .number(Number(1))], ["text": .string("control \u{1B}[2J\u{7}")],
            ["text": .string("nul \u{0}")], ["text": .string("a"), "deep": deep],
            ["text": .string("a"), "version": .string("x")], ["text": .string("a"), "__proto__": .null],
            ["text": .string("a"), "id": .string("another")], ["text": .string("a"), "": .null],
            ["text": .string("a"), "a\nb": .null], ["text": .string("a"), "tags": .mapping(["x": .null])],
            ["text": .string("a"), "large": Number(json: "1e999999").map { .number($0) } ?? .null],
        ]
        let yamls = [
            "", "not: [yaml", "- a list", "id: another\ntext: garbage\n", "text: garbage\n<<<<<<< local\n",
            "a: &a [*a]\n", "text: !!python/object garbage\n", "text: garbage\u{0}\n",
        ]
        func record(_ kind: String, _ index: Int, fields: Mapping, layout: Layout?) -> RemoteRecord {
            RemoteRecord(
                id: "garbage-\(kind)-\(index)-\(number)", version: version, fields: fields, layout: layout)
        }
        return ids.map { RemoteRecord(id: $0, version: version, fields: text) }
            + paths.enumerated().map {
                record("path", $0, fields: text, layout: Layout(path: $1, yaml: "text: garbage\n"))
            }
            + fields.enumerated().map { record("fields", $0, fields: $1, layout: nil) }
            + yamls.enumerated().map {
                record("yaml", $0, fields: text, layout: Layout(path: "garbage-\($0).yaml", yaml: $1))
            }
    }
}
