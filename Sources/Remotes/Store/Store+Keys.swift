internal import GRDB

// The keys that a server of the store takes.

extension Store {
    /// Returns the keys, in the order of their names.
    public func accessKeys() async throws -> [AccessKey] {
        try await storedKeys().map(\.key)
    }

    /// Adds a key with a new secret, none if it is anonymous; its time is that of the store's clock.
    ///
    /// - Throws: ``AccessKeyError`` for a name that is not valid or is another key's.
    public func addKey(_ key: AccessKey) async throws -> AddedKey {
        guard AccessKey.isValidName(key.name) else { throw AccessKeyError.invalidName(key.name) }
        let secret = key.isAnonymous ? nil : KeySecret(random: surroundings.randomBytes(KeySecret.size))
        var key = key
        key.createdAt = surroundings.now()
        let (row, digest) = (key, secret?.digest)
        let isAdded = try await write { database in
            try SQLStatement(
                """
                INSERT INTO access_key (name, digest, table_name, access, created_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """, in: database
            ).run(
                .string(row.name), digest.map { .blob($0) } ?? .null,
                row.table.map { .string($0.string) } ?? .null, .string(row.access.rawValue),
                .integer(row.createdAt))
            return database.changesCount == 1
        }
        guard isAdded else { throw AccessKeyError.nameIsTaken(key.name) }
        return AddedKey(key: key, secret: secret?.string)
    }

    /// Takes a key away, and returns whether there was one of this name.
    public func revokeKey(named name: String) async throws -> Bool {
        try await write { database in
            try SQLStatement("DELETE FROM access_key WHERE name = ?", in: database).run(.string(name))
            return database.changesCount == 1
        }
    }

    /// Returns the key that a secret belongs to, nil if there is none; one that another process has added or
    /// revoked counts at once.
    public func key(secret: String) async throws -> AccessKey? {
        let digest = KeySecret(secret).digest
        var found: AccessKey?
        // All are compared, so that the time does not tell which one it is.
        for stored in try await storedKeys() where stored.digest?.isSameInConstantTime(as: digest) == true {
            found = stored.key
        }
        return found
    }

    /// Returns the keys that stand for requests without a key.
    public func anonymousKeys() async throws -> [AccessKey] {
        try await storedKeys().map(\.key).filter(\.isAnonymous)
    }

    public func hasKeys() async throws -> Bool {
        try await !storedKeys().isEmpty
    }

    private func storedKeys() async throws -> [StoredKey] {
        try await translatingErrors { try await keyRing.current() }
    }
}
