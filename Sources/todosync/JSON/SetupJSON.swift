internal import LosslessYAML
internal import Remotes
internal import SyncEngine
internal import TodoModel

/// Returns what `remote --json` and the commands that change the remote print.
///
/// - Parameter forgottenPurges: The number of purged todos that the folder forgot.
func remoteJSON(_ url: String?, forgottenPurges: Int = 0) -> Value {
    var object: Mapping = ["remote": .optional(url)]
    if forgottenPurges > 0 { object["forgottenPurges"] = .integer(forgottenPurges) }
    return .mapping(object)
}

/// Returns the name of a key or a table, as commands that change one print it with `--json`.
func namedJSON(_ name: String) -> Value { .mapping(["name": .string(name)]) }

/// Returns a server, as commands that trust it, or save or remove its key, print it with `--json`.
func serverJSON(_ server: ServerOrigin, file: String? = nil) -> Value {
    var object: Mapping = ["origin": .string("\(server)")]
    if let file { object["file"] = .string(file) }
    return .mapping(object)
}

/// Returns what `serve key add --json` prints; no other command prints the key's secret.
func json(_ key: AccessKey, secret: String?) -> Value {
    .mapping([
        "name": .string(key.name), "table": .optional(key.table?.string),
        "access": .string(key.access.rawValue), "anonymous": .bool(key.isAnonymous), "key": .optional(secret),
    ])
}

/// Returns an approved handler as `trust --json` prints it.
func handlerJSON(_ approval: ApprovedHandlers.Approval) -> Value {
    .mapping([
        "folder": .string(approval.folder), "handler": .string(approval.handler),
        "files": .list(approval.files.paths.map(Value.string)),
    ])
}

/// Returns what `trust --handler --remove --json` prints.
func handlerJSON(withdrawnIn folder: String) -> Value {
    .mapping(["folder": .string(folder), "handler": .null])
}

/// Returns what `git-setup --json` prints: the lines and the settings that it wrote or removed.
///
/// - Parameter exceptions: The todos that git still doesn't merge with todosync.
func json(_ setup: GitSetup, _ exceptions: [(path: String, driver: String)]) -> Value {
    var lines: [String] = []
    var settings: [Value] = []
    for change in setup.changes {
        switch change {
        case .attributes(let changed, _): lines = changed
        case .setting(let key, let value):
            settings.append(.mapping(["key": .string(key), "value": .optional(value)]))
        }
    }
    return .mapping([
        "path": .string(setup.attributesPath), "lines": .strings(lines), "settings": .list(settings),
        "foreign": .optional(setup.foreignCommand),
        "exceptions": .list(
            exceptions.map { .mapping(["path": .string($0.path), "driver": .string($0.driver)]) }),
    ])
}

/// Returns what `serve store upgrade --json` prints.
///
/// - Parameter format: The store's previous format; nil if the store was up to date.
func upgradeJSON(from format: Int?, _ store: String) -> Value {
    .mapping(["store": .string(store), "upgradedFrom": format.map { .integer($0) } ?? .null])
}

/// Returns what `serve --json` prints once it is listening.
func listeningJSON(_ url: String) -> Value { .mapping(["url": .string(url)]) }

/// Returns what `demo --json` prints: the folder with the store and the working directories, and the
/// conflicted file.
func demoJSON(_ folder: String, conflict path: String) -> Value {
    .mapping(["folder": .string(folder), "conflict": .string(path)])
}

/// Returns what `merge-file --json` prints.
func mergeJSON(hasConflict: Bool) -> Value {
    .mapping(["result": .string(hasConflict ? "conflict" : "merged")])
}

/// Returns what `init --json` prints: what was created, and which files count as todos there.
func initJSON(_ kind: InitCommand.Kind, in folder: String, remote: String? = nil, _ found: FoundFiles? = nil)
    -> Value
{
    var object: Mapping = ["kind": .string(kind.rawValue), "folder": .string(folder)]
    guard kind == .workingDirectory else { return .mapping(object) }
    object["remote"] = .optional(remote)
    object["adopts"] = .integer(found?.todos ?? 0)
    object["invalid"] = .integer(found?.invalid ?? 0)
    object["ignores"] = .integer(found?.others ?? 0)
    return .mapping(object)
}
