internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// A todo: one YAML file in a working directory.
public struct Todo: Sendable, Hashable {
    /// The id, which stays the same when the file is renamed; nil if the file has none yet.
    ///
    /// A file that was written by hand gets an id from the first push.
    public let id: String?
    /// The file's path, relative to the working directory.
    public let path: String
    /// The fields besides the id; if the todo is in conflict, with the local values.
    public let fields: [String: FieldValue]
    /// Whether the todo has an open conflict.
    public let isConflicted: Bool

    /// What is to be done.
    public var text: String { fields["text"]?.string ?? "" }
    /// Whether it is done.
    public var isComplete: Bool { fields["complete"] == .bool(true) }

    init(_ todo: ListedTodo) {
        (id, path) = (todo.id?.string, todo.path)
        fields = TodosyncKit.fields(todo.fields)
        isConflicted = todo.isConflicted
    }
}
