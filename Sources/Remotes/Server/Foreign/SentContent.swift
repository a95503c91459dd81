internal import LosslessYAML
internal import TodoModel

/// The content that a write sent, used to recognize the write in the server's current record.
struct SentContent {
    var fields: Mapping
    var layout: Layout

    /// Returns whether the record has these fields and no others.
    func isWhole(_ record: RemoteRecord) -> Bool {
        hasLayout(record) && Self.areEqual(record.fields, fields)
    }

    /// Returns whether the record has the fields of the todo that was sent, although the write itself
    /// contained only the changed fields.
    func isResult(_ record: RemoteRecord) -> Bool {
        guard hasLayout(record), let yaml = layout.yaml, let todo = try? Todo(parsing: Array(yaml.utf8))
        else {
            return false
        }
        var whole = todo.document.fields
        whole[FieldName.id] = nil
        return Self.areEqual(record.fields, whole)
    }

    /// Returns whether the record has these fields, and possibly others, as well as the path and text that
    /// were sent.
    func isPart(_ record: RemoteRecord) -> Bool {
        guard hasLayout(record), !fields.isEmpty else { return false }
        var theirs = Mapping()
        for name in fields.keys { theirs[name] = record.fields[name] }
        return Self.areEqual(theirs, fields)
    }

    private func hasLayout(_ record: RemoteRecord) -> Bool {
        // The content of an unreadable record is unknown, so it never counts as sent.
        record.problem == nil && !record.isDeleted && (record.layout == nil || record.layout == layout)
    }

    private static func areEqual(_ left: Mapping, _ right: Mapping) -> Bool {
        CanonicalField.areEqual(rounded(left), rounded(right))
    }

    private static func rounded(_ mapping: Mapping) -> Mapping {
        Mapping(mapping.entries.map { (key: $0.key, value: rounded($0.value)) })
    }

    /// Returns the value as servers store it, with numbers as binary floats.
    private static func rounded(_ value: Value) -> Value {
        switch value {
        case .number(let number):
            Double(number.json).flatMap { Number(json: "\($0)") }.map { .number($0) } ?? value
        case .list(let list): .list(list.map(rounded))
        case .mapping(let mapping): .mapping(rounded(mapping))
        default: value
        }
    }
}
