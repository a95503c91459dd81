internal import GRDB

// The keys that the store's server accepts.

extension Store {
    /// Returns the keys, in the order of their names.
    package func accessKeys() async throws -> [AccessKey] {
        try await keyRingSnapshot().keys.map(\.key)
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

    /// Removes a key, and returns whether it existed.
    package func revokeKey(named name: String) async throws -> Bool {
        try await write { database in
            try SQLStatement("DELETE FROM access_key WHERE name = ?", in: database).run(.string(name))
            return database.changesCount == 1
        }
    }

    /// Returns the keys that apply to a request with the given secrets.
    ///
    /// Changes by other processes take effect at once.
    package func keys(shown secrets: [String]) async throws -> ShownKeys {
        let snapshot = try await keyRingSnapshot()
        var shown: AccessKey?
        for secret in secrets where shown == nil {
            let digest = KeySecret(secret).digest
            // Compare all digests, so that the time doesn't reveal which one matches.
            for stored in snapshot.keys where stored.digest?.isSameInConstantTime(as: digest) == true {
                shown = stored.key
            }
        }
        return ShownKeys(
            key: shown, anonymous: snapshot.keys.map(\.key).filter(\.isAnonymous),
            storeHasKeys: snapshot.hasKeys)
    }

    /// Returns whether there is any key, including keys that this version of todosync doesn't understand.
    package func hasKeys() async throws -> Bool { try await keyRingSnapshot().hasKeys }

    private func keyRingSnapshot() async throws -> KeyRing.Snapshot {
        try await translatingErrors { try await keyRing.current() }
    }
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
