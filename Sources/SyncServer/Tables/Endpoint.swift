internal import Remotes

/// What the server can be asked to do: a method at a path.
enum Endpoint: CaseIterable, Sendable {
    case list
    case insert
    /// An update whose id stands in the body only.
    case updateByBody
    case read
    case update
    case replace
    case delete
    case undelete
    case batch
    case describe

    /// The paths that the server knows, as OpenAPI writes them.
    enum Path: String, CaseIterable, Sendable {
        case table = "/tables/{table}"
        case record = "/tables/{table}/{id}"
        case batch = "/$batch"
        case description = "/openapi.json"
    }

    var path: Path {
        switch self {
        case .list, .insert, .updateByBody: .table
        case .read, .update, .replace, .delete, .undelete: .record
        case .batch: .batch
        case .describe: .description
        }
    }

    /// `GET` stands for `HEAD`, too.
    var method: String {
        switch self {
        case .list, .read, .describe: "GET"
        case .insert, .undelete, .batch: "POST"
        case .updateByBody, .update: "PATCH"
        case .replace: "PUT"
        case .delete: "DELETE"
        }
    }

    /// What one must be allowed to do with the table.
    var access: AccessKey.Access {
        switch self {
        case .list, .read, .describe: .read
        case .insert, .updateByBody, .update, .replace, .delete, .undelete, .batch: .write
        }
    }

    /// Returns the methods that a path knows.
    static func methods(at path: String) throws(Refusal) -> [String] {
        let form = try RequestPath(path).form
        return allCases.filter { $0.path == form }.map(\.method)
    }

    /// Finds what a method at a path asks for.
    static func find(method: String, path: Path) throws(Refusal) -> Endpoint {
        let known = method == "HEAD" ? "GET" : method
        let endpoints = allCases.filter { $0.path == path }
        if let endpoint = endpoints.first(where: { $0.method == known }) { return endpoint }
        // Version 1 knows no PATCH without an id, and says so rather than that it can't be done.
        let allowed = endpoints.filter { $0 != .updateByBody }.map(\.method)
        throw Refusal(
            405, "The method \(method.shortened) is not supported here.",
            headers: [Headers.Field(name: "Allow", value: allowed.joined(separator: ", "))])
    }
}

/// A path taken apart.
struct RequestPath: Sendable {
    let form: Endpoint.Path
    /// The table's name as it was given, valid or not; empty where the path has none.
    var table = ""
    var id = ""

    /// Reads a path; a single `/` at its end does not count.
    init(_ text: String) throws(Refusal) {
        var segments = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
        guard segments.popFirst()?.isEmpty == true else { throw Self.unknown }
        if segments.count > 1, segments.last?.isEmpty == true { segments.removeLast() }
        // Before any is decoded: no path that is known has more.
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

    private static let unknown = Refusal(404, "There is nothing at this path; tables are at /tables/NAME.")
}
