/// What a user changed in a todo, field by field, and what others did to these fields since.
///
/// The path of a file, each tag and each comment are the values of a field as well. A value that is absent is
/// nil.
struct ModelChange {
    /// A change of a whole todo.
    enum Whole {
        /// The user created a file with a text.
        case created(String)
        /// The user deleted a todo; the text is nil if only its values are known.
        case removed(ModelTodo, String?)
        /// The user resolved a conflict with an answer.
        case resolved(conflicted: ModelTodo, answer: ModelTodo, text: String)
        /// The user opened a conflict again.
        case reopened(conflicted: ModelTodo, answer: ModelTodo)
    }

    /// What one field would be if the user had not changed it, and what the change made of it.
    struct Field: Equatable {
        var before: String?
        var after: String?
    }

    var whole: Whole?
    var fields: [String: Field] = [:]
    /// Whether the remote has not accepted the change yet.
    var isPending = true
    /// Whether the change met a conflict, so that nobody foresees what an undo makes of it.
    var isOpaque = false

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

    /// What an undo of a change does to a todo.
    enum Outcome {
        case refused
        case becomes(ModelTodo?)
    }

    /// Returns what an undo of the change does to a todo whose file has a text.
    func undone(from current: ModelTodo?, _ text: String?) -> Outcome {
        switch (whole, current) {
        case (.created?, nil): .becomes(nil)
        case (.created(let created)?, _?): text == created ? .becomes(nil) : .refused
        case (.removed(let todo, _)?, nil): .becomes(todo)
        case (.removed(let todo, let removed)?, let current?):
            removed.map { $0 == text } ?? (todo == current) ? .becomes(current) : .refused
        case (.resolved(let conflicted, let answer, let answered)?, let current):
            current == answer && text == answered ? .becomes(conflicted) : .refused
        case (.reopened(let conflicted, let answer)?, let current):
            current == conflicted ? .becomes(answer) : .refused
        case (nil, nil): .refused
        case (nil, let current?): undone(in: current).map(Outcome.becomes) ?? .refused
        }
    }

    /// Returns a todo without the change, and with all later ones; nil if a field was changed again.
    private func undone(in current: ModelTodo) -> ModelTodo? {
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

    init(path: String?, _ text: String) {
        values[Self.path] = path
        if text.contains("<<<<<<<") {
            // Nothing may touch the file but its user.
            values["id"] = text.split(separator: "\n").first { $0.hasPrefix("id: ") }.map {
                String($0.dropFirst(4))
            }
            values["conflict"] = text
            return
        }
        for line in text.split(separator: "\n").map(String.init) {
            if line.hasPrefix("#") {
                values[line] = "comment"
            } else if let tags = Self.tags(in: line) {
                for tag in tags { values["tags/" + tag] = "tag" }
            } else {
                let parts = line.split(separator: ": ", maxSplits: 1)
                values[String(parts[0])] = String(parts[1])
            }
        }
    }

    subscript(name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Returns the tags in a line of a file; nil if it is the line of another field.
    static func tags(in line: String) -> [String]? {
        guard line.hasPrefix("tags: [") else { return nil }
        return line.dropFirst(7).dropLast().split(separator: ", ").map(String.init)
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
