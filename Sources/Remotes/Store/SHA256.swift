internal import Crypto

extension [UInt8] {
    /// The 32 bytes of the bytes' SHA-256 (FIPS 180-4).
    var sha256: [UInt8] {
        var hash = SHA256()
        withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }
}
