package import LosslessYAML

/// A field and its new value in the form that users type: `KEY=VALUE`.
package struct FieldAssignment: Sendable, Hashable {
    package let field: String
    package let value: Value

    /// Parses `KEY=VALUE`.
    ///
    /// The key ends at the first `=`.
    ///
    /// The fields in ``ConventionalField/strings`` take the value as a string, unchanged, except that `every`
    /// takes other words for an interval, such as `weekly`. `tags` takes a
    /// comma-separated list. In all other fields, what JSON's grammar has is a number, `true`, `false` or
    /// `null`, and anything else is a string: `5` is a number, as it is written; `05`, `+5`, `0x5`, `no` and
    /// `"5"` are strings. A value that begins with `[` or `{` is YAML in flow style, except in the fields
    /// that are always strings; the same numbers are numbers there. If the key is a ``FieldPath``, its last
    /// part determines the kind of value.
    package init(parsing argument: String) throws(FieldAssignmentProblem) {
        let (field, typed) = try Self.split(argument)
        try Self.checkNewName(field)
        try self.init(field: field, typed: typed)
    }

    /// Returns whether a todo's text is blank.
    ///
    /// A file can have such a text, but commands don't write it.
    package static func isEmpty(text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

    /// Returns the parts before and after the first `=`.
    static func split(_ argument: String) throws(FieldAssignmentProblem) -> (name: String, value: String) {
        let bytes = argument.utf8
        guard let separator = bytes.firstIndex(of: UInt8(ascii: "=")) else { throw .noEqualsSign(argument) }
        return (String(argument[..<separator]), String(argument[bytes.index(after: separator)...]))
    }

    /// Parses a field's value as the user typed it.
    package init(field: String, typed: String) throws(FieldAssignmentProblem) {
        try Self.checkName(field)
        let steps = FieldPath(field).steps
        // An item of tags is a string, like the tags.
        let isTag = steps.count == 2 && steps[0] == FieldName.tags
        let value =
            isTag ? .string(typed) : try Self.value(of: String(steps.last ?? Substring(field)), typed: typed)
        if field.isSameBytes(as: FieldName.text), Self.isEmpty(text: typed) { throw .emptyText }
        if let expectation = ConventionalField.problem(field, value) {
            throw .wrongKind(field: field, expectation: expectation)
        }
        self.field = field
        self.value = value
    }

    /// Checks that the user may set or unset a field with this name.
    package static func checkName(_ field: String) throws(FieldAssignmentProblem) {
        if field.isSameBytes(as: FieldName.id) { throw .identity }
        if FieldName.isReserved(field) { throw .reserved(field) }
        // The other parts of a path are checked when they become keys.
        let longest = FieldPath(field).steps.max { $0.count < $1.count }
        if let problem = problem(withKey: String(longest ?? Substring(field))) { throw problem }
    }

    /// Checks that a command may create a field with this name, which also excludes names that look like
    /// `KEY+=VALUE`.
    static func checkNewName(_ field: String) throws(FieldAssignmentProblem) {
        if hasOuterSpaces(field) { throw .hasOuterSpaces(field) }
        if let last = field.utf8.last, last == UInt8(ascii: "+") || last == UInt8(ascii: "-") {
            throw .endsInSign(field)
        }
        try checkName(field)
    }

    private static func hasOuterSpaces(_ key: String) -> Bool {
        key.first?.isWhitespace == true || key.last?.isWhitespace == true
    }

    /// Returns the reason why a command can't create a string as a key; nil if it can.
    static func problem(withNewKey key: String) -> FieldAssignmentProblem? {
        problem(withKey: key) ?? (hasOuterSpaces(key) ? .hasOuterSpaces(key) : nil)
    }

    /// Returns the problem with a string as a key; nil if the string can be a key.
    static func problem(withKey key: String) -> FieldAssignmentProblem? {
        let scalars = key.unicodeScalars
        let hasControls = scalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
        let isLineBreaking = scalars.contains { $0.value == 0x2028 || $0.value == 0x2029 }
        let isValid = !scalars.isEmpty && scalars.count <= 255 && !hasControls && !isLineBreaking
        return isValid ? nil : .badName(key)
    }

    static func value(of field: String, typed: String) throws(FieldAssignmentProblem) -> Value {
        if field == FieldName.every { return .string(Recurrence.text(typed: typed)) }
        if ConventionalField.strings.contains(field) { return .string(typed) }
        switch typed.utf8.first {
        case UInt8(ascii: "["), UInt8(ascii: "{"): return try flow(field, typed)
        case _ where field == FieldName.tags: return .list(commaList(typed).map(Value.string))
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return quoted(typed) ?? .string(typed)
        default: break
        }
        return switch typed {
        case "true": .bool(true)
        case "false": .bool(false)
        case "null": .null
        default: Number(json: typed).map(Value.number) ?? .string(typed)
        }
    }

    /// Returns the trimmed parts between commas, except empty ones.
    package static func commaList(_ typed: String) -> [String] {
        typed.split(separator: ",").map { part in
            let trimmed = part.drop { $0 == " " }
            return String(trimmed.prefix(trimmed.reversed().drop { $0 == " " }.count))
        }.filter { !$0.isEmpty }
    }

    private static func flow(_ field: String, _ typed: String) throws(FieldAssignmentProblem) -> Value {
        do {
            guard let (node, document) = try node(typed) else {
                throw FieldAssignmentProblem.badValue(
                    field: field, reason: "something follows the closing bracket")
            }
            return value(of: node, in: document)
        } catch let error as YAMLError {
            throw .badValue(field: field, reason: "\(error.reason)")
        } catch let problem as FieldAssignmentProblem {
            throw problem
        } catch {
            preconditionFailure("only these two are thrown")
        }
    }

    /// Returns the value of a node between brackets or braces.
    ///
    /// As outside of them, what YAML reads as a number but JSON's grammar doesn't have is a string.
    private static func value(of node: Node, in document: Document) -> Value {
        switch (node.shape, node.value) {
        case (.sequence(_, let items), _): return .list(items.map { value(of: $0.value, in: document) })
        case (.mapping(_, let entries), .mapping(var mapping)):
            for entry in entries { mapping[entry.key] = value(of: entry.value, in: document) }
            return .mapping(mapping)
        case (.scalar, .number):
            let spelling = String(decoding: document.bytes[node.range], as: UTF8.self)
            // With a tag or an anchor before it, the number is meant as YAML.
            let isTyped = ["!", "&"].contains(spelling.prefix(1))
            return isTyped || Number(json: spelling) != nil ? node.value : .string(spelling)
        default: return node.value
        }
    }

    /// Parses a quoted YAML scalar; nil if the quotes don't enclose the whole text.
    private static func quoted(_ typed: String) -> Value? {
        (try? node(typed))?.node.value
    }

    /// Parses a text as a single YAML node; nil if there is text after the node.
    private static func node(_ typed: String) throws(YAMLError) -> (node: Node, document: Document)? {
        let document = try Document(parsing: Array("value: \(typed)\n".utf8))
        guard case .mapping(_, let entries) = document.root.shape, let entry = entries.first,
            entries.count == 1,
            entry.value.range.count == typed.utf8.count
        else { return nil }
        return (entry.value, document)
    }
}

/// The reason why an argument isn't a valid assignment to a field.
package enum FieldAssignmentProblem: Error, Sendable, Hashable {
    case noEqualsSign(String)
    /// The field `id` is a todo's identity and can't be written.
    case identity
    case reserved(String)
    case badName(String)
    /// The name ends in + or -, and would be ambiguous in `KEY+=VALUE` and `KEY-=VALUE`.
    case endsInSign(String)
    /// The name begins or ends with a space, which is usually a slip.
    case hasOuterSpaces(String)
    /// There is nothing before or after a dot in the path.
    case emptyPart(String)
    /// `KEY+=VALUE` or `KEY-=VALUE` names a conventional field that is neither a list nor notes.
    case takesOneValue(String)
    /// Commands don't write a todo with a blank text.
    case emptyText
    /// The value has the wrong kind for a conventional field.
    case wrongKind(field: String, expectation: String)
    case badValue(field: String, reason: String)

    /// The reason as a phrase.
    package var message: String {
        switch self {
        case .noEqualsSign(let argument): "'\(argument)' is not KEY=VALUE"
        case .identity: "the id of a todo can't be changed"
        case .reserved(let name): "the name \(name) is reserved; choose a different one"
        case .badName(let name):
            name.isEmpty
                ? "a field needs a name before the ="
                : "a field's name can't have control characters or more than 255 characters"
        case .endsInSign(let name): "the name \(name) ends in \(name.suffix(1)); choose a different one"
        case .hasOuterSpaces(let name): "a field's name can't begin or end with a space: '\(name)'"
        case .emptyPart(let path): "the path '\(path)' needs a name before and after each dot"
        case .takesOneValue(let name): "\(name) takes one value, so += and -= can't change it"
        case .emptyText: "a todo needs some text"
        case .wrongKind(_, let expectation): expectation
        case .badValue(let field, let reason): "the value of \(field) can't be used: \(reason)"
        }
    }
}
