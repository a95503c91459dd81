internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// A todo: one YAML file in a working directory.
public struct Todo: Sendable, Hashable {
    /// The id, which remains the same when the file is renamed; nil if the file doesn't have one yet.
    ///
    /// The first push assigns an id to a file that was written by hand.
    public let id: String?
    /// The file's path, relative to the working directory.
    public let path: String
    /// The fields except the id; for a todo in conflict, the local values.
    public let fields: [String: FieldValue]
    /// Whether the todo has an open conflict.
    public let isConflicted: Bool

    /// The task to do: the field `text`.
    public var text: String { fields["text"]?.string ?? "" }
    /// Whether the task is done.
    public var isComplete: Bool { fields["complete"] == .bool(true) }

    init(_ todo: ListedTodo) {
        (id, path) = (todo.id?.string, todo.path)
        fields = TodosyncKit.fields(todo.fields)
        isConflicted = todo.isConflicted
    }
}

/// The engine's type for values.
typealias EngineValue = LosslessYAML.Value

/// The value of a todo's field.
public enum FieldValue: Sendable {
    /// No value: setting a field to null removes it.
    case null
    /// True or false.
    case bool(Bool)
    /// A number in JSON's notation, with all its digits.
    case number(String)
    /// A string, or a date or time in the notation that the user wrote.
    case string(String)
    /// An ordered list of values, such as tags.
    case list([FieldValue])
    /// Named values.
    case mapping([String: FieldValue])

    /// Creates a whole number.
    public static func integer(_ integer: Int) -> FieldValue { .number(String(integer)) }

    /// The string; nil for other kinds of values.
    public var string: String? { if case .string(let string) = self { string } else { nil } }
}

extension FieldValue: Hashable {
    /// Returns whether two values are equal; `1`, `1.0` and `1e0` are the same number.
    public static func == (left: FieldValue, right: FieldValue) -> Bool {
        guard let left = left.value, let right = right.value else { return false }
        return left == right
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral text: String) { self = .string(text) }
    public init(booleanLiteral bool: Bool) { self = .bool(bool) }
    public init(integerLiteral integer: Int) { self = .integer(integer) }
    public init(arrayLiteral elements: FieldValue...) { self = .list(elements) }
    public init(dictionaryLiteral entries: (String, FieldValue)...) {
        self = .mapping(Dictionary(entries) { first, _ in first })
    }
    public init(nilLiteral: ()) { self = .null }
}

extension FieldValue {
    init(_ value: EngineValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = .number(number.json)
        case .string(let string): self = .string(string)
        case .list(let list): self = .list(list.map(FieldValue.init))
        case .mapping(let mapping): self = .mapping(fields(mapping))
        }
    }

    /// The value in the engine's type; nil if it contains an invalid number.
    var value: EngineValue? {
        switch self {
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .number(let json): return Number(json: json).map(EngineValue.number)
        case .string(let string): return .string(string)
        case .list(let list):
            let values = list.compactMap(\.value)
            return values.count == list.count ? .list(values) : nil
        case .mapping(let entries):
            var mapping = Mapping()
            // Sort the keys, because a dictionary's order is random.
            for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
                guard let value = entry.value else { return nil }
                mapping[key] = value
            }
            return .mapping(mapping)
        }
    }

    /// Returns the engine's value.
    ///
    /// - Throws: A ``TodosyncError`` that names the field, if the value contains an invalid number.
    func checked(for field: String) throws(TodosyncError) -> EngineValue {
        guard let value else {
            throw TodosyncError(.invalid, "the value of \(field) contains an invalid number")
        }
        return value
    }
}

/// Converts a mapping to a dictionary.
///
/// If two keys differ only in their Unicode form, the first one is used.
func fields(_ mapping: Mapping) -> [String: FieldValue] {
    Dictionary(mapping.entries.map { ($0.key, FieldValue($0.value)) }) { first, _ in first }
}
