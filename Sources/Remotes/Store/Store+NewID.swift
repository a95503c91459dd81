internal import Values

extension Store {
    /// Returns an id for a record that is inserted without one, a lower-case UUID: a random one, or for an
    /// operation the same one each time it is sent.
    package func newID(table: TableName, operationID: String?) -> String {
        guard let operationID else { return BinaryUUID(random: surroundings.randomBytes(16)).string }
        let text = "\(identity)/\(table.folded)/\(operationID)"
        return BinaryUUID(random: Array(Array(text.utf8).sha256.prefix(16))).string
    }
}
