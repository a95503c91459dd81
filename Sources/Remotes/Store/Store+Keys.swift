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
