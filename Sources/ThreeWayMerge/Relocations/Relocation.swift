/// A field that one side renamed or moved and the other side edited.
public struct Relocation: Sendable, Hashable {
    /// The side that renamed or moved it.
    public var side: Side
    /// The keys that led to it; the items of lists have none.
    public var from: [String]
    /// The keys that lead to it now.
    public var to: [String]

    /// Creates a relocation from its parts.
    public init(side: Side, from: [String], to: [String]) {
        self.side = side
        self.from = from
        self.to = to
    }
}
