internal import Values

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

/// The secret of a key, which a client sends.
struct KeySecret {
    let string: String

    /// The number of random bytes in a secret.
    static let size = 32

    /// Creates a secret.
    ///
    /// - Parameter random: ``size`` random bytes.
    init(random: [UInt8]) { string = "todosync_" + random.hexadecimal }

    /// Creates a secret from a string that a client sent.
    init(_ string: String) { self.string = string }

    /// The secret's SHA-256, which is stored instead of the secret.
    ///
    /// Salt and stretching are unnecessary: unlike passwords, secrets of 256 random bits can't be guessed.
    var digest: [UInt8] { Array(string.utf8).sha256 }
}

// The keys that the store's server accepts.

extension Store {
    /// Returns the keys, in the order of their names.
    package func accessKeys() async throws -> [AccessKey] {
        try await read { try $0.keys() }.compactMap(\.key)
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Adds a key, with a new secret unless it is anonymous.
    ///
    /// The key's time comes from the store's clock.
    ///
    /// - Throws: ``AccessKeyError`` if the name is not valid or another key has it.
    package func addKey(_ key: AccessKey) async throws -> AddedKey {
        guard AccessKey.isValidName(key.name) else { throw AccessKeyError.invalidName(key.name) }
        let secret = key.isAnonymous ? nil : KeySecret(random: surroundings.randomBytes(KeySecret.size))
        var key = key
        key.createdAt = surroundings.now()
        let row = KeyRow(key, digest: secret?.digest)
        let isAdded = try await write { writer, _ in try writer.insert(row) }
        guard isAdded else { throw AccessKeyError.nameIsTaken(key.name) }
        return AddedKey(key: key, secret: secret?.string)
    }

    /// Removes a key, and returns whether it existed.
    package func revokeKey(named name: String) async throws -> Bool {
        try await write { writer, _ in try writer.deleteKey(named: name) }
    }

    /// Returns the keys that apply to a request with the given secrets.
    ///
    /// Changes by other processes take effect at once.
    ///
    /// - Throws: `RemoteError.store` if the store was moved.
    package func keys(shown secrets: [String]) async throws -> ShownKeys {
        let digests = secrets.map { KeySecret($0).digest }
        let found = try await reportingProblems {
            let found = try await engine.keys(withDigests: digests)
            try found.state.checkIsReadable(at: path)
            return found
        }
        // The time of a search for a digest doesn't reveal anything about a secret.
        let shown = digests.lazy.compactMap { digest in found.rows.first { $0.digest == digest }?.key }.first
        return ShownKeys(
            key: shown, anonymous: found.rows.compactMap(\.key).filter(\.isAnonymous),
            storeHasKeys: found.storeHasKeys)
    }

    /// Returns whether there is any key, including keys that this version of todosync doesn't understand.
    package func hasKeys() async throws -> Bool { try await keys(shown: []).storeHasKeys }
}

/// The keys that apply to a request.
package struct ShownKeys: Sendable, Hashable {
    /// The key that belongs to the first known secret.
    package var key: AccessKey?
    /// The keys for requests without a key.
    package var anonymous: [AccessKey]
    /// Whether the store has any key at all.
    package var storeHasKeys: Bool

    package init(key: AccessKey?, anonymous: [AccessKey], storeHasKeys: Bool) {
        self.key = key
        self.anonymous = anonymous
        self.storeHasKeys = storeHasKeys
    }
}
