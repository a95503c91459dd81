package import Remotes

/// A request's access: everything that its key and the anonymous keys allow.
package struct Grant: Sendable {
    private let keys: [AccessKey]
    private let isIdentified: Bool
    private let allowsAll: Bool

    /// The grant for a request to a server without keys: full access.
    package static let all = Grant(keys: [], isIdentified: false, allowsAll: true)

    /// Creates the grant for a request to a server with keys.
    ///
    /// - Parameters:
    ///   - keys: The request's key, and the anonymous keys.
    ///   - isIdentified: Whether the request has a valid key; refusals then have status 403 instead of 401.
    package init(keys: [AccessKey], isIdentified: Bool) {
        self.init(keys: keys, isIdentified: isIdentified, allowsAll: false)
    }

    private init(keys: [AccessKey], isIdentified: Bool, allowsAll: Bool) {
        self.keys = keys
        self.isIdentified = isIdentified
        self.allowsAll = allowsAll
    }

    /// Whether the request has no access at all.
    package var isEmpty: Bool { !allowsAll && keys.isEmpty }

    package func allows(_ access: AccessKey.Access, on table: TableName) -> Bool {
        allowsAll || keys.contains { $0.access >= access && ($0.table == nil || $0.table == table) }
    }

    /// Returns whether a write may create a missing table.
    package func mayMake(_ table: TableName) -> Bool {
        allowsAll
            || keys.contains { key in
                key.table == table ? key.access >= .write : key.table == nil && key.access == .admin
            }
    }

    /// Returns the refusal of a request without the access that it needs.
    ///
    /// - Parameter need: The missing access, such as `write access to the table 'todoitem'`.
    func refusal(need: String) -> Refusal {
        isIdentified ? Refusal(403, "The key doesn't allow this: it needs \(need).") : .unauthorized
    }
}
