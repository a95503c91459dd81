internal import Crypto

extension [UInt8] {
    /// The SHA-256 of the bytes (FIPS 180-4): 32 bytes.
    ///
    /// swift-crypto takes 82 seconds of CPU time of a first build, a tenth, because it compiles a BoringSSL
    /// of its own. 100 lines of Swift could replace it. But they made a first push 7 % slower.
    package var sha256: [UInt8] {
        var hash = SHA256()
        withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }
}
