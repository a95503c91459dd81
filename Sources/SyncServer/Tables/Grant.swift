package import Remotes

/// What a request may do: all that the keys allow that speak for it.
package struct Grant: Sendable {
    private let keys: [AccessKey]
    private let isIdentified: Bool
    private let allowsAll: Bool

    /// What a request may do at a server without any key.
    package static let all = Grant(keys: [], isIdentified: false, allowsAll: true)

    /// Creates the grant of a request at a server that has keys.
    ///
    /// - Parameters:
    ///   - keys: the key that the request came with, and the anonymous ones.
    ///   - isIdentified: whether it came with a key that the store knows: then it is told that this one may
    ///     not do what it asks for (403), else it is asked for one (401).
    package init(keys: [AccessKey], isIdentified: Bool) {
        self.init(keys: keys, isIdentified: isIdentified, allowsAll: false)
    }

    private init(keys: [AccessKey], isIdentified: Bool, allowsAll: Bool) {
        self.keys = keys
        self.isIdentified = isIdentified
        self.allowsAll = allowsAll
    }

    /// Whether there is nothing that the request may do.
    package var isEmpty: Bool { !allowsAll && keys.isEmpty }

    package func allows(_ access: AccessKey.Access, on table: TableName) -> Bool {
        allowsAll || keys.contains { $0.access >= access && ($0.table == nil || $0.table == table) }
    }

    /// Returns whether the first write to a table that is not there makes it.
    package func mayMake(_ table: TableName) -> Bool {
        allowsAll
            || keys.contains { key in
                key.table == table ? key.access >= .write : key.table == nil && key.access == .admin
            }
    }

    /// Returns the answer to a request that may not do what it asks for.
    ///
    /// - Parameter need: what it needs, as `write access to the table 'todoitem'`.
    func refusal(need: String) -> Refusal {
        isIdentified ? Refusal(403, "The key does not allow this: it needs \(need).") : .unauthorized
    }
}
