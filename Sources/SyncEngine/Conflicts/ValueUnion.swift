internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel

/// Returns a value with the content of both sides, local first; nil if the field can't hold both.
///
/// Lists of scalars, multiline texts, and notes can be joined.
func union(of local: Value, _ remote: Value, base: Value?, in field: String) -> Value? {
    switch (local, remote) {
    case (.list(let local), .list(let remote)): local.union(remote).map(Value.list)
    case (.string(let local), .string(let remote))
    where field == FieldName.notes || local.contains("\n") && remote.contains("\n"):
        .string(joinedLines(local, remote, base: base))
    default: nil
    }
}

/// Returns the lines of both texts; where they conflict, the local lines come before the remote ones.
private func joinedLines(_ local: String, _ remote: String, base: Value?) -> String {
    let texts = [local, remote, base.flatMap { if case .string(let text) = $0 { text } else { nil } } ?? ""]
    let lines = texts.map { Array(($0.isEmpty || $0.hasSuffix("\n") ? $0 : $0 + "\n").utf8) }
    let joined: [UInt8]
    switch mergeLines(base: lines[2], local: lines[0], remote: lines[1], style: .diff3) {
    case .clean(let text): joined = text
    case .conflicted(let text):
        joined = text.pieces.flatMap { piece in
            switch piece {
            case .text(let lines): lines
            case .block(let block): block.local + block.remote
            }
        }
    case .unwritable: preconditionFailure("lines have no limits")
    }
    let text = String(decoding: joined, as: UTF8.self)
    return local.hasSuffix("\n") || remote.hasSuffix("\n") ? text : String(text.dropLast())
}
