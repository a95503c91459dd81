internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A valid todo in the folder.
///
/// An object, as it is passed on many times.
final class LocalTodo: Sendable {
    /// Nil for a new file that no command has taken up yet.
    let id: TodoID?
    let path: String
    /// Whether the file lacks the id that it has by its place: an editor wrote back an old buffer.
    let lacksID: Bool
    /// By which the file is known; nil if it is not.
    let stamp: FileStamp?
    /// What the bytes were read as; nil where they are read again when that is asked for.
    private let readTodo: Todo?
    private let text: CheckedText

    private init(
        _ id: TodoID?, _ path: String, lacksID: Bool, _ text: CheckedText, _ stamp: FileStamp?, _ todo: Todo?
    ) {
        self.id = id
        self.path = path
        self.lacksID = lacksID
        self.text = text
        self.stamp = stamp
        readTodo = todo
    }

    /// - Parameter keepsTree: false for one that will hardly be looked at: in memory, a tree takes many times
    ///   its text.
    convenience init(
        id: TodoID?, path: String, todo: Todo, stamp: FileStamp? = nil, keepsTree: Bool = true
    ) {
        self.init(
            id, path, lacksID: id != nil && todo.id == nil, CheckedText(todo), stamp, keepsTree ? todo : nil)
    }

    convenience init(id: TodoID, path: String, _ text: CheckedText, stamp: FileStamp?) {
        self.init(id, path, lacksID: false, text, stamp, nil)
    }

    /// Returns the same file, which has no id of its own, as that of a todo, or of none.
    func taken(for id: TodoID?) -> LocalTodo {
        LocalTodo(id, path, lacksID: id != nil, text, stamp, readTodo)
    }

    var bytes: [UInt8] { text.bytes }

    /// Whether a conventional field has another kind of value than it should, or two keys look alike.
    var hasOddities: Bool { text.hasOddities }

    /// Returns the fields that are not as another valid todo's text has them.
    func changedFields(from old: [UInt8]) -> [String] {
        if var (old, new) = text.simpleText?.entriesThatDiffer(from: old) {
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

/// A text that was found to be a valid todo with its id.
struct CheckedText: Sendable {
    let bytes: [UInt8]
    /// Whether a conventional field has another kind of value than it should, or two keys look alike.
    let hasOddities: Bool
    /// The text, if each of its entries can be read by itself.
    let simpleText: SimpleText?

    init(_ todo: Todo) {
        bytes = todo.bytes
        hasOddities =
            ConventionalField.hasProblem(in: todo.document.fields) || todo.document.hasLookalikeKeys
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
        /// There are markers left.
        case markers(ConflictedText)
        /// The markers are gone, and what is left is a valid todo.
        case todo(Todo)
        /// Nothing but the id and comments is left.
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

    /// The todo with the local value of what conflicts; where the local side has deleted it, the remote's.
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

/// What a file in the folder is, seen by itself.
indirect enum ParsedFile: Sendable {
    case todo(Todo)
    /// Conflict markers, and the id outside of them.
    case markers(ConflictedText, TodoID?)
    /// A mapping that has an id and no other field.
    case onlyID(TodoID)
    /// Not valid; with the id that a line of it seems to give.
    case invalid(TodoProblem, TodoID?)
    /// No todo by itself; with what it lacks, and with the id that a line of it seems to give.
    case other(TodoProblem, TodoID?)

    /// Reads a file.
    ///
    /// - Parameter isRecorded: Whether a todo was recorded at its path.
    init(_ bytes: [UInt8], isRecorded: Bool) {
        do {
            // A valid todo first: in a quoted string, a line can look like a marker and be none.
            self = .todo(try Todo(parsing: bytes))
        } catch {
            self =
                Self.markers(in: bytes) ?? Self.onlyID(in: bytes, error)
                ?? (Self.isMeantAsTodo(bytes, error, isRecorded: isRecorded)
                    ? .invalid(error, MarkerScan.idLine(in: bytes))
                    : .other(error, MarkerScan.idLine(in: bytes)))
        }
    }

    private static func markers(in bytes: [UInt8]) -> ParsedFile? {
        guard MarkerScan.hasMarkerLine(bytes) else { return nil }
        do {
            return try ConflictedText.read(bytes).map { .markers($0, MarkerScan.id(outsideBlocksOf: $0)) }
        } catch {
            let problem = TodoProblem(reason: .markers("\(error)"), line: error.line, column: error.column)
            return .invalid(problem, MarkerScan.idLine(in: bytes))
        }
    }

    private static func onlyID(in bytes: [UInt8], _ problem: TodoProblem) -> ParsedFile? {
        guard problem.reason == .noText, let fields = (try? Document(parsing: bytes))?.fields,
            fields.count == 1,
            case .string(let string) = fields["id"], let id = TodoID(string)
        else { return nil }
        return .onlyID(id)
    }

    /// Returns whether a file that is no valid todo should be one: it was recorded as one, it has a line that
    /// begins `text:`, or its `text` or `id` is a scalar of another kind.
    private static func isMeantAsTodo(_ bytes: [UInt8], _ problem: TodoProblem, isRecorded: Bool) -> Bool {
        if isRecorded || MarkerScan.hasLine(beginning: "text:", in: bytes) { return true }
        guard let fields = (try? Document(parsing: bytes))?.fields else { return false }
        return [FieldName.text, FieldName.id].contains { name in
            switch fields[name] {
            case nil, .string, .list, .mapping: false
            case .null, .bool, .number: true
            }
        }
    }
}

/// Looks at lines of a text that may be no YAML.
enum MarkerScan {
    static func hasMarkerLine(_ bytes: [UInt8]) -> Bool {
        ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].contains { hasLine(beginning: $0, in: bytes) }
    }

    /// Returns whether a line begins with an ASCII text; a byte order mark does not count.
    static func hasLine(beginning text: String, in bytes: [UInt8]) -> Bool {
        !lines(beginning: text, in: bytes).isEmpty
    }

    /// Returns the id that the text outside a conflict's blocks gives.
    static func id(outsideBlocksOf text: ConflictedText) -> TodoID? {
        for case .text(let bytes) in text.pieces {
            if let id = idLine(in: bytes) { return id }
        }
        // A block that holds a whole document in flow style: its sides have the same id.
        for side in [Side.local, .remote] {
            if let bytes = text.taking(side), let id = (try? Todo(parsing: bytes))?.id { return id }
        }
        return nil
    }

    /// Returns the id of a todo's text, also if it is not valid.
    static func id(in bytes: [UInt8]) -> TodoID? {
        (try? Todo(parsing: bytes))?.id ?? idLine(in: bytes)
    }

    /// Returns the id that the first line `id: …` gives.
    static func idLine(in bytes: [UInt8]) -> TodoID? {
        for line in lines(beginning: "id:", in: bytes) {
            guard let document = try? Document(parsing: Array(line)),
                case .string(let string) = document.fields["id"], let id = TodoID(string)
            else { continue }
            return id
        }
        return nil
    }

    /// Returns a text without its first line `id: …`.
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

extension MarkerScan {
    /// Returns the line, counted from 1, of the first conflict marker.
    static func firstMarkerLine(in bytes: [UInt8]) -> Int {
        var line = 1
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") || index == 0 {
            let start = index == 0 ? 0 : index + 1
            if index != 0 { line += 1 }
            let rest = bytes[start...]
            if rest.starts(with: "<<<<<<<".utf8) || rest.starts(with: ">>>>>>>".utf8) { return line }
        }
        return 1
    }
}
