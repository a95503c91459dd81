internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

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
