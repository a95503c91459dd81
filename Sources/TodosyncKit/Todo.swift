internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// A todo: one YAML file in a working directory.
public struct Todo: Sendable, Hashable {
    /// The id, which remains the same when the file is renamed; nil if the file doesn't have one yet.
    ///
    /// The first push assigns an id to a file that was written by hand.
    public let id: String?
    /// The file's path, relative to the working directory.
    public let path: String
    /// The fields except the id; for a todo in conflict, the local values.
    public let fields: [String: FieldValue]
    /// Whether the todo has an open conflict.
    public let isConflicted: Bool

    /// The task to do: the field `text`.
    public var text: String { fields["text"]?.string ?? "" }
    /// Whether the task is done.
    public var isComplete: Bool { fields["complete"] == .bool(true) }

    init(_ todo: ListedTodo) {
        (id, path) = (todo.id?.string, todo.path)
        fields = TodosyncKit.fields(todo.fields)
        isConflicted = todo.isConflicted
    }
}
