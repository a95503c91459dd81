/// What a user changed in a todo, field by field, and what others did to these fields since.
///
/// The paths of files are the values of a field as well. A value that is absent is nil.
struct ModelChange {
    /// What one field would be if the user had not changed it, and what the change made of it.
    struct Field: Equatable {
        var before: String?
        var after: String?
    }

    var fields: [String: Field] = [:]
    /// Whether the remote has not accepted the change yet.
    var isPending = true

    /// Follows a change of the remote with which the user's change is merged.
    ///
    /// - Parameters:
    ///   - remote: the remote's values at the last exchange, and now.
    ///   - file: the file's values before and after the exchange.
    mutating func meet(remote: (old: ModelTodo, new: ModelTodo), file: (old: ModelTodo, new: ModelTodo)) {
        for (name, field) in fields {
            let (base, theirs) = (remote.old[name], remote.new[name])
            let (mine, merged) = (file.old[name], file.new[name])
            if base != theirs {
                let isOverwritten = merged == theirs && mine != theirs
                if field.before == base || isOverwritten { fields[name]?.before = theirs }
            }
            if field.after == mine { fields[name]?.after = merged }
        }
    }

    /// Returns a todo without the change, and with all later ones; nil if a field was changed again.
    func undone(in current: ModelTodo) -> ModelTodo? {
        var todo = current
        for (name, field) in fields {
            if field.before == field.after || current[name] == field.before { continue }
            if current[name] == field.after {
                todo[name] = field.before
            } else if name != ModelTodo.path {
                return nil
            }
        }
        return todo
    }
}

/// The values of a todo.
struct ModelTodo: Equatable {
    static let path = "path"

    var values: [String: String] = [:]

    subscript(name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

/// An operation of the log, as its user sees it.
struct ModelOperation {
    /// The id in the log.
    var name: String
    /// The todos that the user changed.
    var changes: [String: ModelChange]
    /// The operation that this one undoes or redoes.
    var undoes: Int?
    var isUndo = false
    /// The todos that were changed back, or were so already.
    var undone: Set<String> = []
    /// Whether the remote's changes in the same run may be undone with it.
    var canBeNamed = true
}
