internal import NIOCore
internal import Platform

extension ServerError {
    /// Creates the error for a system error that keeps the server from listening.
    init(_ error: IOError, _ address: ListenAddress) {
        self =
            switch error.errnoCode {
            case EADDRINUSE: .addressInUse(address)
            case EACCES, EPERM: .notPermitted(address)
            case let code: .noSuchAddress(address, reason: String(cString: strerror(code)).lowercased())
            }
    }
}
