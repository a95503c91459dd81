internal import NIOCore
internal import Platform

extension ServerError {
    /// Says what the system's refusal to listen means.
    init(_ error: IOError, _ address: ListenAddress) {
        self =
            switch error.errnoCode {
            case EADDRINUSE: .addressInUse(address)
            case EACCES, EPERM: .notPermitted(address)
            case let code: .noSuchAddress(address, reason: String(cString: strerror(code)).lowercased())
            }
    }
}
