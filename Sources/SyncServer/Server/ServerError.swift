/// The reason why a server can't listen.
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
        case .addressInUse(let address): "another program is listening on \(address)"
        case .notPermitted(let address): "this user has no permission to listen on \(address)"
        case .noSuchAddress(let address, let reason): "can't listen on \(address): \(reason)"
        case .badCertificate(let path, let reason): "\(path): \(reason)"
        case .openToOthers(let address): "other machines can reach \(address), but the store has no keys"
        }
    }
}
