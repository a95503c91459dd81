extension ArraySlice<UInt8> {
    /// Returns whether the bytes contain a word of at least one byte.
    ///
    /// This is much faster than a generic search.
    package func contains(_ word: [UInt8]) -> Bool {
        withUnsafeBufferPointer { bytes in
            guard let first = word.first, bytes.count >= word.count, let start = bytes.baseAddress else {
                return false
            }
            return (0...bytes.count - word.count).contains {
                bytes[$0] == first && memcmp(start + $0, word, word.count) == 0
            }
        }
    }
}
