import LosslessYAML
import NIOHTTP1
import Synchronization
import TodoModel

@testable import Remotes

/// A small in-memory server of the tables protocol, simple enough to be obviously correct, with the quirks of
/// public servers as options.
final class ForeignServer: Sendable {
    struct Options: Sendable {
        var flavor = WireFlavor.v2
        /// The maximum number of rows in a page, regardless of the request.
        var pageSize = 50
        /// Stores times in microseconds, but shows milliseconds.
        var hasFineTimes = false
        /// The number of microseconds between two writes.
        var tick = 1000
        var reportsCount = true
        /// The status for an unknown property that is an object: 400, or 500 like the Node server.
        var refusesObjects: Int?
        /// Answers DELETE with 200 and the row instead of 204, and shows no tombstone at a row's own URL.
        var isNode = false
        /// Removes deleted rows completely.
        var deletesHard = false
        /// Doesn't show whether rows are deleted.
        var hidesDeleted = false
        /// Silently drops properties that are objects.
        var dropsObjects = false
        /// Applies every n-th write, but loses the answer.
        var losesAnswer: Int?
    }

    struct Row: Sendable {
        var id: String
        var fields: Mapping
        var version: Int
        /// In microseconds.
        var time: Int
        var isDeleted = false
    }

    private struct State {
        var rows: [String: Row] = [:]
        var version = 0
        var time = 1_700_000_000_000_000
        var writes = 0
    }

    let options: Options
    private let state = Mutex(State())

    init(_ options: Options = Options()) { self.options = options }

    var rows: [Row] { state.withLock { Array($0.rows.values) } }

    /// Writes like another client, without conditions.
    func write(_ id: String, _ fields: Mapping, isDeleted: Bool = false) {
        state.withLock { state in
            state.time += options.tick
            Self.put(id, fields, isDeleted, &state)
        }
    }

    /// Makes a write visible with an earlier time than the newest one, like a long transaction.
    func writeLate(_ id: String, _ fields: Mapping, microseconds: Int) {
        state.withLock { state in
            state.time -= microseconds
            Self.put(id, fields, false, &state)
            state.time += microseconds
        }
    }

    @discardableResult
    private static func put(
        _ id: String, _ fields: Mapping, _ isDeleted: Bool, _ state: inout State
    ) -> Row {
        state.version += 1
        let row = Row(
            id: id, fields: fields, version: state.version, time: state.time, isDeleted: isDeleted)
        state.rows[id] = row
        return row
    }

    /// Runs the server on a port.
    func running<Result: Sendable>(_ body: (FakeServer) async throws -> Result) async throws -> Result {
        try await FakeServer.running({ self.respond(to: $0) }, body)
    }
}

// MARK: - Requests

extension ForeignServer {
    private func respond(to request: FakeRequest) -> FakeAnswer {
        let speaksV2 = !request.headers["zumo-api-version"].isEmpty
        guard speaksV2 == (options.flavor == .v2) else { return .text(400, "wrong api version") }
        let parts = request.path.split(separator: "/").map(FakeRequest.decoded)
        guard parts.count >= 2, parts[0] == "tables", parts[1] == "todoitem" else {
            return .text(404, "<html>no such table</html>")
        }
        if request.method == "GET" {
            return parts.count == 2 ? list(request) : .text(500, "the client must use a filter")
        }
        return state.withLock { state in
            state.writes += 1
            if options.flavor == .v2 || request.query["__systemProperties"] == "*" {
                let isLost = options.losesAnswer.map { state.writes % $0 == 0 } ?? false
                let answer = write(request, id: parts.count == 3 ? parts[2] : nil, &state)
                return isLost ? .close : answer
            }
            return .text(500, "the client must request system properties")
        }
    }

    private func write(_ request: FakeRequest, id: String?, _ state: inout State) -> FakeAnswer {
        var fields = Mapping()
        if case .mapping(let mapping) = request.json { fields = mapping }
        if let status = options.refusesObjects,
            fields.entries.contains(where: { if case .mapping = $0.value { true } else { false } })
        {
            return status == 500
                ? .json(500, ["error": "Unsupported type: Object"])
                : .json(status, ["error": "The property 'todosync' is not known"])
        }
        if options.dropsObjects {
            fields = Mapping(
                fields.entries.filter { if case .mapping = $0.value { false } else { true } })
        }
        let key = (id.map { .string($0) } ?? fields["id"]).flatMap { value -> String? in
            if case .string(let string) = value { string } else { nil }
        }
        guard let key else { return .json(400, ["error": "no id"]) }
        fields["id"] = nil
        let row = state.rows[key]
        if id == nil {
            if row != nil { return .json(409, ["error": "an item with that id already exists"]) }
            state.time += options.tick
            return answer(201, Self.put(key, fields, false, &state))
        }
        let missing = FakeAnswer.json(404, ["error": "there is no such item"])
        guard let row else { return missing }
        let condition = request.headers["if-match"].first.map { EntityTag.version($0) }
        if let condition, condition?.string != String(row.version) {
            return answer(412, row)
        }
        let isUndelete = request.method == "POST"
        if row.isDeleted, !isUndelete { return missing }
        state.time += options.tick
        switch request.method {
        case "DELETE":
            if options.deletesHard {
                state.rows[key] = nil
                return .answer(204, body: [])
            }
            let tombstone = Self.put(key, row.fields, true, &state)
            return options.isNode ? answer(200, tombstone) : .answer(204, body: [])
        case "POST": return answer(options.isNode ? 201 : 200, Self.put(key, row.fields, false, &state))
        case "PATCH":
            var merged = row.fields
            for (name, value) in fields.entries { merged[name] = value }
            return answer(200, Self.put(key, merged, false, &state))
        default: return .text(405, "")
        }
    }

    private func answer(_ status: Int, _ row: Row) -> FakeAnswer {
        .json(status, .mapping(json(row)), headers: [("ETag", "\"\(row.version)\"")])
    }

    private func json(_ row: Row) -> Mapping {
        var mapping = row.fields
        let names = options.flavor
        mapping["id"] = .string(row.id)
        mapping[names.version] = .string(String(row.version))
        mapping[names.updatedAt] = .string(Timestamp(milliseconds: row.time / 1000).text)
        mapping[names.createdAt] = .string(Timestamp(milliseconds: 0).text)
        if !options.hidesDeleted { mapping[names.deleted] = .bool(row.isDeleted) }
        return mapping
    }
}

// MARK: - Lists

extension ForeignServer {
    private func list(_ request: FakeRequest) -> FakeAnswer {
        let query = request.query
        var filter: Filter?
        if let text = query["$filter"] {
            guard let parsed = Filter(text) else { return .json(400, ["error": "bad filter"]) }
            filter = parsed
        }
        let unit = options.hasFineTimes ? 1 : 1000
        var rows = self.rows.filter { row in
            (query["__includeDeleted"] == "true" || !row.isDeleted)
                && filter?.holds(id: row.id, time: row.time / unit * unit) ?? true
        }
        let count = rows.count
        let byTime = query["$orderby"] == "\(options.flavor.updatedAt),id"
        guard byTime || query["$orderby"] == "id" || query["$top"] == "0" else {
            return .json(400, ["error": "bad order"])
        }
        rows.sort {
            byTime && $0.time / unit != $1.time / unit ? $0.time < $1.time : $0.id < $1.id
        }
        let top = min(query["$top"].flatMap { Int($0) } ?? 50, options.pageSize)
        let selected = query["$select"]?.split(separator: ",").map(String.init)
        let list = rows.prefix(top).map { row -> Value in
            let whole = json(row)
            guard let selected else { return .mapping(whole) }
            return .mapping(Mapping(selected.map { (key: $0, value: whole[$0] ?? .null) }))
        }
        return options.reportsCount && query["$inlinecount"] == "allpages"
            ? .json(200, ["results": .list(list), "count": .number(Number(count))]) : .json(200, .list(list))
    }
}

/// The part of `$filter` that a client uses to page by times and ids.
indirect enum Filter {
    case both(Filter, Filter)
    case either(Filter, Filter)
    case time(String, Int)
    case id(String, String)

    init?(_ text: String) {
        var rest = Self.words(text)[...]
        guard let filter = Self.disjunction(&rest), rest.isEmpty else { return nil }
        self = filter
    }

    func holds(id: String, time: Int) -> Bool {
        switch self {
        case .both(let left, let right): left.holds(id: id, time: time) && right.holds(id: id, time: time)
        case .either(let left, let right): left.holds(id: id, time: time) || right.holds(id: id, time: time)
        case .time(let comparison, let other): Self.compare(time, comparison, other)
        case .id(let comparison, let other): Self.compare(id, comparison, other)
        }
    }

    private static func compare<Operand: Comparable>(
        _ left: Operand, _ comparison: String, _ right: Operand
    ) -> Bool {
        switch comparison {
        case "eq": left == right
        case "gt": left > right
        case "ge": left >= right
        case "lt": left < right
        default: false
        }
    }

    private static func disjunction(_ words: inout ArraySlice<String>) -> Filter? {
        guard var left = conjunction(&words) else { return nil }
        while words.first == "or" {
            words.removeFirst()
            guard let right = conjunction(&words) else { return nil }
            left = .either(left, right)
        }
        return left
    }

    private static func conjunction(_ words: inout ArraySlice<String>) -> Filter? {
        guard var left = comparison(&words) else { return nil }
        while words.first == "and" {
            words.removeFirst()
            guard let right = comparison(&words) else { return nil }
            left = .both(left, right)
        }
        return left
    }

    private static func comparison(_ words: inout ArraySlice<String>) -> Filter? {
        if words.first == "(" {
            words.removeFirst()
            guard let inner = disjunction(&words), words.popFirst() == ")" else { return nil }
            return inner
        }
        guard let name = words.popFirst(), let comparison = words.popFirst(), let value = words.popFirst()
        else { return nil }
        if name == "id", value.hasPrefix("'") {
            return .id(comparison, String(value.dropFirst().dropLast()).replacing("''", with: "'"))
        }
        guard name.hasSuffix("updatedAt"), value.hasPrefix("datetimeoffset'"),
            let time = Timestamp(String(value.dropFirst("datetimeoffset'".count).dropLast()))
        else { return nil }
        return .time(comparison, time.milliseconds * 1000)
    }

    /// Splits a filter into parentheses, names and literals.
    private static func words(_ text: String) -> [String] {
        var words: [String] = [""]
        var isQuoted = false
        for character in text {
            if character == "'" { isQuoted.toggle() }
            if !isQuoted, "() ".contains(character) {
                words += character == " " ? [""] : [String(character), ""]
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }
    }
}
