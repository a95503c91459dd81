internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A remote change that was merged into a todo's file, to merge into other texts of the todo.
struct RemoteMerge {
    private let id: TodoID
    /// The remote's version before and after.
    private let (base, remote): (FileText?, FileText?)
    /// The file before and after the merge; nil if the file stayed the same.
    private let file: (before: FileText?, after: FileText?)?
    private let rules: FieldRules

    /// Creates a change that left the file the same.
    init(_ id: TodoID, _ base: RemoteState?, _ remote: RemoteState, _ rules: FieldRules) {
        self.init(id, base, remote, file: nil, rules)
    }

    /// Creates the change that an edit of the file applied; nil if it applied none.
    init?(_ change: LoggedChange, _ rules: FieldRules) {
        guard let remote = change.remote else { return nil }
        self.init(change.id, change.baseBefore, remote, file: (change.before, change.after), rules)
    }

    private init(
        _ id: TodoID, _ base: RemoteState?, _ remote: RemoteState,
        file: (before: FileText?, after: FileText?)?, _ rules: FieldRules
    ) {
        (self.id, self.file, self.rules) = (id, file, rules)
        self.base = base?.todo.map { FileText(path: $0.path ?? id.string, bytes: $0.bytes) }
        self.remote = remote.todo.map { FileText(path: $0.path ?? id.string, bytes: $0.bytes) }
    }

    /// Returns a text of the todo with the change; where they conflict, the result is what the merge put into
    /// the file.
    func carrying(_ text: FileText?) -> FileText? {
        let local = merged(text, id, from: base, to: remote, preferring: .local, rules)
        guard let file, local != merged(text, id, from: base, to: remote, preferring: .remote, rules) else {
            return local
        }
        return merged(local, id, from: file.before, to: file.after, preferring: .remote, rules)
    }
}

/// Merges a change from one text of a todo to another into a third text; nil stands for no file.
///
/// - Parameter side: The side that wins a conflict: the third text (local) or the change (remote).
func merged(
    _ text: FileText?, _ id: TodoID, from old: FileText?, to new: FileText?, preferring side: Side,
    _ rules: FieldRules
) -> FileText? {
    if old.map({ $0.isSame(as: new) }) ?? (new == nil) { return text }
    guard let text, let new else {
        guard let old else { return text ?? new }
        // One side deleted the todo.
        if text == nil { return side == .local ? nil : new }
        return side == .local && text?.isSame(as: old) == false ? text : nil
    }
    let isMoved = old.map { text.path.isSameBytes(as: $0.path) } == true
    return FileText(
        path: isMoved ? new.path : text.path,
        bytes: merged(text.bytes, id, from: old?.bytes, to: new.bytes, preferring: side, rules))
}

private func merged(
    _ text: [UInt8], _ id: TodoID, from old: [UInt8]?, to new: [UInt8], preferring side: Side,
    _ rules: FieldRules
) -> [UInt8] {
    let (old, new) = (old.map { withID($0, id) }, withID(new, id))
    let chosen = side == .local ? text : new
    guard old.map({ todoProblem(in: $0) == nil }) ?? true, todoProblem(in: new) == nil,
        let local = try? Todo(parsing: withID(text, id))
    else { return old.map { isSameText(text, $0) } == true ? new : chosen }
    switch reconcileTexts(base: old, local: local, remote: new, rules: rules) {
    case .agreed, .keepLocal: return text
    case .takeRemote(let bytes), .merged(let bytes, _): return bytes
    case .conflict(let text, _, _): return text.taking(side) ?? chosen
    case .unmergeable: return chosen
    }
}

extension FileText {
    /// Returns whether another file has the same path and the same text, except for line endings.
    func isSame(as other: FileText?) -> Bool {
        guard let other else { return false }
        return path.isSameBytes(as: other.path) && isSameText(bytes, other.bytes)
    }
}
