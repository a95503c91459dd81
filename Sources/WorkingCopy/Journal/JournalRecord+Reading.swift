internal import LosslessYAML
internal import TodoModel

// A record is a JSON object. Its member "record" names the kind; members that are absent are nil. Texts are
// strings, or, where they are not UTF-8, lists with one string of hexadecimal digits.

extension JournalRecord {
    /// The record as JSON's value.
    var value: Value {
        switch self {
        case .format(let number): Self.object("format", ["number": .number(Number(number))])
        case .begin(let operation, let time, let command):
            Self.object(
                "begin",
                ["operation": .string(operation), "time": .string(time), "command": .string(command)])
        case .end(let operation, let changes):
            Self.object("end", ["operation": .string(operation), "todos": .list(changes.map(\.value))])
        case .bringing(let bringing): Self.object("bringing", bringing.members)
        case .finished(let id): Self.object("finished", ["id": id.value])
        case .abandoned(let id): Self.object("abandoned", ["id": id.value])
        case .confirmed(let id, let remote, let place):
            Self.object("confirmed", ["id": id.value, "remote": remote.value, "place": .optional(place)])
        case .placed(let id, let path): Self.object("placed", ["id": id.value, "path": .string(path)])
        case .dropped(let id): Self.object("dropped", ["id": id.value])
        case .sent(let id, let sent): Self.object("sent", [("id", id.value)] + sent.members)
        case .accepted(let id, let version):
            Self.object("accepted", ["id": id.value, "version": .string(version.string)])
        case .rejected(let id): Self.object("rejected", ["id": id.value])
        case .held(let id, let remote): Self.object("held", ["id": id.value, "remote": remote.value])
        case .kept(let id, let path, let bytes):
            Self.object("kept", ["id": id.value, "path": .string(path), "text": .text(bytes)])
        case .cursor(let cursor, let isMidway):
            Self.object(
                "cursor", ["cursor": .string(cursor.string), "midway": isMidway ? .bool(true) : .null])
        case .identity(let identity, let url):
            Self.object("identity", ["identity": .string(identity.string), "url": .string(url)])
        case .forgotten: Self.object("forgotten", [:])
        case .withheld: Self.object("withheld", [:])
        case .guards(let counts):
            Self.object(
                "guards", ["local": .number(Number(counts.local)), "remote": .number(Number(counts.remote))])
        case .undoes(let operation): Self.object("undoes", ["operation": .string(operation)])
        case .distrusted(let ids): Self.object("distrusted", ["ids": .list(ids.map(\.value))])
        case .remembered(let id, let todo): Self.object("remembered", [("id", id.value)] + todo.members)
        case .lastAccepted(let accepted):
            Self.object(
                "lastAccepted",
                [
                    "operation": .string(accepted.operationID),
                    "version": .string(accepted.version.string),
                ])
        }
    }

    private static func object(_ kind: String, _ members: [(String, Value)]) -> Value {
        var object = Mapping()
        object["record"] = .string(kind)
        for (key, value) in members {
            if case .null = value { continue }
            _ = object.append(key, value)
        }
        return .mapping(object)
    }

    private static func object(_ kind: String, _ members: KeyValuePairs<String, Value>) -> Value {
        object(kind, members.map { ($0.key, $0.value) })
    }

    /// Creates a record from JSON's value; nil if it is none that this program knows.
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
            self = .guards(WithheldCounts(local: local, remote: remote))
        case "undoes":
            guard let operation = object.string("operation") else { return nil }
            self = .undoes(operation: operation)
        case "distrusted":
            guard case .list(let ids) = object["ids"] else { return nil }
            self = .distrusted(
                ids.compactMap { if case .string(let id) = $0 { TodoID(id) } else { nil } })
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

    /// Returns a record that is about one todo.
    private static func ofTodo(_ id: TodoID, _ kind: String, _ object: Mapping) -> JournalRecord? {
        switch kind {
        case "bringing": return Bringing(id: id, object).map(JournalRecord.bringing)
        case "confirmed":
            return RemoteState(object["remote"]).map {
                .confirmed(id: id, $0, place: object.string("place"))
            }
        case "held": return RemoteState(object["remote"]).map { .held(id: id, $0) }
        case "placed": return object.string("path").map { .placed(id: id, path: $0) }
        case "finished": return .finished(id: id)
        case "abandoned": return .abandoned(id: id)
        case "dropped": return .dropped(id: id)
        case "rejected": return .rejected(id: id)
        case "accepted": return object.string("version").map { .accepted(id: id, Version($0)) }
        case "sent": return SentOperation(object).map { .sent(id: id, $0) }
        case "remembered": return TodoState(object).map { .remembered(id: id, $0) }
        case "kept":
            guard let path = object.string("path"), let bytes = object.text("text") else { return nil }
            return .kept(id: id, path: path, bytes: bytes)
        default: return nil
        }
    }
}

extension TodoID {
    fileprivate var value: Value { .string(string) }
}

extension TodoChange {
    fileprivate var value: Value {
        .mapping([
            "id": id.value, "path": .string(path), "change": .string(change.rawValue),
            "state": .string(state.rawValue),
        ])
    }

    fileprivate init?(_ value: Value) {
        guard case .mapping(let object) = value, let id = object.string("id").flatMap({ TodoID($0) }),
            let path = object.string("path"),
            let change = object.string("change").flatMap(Change.init(rawValue:)),
            let state = object.string("state").flatMap(State.init(rawValue:))
        else { return nil }
        self.init(id: id, path: path, change: change, state: state)
    }
}

extension RemoteState {
    fileprivate var value: Value { value(besides: nil) }

    /// The state as JSON; its text is left out where it is the one given.
    fileprivate func value(besides known: [UInt8]?) -> Value {
        switch self {
        case .deleted(let version):
            return .mapping(["version": .string(version.string), "deleted": .bool(true)])
        case .todo(let todo):
            var object: Mapping = ["version": .string(todo.version.string)]
            if let path = todo.path { object["path"] = .string(path) }
            if todo.bytes != known { object["text"] = .text(todo.bytes) }
            return .mapping(object)
        }
    }

    fileprivate init?(_ value: Value?, besides known: [UInt8]? = nil) {
        guard case .mapping(let object) = value, let version = object.string("version") else { return nil }
        if object["deleted"] == .bool(true) {
            self = .deleted(Version(version))
        } else {
            guard let bytes = object.text("text") ?? known else { return nil }
            self = .todo(RemoteTodo(version: Version(version), path: object.string("path"), bytes: bytes))
        }
    }
}

extension Bringing {
    fileprivate var members: [(String, Value)] {
        var members: [(String, Value)] = [
            ("id", id.value), ("from", .optional(from)), ("to", .optional(to)),
            ("text", .optionalText(bytes)),
            ("replaced", .optionalText(replaced)), ("remote", remote?.value(besides: bytes) ?? .null),
        ]
        switch conflict {
        case .none: break
        case .opens(let conflict): members.append(("opens", conflict.value))
        case .closes: members.append(("closes", .bool(true)))
        case .aborts: members.append(("aborts", .bool(true)))
        case .reopens(let conflict, let base):
            members.append(("reopens", conflict.value))
            if let base { members.append(("base", base.value)) }
        }
        if isDisplaced { members.append(("displaced", .bool(true))) }
        return members
    }

    fileprivate init?(id: TodoID, _ object: Mapping) {
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
            isDisplaced: object["displaced"] == .bool(true), replaced: object.text("replaced"),
            remote: remote,
            conflict: conflict)
    }
}

extension SentOperation {
    fileprivate var members: [(String, Value)] {
        [
            ("operation", .string(operationID)), ("text", .optionalText(bytes)), ("path", .optional(path)),
            ("place", .string(place)),
        ]
    }

    fileprivate init?(_ object: Mapping) {
        guard let operation = object.string("operation"), let place = object.string("place")
        else { return nil }
        self.init(
            operationID: operation, bytes: object.text("text"), path: object.string("path"), place: place)
    }
}

extension TodoState {
    /// The todo as JSON's members, but for an unfinished change: none is left where this is written.
    fileprivate var members: [(String, Value)] {
        var members: [(String, Value)] = [
            ("base", base?.value ?? .null), ("place", .optional(place)), ("held", held?.value ?? .null),
        ]
        if isDisplaced { members.append(("displaced", .bool(true))) }
        if let sent { members.append(("sent", .mapping(Mapping(sent.members.filter { $0.1 != .null })))) }
        if let conflict {
            members += [("conflict", conflict.value), ("remote", conflict.remote.value)]
        }
        return members
    }

    fileprivate init?(_ object: Mapping) {
        self.init()
        base = RemoteState(object["base"])
        held = RemoteState(object["held"])
        guard (base == nil) == (object["base"] == nil), (held == nil) == (object["held"] == nil)
        else { return nil }
        place = object.string("place")
        isDisplaced = object["displaced"] == .bool(true)
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
    /// The conflict as JSON, without its remote side, which is the record's.
    fileprivate var value: Value {
        var object: Mapping = [
            "kind": .string(kind.rawValue), "fields": .list(fields.map(Value.string)),
            "localPath": .string(localPath),
        ]
        if let local { object["local"] = .text(local) }
        return .mapping(object)
    }

    fileprivate init?(_ value: Value, remote: RemoteState) {
        guard case .mapping(let object) = value,
            let kind = object.string("kind").flatMap(ConflictKind.init(rawValue:)),
            case .list(let fields) = object["fields"], let localPath = object.string("localPath")
        else { return nil }
        let names = fields.compactMap { if case .string(let name) = $0 { name } else { nil } }
        self.init(
            kind: kind, fields: names, local: object.text("local"), localPath: localPath, remote: remote)
    }
}

extension Value {
    fileprivate static func optional(_ string: String?) -> Value { string.map(Value.string) ?? .null }

    fileprivate static func optionalText(_ bytes: [UInt8]?) -> Value { bytes.map(Value.text) ?? .null }

    /// A text's bytes as JSON.
    fileprivate static func text(_ bytes: [UInt8]) -> Value {
        if let string = String(validating: bytes, as: UTF8.self) { return .string(string) }
        let digits = Array("0123456789abcdef".utf8)
        let hexadecimal = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return .list([.string(String(decoding: hexadecimal, as: UTF8.self))])
    }
}

extension Mapping {
    fileprivate func integer(_ key: String) -> Int? {
        if case .number(let number)? = self[key] { Int(number.json) } else { nil }
    }

    fileprivate func string(_ key: String) -> String? {
        if case .string(let string) = self[key] { string } else { nil }
    }

    fileprivate func text(_ key: String) -> [UInt8]? {
        switch self[key] {
        case .string(let string): return Array(string.utf8)
        case .list(let list):
            guard case .string(let hexadecimal)? = list.first else { return nil }
            let digits = hexadecimal.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == hexadecimal.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        default: return nil
        }
    }
}
