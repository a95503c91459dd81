package import LosslessYAML

/// A valid todo: the document of one YAML file, with the required fields.
package struct Todo: Sendable {
    package let document: Document
    /// The field `id`; nil until a command adds it to the file.
    package let id: TodoID?
    /// The field `text`.
    package let text: String

    /// Parses a todo file's bytes.
    package init(parsing bytes: [UInt8]) throws(TodoProblem) {
        let document: Document
        do {
            document = try Document(parsing: bytes)
        } catch {
            throw TodoProblem(reason: .yaml(error.reason), line: error.line, column: error.column)
        }
        try self.init(document)
    }

    /// Creates a todo from a document that follows the rules for todos.
    package init(_ document: Document) throws(TodoProblem) {
        let fields = document.fields
        for (key, _) in fields.entries where FieldName.isReserved(key) {
            throw TodoProblem(.reserved(key), at: key, in: document)
        }
        switch fields["id"] {
        case nil: id = nil
        case .string(let string):
            guard let valid = TodoID(string) else {
                throw TodoProblem(.badID(string), at: "id", in: document)
            }
            id = valid
        default: throw TodoProblem(.idIsNotAString, at: "id", in: document)
        }
        switch fields["text"] {
        case .string(let string): text = string
        case nil: throw TodoProblem(reason: .noText, line: 1, column: 1)
        case .null: throw TodoProblem(.textHasNoValue, at: "text", in: document)
        default: throw TodoProblem(.textIsNotAString, at: "text", in: document)
        }
        self.document = document
    }

    /// The file's text.
    package var bytes: [UInt8] { document.bytes }

    /// The document's fields without `id`.
    package var fields: Mapping {
        var fields = document.fields
        fields["id"] = nil
        return fields
    }

    package var isComplete: Bool { document.fields["complete"] == .bool(true) }
}

/// The reason why a file isn't a valid todo, with its position.
package struct TodoProblem: Error, Sendable, Hashable {
    package let reason: Reason
    /// The line, counted from 1.
    package let line: Int
    /// The column, counted in characters from 1.
    package let column: Int

    package enum Reason: Sendable, Hashable {
        case yaml(YAMLError.Reason)
        case noText
        case textHasNoValue
        case textIsNotAString
        case idIsNotAString
        case badID(String)
        /// A top-level name is reserved by the tables protocol or by todosync.
        case reserved(String)
        /// The file has malformed conflict markers, or markers without a recorded conflict.
        case markers(String)
        case tooLarge
        /// The file has no id yet, and would be too large with one.
        case noRoomForID
        /// The file's name isn't allowed for a todo; the value says why.
        case unsuitableName(String)
        /// The file of an open conflict lacks the todo's id, or has a different todo's id.
        case otherID
    }

    package init(reason: Reason, line: Int, column: Int) {
        self.reason = reason
        self.line = line
        self.column = column
    }

    /// Creates a problem at the position of a top-level key.
    fileprivate init(_ reason: Reason, at key: String, in document: Document) {
        let position = document.position(ofTopLevelKey: key)
        self.init(reason: reason, line: position.line, column: position.column)
    }
}

extension TodoProblem {
    /// The reason as a phrase, without the position.
    package var message: String {
        switch reason {
        case .yaml(let reason): "\(reason)"
        case .noText: "a todo needs a field text"
        case .textHasNoValue: "text has no value"
        case .textIsNotAString: "text is not a string (put it in quotes)"
        case .idIsNotAString: "id is not a string (put it in quotes, or remove the line to get a new id)"
        case .badID(let id):
            "\(TodoID.problem(with: id) ?? "the id is not valid") (remove the line to get a new id)"
        case .reserved(let name): "the name \(name) is reserved; choose a different one"
        case .markers(let message): message
        case .tooLarge: "the file is larger than 1 MiB"
        case .noRoomForID: "the file has no room for its id; with it, it would be larger than 1 MiB"
        case .unsuitableName(let problem): "\(problem); rename the file to sync it"
        case .otherID: "the file of a conflict needs its todo's id, outside the markers"
        }
    }
}

extension Document {
    /// Returns the line and column of a top-level key, counted from 1.
    package func position(ofTopLevelKey key: String) -> (line: Int, column: Int) {
        guard case .mapping(_, let entries) = root.shape,
            let entry = entries.first(where: { $0.key.isSameBytes(as: key) })
        else { return (1, 1) }
        return position(ofByte: entry.keyRange.lowerBound)
    }

    /// Returns the line and column of a byte, counted from 1 in Unicode scalars.
    package func position(ofByte offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while index < offset {
            switch bytes[index] {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if bytes[index] == UInt8(ascii: "\r"), index + 1 < bytes.count,
                    bytes[index + 1] == UInt8(ascii: "\n")
                {
                    index += 1
                }
                line += 1
                column = 1
            case 0x80...0xBF: break
            default: column += 1
            }
            index += 1
        }
        return (line, column)
    }
}
