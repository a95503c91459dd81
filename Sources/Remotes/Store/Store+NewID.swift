internal import Values

extension Store {
    /// Returns a lowercase UUID for a record that is inserted without an id: the same UUID for each try of an
    /// operation, or a random UUID if there is no operation id.
    package func newID(table: TableName, operationID: String?) -> String {
        guard let operationID else { return BinaryUUID(random: surroundings.randomBytes(16)).string }
        let text = "\(identity)/\(table.folded)/\(operationID)"
        return BinaryUUID(random: Array(Array(text.utf8).sha256.prefix(16))).string
    }
}
