internal import Crypto

extension [UInt8] {
    /// The SHA-256 of the bytes (FIPS 180-4): 32 bytes.
    package var sha256: [UInt8] {
        var hash = SHA256()
        withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }
}
