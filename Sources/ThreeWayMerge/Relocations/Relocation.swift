/// A field that one side renamed or moved and the other side edited.
package struct Relocation: Sendable, Hashable {
    /// The side that renamed or moved the field.
    package var side: Side
    /// The keys that led to the field.
    ///
    /// List items have no keys.
    package var from: [String]
    /// The keys that lead to the field after the change.
    package var to: [String]

    /// Creates a relocation from its parts.
    package init(side: Side, from: [String], to: [String]) {
        self.side = side
        self.from = from
        self.to = to
    }
}
