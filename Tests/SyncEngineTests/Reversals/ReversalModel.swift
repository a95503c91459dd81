/// A user's change to a todo, field by field, adjusted to later changes by others.
///
/// A file's path, each tag and each comment also count as values of fields. An absent value is nil.
struct ModelChange {
    /// A change to a whole todo.
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

    /// A field's value without the user's change, and its value with the change.
    struct Field: Equatable {
        var before: String?
        var after: String?
    }

    var whole: Whole?
    var fields: [String: Field] = [:]
    /// Whether the remote hasn't accepted the change yet.
    var isPending = true
    /// Whether the change met a conflict, so that the model doesn't predict the result of an undo.
    var isOpaque = false

    /// Adjusts the change to a change of the remote that it is merged with.
    ///
    /// - Parameters:
    ///   - remote: The remote's values at the last exchange and now.
    ///   - file: The file's values before and after the exchange.
    mutating func meet(remote: (old: ModelTodo, new: ModelTodo), file: (old: ModelTodo, new: ModelTodo)) {
        for (name, field) in fields {
            let (base, remoteValue) = (remote.old[name], remote.new[name])
            let (localValue, merged) = (file.old[name], file.new[name])
            if base != remoteValue {
                let isOverwritten = merged == remoteValue && localValue != remoteValue
                if field.before == base || isOverwritten { fields[name]?.before = remoteValue }
            }
            if field.after == localValue { fields[name]?.after = merged }
        }
    }

    /// What an undo of a change does to a todo.
    enum Outcome {
        case refused
        case becomes(ModelTodo?)
    }

    /// Returns what an undo of the change does to a todo, given its file's text.
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

    /// Returns a todo without the change but with all later ones; nil if a field was changed again.
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
            // Only the user may change the file.
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

    /// Returns the tags in a line of a file; nil if the line is a different field's.
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
    /// The todos that were changed back, or didn't need to be.
    var undone: Set<String> = []
    /// Whether the operation can be undone by name, which also undoes the remote's changes in the same run.
    var canBeNamed = true
}
