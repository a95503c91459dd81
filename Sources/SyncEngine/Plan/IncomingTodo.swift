internal import LosslessYAML
internal import TodoModel
internal import WorkingCopy

/// A remote's record as a todo that can be applied, or the reason why it can't be.
enum IncomingTodo: Sendable {
    /// A usable state, with its text if the record came with one.
    case usable(TodoID, RemoteState, CheckedText? = nil)
    case unusable(UnusableRecord)
}

/// Builds a file's text from a record, and checks the text against all rules for todos.
///
/// The text that came with the record is used if it is a valid todo with the record's id. Changes by a client
/// that supports only the fields are merged into that text. Without such a text, the base version's text is
/// used, then the local text if it has the same fields, and otherwise a new text is written.
func incomingTodo(
    _ record: RemoteRecord, base: RemoteState?, local: @autoclosure () -> Todo?
) -> IncomingTodo {
    incomingTodo(record) ?? incomingTodo(record, workedInto: base, local())
}

/// Builds the text of a record that doesn't contain everything needed for it.
func incomingTodo(
    _ record: RemoteRecord, workedInto base: RemoteState?, _ local: @autoclosure () -> Todo?
) -> IncomingTodo {
    guard let id = TodoID(record.id) else { preconditionFailure("a record without an id can't be used") }
    if sentTodo(of: record, id) == nil, let own = equalTodo(to: record, id, local()),
        let bytes = text(of: own.document, own, with: record.fields, id)
    {
        return .usable(id, .todo(todo(record, bytes, base)))
    }
    let baseDocument = (base?.todo?.bytes).flatMap { try? Document(parsing: $0) }
    if let baseDocument, let bytes = text(of: baseDocument, nil, with: record.fields, id) {
        return .usable(id, .todo(todo(record, bytes, base)))
    }
    if let document = sentTodo(of: record, id)?.document ?? baseDocument,
        document.losesComments(with: record.fields)
    {
        return .unusable(record, "with its comments, it would be \(YAMLError.Reason.tooLarge)")
    }
    var fields: Mapping = [FieldName.id: .string(id.string)]
    fields[FieldName.text] = record.fields[FieldName.text]
    for (key, value) in record.fields.entries where CanonicalField.value(key, value) != nil {
        fields[key] = value
    }
    let bytes = emit(fields)
    do {
        _ = try Todo(parsing: bytes)
    } catch {
        return .unusable(record, error.message)
    }
    guard isValid(bytes, record.fields, id) else {
        return .unusable(record, "its fields can't be written as a todo")
    }
    return .usable(id, .todo(todo(record, bytes, base)))
}

/// Builds the text of a record that contains everything needed for it, or that can't be used in any case.
func incomingTodo(_ record: RemoteRecord) -> IncomingTodo? {
    guard let id = TodoID(record.id) else {
        return .unusable(record, TodoID.problem(with: record.id) ?? "its id is not valid")
    }
    if record.isDeleted { return .usable(id, .deleted(record.version)) }
    if let problem = record.problem { return .unusable(record, "it can't be read: \(problem)") }
    if let entry = record.fields.entries.first(where: {
        FieldName.isReserved($0.key) || $0.key.isSameBytes(as: FieldName.id)
    }) {
        return .unusable(record, "it has the reserved field \(entry.key)")
    }
    guard case .string = record.fields[FieldName.text] else {
        let hasText = record.fields[FieldName.text] != nil
        return .unusable(record, hasText ? "its text is not a string" : "it has no text")
    }
    guard let own = sentTodo(of: record, id), let bytes = text(of: own.document, own, with: record.fields, id)
    else { return nil }
    guard bytes == own.bytes else { return .usable(id, .todo(todo(record, bytes, nil))) }
    var asSent = todo(record, bytes, nil)
    // Only a text that fits the fields shows that its sender also wrote them: a client that supports only the
    // fields keeps the device name of the previous writer.
    asSent.device = record.layout?.device.flatMap(DeviceName.cleaned)
    return .usable(id, .todo(asSent), CheckedText(own))
}

/// Returns the todo whose text came with a record.
private func sentTodo(of record: RemoteRecord, _ id: TodoID) -> Todo? {
    guard let yaml = record.layout?.yaml, let todo = try? Todo(parsing: Array(yaml.utf8)), todo.id == id
    else { return nil }
    return todo
}

/// Returns the local todo if it has the same fields as a record.
private func equalTodo(to record: RemoteRecord, _ id: TodoID, _ local: Todo?) -> Todo? {
    guard let local, local.id == id, CanonicalField.areEqual(local.fields, record.fields) else { return nil }
    return local
}

/// Returns a document's text with a record's fields merged into it; nil if the result isn't a valid todo.
///
/// - Parameter todo: The todo that the document was parsed as, if it has the right id.
private func text(of document: Document, _ todo: Todo?, with fields: Mapping, _ id: TodoID) -> [UInt8]? {
    // Usually the text already matches the record, and there is nothing to merge.
    if todo != nil, document.fields.count == fields.count + 1,
        fields.entries.allSatisfy({ document.fields[$0.key] == $0.value })
    {
        return document.bytes
    }
    let fields = fields.restoringDigits(of: document.fields)
    let target = document.fields.adopting(fields)
    let isUnchanged = target == document.fields
    if isUnchanged, let todo { return CanonicalField.areEqual(todo.fields, fields) ? document.bytes : nil }
    let bytes = isUnchanged ? document.bytes : document.updated(to: target)
    return isValid(bytes, fields, id) ? bytes : nil
}

extension Document {
    /// Returns whether only a new text without the document's comments has room for a record's fields.
    fileprivate func losesComments(with fields: Mapping) -> Bool {
        !comments.isEmpty
            && updated(to: self.fields.adopting(fields.restoringDigits(of: self.fields))).count
                > Self.maximumSize
    }
}

private func isValid(_ bytes: [UInt8], _ fields: Mapping, _ id: TodoID) -> Bool {
    guard let todo = try? Todo(parsing: bytes) else { return false }
    return todo.id == id && CanonicalField.areEqual(todo.fields, fields)
}

private func todo(_ record: RemoteRecord, _ bytes: [UInt8], _ base: RemoteState?) -> RemoteTodo {
    RemoteTodo(
        version: record.version, path: record.layout == nil ? base?.todo?.path : record.layout?.path,
        bytes: bytes)
}

extension IncomingTodo {
    fileprivate static func unusable(_ record: RemoteRecord, _ reason: String) -> IncomingTodo {
        .unusable(UnusableRecord(id: record.id, reason: reason))
    }
}

extension Mapping {
    /// Returns the mapping with the fields of another mapping, except `id`; values that count as equal stay.
    func adopting(_ fields: Mapping) -> Mapping {
        var adopted = self
        for (key, value) in entries where key != FieldName.id {
            let new = fields[key]
            if CanonicalField.value(key, value) != CanonicalField.value(key, new) {
                adopted[key] = new == .null ? nil : new
            }
        }
        for (key, value) in fields.entries where self[key] == nil && CanonicalField.value(key, value) != nil {
            adopted[key] = value
        }
        return adopted
    }
}
