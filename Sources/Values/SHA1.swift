/// SHA-1 as defined by RFC 3174; for UUIDs only, because it isn't secure.
///
/// The modules below Remotes don't link a digest library, and an id takes only one or two blocks.
enum SHA1 {
    /// Returns the digest, which has 20 bytes.
    static func digest(of bytes: [UInt8]) -> [UInt8] {
        var message = bytes + [0x80]
        while message.count % 64 != 56 { message.append(0) }
        withUnsafeBytes(of: UInt64(bytes.count * 8).bigEndian) { message.append(contentsOf: $0) }
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for start in stride(from: 0, to: message.count, by: 64) {
            add(message[start..<start + 64], to: &state)
        }
        return state.flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
            words.append(mixed.rotated(by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (function, constant): (UInt32, UInt32) =
                switch index / 20 {
                case 0: (b & c | ~b & d, 0x5A82_7999)
                case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = a.rotated(by: 5) &+ function &+ e &+ word &+ constant
            (a, b, c, d, e) = (next, a, b.rotated(by: 30), c, d)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }
}

extension UInt32 {
    fileprivate func rotated(by count: UInt32) -> UInt32 { self << count | self >> (32 - count) }
}
