/// A tag that a node may have.
enum CoreTag: String {
    case string = "tag:yaml.org,2002:str"
    case integer = "tag:yaml.org,2002:int"
    case float = "tag:yaml.org,2002:float"
    case bool = "tag:yaml.org,2002:bool"
    case null = "tag:yaml.org,2002:null"
    case sequence = "tag:yaml.org,2002:seq"
    case mapping = "tag:yaml.org,2002:map"
    /// `!` makes a scalar a string.
    case nonSpecific = "!"

    init?(_ tag: String) {
        self.init(rawValue: tag)
    }

    /// Returns the value of a scalar with this tag; nil if the text doesn't fit the tag.
    func resolve(_ text: UnsafeBufferPointer<UInt8>) throws(CoreSchema.Fault) -> Value? {
        switch self {
        case .string, .nonSpecific: return .string(String(decoding: text, as: UTF8.self))
        case .sequence, .mapping: return nil
        case .integer, .float, .bool, .null: break
        }
        let value = try CoreSchema.resolve(text)
        switch (self, value) {
        case (.null, .null), (.bool, .bool), (.float, .number): return value
        case (.integer, .number(let number)):
            return number.json.utf8.allSatisfy { $0.isDigit || $0 == .hyphen } ? value : nil
        default: return nil
        }
    }
}
