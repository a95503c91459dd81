internal import Remotes

/// The operations of the server, each a method at a path.
enum Endpoint: CaseIterable, Sendable {
    case list
    case insert
    /// An update whose id is only in the body.
    case updateByBody
    case read
    case update
    case replace
    case delete
    case undelete
    /// Changes that a client waits for.
    case changes
    case batch
    case describe

    /// The server's paths in OpenAPI's notation.
    enum Path: String, CaseIterable, Sendable {
        case table = "/tables/{table}"
        case record = "/tables/{table}/{id}"
        case changes = "/tables/{table}/changes"
        case batch = "/$batch"
        case description = "/openapi.json"
    }

    var path: Path {
        switch self {
        case .list, .insert, .updateByBody: .table
        case .read, .update, .replace, .delete, .undelete: .record
        case .changes: .changes
        case .batch: .batch
        case .describe: .description
        }
    }

    /// The method of the endpoint; `GET` includes `HEAD`.
    var method: String {
        switch self {
        case .list, .read, .changes, .describe: "GET"
        case .insert, .undelete, .batch: "POST"
        case .updateByBody, .update: "PATCH"
        case .replace: "PUT"
        case .delete: "DELETE"
        }
    }

    /// The access to the table that the endpoint needs.
    var access: AccessKey.Access {
        switch self {
        case .list, .read, .changes, .describe: .read
        case .insert, .updateByBody, .update, .replace, .delete, .undelete, .batch: .write
        }
    }

    /// Returns the methods that a path supports.
    ///
    /// The path of a table's changes is also the path of the record `changes`, which the description omits.
    static func methods(at path: String) throws(Refusal) -> [String] {
        let path = try RequestPath(path)
        let form = path.isForChanges ? .changes : path.form
        return allCases.filter { $0.path == form }.map(\.method)
    }

    /// Returns the endpoint for a method at a path.
    static func find(method: String, path: Path) throws(Refusal) -> Endpoint {
        let lookedUp = method == "HEAD" ? "GET" : method
        let endpoints = allCases.filter { $0.path == path }
        if let endpoint = endpoints.first(where: { $0.method == lookedUp }) { return endpoint }
        // PATCH without an id exists only in version 2, so `Allow` leaves it out.
        let allowed = endpoints.filter { $0 != .updateByBody }.map(\.method)
        throw Refusal(
            405, "The method \(method.shortened) is not supported here.",
            headers: [Headers.Field(name: "Allow", value: allowed.joined(separator: ", "))])
    }
}

/// The parts of a request's path.
struct RequestPath: Sendable {
    let form: Endpoint.Path
    /// The table's name as received, valid or not; empty if the path has no table.
    var table = ""
    var id = ""

    /// Parses a path, ignoring a single trailing `/`.
    init(_ text: String) throws(Refusal) {
        var segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
        guard segments.popFirst()?.isEmpty == true else { throw Self.unknown }
        if segments.count > 1, segments.last?.isEmpty == true { segments.removeLast() }
        // No valid path has more segments, so don't decode them.
        guard segments.count <= 3 else { throw Self.unknown }
        var decoded: [String] = []
        for segment in segments {
            guard let text = PercentEncoding.decoded(Substring(segment)) else {
                throw .malformed("The path's segment \(decoded.count + 1) is not percent-encoded UTF-8.")
            }
            decoded.append(text)
        }
        switch decoded.count {
        case 1 where decoded[0] == "$batch": form = .batch
        case 1 where decoded[0] == "openapi.json": form = .description
        case 2 where decoded[0].lowercased() == "tables":
            form = .table
            table = decoded[1]
        case 3 where decoded[0].lowercased() == "tables":
            form = .record
            table = decoded[1]
            id = decoded[2]
        default: throw Self.unknown
        }
    }

    /// Whether the path can also be that of a table's changes.
    var isForChanges: Bool { form == .record && id == "changes" }

    private static let unknown = Refusal(404, "There is nothing at this path; tables are at /tables/NAME.")
}
