internal import Values

extension Store {
    /// Returns a lower-case UUID for a record that is inserted without an id: the same one for each try of an
    /// operation, otherwise a random one.
    package func newID(table: TableName, operationID: String?) -> String {
        guard let operationID else { return BinaryUUID(random: surroundings.randomBytes(16)).string }
        let text = "\(identity)/\(table.folded)/\(operationID)"
        return BinaryUUID(random: Array(Array(text.utf8).sha256.prefix(16))).string
    }
}
