import NIOSSL

/// A certificate authority for tests and its certificate for localhost; valid until 2126.
enum TestCertificates {
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBmzCCAUGgAwIBAgIUdMoeYQ8P8JSM0dLtNpy28k3Ym5swCgYIKoZIzj0EAwIw
        IjEgMB4GA1UEAwwXdG9kb3N5bmMgdGVzdCBhdXRob3JpdHkwIBcNMjYxMTIxMTIz
        MTQ0WhgPMjEyNjEwMjgxMjMxNDRaMCIxIDAeBgNVBAMMF3RvZG9zeW5jIHRlc3Qg
        YXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAELA6gOZPgQghoXlKl
        fSthKxfT8TaJtRrQcbhtgxoLktMCCbHMgNlN/dFCB8NDVLbBgdO5MVXztLdEm2LX
        oLbjmqNTMFEwHQYDVR0OBBYEFIVsfoYMwVxE2j/uXqi/IPH4YGa6MB8GA1UdIwQY
        MBaAFIVsfoYMwVxE2j/uXqi/IPH4YGa6MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZI
        zj0EAwIDSAAwRQIhAMvXKF0wLsk3Wszmn2k5Yr/UBzWYNpaRcYpolAfrmMpMAiBk
        jK4VBGfv3FIx27HMKLrDM28qK5g2EUt2zSypRL0RiQ==
        -----END CERTIFICATE-----
        """

    private static let server = """
        -----BEGIN CERTIFICATE-----
        MIIBnjCCAUOgAwIBAgIUJW+IMvt/g4zzxBLv0MB4w5Vt6gwwCgYIKoZIzj0EAwIw
        IjEgMB4GA1UEAwwXdG9kb3N5bmMgdGVzdCBhdXRob3JpdHkwIBcNMjYxMTIxMTIz
        MTQ0WhgPMjEyNjEwMjgxMjMxNDRaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMG
        ByqGSM49AgEGCCqGSM49AwEHA0IABP7J0u7PUgYL2YwspSxAg8dPwX39qdwliCR2
        EgZQWQtmAKl4R5TmxlNUhmhMTZgQyusoDqAt+ruYHbyzDnHJNYijYzBhMBQGA1Ud
        EQQNMAuCCWxvY2FsaG9zdDAJBgNVHRMEAjAAMB0GA1UdDgQWBBS7C2I6N36q7Nej
        z/0rCUXLmJEkETAfBgNVHSMEGDAWgBSFbH6GDMFcRNo/7l6ovyDx+GBmujAKBggq
        hkjOPQQDAgNJADBGAiEA/7YPIkiV+h0aKi6jRHqcaZzznAK/YttM3xZGWeo8oFgC
        IQCSDHbLQwk8FB/wXGrbGMVVc9UdMpvF7BEiytcWIrCB/g==
        -----END CERTIFICATE-----
        """

    private static let serverKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgoH/ZWInHIVOZv9fJ
        B0U4j1ASajyVdHtV+zAccOorSf6hRANCAAT+ydLuz1IGC9mMLKUsQIPHT8F9/anc
        JYgkdhIGUFkLZgCpeEeU5sZTVIZoTE2YEMrrKA6gLfq7mB28sw5xyTWI
        -----END PRIVATE KEY-----
        """

    /// Returns the TLS context of a server for localhost.
    static func serverContext() throws -> NIOSSLContext {
        let certificate = try NIOSSLCertificate(bytes: Array(server.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(serverKey.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
    }
}
