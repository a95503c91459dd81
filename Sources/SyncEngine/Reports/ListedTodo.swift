package import LosslessYAML
package import TodoModel

/// A todo as a list shows it.
package struct ListedTodo: Sendable {
    package var id: TodoID?
    package var path: String
    /// The fields without `id`; of a conflicted todo with the local values.
    package var fields: Mapping
    package var isConflicted: Bool
    /// The text; of a conflicted todo with its markers.
    package var bytes: [UInt8]
    /// Of a base or remote version the version the remote gave it.
    package var version: Version?
}
