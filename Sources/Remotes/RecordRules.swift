internal import LosslessYAML
internal import TodoModel
internal import Values

/// The rules that a store enforces for records; most are those of the tables protocol.
enum RecordRules {
    /// The maximum size of a record in bytes: its id, its fields and its layout as JSON.
    static let maximumSize = 8 << 20
    static let maximumDepth = 64

    /// Returns the refusal of a write that breaks a rule; nil if the write is valid.
    static func refusal(of write: RecordWrite) -> Refusal? {
        if let operationID = write.operationID, !(1...255).contains(operationID.utf8.count) {
            return Refusal(status: 400, message: "an operation id has 1 to 255 bytes")
        }
        return (problem(withID: write.id) ?? write.change.fields.flatMap(problem(withFields:)))
            .map { Refusal(status: 400, message: $0) }
    }

    /// Returns the refusal of a write that would make a record too large; nil if the size is allowed.
    ///
    /// - Parameter parts: The sizes of the record's id, fields and layout in bytes.
    static func refusal(ofSize parts: Int...) -> Refusal? {
        let isTooLarge = parts.reduce(0, +) > maximumSize
        return isTooLarge ? Refusal(status: 413, message: "a record can't have more than 8 MiB") : nil
    }

    /// Returns the problem with an id, as a phrase; nil if the id is valid.
    private static func problem(withID id: String) -> String? {
        let isPlain = (1...255).contains(id.utf8.count) && id.utf8.allSatisfy(\.isPlainInID)
        return isPlain ? nil : TodoID.problem(with: id)
    }

    private static func problem(withFields fields: Mapping) -> String? {
        if let key = fields.keys.first(where: isReserved) { return "the name \(quoted(key)) is reserved" }
        return problem(with: .mapping(fields), level: 1)
    }

    /// Returns whether a name is reserved.
    ///
    /// The id is reserved, too, because a record stores it outside its fields.
    private static func isReserved(_ name: String) -> Bool {
        FieldName.isReserved(name) || name.isSameBytes(as: FieldName.id)
    }

    /// Returns a name in a form that is safe to show.
    private static func quoted(_ name: String) -> String {
        String(decoding: JSON.write(.string(name)), as: UTF8.self)
    }

    private static func problem(with value: Value, level: Int) -> String? {
        switch value {
        case .mapping, .list:
            guard level <= maximumDepth else { return "more than \(maximumDepth) levels" }
        default: return nil
        }
        if case .mapping(let mapping) = value {
            for (key, value) in mapping.entries {
                if let problem = problem(withKey: key) ?? problem(with: value, level: level + 1) {
                    return problem
                }
            }
        } else if case .list(let list) = value {
            for element in list {
                if let problem = problem(with: element, level: level + 1) { return problem }
            }
        }
        return nil
    }

    private static func problem(withKey key: String) -> String? {
        if key.utf8.count <= 255, !key.isEmpty, key.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
            return nil
        }
        let scalars = key.unicodeScalars
        if scalars.isEmpty { return "a name can't be empty" }
        if scalars.count > 255 { return "a name can't have more than 255 characters" }
        return scalars.contains(where: \.isControl) ? "a name can't contain control characters" : nil
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

extension UInt8 {
    /// Whether the byte is a letter, digit or hyphen; most ids consist of these.
    fileprivate var isPlainInID: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
