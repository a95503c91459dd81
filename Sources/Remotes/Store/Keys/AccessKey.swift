/// A key that a store's server takes, without its secret.
package struct AccessKey: Sendable, Hashable {
    /// What its owner calls it; one store has no two keys of one name.
    package var name: String
    /// The table it is for; nil for all.
    package var table: TableName?
    package var access: Access
    /// Whether it stands for requests without a key.
    package var isAnonymous: Bool
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var createdAt: Int64

    /// What a key may do; each includes those before it.
    package enum Access: String, Sendable, Hashable, CaseIterable, Comparable {
        case read
        case write
        /// Make tables, besides.
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
    /// Returns whether a key can have a name: 1 to 64 letters and digits of ASCII, `-`, `_` and `.`.
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
    /// What a client sends to show that it has the key; nil for an anonymous one.
    ///
    /// It can't be had a second time: the store keeps only a digest of it.
    package var secret: String?
}

/// Why a key can't be added.
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
