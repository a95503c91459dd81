internal import LosslessYAML

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
