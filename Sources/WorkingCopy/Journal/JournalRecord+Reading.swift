internal import LosslessYAML
internal import TodoModel
internal import Values

// A record is a JSON object whose member "record" names its kind. Members that are nil are left out. A text
// is a string or, if it isn't UTF-8, a list with one string of hexadecimal digits.

extension JournalRecord {
    /// Creates a record from its JSON value; nil if the kind is unknown or a member is invalid.
    init?(_ value: Value) {
        guard case .mapping(let object) = value, let kind = object.string("record") else { return nil }
        switch kind {
        case "format":
            guard let number = object.integer("number") else { return nil }
            self = .format(number)
        case "begin":
            guard let operation = object.string("operation"), let time = object.string("time"),
                let command = object.string("command")
            else { return nil }
            self = .begin(operation: operation, time: time, command: command)
        case "end":
            guard let operation = object.string("operation"), case .list(let todos) = object["todos"]
            else { return nil }
            self = .end(operation: operation, changes: todos.compactMap(TodoChange.init))
        case "forgotten": self = .forgotten
        case "withheld": self = .withheld
        case "guards":
            guard let local = object.integer("local"), let remote = object.integer("remote") else {
                return nil
            }
            self = .guards(
                WithheldCounts(local: local, remote: remote, edits: object.integer("edits") ?? 0))
        case "head":
            self = .head(
                RecordedHead(
                    branch: object.string("branch"), commit: object.string("commit"),
                    logLength: object.integer("log"), lastLogLine: object.string("last") ?? "",
                    stash: object.string("stash"), branches: object.strings("branches")))
        case "undoes":
            guard let operation = object.string("operation") else { return nil }
            self = .undoes(operation: operation)
        case "distrusted":
            guard case .list(let ids) = object["ids"] else { return nil }
            self = .distrusted(
                ids.compactMap { if case .string(let id) = $0 { TodoID(id) } else { nil } })
        case "doubted":
            guard case .list(let versions) = object["versions"] else { return nil }
            self = .doubted(Set(versions.compactMap(DoubtedVersion.init)))
        case "lastAccepted":
            guard let operation = object.string("operation"), let version = object.string("version")
            else { return nil }
            self = .lastAccepted(AcceptedOperation(operationID: operation, version: Version(version)))
        case "cursor":
            guard let cursor = object.string("cursor") else { return nil }
            self = .cursor(Cursor(cursor), isMidway: object["midway"] == .bool(true))
        case "identity":
            guard let identity = object.string("identity"), let url = object.string("url") else { return nil }
            self = .identity(RemoteIdentity(identity), url: url)
        default:
            guard let id = object.string("id").flatMap({ TodoID($0) }),
                let record = Self.ofTodo(id, kind, object)
            else { return nil }
            self = record
        }
    }

    /// Returns a record about a single todo.
    private static func ofTodo(_ id: TodoID, _ kind: String, _ object: Mapping) -> JournalRecord? {
        switch kind {
        case "announced": return AnnouncedEdit(id: id, object).map(JournalRecord.announced)
        case "confirmed":
            return RemoteState(object["remote"]).map {
                .confirmed(id: id, $0, localPath: object.string("place"), kept: KeptSide(object))
            }
        case "held": return RemoteState(object["remote"]).map { .held(id: id, $0) }
        case "placed": return object.string("path").map { .found(id: id, path: $0) }
        case "finished": return .finished(id: id)
        case "abandoned": return .abandoned(id: id)
        case "dropped": return .dropped(id: id)
        case "rejected": return .rejected(id: id)
        case "accepted": return object.string("version").map { .accepted(id: id, Version($0)) }
        case "sent": return SentOperation(object).map { .sent(id: id, $0) }
        case "origin": return .origin(id: id, FileOrigin(object["origin"]))
        case "past":
            var past = RecordedPast()
            (past.texts, past.marks) = (object.texts("texts"), object.marks("marks"))
            (past.synced, past.unsent) = (object.marks("synced"), object.marks("unsent"))
            past.paths = object.strings("paths")
            return .past(id: id, past)
        case "remembered": return TodoState(object).map { .remembered(id: id, $0) }
        case "kept":
            guard let path = object.string("path"), let bytes = object.text("text") else { return nil }
            return .kept(id: id, path: path, bytes: bytes)
        default: return nil
        }
    }
}

extension DoubtedVersion {
    fileprivate init?(_ value: Value) {
        guard case .mapping(let object) = value, let id = object.string("id").flatMap({ TodoID($0) }),
            let version = object.string("version")
        else { return nil }
        self.init(id: id, version: Version(version))
    }
}

extension TodoChange {
    fileprivate init?(_ value: Value) {
        guard case .mapping(let object) = value, let id = object.string("id").flatMap({ TodoID($0) }),
            let path = object.string("path"),
            let change = object.string("change").flatMap(OperationKind.init(rawValue:)),
            let state = object.string("state").flatMap(State.init(rawValue:))
        else { return nil }
        self.init(id: id, path: path, change: change, state: state)
    }
}

extension RemoteState {
    fileprivate init?(_ value: Value?, besides recorded: [UInt8]? = nil) {
        guard case .mapping(let object) = value else { return nil }
        let version = object.string("version")
        if object["deleted"] == .bool(true) {
            self = .deleted(version.map { Version($0) })
        } else {
            guard let version, let bytes = object.text("text") ?? recorded else { return nil }
            self = .todo(
                RemoteTodo(
                    version: Version(version), path: object.string("path"), bytes: bytes,
                    device: object.string("device")))
        }
    }
}

extension AnnouncedEdit {
    fileprivate convenience init?(id: TodoID, _ object: Mapping) {
        let bytes = object.text("text")
        var remote: RemoteState?
        if let value = object["remote"] {
            guard let state = RemoteState(value, besides: bytes) else { return nil }
            remote = state
        }
        var conflict = ConflictChange.none
        if let value = object["opens"] {
            guard let remote, let opened = OpenConflict(value, remote: remote) else { return nil }
            conflict = .opens(opened)
        } else if let value = object["reopens"] {
            guard let remote, let opened = OpenConflict(value, remote: remote) else { return nil }
            let base = object["base"].map { RemoteState($0) }
            if case .some(nil) = base { return nil }
            conflict = .reopens(opened, base: base ?? nil)
        } else if object["closes"] == .bool(true) {
            conflict = .closes
        } else if object["aborts"] == .bool(true) {
            conflict = .aborts
        }
        self.init(
            id: id, from: object.string("from"), to: object.string("to"), bytes: bytes,
            isPathLocalOnly: object["displaced"] == .bool(true), replaced: object.text("replaced"),
            remote: remote,
            conflict: conflict, purges: object["purges"] == .bool(true), choices: object.choices)
    }
}

extension KeptSide {
    fileprivate init?(_ object: Mapping) {
        guard object["choices"] != nil else { return nil }
        self.init(text: object.text("local"), choices: object.choices)
    }
}

extension LoggedChoice {
    fileprivate init?(_ value: Value) {
        guard case .mapping(let object) = value,
            let chooser = object.string("by").flatMap(Chooser.init(rawValue:))
        else { return nil }
        self.init(chooser, object.strings("fields"))
    }
}

extension FileOrigin {
    fileprivate init?(_ value: Value?) {
        guard case .mapping(let object)? = value else { return nil }
        if let mark = object.string("command").flatMap({ ContentMark($0) }) {
            self = .command(mark)
        } else if object["deleted"] == .bool(true) {
            self = .deleted
        } else if let mark = object.string("edited").flatMap({ ContentMark($0) }) {
            let basis = object.text("base").map {
                EditBasis(bytes: $0, path: object.string("path"), asked: object.strings("asked"))
            }
            self = .edited(EditedFile(mark: mark, basis: basis))
        } else if let reason = object.string("held").flatMap(HeldReason.init(rawValue:)) {
            self = .held(
                HeldFile(
                    reason: reason, mark: object.string("mark").flatMap { ContentMark($0) },
                    home: object.string("home"),
                    version: object.string("version").flatMap { ContentMark($0) }))
        } else if object["purged"] == .bool(true) {
            self = .notKept
        } else if object["command"] == .bool(true) {
            self = .removedByCommand
        } else {
            return nil
        }
    }
}

extension SentOperation {
    fileprivate init?(_ object: Mapping) {
        guard let operation = object.string("operation"), let localPath = object.string("place")
        else { return nil }
        self.init(
            operationID: operation, bytes: object.text("text"), path: object.string("path"),
            localPath: localPath)
    }
}

extension TodoState {
    fileprivate init?(_ object: Mapping) {
        self.init()
        base = RemoteState(object["base"])
        held = RemoteState(object["held"])
        guard (base == nil) == (object["base"] == nil), (held == nil) == (object["held"] == nil)
        else { return nil }
        localPath = object.string("place")
        formerLocalPath = object.string("formerPlace")
        isPathLocalOnly = object["displaced"] == .bool(true)
        origin = FileOrigin(object["origin"])
        if let value = object["sent"] {
            guard case .mapping(let members) = value, let sent = SentOperation(members) else { return nil }
            self.sent = sent
        }
        if let value = object["conflict"] {
            guard let remote = RemoteState(object["remote"]),
                let conflict = OpenConflict(value, remote: remote)
            else { return nil }
            self.conflict = conflict
        }
    }
}

extension OpenConflict {
    fileprivate init?(_ value: Value, remote: RemoteState) {
        guard case .mapping(let object) = value,
            let kind = object.string("kind").flatMap(ConflictKind.init(rawValue:)),
            case .list = object["fields"], let localPath = object.string("localPath")
        else { return nil }
        self.init(
            kind: kind, fields: object.strings("fields"), local: object.text("local"), localPath: localPath,
            remote: remote, obstacle: object.string("obstacle"))
    }
}

extension Mapping {
    fileprivate func integer(_ key: String) -> Int? {
        if case .number(let number)? = self[key] { Int(number.json) } else { nil }
    }

    fileprivate func string(_ key: String) -> String? {
        if case .string(let string) = self[key] { string } else { nil }
    }

    fileprivate func strings(_ key: String) -> [String] {
        guard case .list(let list)? = self[key] else { return [] }
        return list.compactMap { if case .string(let string) = $0 { string } else { nil } }
    }

    fileprivate var choices: [LoggedChoice] {
        if case .list(let list)? = self["choices"] { list.compactMap(LoggedChoice.init) } else { [] }
    }

    fileprivate func text(_ key: String) -> [UInt8]? { Self.text(self[key]) }

    fileprivate func texts(_ key: String) -> [[UInt8]] {
        if case .list(let list)? = self[key] { list.compactMap(Self.text) } else { [] }
    }

    fileprivate func marks(_ key: String) -> [ContentMark] {
        strings(key).compactMap { ContentMark($0) }
    }

    private static func text(_ value: Value?) -> [UInt8]? {
        switch value {
        case .string(let string): return Array(string.utf8)
        case .list(let list):
            guard case .string(let hexadecimal)? = list.first else { return nil }
            return [UInt8](hexadecimal: hexadecimal)
        default: return nil
        }
    }
}
