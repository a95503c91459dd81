internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

/// A valid todo in the folder.
///
/// It is a class because it is passed on many times.
final class LocalTodo: Sendable {
    /// The todo's id; nil for a new file that hasn't been added yet.
    let id: TodoID?
    let path: String
    /// Whether the file lacks the id recorded for its path, because an editor wrote back an old buffer.
    let lacksID: Bool
    /// The stamp to recognize the file by; nil if there isn't one.
    let stamp: FileStamp?
    /// The parsed bytes; nil if they are parsed again on demand.
    private let readTodo: Todo?
    private let checked: CheckedText

    private init(
        _ id: TodoID?, _ path: String, lacksID: Bool, _ checked: CheckedText, _ stamp: FileStamp?,
        _ todo: Todo?
    ) {
        self.id = id
        self.path = path
        self.lacksID = lacksID
        self.checked = checked
        self.stamp = stamp
        readTodo = todo
    }

    /// - Parameter keepsTree: False for a todo that will hardly be used, because a tree takes many times as
    ///   much memory as its text.
    convenience init(
        id: TodoID?, path: String, todo: Todo, stamp: FileStamp? = nil, keepsTree: Bool = true
    ) {
        self.init(
            id, path, lacksID: id != nil && todo.id == nil, CheckedText(todo), stamp, keepsTree ? todo : nil)
    }

    convenience init(id: TodoID, path: String, _ checked: CheckedText, stamp: FileStamp?) {
        self.init(id, path, lacksID: false, checked, stamp, nil)
    }

    /// Returns the same file, which has no id of its own, as a todo's file or as a new file.
    func taken(for id: TodoID?) -> LocalTodo {
        LocalTodo(id, path, lacksID: id != nil, checked, stamp, readTodo)
    }

    var bytes: [UInt8] { checked.bytes }

    /// Whether the file has an id or room for one.
    var hasRoomForID: Bool {
        if id != nil, !lacksID { return true }
        // An id is a line of its own, or an entry with a comma, and can need quotes.
        let length = (id ?? TodoID(BinaryUUID.zero)).string.utf8.count + 8
        return bytes.count + length <= Document.maximumSize
    }

    /// The field `text`.
    var text: String { checked.text }

    /// Whether a conventional field has a value of the wrong kind, or two keys look alike.
    var hasOddities: Bool { checked.hasOddities }

    /// Whether the todo has the field `every`.
    var hasEvery: Bool { checked.hasEvery }

    /// Returns the fields that differ from another valid todo's text.
    func changedFields(from old: [UInt8]) -> [String] {
        if var (old, new) = checked.simpleText?.entriesThatDiffer(from: old) {
            (old[FieldName.id], new[FieldName.id]) = (nil, nil)
            return CanonicalField.differences(from: old, to: new)
        }
        guard let old = try? Todo(parsing: old) else { return todo.fields.keys }
        return CanonicalField.differences(from: old.fields, to: todo.fields)
    }

    var todo: Todo {
        if let readTodo { return readTodo }
        guard let todo = try? Todo(parsing: bytes) else {
            preconditionFailure("the bytes were found to be a todo before")
        }
        return todo
    }
}

/// A text that was checked to be a valid todo with its id.
struct CheckedText: Sendable {
    let bytes: [UInt8]
    /// The field `text`.
    let text: String
    /// Whether a conventional field has a value of the wrong kind, or two keys look alike.
    let hasOddities: Bool
    /// Whether the todo has the field `every`.
    let hasEvery: Bool
    /// The text, if each of its fields can be parsed by itself.
    let simpleText: SimpleText?

    init(_ todo: Todo) {
        bytes = todo.bytes
        text = todo.text
        hasOddities =
            ConventionalField.hasProblem(in: todo.document.fields) || todo.document.hasLookalikeKeys
        hasEvery = todo.document.fields[FieldName.every] != nil
        simpleText = SimpleText(todo.document)
    }
}

/// The file of an open conflict, as the user left it.
struct ConflictedFile: Sendable {
    var id: TodoID
    var path: String
    var bytes: [UInt8]
    var content: Content

    indirect enum Content: Sendable {
        /// There are conflict markers left.
        case markers(ConflictedText)
        /// The markers are gone, and the rest is a valid todo.
        case todo(Todo)
        /// Only the id and comments are left.
        case onlyID
        case invalid(TodoProblem)
    }

    var hasMarkers: Bool {
        switch content {
        case .markers: true
        case .invalid(let problem): if case .markers = problem.reason { true } else { false }
        case .todo, .onlyID: false
        }
    }

    /// The todo with the local values where it conflicts; the remote's if the local side deleted it.
    var shownTodo: Todo? {
        switch content {
        case .markers(let text):
            for side in [Side.local, .remote] {
                if let bytes = text.taking(side), let todo = try? Todo(parsing: bytes) { return todo }
            }
            return nil
        case .todo(let todo): return todo
        case .onlyID, .invalid: return nil
        }
    }
}

/// A file in the folder, parsed without regard to other files.
indirect enum ParsedFile: Sendable {
    case todo(Todo)
    /// Conflict markers, and the id outside their blocks.
    case markers(ConflictedText, TodoID?)
    /// A mapping that has an id and no other field.
    case onlyID(TodoID)
    /// Not a valid todo; with the id that one of its lines seems to contain.
    case invalid(TodoProblem, TodoID?)
    /// Not a todo by itself; with what is missing, and the id that one of its lines seems to contain.
    case other(TodoProblem, TodoID?)

    /// Parses a file.
    ///
    /// - Parameter isRecorded: Whether a todo was recorded at its path.
    init(_ bytes: [UInt8], isRecorded: Bool) {
        do {
            let todo = try Todo(parsing: bytes)
            // In a flow collection or a quoted string, the markers of a conflict can be valid YAML. A single
            // line that looks like a marker is content.
            self = (try? Self.conflict(in: bytes)) ?? .todo(todo)
        } catch {
            // A text in another encoding is judged by what it would be in UTF-8.
            if let text = error.textInUTF8(of: bytes) {
                self = ParsedFile(text, isRecorded: false).with(error, isRecorded: isRecorded)
                return
            }
            self =
                Self.markers(in: bytes) ?? Self.onlyID(in: bytes, error)
                ?? (Self.isMeantAsTodo(bytes, error, isRecorded: isRecorded)
                    ? .invalid(error, LineScan.idLine(in: bytes))
                    : .other(error, LineScan.idLine(in: bytes)))
        }
    }

    /// Returns the same file with a problem that makes it invalid if it is meant as a todo.
    private func with(_ problem: TodoProblem, isRecorded: Bool) -> ParsedFile {
        let id: TodoID? =
            switch self {
            case .todo(let todo): todo.id
            case .onlyID(let id): id
            case .markers(_, let id), .invalid(_, let id), .other(_, let id): id
            }
        return isRecorded || isMeantAsTodo ? .invalid(problem, id) : .other(problem, id)
    }

    /// Whether the file is a todo or is meant as one.
    var isMeantAsTodo: Bool {
        switch self {
        case .todo, .markers, .invalid: true
        case .onlyID, .other: false
        }
    }

    /// Returns the result of reading a file's conflict markers; nil if it has none.
    ///
    /// - Throws: ``MarkerError`` if the markers don't enclose conflicts.
    private static func conflict(in bytes: [UInt8]) throws(MarkerError) -> ParsedFile? {
        if let text = try ConflictedText.read(bytes) {
            return .markers(text, LineScan.id(outsideBlocksOf: text))
        }
        return ConflictedText.markersOfOtherLength(in: bytes).map { invalid($0, in: bytes) }
    }

    private static func markers(in bytes: [UInt8]) -> ParsedFile? {
        do {
            return try conflict(in: bytes)
        } catch {
            return invalid(error, in: bytes)
        }
    }

    private static func invalid(_ error: MarkerError, in bytes: [UInt8]) -> ParsedFile {
        let problem = TodoProblem(reason: .markers("\(error)"), line: error.line, column: error.column)
        return .invalid(problem, LineScan.idLine(in: bytes))
    }

    private static func onlyID(in bytes: [UInt8], _ problem: TodoProblem) -> ParsedFile? {
        guard problem.reason == .noText, let fields = (try? Document(parsing: bytes))?.fields,
            fields.count == 1,
            case .string(let string) = fields["id"], let id = TodoID(string)
        else { return nil }
        return .onlyID(id)
    }

    /// Returns whether an invalid file is meant to be a todo.
    ///
    /// It is meant to be one if a todo was recorded at its path, if its `text` is a scalar, or if its `id` is
    /// a scalar other than a string. If it can't be parsed, it is meant to be one if it seems to have a
    /// `text`.
    private static func isMeantAsTodo(_ bytes: [UInt8], _ problem: TodoProblem, isRecorded: Bool) -> Bool {
        if isRecorded || LineScan.hasLine(beginning: "text:", in: bytes) { return true }
        guard let fields = (try? Document(parsing: bytes))?.fields else {
            return LineScan.seemsToHaveText(bytes)
        }
        return [FieldName.text, FieldName.id].contains { name in
            switch fields[name] {
            case nil, .list, .mapping: false
            case .string: name == FieldName.text
            case .null, .bool, .number: true
            }
        }
    }
}

extension TodoProblem {
    /// Returns a text in UTF-16 or an 8-bit encoding as UTF-8; nil if the encoding isn't the problem.
    ///
    /// Characters of an 8-bit encoding that aren't ASCII are unknown, and become question marks.
    fileprivate func textInUTF8(of bytes: [UInt8]) -> [UInt8]? {
        switch reason {
        case .yaml(.isUTF16):
            // Without a byte order mark, the zero byte of the first character shows the order.
            let isBigEndian = bytes.first == 0xFE || bytes.first == 0
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isBigEndian ? first << 8 | second : second << 8 | first
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        case .yaml(.notUTF8): return bytes.map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }
        default: return nil
        }
    }
}

/// Parses a file that a person or a program left in the folder as a todo.
///
/// Unlike `Todo(parsing:)`, this refuses conflict markers even if they are valid YAML.
func validTodo(inFile bytes: [UInt8]) throws(TodoProblem) -> Todo {
    switch ParsedFile(bytes, isRecorded: true) {
    case .todo(let todo): return todo
    case .markers:
        throw TodoProblem(
            reason: .markers("conflict markers; remove them"),
            line: ConflictedText.firstMarkerLine(in: bytes) ?? 1, column: 1)
    case .invalid(let problem, _), .other(let problem, _): throw problem
    case .onlyID: return try Todo(parsing: bytes)
    }
}

/// Examines lines of a text that might not be valid YAML.
enum LineScan {
    /// Returns whether a line begins with an ASCII text, ignoring a byte order mark.
    static func hasLine(beginning text: String, in bytes: [UInt8]) -> Bool {
        !lines(beginning: text, in: bytes).isEmpty
    }

    /// Returns whether a text that can't be parsed seems to have the field `text`, at the beginning of a line
    /// or, in flow style such as JSON, anywhere.
    static func seemsToHaveText(_ bytes: [UInt8]) -> Bool {
        if ["text:", "\"text\":", "'text':"].contains(where: { hasLine(beginning: $0, in: bytes) }) {
            return true
        }
        let spaces = Array(" \t\r\n".utf8)
        let text = bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        guard text.first(where: { !spaces.contains($0) }) == UInt8(ascii: "{") else { return false }
        let ends = spaces + "\"'{,".utf8
        return text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).dropLast()
            .contains { part in
                part.reversed().drop(while: ends.contains).prefix { !ends.contains($0) }
                    .elementsEqual(FieldName.text.utf8.reversed())
            }
    }

    /// Returns the id in the text outside a conflict's blocks.
    static func id(outsideBlocksOf text: ConflictedText) -> TodoID? {
        for case .text(let bytes) in text.pieces {
            if let id = idLine(in: bytes) { return id }
        }
        // A block can hold a whole document in flow style, and then its sides have the same id.
        for side in [Side.local, .remote] {
            if let bytes = text.taking(side), let id = (try? Todo(parsing: bytes))?.id { return id }
        }
        return nil
    }

    /// Returns the id in a todo's text, even if the text isn't valid.
    static func id(in bytes: [UInt8]) -> TodoID? {
        (try? Todo(parsing: bytes))?.id ?? idLine(in: bytes)
    }

    /// Returns the id in the first line of the form `id: …`.
    static func idLine(in bytes: [UInt8]) -> TodoID? {
        for line in lines(beginning: "id:", in: bytes) {
            guard let document = try? Document(parsing: Array(line)),
                case .string(let string) = document.fields["id"], let id = TodoID(string)
            else { continue }
            return id
        }
        return nil
    }

    /// Returns a text without its first line of the form `id: …`.
    static func withoutIDLine(_ bytes: [UInt8]) -> [UInt8] {
        guard let line = lines(beginning: "id:", in: bytes).first else { return bytes }
        let rest = bytes[line.endIndex...]
        let lineEnd = rest.starts(with: "\r\n".utf8) ? 2 : min(1, rest.count)
        return Array(bytes[..<line.startIndex] + rest.dropFirst(lineEnd))
    }

    private static func lines(beginning text: String, in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        let prefix = Array(text.utf8)
        var found: [ArraySlice<UInt8>] = []
        var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while start < bytes.count {
            let end =
                bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
                ?? bytes.count
            if bytes[start..<end].starts(with: prefix) { found.append(bytes[start..<end]) }
            start = end + 1
        }
        return found
    }
}
