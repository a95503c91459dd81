internal import LosslessYAML
internal import SyncEngine
internal import WorkingCopy

/// Returns what `resolutions --json` prints; an absent value has no key.
func json(_ resolutions: [ListedResolution]) -> Value {
    .list(
        resolutions.map { listed in
            let resolution = listed.resolution
            var object = todoJSON(resolution.id, listed.path)
            object["keys"] = .strings(resolution.path)
            object["base"] = resolution.base
            object["local"] = resolution.local
            object["remote"] = resolution.remote
            object["result"] = resolution.result
            object["operation"] = .string(resolution.operation)
            object["time"] = .string(resolution.time)
            return .mapping(object)
        })
}
