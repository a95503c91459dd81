package import LosslessYAML
package import TodoModel

/// The user's resolution of a conflict in one value of a todo.
package struct RememberedResolution: Sendable, Hashable {
    /// The todo that the resolution applies to.
    package var id: TodoID
    /// The path of keys to the value, beginning with the top-level field.
    package var path: [String]
    /// The base value; nil if there wasn't one.
    package var base: Value?
    /// The local value; nil if there wasn't one.
    package var local: Value?
    /// The remote value; nil if there wasn't one.
    package var remote: Value?
    /// The value that the user chose; nil if the user removed it.
    package var result: Value?
    /// The operation that resolved the conflict.
    package var operation: String
    /// The time of the resolution, in RFC 3339 format.
    package var time: String

    package init(
        id: TodoID, path: [String], base: Value?, local: Value?, remote: Value?, result: Value?,
        operation: String, time: String
    ) {
        self.id = id
        self.path = path
        self.base = base
        self.local = local
        self.remote = remote
        self.result = result
        self.operation = operation
        self.time = time
    }

    /// Returns whether two resolutions are about the same conflict, with local and remote possibly swapped.
    package func isAboutSame(as other: RememberedResolution) -> Bool {
        id == other.id && isAbout(other.path, base: other.base, local: other.local, remote: other.remote)
    }

    /// Returns whether the resolution is about a conflict of its todo, with local and remote possibly
    /// swapped.
    package func isAbout(_ path: [String], base: Value?, local: Value?, remote: Value?) -> Bool {
        guard ByteKey.areSame(self.path, path), isSame(self.base, base) else { return false }
        return isSame(self.local, local) && isSame(self.remote, remote)
            || isSame(self.local, remote) && isSame(self.remote, local)
    }

    private func isSame(_ left: Value?, _ right: Value?) -> Bool {
        if left == right { return true }
        guard path.count == 1, let field = path.first else { return false }
        return CanonicalField.value(field, left) == CanonicalField.value(field, right)
    }
}

extension ByteKey {
    fileprivate static func areSame(_ left: [String], _ right: [String]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.isSameBytes(as: $1) }
    }
}

// A resolution is a JSON object without the values that are nil.
extension RememberedResolution {
    init?(_ value: Value) {
        guard case .mapping(let object) = value, case .string(let id)? = object["id"],
            let id = TodoID(id), case .list(let keys)? = object["path"],
            case .string(let operation)? = object["operation"], case .string(let time)? = object["time"]
        else { return nil }
        let path = keys.compactMap { if case .string(let key) = $0 { key } else { nil } }
        guard !path.isEmpty, path.count == keys.count else { return nil }
        self.init(
            id: id, path: path, base: object["base"], local: object["local"], remote: object["remote"],
            result: object["result"], operation: operation, time: time)
    }

    var json: Value {
        var object: Mapping = ["id": .string(id.string), "path": .list(path.map(Value.string))]
        object["base"] = base
        object["local"] = local
        object["remote"] = remote
        object["result"] = result
        object["operation"] = .string(operation)
        object["time"] = .string(time)
        return .mapping(object)
    }
}
