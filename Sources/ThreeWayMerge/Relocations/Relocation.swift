/// A field that one side renamed or moved and the other side edited.
package struct Relocation: Sendable, Hashable {
    /// The side that renamed or moved it.
    package var side: Side
    /// The keys that led to it; the items of lists have none.
    package var from: [String]
    /// The keys that lead to it now.
    package var to: [String]

    /// Creates a relocation from its parts.
    package init(side: Side, from: [String], to: [String]) {
        self.side = side
        self.from = from
        self.to = to
    }
}
