extension Store {
    /// Returns an id for a record that is inserted without one, a lower-case UUID: a random one, or for an
    /// operation the same each time it is sent.
    package func newID(table: TableName, operationID: String?) -> String {
        guard let operationID else { return Self.uuid(surroundings.randomBytes(16)) }
        let text = "\(identity)/\(table.folded)/\(operationID)"
        return Self.uuid(Array(Array(text.utf8).sha256.prefix(16)))
    }

    /// Writes 16 bytes as a UUID of version 4 (RFC 9562).
    private static func uuid(_ bytes: [UInt8]) -> String {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { text += "-" }
            text += (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}
