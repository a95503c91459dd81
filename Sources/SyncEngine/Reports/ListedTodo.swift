package import LosslessYAML
package import TodoModel

/// A todo in a list.
package struct ListedTodo: Sendable {
    package var id: TodoID?
    package var path: String
    /// The fields without `id`; with the local values if the todo is in conflict.
    package var fields: Mapping
    package var isConflicted: Bool
    /// The text; with its markers if the todo is in conflict.
    package var bytes: [UInt8]
    /// Whether the todo is behind, or git removed its file; the fields are the newest version's.
    package var isBehind = false
    /// Whether the todo is held until the user decides.
    package var isHeld = false
    /// The todo's handle; nil if its file has no id yet.
    package var handle: String?
    /// Whether the todo has changes that no remote has confirmed.
    package var isPending = false
    /// The version that the remote assigned, for a base or remote version.
    package var version: Version?
}
