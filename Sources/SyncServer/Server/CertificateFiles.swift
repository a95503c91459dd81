internal import NIOCore
internal import NIOSSL
internal import Platform
internal import Synchronization

/// The paths of a TLS certificate and its private key, in PEM format.
package struct CertificateFiles: Sendable, Hashable {
    /// The certificate chain: the server's certificate, then the intermediate certificates.
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// The certificate for new connections; open connections keep their certificate.
final class ServedCertificate: Sendable {
    private let files: CertificateFiles
    private let context: Mutex<NIOSSLContext>

    /// Reads the files.
    init(_ files: CertificateFiles) throws(ServerError) {
        self.files = files
        context = Mutex(try Self.context(files))
    }

    /// Reads the files again.
    ///
    /// - Throws: ``ServerError/badCertificate(path:reason:)``; in that case, the old certificate stays in
    ///   use.
    func reload() throws(ServerError) {
        let new = try Self.context(files)
        context.withLock { $0 = new }
    }

    func makeHandler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: context.withLock { $0 }) }

    private static func context(_ files: CertificateFiles) throws(ServerError) -> NIOSSLContext {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(files.certificate)
        } catch {
            throw .badCertificate(
                path: files.certificate,
                reason: problem(files.certificate) ?? "not a certificate chain in PEM")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: files.key, format: .pem)
        } catch {
            throw .badCertificate(
                path: files.key, reason: problem(files.key) ?? "not a private key in PEM")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = suitesOfTLS12
        configuration.applicationProtocols = ["http/1.1"]
        // A connection that is closed to make room for others waits so long for its client's consent.
        configuration.shutdownTimeout = .seconds(1)
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw isUsable(chain)
                ? .badCertificate(path: files.key, reason: "not the private key of \(files.certificate)")
                : .badCertificate(path: files.certificate, reason: "TLS doesn't support this certificate")
        }
    }

    /// Returns the reason why a file can't be read; nil if it can.
    private static func problem(_ path: String) -> String? {
        guard access(path, R_OK) != 0 else { return nil }
        return switch errno {
        case ENOENT, ENOTDIR: "no such file"
        case EACCES: "this user has no permission to read it"
        case let code: String(cString: strerror(code)).lowercased()
        }
    }

    /// The TLS 1.2 cipher suites with forward secrecy (ECDHE) and authenticated encryption (AEAD).
    ///
    /// All suites of TLS 1.3 have both.
    private static let suitesOfTLS12: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// Returns whether the TLS library accepts a certificate chain, regardless of its key.
    private static func isUsable(_ chain: [NIOSSLCertificate]) -> Bool {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateChain = chain.map { .certificate($0) }
        return (try? NIOSSLContext(configuration: configuration)) != nil
    }
}
