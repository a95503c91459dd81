internal import ArgumentParser
internal import Remotes

/// Parses arguments into the types of the store.
enum Typed {
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
