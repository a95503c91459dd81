/// SipHash-2-4 with a result of 128 bits (Aumasson, Bernstein: "SipHash: a fast short-input PRF", and the
/// reference implementation's variant with twice the output), which older stores have digests of.
enum SipHash {
    /// Returns the 16 bytes of the hash.
    ///
    /// - Parameter key: 16 bytes.
    static func hash128(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        precondition(key.count == 16, "a key has 16 bytes")
        return bytes.withUnsafeBytes { bytes in
            var state = key.withUnsafeBytes { State(key0: word($0, at: 0), key1: word($0, at: 8)) }
            let wholeWords = bytes.count / 8 * 8
            for offset in stride(from: 0, to: wholeWords, by: 8) { state.absorb(word(bytes, at: offset)) }
            // The last word has the remaining bytes, and the length's lowest byte on top.
            var last = UInt64(truncatingIfNeeded: bytes.count) << 56
            for offset in wholeWords..<bytes.count {
                last |= UInt64(bytes[offset]) << (8 * (offset - wholeWords))
            }
            state.absorb(last)
            let (first, second) = state.finish()
            return withUnsafeBytes(of: (first.littleEndian, second.littleEndian)) { Array($0) }
        }
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private struct State {
        private var v0: UInt64
        private var v1: UInt64
        private var v2: UInt64
        private var v3: UInt64

        init(key0: UInt64, key1: UInt64) {
            v0 = key0 ^ 0x736F_6D65_7073_6575
            v1 = key1 ^ 0x646F_7261_6E64_6F6D ^ 0xEE
            v2 = key0 ^ 0x6C79_6765_6E65_7261
            v3 = key1 ^ 0x7465_6462_7974_6573
        }

        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            for _ in 0..<2 { mix() }
            v0 ^= word
        }

        mutating func finish() -> (UInt64, UInt64) {
            v2 ^= 0xEE
            for _ in 0..<4 { mix() }
            let first = v0 ^ v1 ^ v2 ^ v3
            v1 ^= 0xDD
            for _ in 0..<4 { mix() }
            return (first, v0 ^ v1 ^ v2 ^ v3)
        }

        private mutating func mix() {
            v0 &+= v1
            v1 = rotated(v1, by: 13) ^ v0
            v0 = rotated(v0, by: 32)
            v2 &+= v3
            v3 = rotated(v3, by: 16) ^ v2
            v0 &+= v3
            v3 = rotated(v3, by: 21) ^ v0
            v2 &+= v1
            v1 = rotated(v1, by: 17) ^ v2
            v2 = rotated(v2, by: 32)
        }

        private func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 {
            word << bits | word >> (64 - bits)
        }
    }
}
