/// A key that a store's server takes, without its secret.
public struct AccessKey: Sendable, Hashable {
    /// What its owner calls it; one store has no two keys of one name.
    public var name: String
    /// The table it is for; nil for all.
    public var table: TableName?
    public var access: Access
    /// Whether it stands for requests without a key.
    public var isAnonymous: Bool
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var createdAt: Int64

    /// What a key may do; each includes those before it.
    public enum Access: String, Sendable, Hashable, CaseIterable, Comparable {
        case read
        case write
        /// Make tables, besides.
        case admin

        public static func < (left: Access, right: Access) -> Bool {
            let order = allCases
            return order.firstIndex(of: left)! < order.firstIndex(of: right)!
        }
    }

    public init(name: String, table: TableName?, access: Access, isAnonymous: Bool, createdAt: Int64) {
        self.name = name
        self.table = table
        self.access = access
        self.isAnonymous = isAnonymous
        self.createdAt = createdAt
    }
}
