internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// A merge of a todo, as the operation log shows it.
struct LoggedMerge {
    /// A copy that another tool made of the todo's file.
    struct Copy {
        var path: String
        var text: [UInt8]
        /// The version that the copy and the todo's file were made from; nil if none was known.
        var base: [UInt8]?
    }

    var change: LoggedChange
    /// The copy that was merged into the todo's file; nil if a remote change was merged.
    var copy: Copy?
}

extension LoggedOperation {
    /// Returns the operation's merges of a todo, earliest first.
    func merges(of id: TodoID) -> [LoggedMerge] {
        var copy: (id: TodoID, merged: LoggedMerge.Copy)?
        return events.compactMap { event in
            switch event {
            // A copy that an undo keeps was merged earlier.
            case .kept(let copyID, let text?) where copyID != id && undoes == nil:
                if copy?.id == copyID {
                    copy?.merged.base = text.bytes
                } else if LineScan.id(in: text.bytes) == id {
                    copy = (copyID, LoggedMerge.Copy(path: text.path, text: text.bytes))
                }
            case .change(let change) where change.id == id:
                defer { copy = nil }
                if change.isMerge { return LoggedMerge(change: change) }
                return copy.map { LoggedMerge(change: change, copy: $0.merged) }
            case .linked(let link) where link.id == id: return link.kept.map { LoggedMerge(change: $0) }
            default: break
            }
            return nil
        }
    }
}

extension LoggedChange {
    /// Whether the edit applied a remote change.
    fileprivate var isMerge: Bool {
        guard remote != nil else { return false }
        return switch conflict {
        case .none, .opens: true
        case .closes, .aborts, .reopens: false
        }
    }
}
