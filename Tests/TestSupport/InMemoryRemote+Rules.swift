internal import LosslessYAML
internal import TodoModel
internal import Values

// The tables protocol's rules for records.

extension InMemoryRemote {
    static let tooLarge = PushAnswer.refused(status: 413, message: "a record can't have more than 8 MiB")

    /// Returns the refusal of an operation that breaks a rule, or nil.
    static func refusal(of operation: PushOperation) -> PushAnswer? {
        guard isValidID(operation.id) else { return .refused(status: 400, message: "the id is not valid") }
        switch operation.change {
        case .delete: return nil
        case .insert(let fields, let layout), .update(let fields, let layout, _),
            .recreate(let fields, let layout, _):
            for key in fields.keys where isReserved(key) {
                return .refused(status: 400, message: "the name \(key) is reserved")
            }
            guard areValidKeys(of: .mapping(fields)) else {
                return .refused(status: 400, message: "a name is not valid")
            }
            guard depth(of: .mapping(fields)) <= 64 else {
                return .refused(status: 400, message: "more than 64 levels")
            }
            return isTooLarge(fields: fields, layout: layout) ? tooLarge : nil
        }
    }

    static func isTooLarge(fields: Mapping, layout: Layout) -> Bool {
        let layoutSize = (layout.path?.utf8.count ?? 0) + (layout.yaml?.utf8.count ?? 0)
        return JSON.write(.mapping(fields)).count + layoutSize > 8 << 20
    }

    private static func isValidID(_ id: String) -> Bool {
        let scalars = id.unicodeScalars
        return (1...255).contains(scalars.count) && id != "." && id != ".."
            && !scalars.allSatisfy(\.properties.isWhitespace)
            && !scalars.contains { isControl($0) || "+?\"/\\`".unicodeScalars.contains($0) }
    }

    private static func isReserved(_ name: String) -> Bool {
        name.utf8.starts(with: "__".utf8)
            || ["id", "version", "deleted", "createdat", "updatedat", "todosync"].contains(name.lowercased())
    }

    private static func areValidKeys(of value: Value) -> Bool {
        switch value {
        case .mapping(let mapping):
            mapping.entries.allSatisfy { key, value in
                (1...255).contains(key.unicodeScalars.count) && !key.unicodeScalars.contains(where: isControl)
                    && areValidKeys(of: value)
            }
        case .list(let list): list.allSatisfy(areValidKeys)
        default: true
        }
    }

    private static func depth(of value: Value) -> Int {
        switch value {
        case .mapping(let mapping): 1 + (mapping.entries.map { depth(of: $0.value) }.max() ?? 0)
        case .list(let list): 1 + (list.map(depth).max() ?? 0)
        default: 0
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
