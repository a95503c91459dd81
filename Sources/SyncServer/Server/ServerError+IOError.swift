internal import NIOCore
internal import Platform

extension ServerError {
    /// Creates an error from the system's error when the server couldn't listen.
    init(_ error: IOError, _ address: ListenAddress) {
        self =
            switch error.errnoCode {
            case EADDRINUSE: .addressInUse(address)
            case EACCES, EPERM: .notPermitted(address)
            case let code: .noSuchAddress(address, reason: String(cString: strerror(code)).lowercased())
            }
    }
}
