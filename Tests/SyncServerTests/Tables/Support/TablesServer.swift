import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import TodoModel

/// The protocol over a store of its own, without a socket.
struct TablesServer: Sendable {
    let store: Store
    let tables: TablesProtocol
    private let folder: TemporaryFolder

    static let origin = "http://127.0.0.1:8080"

    init() throws {
        folder = try TemporaryFolder()
        store = try Store.create(at: folder.path(of: "store"), surroundings: .testing)
        tables = TablesProtocol(store: store)
    }

    func send(
        _ method: String, _ target: String, _ flavour: Flavour = .v2, headers: [(String, String)] = [],
        body: String = "", grant: Grant = .all
    ) async -> Answer {
        var fields = headers.map { Headers.Field(name: $0.0, value: $0.1) }
        if flavour == .v2 { fields.append(Headers.Field(name: "ZUMO-API-VERSION", value: "2.0.0")) }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let request = TablesRequest(
            method: method, path: String(parts[0]), query: String(parts.dropFirst().first ?? ""),
            headers: Headers(fields), body: Array(body.utf8), origin: Self.origin)
        return Answer(response: await tables.respond(to: request, grant: grant))
    }

    /// A table `t` with a live record `live` and a tombstone `tomb`; a version that both had before.
    func fill() async throws -> Versions {
        var versions = Versions()
        for id in ["live", "tomb"] {
            let made = await send("POST", "/tables/t", body: #"{"id":"\#(id)","text":"first","n":1}"#)
            versions.stale[id] = made.version
            let changed = await send("PATCH", "/tables/t/\(id)", body: #"{"text":"second"}"#)
            versions.current[id] = changed.version
        }
        versions.current["tomb"] = await send("DELETE", "/tables/t/tomb").version
        return versions
    }

    /// All that the store has, for seeing whether anything changed.
    func content() async throws -> [RemoteRecord] {
        var records: [RemoteRecord] = []
        for table in ["t", "todoitem"].compactMap({ TableName($0) }) {
            records += try await store.table(table).changes(after: nil).records
        }
        return records
    }
}

/// The versions that records have and had.
struct Versions: Sendable {
    var current: [String: String] = [:]
    var stale: [String: String] = [:]

    /// What a client can say of them.
    enum Condition: Sendable, CaseIterable {
        case none, current, stale, any
    }

    func headers(_ condition: Condition, id: String) -> [(String, String)] {
        switch condition {
        case .none: []
        case .current: [("If-Match", "\"\(current[id] ?? "AAAAAAAAAAA=")\"")]
        case .stale: [("If-Match", "\"\(stale[id] ?? "AAAAAAAAAAA=")\"")]
        case .any: [("If-Match", "*")]
        }
    }
}

/// A response with its body read.
struct Answer: Sendable {
    let response: TablesResponse

    var status: Int { response.status }
    var text: String { String(decoding: response.body, as: UTF8.self) }

    func header(_ name: String) -> String? { response.headers[name] }

    /// The body; null where it is not JSON.
    var json: Value { (try? JSON.read(response.body, maximumSize: .max)) ?? .null }

    subscript(_ member: String) -> Value? { json[member] }

    /// The version of the `ETag`.
    var version: String? {
        header("etag").map { String($0.dropFirst().dropLast()) }
    }

    /// The members of the body.
    var keys: Set<String> {
        guard case .mapping(let mapping) = json else { return [] }
        return Set(mapping.keys)
    }

    /// The records of a list, whatever its shape.
    var records: [Value] {
        switch (json, self["results"], self["value"]) {
        case (.list(let list), _, _), (_, .list(let list)?, _), (_, _, .list(let list)?): list
        default: []
        }
    }

    var ids: [String] { records.compactMap { $0["id"]?.string } }
}

extension Value {
    subscript(_ member: String) -> Value? {
        guard case .mapping(let mapping) = self else { return nil }
        return mapping[member]
    }

    subscript(_ place: Int) -> Value? {
        guard case .list(let list) = self, list.indices.contains(place) else { return nil }
        return list[place]
    }

    var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    var number: Int? {
        guard case .number(let number) = self else { return nil }
        return Int(number.json)
    }
}

extension StoreSurroundings {
    /// A clock that stands still, and real randomness.
    static let testing = StoreSurroundings(
        now: { 1_763_724_000_123 },
        randomBytes: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } })
}

extension AccessKey {
    init(_ access: Access, table: String? = nil, isAnonymous: Bool = false) {
        self.init(
            name: "key", table: table.flatMap { TableName($0) }, access: access, isAnonymous: isAnonymous,
            createdAt: 0)
    }
}

extension Grant {
    static let stranger = Grant(keys: [], isIdentified: false)

    static func key(_ access: AccessKey.Access, table: String? = nil) -> Grant {
        Grant(keys: [AccessKey(access, table: table)], isIdentified: true)
    }
}

let bothFlavours: [Flavour] = [.v1, .v2]
