internal import ArgumentParser
internal import Remotes
internal import SyncServer

/// Parses arguments into the types of the server and the store.
enum Typed {
    static func listenAddress(_ text: String) throws -> ListenAddress {
        guard let address = ListenAddress(text) else {
            throw ValidationError(
                "'\(text)' is not an address; use a form such as 127.0.0.1:8080 or [::1]:8080")
        }
        return address
    }

    static func allowedOrigin(_ text: String) throws -> AllowedOrigin {
        guard let origin = AllowedOrigin(text) else {
            throw ValidationError(
                "'\(text)' is not an origin; use a form such as https://example.org, without a path")
        }
        return origin
    }

    static func trustedProxy(_ text: String) throws -> TrustedProxy {
        guard let proxy = TrustedProxy(text) else {
            throw ValidationError(
                "'\(text)' is not an address; use a form such as 192.0.2.1, or 192.0.2.0/24 for a network")
        }
        return proxy
    }

    static func tableName(_ text: String) throws -> TableName {
        guard let name = TableName(text) else {
            throw ValidationError(
                "'\(text)' is not a table name: use a letter or _, followed by up to 127 letters, digits and _"
            )
        }
        return name
    }

    static func access(_ text: String) throws -> AccessKey.Access {
        guard let access = AccessKey.Access(rawValue: text) else {
            throw ValidationError("'\(text)' is not an access level; use \(enumeration(accessLevels, "or"))")
        }
        return access
    }

    static let accessLevels = AccessKey.Access.allCases.map(\.rawValue)
}
