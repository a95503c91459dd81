import LosslessYAML
import ThreeWayMerge

/// Reads the fields of a text, which must be a todo.
func fields(_ text: String) throws -> Mapping {
    try Document(parsing: Array(text.utf8)).fields
}

func document(_ text: String) throws -> Document {
    try Document(parsing: Array(text.utf8))
}

func string(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
}

extension FieldRules {
    /// As for real todos: an absent `complete` is a false one.
    static let todo = FieldRules { field, value in
        switch value {
        case nil, .null?: nil
        case .bool(false)? where field == "complete": nil
        default: value
        }
    }
}
