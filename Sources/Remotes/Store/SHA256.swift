internal import Crypto

extension [UInt8] {
    /// The SHA-256 of the bytes (FIPS 180-4): 32 bytes.
    ///
    /// swift-crypto takes a quarter of the CPU time of the demo's build, because it compiles its own
    /// BoringSSL. 100 lines of Swift could replace it, but they made a first push 7 % slower.
    package var sha256: [UInt8] {
        var hash = SHA256()
        withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }
}
