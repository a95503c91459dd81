/// A table's row in the store's list of tables.
struct TableRow {
    var key: Int64
    /// The last sequence that was used; 0 before the first write.
    var sequence: Int64
    /// The last `updatedAt` that was used, in milliseconds since 1970-01-01T00:00:00Z.
    var updatedAt: Int64
}
