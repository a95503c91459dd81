import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import TodoModel
import Values

/// A server with its own store, which gets each request on a new connection.
struct TablesServer: Sendable {
    private let server: TestServer
    private let secrets = Secrets()

    var store: Store { server.store }
    /// The origin of links.
    var origin: String { server.url }

    init() async throws { server = try await TestServer() }

    func send(
        _ method: String, _ target: String, _ flavor: Flavor = .v2, headers: [(String, String)] = [],
        body: String = "", as caller: Caller = .trusted
    ) async throws -> Answer {
        try await send(method, target, flavor, headers: headers, bytes: Array(body.utf8), as: caller)
    }

    func send(
        _ method: String, _ target: String, _ flavor: Flavor = .v2, headers: [(String, String)] = [],
        bytes: [UInt8], as caller: Caller = .trusted
    ) async throws -> Answer {
        var fields = ["Host: " + origin.dropFirst("http://".count)]
        if flavor == .v2 { fields.append("ZUMO-API-VERSION: 2.0.0") }
        if let secret = try await secrets.secret(of: caller, at: server) {
            fields.append("Authorization: Bearer " + secret)
        }
        fields += headers.map { "\($0.0): \($0.1)" }
        let response = try await TestClient.connect(to: server) { [fields] in
            try await $0.request(method, target, fields, body: bytes)
        }
        return Answer(response: response)
    }

    /// Creates the table `t` with a record `live` and a tombstone `tomb`, which both have an earlier version.
    func fill() async throws -> Versions {
        var versions = Versions()
        for id in ["live", "tomb"] {
            let made = try await send("POST", "/tables/t", body: #"{"id":"\#(id)","text":"first","n":1}"#)
            versions.stale[id] = made.version
            let changed = try await send("PATCH", "/tables/t/\(id)", body: #"{"text":"second"}"#)
            versions.current[id] = changed.version
        }
        versions.current["tomb"] = try await send("DELETE", "/tables/t/tomb").version
        return versions
    }

    /// Returns the store's whole content, to check whether anything changed.
    func content() async throws -> [RemoteRecord] {
        var records: [RemoteRecord] = []
        for table in ["t", "todoitem"].compactMap({ TableName($0) }) {
            records += try await store.table(table).changes(after: nil).records
        }
        return records
    }
}

/// The current and earlier versions of records.
struct Versions: Sendable {
    var current: [String: String] = [:]
    var stale: [String: String] = [:]

    /// The conditions that a client can send.
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

/// A response with its body parsed.
struct Answer: Sendable {
    let response: TestClient.Answer

    var status: Int { response.status }
    var text: String { String(decoding: response.body, as: UTF8.self) }

    func header(_ name: String) -> String? { response[name] }

    /// The body; null if it is not JSON.
    var json: Value { (try? JSON.read(response.body, maximumSize: .max)) ?? .null }

    subscript(_ member: String) -> Value? { json[member] }

    /// The version in the `ETag`.
    var version: String? {
        header("etag").map { String($0.dropFirst().dropLast()) }
    }

    /// The names of the body's members.
    var keys: Set<String> {
        guard case .mapping(let mapping) = json else { return [] }
        return Set(mapping.keys)
    }

    /// The records of a list in any format.
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

    subscript(_ position: Int) -> Value? {
        guard case .list(let list) = self, list.indices.contains(position) else { return nil }
        return list[position]
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

/// The sender of a request: the access of its key, and of the store's other keys.
struct Caller: Sendable {
    /// The key that the request contains.
    var key: AccessKey?
    /// An anonymous key.
    var anonymous: AccessKey?
    /// Whether the server accepts requests without a key, or the key is the only one and allows everything.
    var isTrusted = false

    /// A sender with full access: anybody on this machine if the server has no keys, otherwise its
    /// administrator.
    static let trusted = Caller(isTrusted: true)
    static let stranger = Caller()

    static func key(_ access: AccessKey.Access, table: String? = nil) -> Caller {
        Caller(key: .testing(access, table: table))
    }
}

/// The secrets of the callers' keys.
private actor Secrets {
    private var ofKeys: [AccessKey: String?] = [:]

    /// Returns a caller's secret, after making sure that the server has the keys.
    func secret(of caller: Caller, at server: TestServer) async throws -> String? {
        if caller.isTrusted {
            return ofKeys.isEmpty ? nil : try await secret(of: .testing(.admin), at: server)
        }
        if let anonymous = caller.anonymous { _ = try await secret(of: anonymous, at: server) }
        if let key = caller.key { return try await secret(of: key, at: server) }
        if ofKeys.isEmpty { _ = try await secret(of: .testing(.admin), at: server) }
        return nil
    }

    private func secret(of key: AccessKey, at server: TestServer) async throws -> String? {
        if let existing = ofKeys[key] { return existing }
        let secret = try await server.store.addKey(key).secret
        ofKeys[key] = .some(secret)
        return secret
    }
}

extension AccessKey {
    /// Returns a key that is named after its access.
    static func testing(_ access: Access, table: String? = nil, isAnonymous: Bool = false) -> AccessKey {
        .testing(
            "\(isAnonymous ? "all" : "key").\(access).\(table ?? "")", access,
            table: table.flatMap { TableName($0) }, isAnonymous: isAnonymous)
    }
}

let bothFlavors: [Flavor] = [.v1, .v2]
