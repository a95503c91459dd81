internal import LosslessYAML
internal import Remotes
internal import TodoModel

/// Returns what `remote --json` and the commands that change the remote print.
func remoteJSON(_ url: String?) -> Value { .mapping(["remote": .optional(url)]) }

/// Returns what commands print that name one thing of a store.
func namedJSON(_ name: String) -> Value { .mapping(["name": .string(name)]) }

/// Returns what commands print that save or remove the key for a server, or trust one.
func serverJSON(_ server: ServerOrigin, file: String? = nil) -> Value {
    var object: Mapping = ["origin": .string("\(server)")]
    if let file { object["file"] = .string(file) }
    return .mapping(object)
}

/// Returns what `serve key add --json` prints; the secret of a key is printed only there.
func json(_ key: AccessKey, secret: String?) -> Value {
    .mapping([
        "name": .string(key.name), "table": .optional(key.table?.string),
        "access": .string(key.access.rawValue), "anonymous": .bool(key.isAnonymous), "key": .optional(secret),
    ])
}

/// Returns an approved handler, or a folder that has none any more, as `trust --json` prints it.
func handlerJSON(_ handler: String?, in folder: String) -> Value {
    .mapping(["folder": .string(folder), "handler": .optional(handler)])
}
