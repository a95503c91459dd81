public import LosslessYAML
public import TodoModel

/// A todo as a list shows it.
public struct ListedTodo: Sendable {
    public var id: TodoID?
    public var path: String
    /// The fields without `id`; of a conflicted todo with the local values.
    public var fields: Mapping
    public var isConflicted: Bool
    /// The text; of a conflicted todo with its markers.
    public var bytes: [UInt8]
    /// Of a base or remote version the version the remote gave it.
    public var version: Version?
}
