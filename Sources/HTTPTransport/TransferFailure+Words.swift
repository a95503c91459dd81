internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPCompression
internal import NIOPosix
internal import NIOSSL
internal import Platform
internal import Remotes

extension TransferFailure {
    /// Creates the failure for an error of a connection.
    init(_ error: any Error) {
        switch error {
        case let error as NIOConnectionError:
            self.init(notConnected: Self.reason(error))
        case is SocketAddressError.UnknownHost:
            self.init(notConnected: "the host name is unknown")
        case let error as HTTPClientError:
            self.init(error)
        case let error as NIOSSLError:
            self.init(error)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            self.init(
                notConnected: "the server's certificate is for a different host; use the name that it has")
        case is NIOSSLExtraError:
            self.init(interrupted: "TLS failed")
        case let error as ChannelError:
            if case .connectTimeout = error {
                self.init(notConnected: "connecting timed out after 10 seconds")
            } else {
                self.init(interrupted: "the connection was lost")
            }
        case let error as IOError:
            // Other errors can also happen on an established connection.
            if error.errnoCode == ECONNREFUSED {
                self.init(notConnected: Self.words(error))
            } else {
                self.init(interrupted: "the connection was lost: \(Self.words(error))")
            }
        case is NIOTooManyBytesError, NIOHTTPDecompression.DecompressionError.limit,
            HTTPParserError.headerOverflow:
            self.init(permanent: "the response is too large")
            isTooLarge = true
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            self.init(interrupted: "the response is not compressed as its header says")
        case HTTPParserError.invalidEOFState:
            self.init(interrupted: "the connection was closed before the end of the response")
        case is CancellationError:
            self.init(permanent: "the request was cancelled")
        default:
            self.init(permanent: "the response is not HTTP")
        }
    }

    private init(_ error: HTTPClientError) {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout:
            self.init(notConnected: "connecting timed out after 10 seconds")
        case .tlsHandshakeTimeout: self.init(notConnected: "TLS failed: no response")
        case .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
            self.init(notConnected: "the proxy does not respond")
        case .invalidProxyResponse: self.init(notConnected: "the proxy refused the connection")
        case .proxyAuthenticationRequired:
            self.init(notConnected: "the proxy requires a user name and password")
        case .deadlineExceeded: self.init(permanent: "the request timed out after 10 minutes")
        case .readTimeout, .writeTimeout:
            // A retry would take just as long.
            self.init(permanent: "the request timed out after 60 seconds")
        case .remoteConnectionClosed, .uncleanShutdown:
            self.init(interrupted: "the connection was closed before the end of the response")
        default: self.init(permanent: "the response is not HTTP")
        }
    }

    private init(notConnected reason: String) {
        self.init(reason: reason, wasSent: false, isWorthARetry: false)
    }

    private init(interrupted reason: String) {
        self.init(reason: reason, wasSent: true, isWorthARetry: true)
    }

    private init(permanent reason: String) {
        self.init(reason: reason, wasSent: true, isWorthARetry: false)
    }

    private static func reason(_ error: NIOConnectionError) -> String {
        guard let first = error.connectionErrors.first?.error else { return "the host name is unknown" }
        return switch first {
        case let error as IOError: words(error)
        case is ChannelError: "connecting timed out after 10 seconds"
        default: "no connection"
        }
    }

    private static func words(_ error: IOError) -> String {
        String(cString: strerror(error.errnoCode)).lowercased()
    }

    private static let unverified =
        "the server's certificate can't be verified; install it on this machine, or name it in SSL_CERT_FILE"

    private init(_ error: NIOSSLError) {
        switch error {
        case .handshakeFailed(let cause):
            // Only the description of BoringSSL's error contains the reason.
            self.init(
                notConnected: "\(cause)".contains("CERTIFICATE_VERIFY_FAILED")
                    ? Self.unverified
                    : "the TLS handshake failed")
        case .unableToValidateCertificate, .noCertificateToValidate:
            self.init(notConnected: Self.unverified)
        case .uncleanShutdown:
            self.init(interrupted: "the connection was closed before the end of the response")
        default: self.init(interrupted: "TLS failed")
        }
    }
}
