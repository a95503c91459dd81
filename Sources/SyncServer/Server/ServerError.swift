/// Why a server can't listen.
package enum ServerError: Error, Sendable, Hashable {
    case addressInUse(ListenAddress)
    /// The system doesn't allow this user to listen on the address.
    case notPermitted(ListenAddress)
    /// The address doesn't belong to this machine.
    case noSuchAddress(ListenAddress, reason: String)
    case badCertificate(path: String, reason: String)
    /// The store has no keys, and other machines can reach the address.
    case openToOthers(ListenAddress)
}

extension ServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .addressInUse(let address): "\(address): another program listens there"
        case .notPermitted(let address): "\(address): the system does not let this user listen there"
        case .noSuchAddress(let address, let reason): "\(address): can't listen there: \(reason)"
        case .badCertificate(let path, let reason): "\(path): \(reason)"
        case .openToOthers(let address): "\(address): other machines can reach it, and there is no key"
        }
    }
}
