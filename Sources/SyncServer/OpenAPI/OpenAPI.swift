package import LosslessYAML
internal import TodoModel
internal import Values

/// The description of the server for programs (OpenAPI 3.1), made of what the dispatcher knows.
package enum OpenAPI {
    /// Returns the description, as it is served at `/openapi.json`.
    package static func document() -> Value {
        .mapping([
            "openapi": .string("3.1.0"),
            "info": read(info),
            // Relative, so that it holds behind whatever name the server has.
            "servers": .list([.mapping(["url": .string("/")])]),
            "security": read(security),
            "paths": .mapping(paths),
            "components": .mapping([
                "schemas": read(schemas), "parameters": read(parameters), "headers": read(headers),
                "securitySchemes": read(securitySchemes),
            ]),
        ])
    }

    static let bytes = JSON.write(document())

    private static var paths: Mapping {
        var paths = Mapping()
        for path in Endpoint.Path.allCases {
            var item = Mapping()
            let names = path.parameters
            if !names.isEmpty { item["parameters"] = .list(names.map { reference("parameters", $0) }) }
            for endpoint in Endpoint.allCases where endpoint.path == path {
                item[endpoint.method.lowercased()] = .mapping(operation(endpoint))
            }
            paths[path.rawValue] = .mapping(item)
        }
        return paths
    }

    private static func operation(_ endpoint: Endpoint) -> Mapping {
        var operation: Mapping = [
            "operationId": .string("\(endpoint)"), "summary": .string(endpoint.summary),
            "parameters": .list(endpoint.parameters.map { reference("parameters", $0) }),
        ]
        if let schema = endpoint.bodySchema {
            operation["requestBody"] = .mapping([
                "required": .bool(true), "content": content(schema),
            ])
        }
        var responses = Mapping()
        for status in endpoint.statuses.sorted() {
            responses[String(status)] = .mapping(response(status, of: endpoint))
        }
        operation["responses"] = .mapping(responses)
        if endpoint == .describe { operation["security"] = .list([]) }
        return operation
    }

    private static func response(_ status: Int, of endpoint: Endpoint) -> Mapping {
        var response: Mapping = ["description": .string(meaning(of: status, endpoint))]
        var headers = Mapping()
        for name in endpoint.headers(status) { headers[name] = reference("headers", name) }
        if !headers.isEmpty { response["headers"] = .mapping(headers) }
        if let schema = endpoint.schema(status) { response["content"] = content(schema) }
        return response
    }

    private static func content(_ schema: String) -> Value {
        .mapping(["application/json": .mapping(["schema": reference("schemas", schema)])])
    }

    private static func reference(_ kind: String, _ name: String) -> Value {
        .mapping(["$ref": .string("#/components/\(kind)/\(name)")])
    }

    /// Reads a part of the description that is written as JSON below.
    private static func read(_ text: String) -> Value {
        guard let value = try? JSON.read(Array(text.utf8)) else {
            preconditionFailure("a part of the description is no JSON: \(text.prefix(40))")
        }
        return value
    }

    private static func meaning(of status: Int, _ endpoint: Endpoint) -> String {
        switch status {
        case 200: endpoint == .batch ? "Each request's answer, in the order of the requests." : "Done."
        case 201: "Inserted."
        case 204: "Done; without a body, as it was a delete or asked for with Prefer."
        case 304: "The client has this version."
        case 400: "The request is malformed; the message says what and where."
        case 401: "A key is needed."
        case 403: "The key, the host or the origin is not allowed to do this."
        case 404: "There is no such record or table."
        case 408: "The request took too long to come."
        case 409: "The id is taken, or the version in the body is not the record's, which is the body."
        case 410: "The token or the operation is not of this table's history."
        case 412: "The record, which is the body, has another version than If-Match says."
        case 413: "The body or the record is too large."
        case 414: "The URL is too long."
        case 415: "The body has a Content-Encoding other than gzip."
        case 417: "The request has an Expect other than 100-continue."
        case 422: "The Idempotency-Key was used for another write."
        case 429: "Too many requests or connections; Retry-After says when to go on."
        case 431: "The request's header is too large."
        case 501: "The request has a Transfer-Encoding other than chunked."
        case 505: "The request is of another version of HTTP than 1.0 and 1.1."
        default: "The store can't be used."
        }
    }
}

extension Endpoint.Path {
    /// The names of its parameters, in its text in braces.
    fileprivate var parameters: [String] {
        rawValue.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }
}

extension Endpoint {
    fileprivate var summary: String {
        switch self {
        case .list: "Lists records, or with Prefer: odata.track-changes what was written since a token."
        case .insert: "Inserts a record; without an id it gets one."
        case .updateByBody: "Changes the record whose id is in the body (version 2 only)."
        case .read: "Reads a record."
        case .update: "Changes the members that the body names."
        case .replace: "Replaces all fields; over a tombstone, with its version, it brings the record back."
        case .delete: "Deletes a record; a tombstone stays."
        case .undelete: "Brings a deleted record back."
        case .batch: "Carries out up to 1000 requests in their order."
        case .describe: "Describes the server."
        }
    }

    /// The names of its parameters besides those of its path.
    fileprivate var parameters: [String] {
        switch self {
        case .list:
            [
                "version", "filter", "orderby", "select", "skip", "top", "inlinecount", "count", "deltatoken",
                "includeDeleted", "systemProperties", "prefer", "accepted",
            ]
        case .read: ["version", "includeDeleted", "systemProperties", "ifNoneMatch"]
        case .insert: ["version", "systemProperties", "idempotencyKey", "prefer"]
        case .updateByBody, .update, .replace, .delete, .undelete:
            ["version", "systemProperties", "ifMatch", "idempotencyKey", "prefer"]
        case .batch: ["version", "prefer"]
        case .describe: []
        }
    }

    fileprivate var bodySchema: String? {
        switch self {
        case .insert, .updateByBody, .update, .replace: "SentRecord"
        case .batch: "Batch"
        case .list, .read, .delete, .undelete, .describe: nil
        }
    }

    /// All statuses of its answers but 405, which is for other methods.
    fileprivate var statuses: Set<Int> {
        // Most of these are found out before anybody looks at the path.
        let ofConnections: Set = [400, 403, 408, 413, 414, 415, 417, 429, 431, 501, 503, 505]
        let ofAll = ofConnections.union([401, 404, 500])
        let ofWrites = ofAll.union([200, 204, 409, 412, 422])
        return switch self {
        case .list: ofAll.union([200, 410])
        case .read: ofAll.union([200, 304])
        case .insert: ofAll.union([201, 204, 409, 422])
        case .updateByBody, .update, .replace: ofWrites
        case .delete: ofWrites.subtracting([200])
        case .undelete: ofWrites
        case .batch: ofAll.union([200]).subtracting([404])
        case .describe: ofConnections.union([200])
        }
    }

    /// The schema of an answer's body, nil for one without.
    fileprivate func schema(_ status: Int) -> String? {
        switch (status, self) {
        case (204, _), (304, _): nil
        case (200, .list): "List"
        case (200, .batch): "BatchAnswer"
        case (200, .describe): "Description"
        case (200, _), (201, _), (412, _): "Record"
        case (409, _): "Conflict"
        default: "Error"
        }
    }

    fileprivate func headers(_ status: Int) -> [String] {
        switch (status, self) {
        case (200, .list): ["Link", "Preference-Applied"]
        case (200, .batch): ["todosync-cursor"]
        case (200, .describe): []
        case (201, _): ["ETag", "Location", "Idempotency-Replayed"]
        case (200, .read), (304, _), (409, _), (412, _): ["ETag"]
        case (200, _), (204, _): ["ETag", "Idempotency-Replayed", "Preference-Applied"]
        case (401, _): ["WWW-Authenticate"]
        case (429, _), (503, _): ["Retry-After"]
        default: []
        }
    }
}
