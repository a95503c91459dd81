internal import LosslessYAML

/// Returns what `diff --json` prints.
func diffJSON(_ diff: [UInt8]) -> Value {
    .mapping(["diff": .string(String(decoding: diff, as: UTF8.self))])
}
