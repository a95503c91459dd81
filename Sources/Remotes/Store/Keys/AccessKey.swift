/// A key that a store's server accepts, without its secret.
package struct AccessKey: Sendable, Hashable {
    /// The name that the owner chose, unique in the store.
    package var name: String
    /// The table that the key is for; nil for all tables.
    package var table: TableName?
    package var access: Access
    /// Whether the key applies to requests without a key.
    package var isAnonymous: Bool
    /// The time when the key was added, in milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64

    /// The access that a key allows; each case includes those before it.
    package enum Access: String, Sendable, Hashable, CaseIterable, Comparable {
        case read
        case write
        /// Allows creating tables, too.
        case admin

        private var rank: Int {
            switch self {
            case .read: 0
            case .write: 1
            case .admin: 2
            }
        }

        package static func < (left: Access, right: Access) -> Bool {
            left.rank < right.rank
        }
    }

    package init(name: String, table: TableName?, access: Access, isAnonymous: Bool, createdAt: Int64) {
        self.name = name
        self.table = table
        self.access = access
        self.isAnonymous = isAnonymous
        self.createdAt = createdAt
    }
}

extension AccessKey {
    /// Returns whether a name is valid: 1 to 64 ASCII letters and digits, `-`, `_` and `.`.
    package static func isValidName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

/// A key that was just added.
package struct AddedKey: Sendable, Hashable {
    package var key: AccessKey
    /// The secret that a client sends; nil for an anonymous key.
    ///
    /// It can't be retrieved later: the store keeps only its digest.
    package var secret: String?
}

/// The reason why a key can't be added.
package enum AccessKeyError: Error, Sendable, Hashable {
    case invalidName(String)
    case nameIsTaken(String)
}

extension AccessKeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidName(let name):
            "not a key name: \(name) (1 to 64 letters, digits, hyphens, underscores and full stops)"
        case .nameIsTaken(let name): "a key with this name already exists: \(name)"
        }
    }
}
