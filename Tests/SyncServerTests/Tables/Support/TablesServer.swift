import LosslessYAML
import Remotes
import SyncServer
import TestSupport
import TodoModel
import Values

/// A server of a store of its own, asked by sockets, each request on a connection of its own.
struct TablesServer: Sendable {
    private let server: TestServer
    private let secrets = Secrets()

    var store: Store { server.store }
    /// Where links lead back to.
    var origin: String { server.url }

    init() async throws { server = try await TestServer() }

    func send(
        _ method: String, _ target: String, _ flavour: Flavour = .v2, headers: [(String, String)] = [],
        body: String = "", as caller: Caller = .trusted
    ) async throws -> Answer {
        try await send(method, target, flavour, headers: headers, bytes: Array(body.utf8), as: caller)
    }

    func send(
        _ method: String, _ target: String, _ flavour: Flavour = .v2, headers: [(String, String)] = [],
        bytes: [UInt8], as caller: Caller = .trusted
    ) async throws -> Answer {
        var fields = ["Host: " + origin.dropFirst("http://".count)]
        if flavour == .v2 { fields.append("ZUMO-API-VERSION: 2.0.0") }
        if let secret = try await secrets.secret(of: caller, at: server) {
            fields.append("Authorization: Bearer " + secret)
        }
        fields += headers.map { "\($0.0): \($0.1)" }
        let response = try await TestClient.connect(to: server) { [fields] in
            try await $0.request(method, target, fields, body: bytes)
        }
        return Answer(response: response)
    }

    /// A table `t` with a live record `live` and a tombstone `tomb`; a version that both had before.
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
    let response: TestClient.Answer

    var status: Int { response.status }
    var text: String { String(decoding: response.body, as: UTF8.self) }

    func header(_ name: String) -> String? { response[name] }

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

/// Who sends a request: what the key allows that it shows, and what the store's other keys do.
struct Caller: Sendable {
    /// The key that the request shows.
    var key: AccessKey?
    /// One for requests without a key.
    var anonymous: AccessKey?
    /// Whether the server lets in who shows no key, or the only one for all.
    var isTrusted = false

    /// Who may do all: at a server without keys everybody on this machine, at another one its administrator.
    static let trusted = Caller(isTrusted: true)
    static let stranger = Caller()

    static func key(_ access: AccessKey.Access, table: String? = nil) -> Caller {
        Caller(key: .testing(access, table: table))
    }
}

/// The keys that the callers of a server have.
private actor Secrets {
    private var ofKeys: [AccessKey: String?] = [:]

    /// Returns what a caller shows, after seeing to it that the server has the keys.
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
        if let known = ofKeys[key] { return known }
        let secret = try await server.store.addKey(key).secret
        ofKeys[key] = .some(secret)
        return secret
    }
}

extension AccessKey {
    /// A key that is named by what it is.
    static func testing(_ access: Access, table: String? = nil, isAnonymous: Bool = false) -> AccessKey {
        .testing(
            "\(isAnonymous ? "all" : "key").\(access).\(table ?? "")", access,
            table: table.flatMap { TableName($0) }, isAnonymous: isAnonymous)
    }
}

let bothFlavours: [Flavour] = [.v1, .v2]
