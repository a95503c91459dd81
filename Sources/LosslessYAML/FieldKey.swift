/// The rules for keys.
enum FieldKey {
    /// Returns whether a key has 1 to 255 characters and no control characters.
    static func isValid(_ key: String) -> Bool {
        // Most keys are so short that their characters needn't be counted.
        let length = key.utf8.count <= Limits.keyLength.upperBound ? key.utf8.count : key.unicodeScalars.count
        guard Limits.keyLength.contains(length) else { return false }
        return key.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
}
