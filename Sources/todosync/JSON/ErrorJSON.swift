internal import LosslessYAML
internal import SyncEngine
internal import Values

/// The version of the JSON; it changes only if a key is removed or gets a different meaning.
let jsonSchema = 1

/// Returns whether a command's words ask for JSON, even if they are otherwise wrong.
func wantsJSON(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--json")
}

/// Returns the error that a command with `--json` prints on standard error.
func json(_ failure: Failure) -> Value {
    var error: Mapping = [
        "code": .string(failure.code.rawValue), "status": .integer(Int(failure.status.rawValue)),
        "message": .string(failure.message),
    ]
    if let hint = failure.hint { error["hint"] = .string(hint) }
    if let path = failure.path { error["path"] = .string(path) }
    if !failure.candidates.isEmpty {
        error["todos"] = .list(
            failure.candidates.map { candidate in
                var todo = todoJSON(candidate.id, candidate.path)
                todo["handle"] = .optional(candidate.handle)
                todo["text"] = .optional(candidate.text)
                return .mapping(todo)
            })
    }
    return .mapping(["error": .mapping(error)])
}

/// Returns what `--version --json` prints.
func versionJSON(_ version: String) -> Value {
    .mapping(["version": .string(version), "schema": .integer(jsonSchema)])
}
