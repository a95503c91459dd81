import LosslessYAML
import ThreeWayMerge

/// Parses the fields of a text, which must be a todo.
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
    /// The rules for todos: a missing `complete` equals false, and `notes` never counts as renamed.
    static let todo = {
        var rules = FieldRules { field, value in
            switch value {
            case nil, .null?: nil
            case .bool(false)? where field == "complete": nil
            default: value
            }
        }
        rules.fixed.insert("notes")
        return rules
    }()
}
