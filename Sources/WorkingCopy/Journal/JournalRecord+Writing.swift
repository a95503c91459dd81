internal import TodoModel
internal import Values

extension JournalRecord {
    /// Appends the record as JSON, without members that are nil or false.
    func write(to bytes: inout [UInt8]) {
        var writer = RecordWriter(bytes: bytes)
        // Move the buffer into the writer and back, because a second owner would copy it.
        bytes = []
        writer.object { $0.add(self) }
        bytes = writer.bytes
    }
}

/// Writes records directly as bytes, for speed: every todo has at least one record.
private struct RecordWriter {
    var bytes: [UInt8]

    /// Writes a JSON object whose members a closure adds.
    mutating func object(_ addMembers: (inout RecordWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        addMembers(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    mutating func list<Element>(_ elements: [Element], _ write: (inout RecordWriter, Element) -> Void) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func key(_ key: StaticString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func add(_ key: StaticString, _ string: String?) {
        guard let string else { return }
        self.key(key)
        JSON.write(string, to: &bytes)
    }

    mutating func add(_ key: StaticString, _ number: Int) {
        self.key(key)
        bytes.append(contentsOf: String(number).utf8)
    }

    mutating func add(_ key: StaticString, if flag: Bool) {
        guard flag else { return }
        self.key(key)
        bytes.append(contentsOf: "true".utf8)
    }

    mutating func add(_ key: StaticString, text: [UInt8]?) {
        guard let text else { return }
        self.key(key)
        write(text)
    }

    private mutating func write(_ text: [UInt8]) {
        if JSON.write(text: text, to: &bytes) { return }
        list([text]) { writer, text in
            JSON.write(text.hexadecimal, to: &writer.bytes)
        }
    }

    mutating func add(_ key: StaticString, _ addMembers: (inout RecordWriter) -> Void) {
        self.key(key)
        object(addMembers)
    }

    mutating func add<Element>(
        _ key: StaticString, _ elements: [Element], _ write: (inout RecordWriter, Element) -> Void
    ) {
        self.key(key)
        list(elements, write)
    }
}

extension RecordWriter {
    mutating func add(_ record: JournalRecord) {
        switch record {
        case .format(let number):
            begin("format")
            add("number", number)
        case .begin(let operation, let time, let command):
            begin("begin")
            add("operation", operation)
            add("time", time)
            add("command", command)
        case .end(let operation, let changes):
            begin("end")
            add("operation", operation)
            add("todos", changes) { writer, change in writer.object { $0.add(change) } }
        case .announced(let edit):
            begin("announced", edit.id)
            add(edit)
        case .finished(let id): begin("finished", id)
        case .abandoned(let id): begin("abandoned", id)
        case .confirmed(let id, let remote, let localPath, let kept):
            begin("confirmed", id)
            add("remote", remote)
            add("place", localPath)
            if let kept {
                add(kept.choices)
                add("local", text: kept.text)
            }
        case .found(let id, let path):
            begin("placed", id)
            add("path", path)
        case .dropped(let id): begin("dropped", id)
        case .sent(let id, let sent):
            begin("sent", id)
            add(sent)
        case .accepted(let id, let version):
            begin("accepted", id)
            add("version", version.string)
        case .rejected(let id): begin("rejected", id)
        case .held(let id, let remote):
            begin("held", id)
            add("remote", remote)
        case .kept(let id, let path, let bytes):
            begin("kept", id)
            add("path", path)
            add("text", text: bytes)
        case .origin(let id, let origin):
            begin("origin", id)
            add(origin)
        case .past(let id, let past):
            begin("past", id)
            if !past.texts.isEmpty { add("texts", past.texts) { writer, text in writer.write(text) } }
            for (key, marks) in [("marks", past.marks), ("synced", past.synced), ("unsent", past.unsent)]
                as [(StaticString, [ContentMark])] where !marks.isEmpty
            {
                add(key, marks) { writer, mark in JSON.write(mark.description, to: &writer.bytes) }
            }
            if !past.paths.isEmpty {
                add("paths", past.paths) { writer, path in JSON.write(path, to: &writer.bytes) }
            }
        case .remembered(let id, let todo):
            begin("remembered", id)
            add(todo)
        case .cursor(let cursor, let isMidway):
            begin("cursor")
            add("cursor", cursor.string)
            add("midway", if: isMidway)
        case .identity(let identity, let url):
            begin("identity")
            add("identity", identity.string)
            add("url", url)
        case .forgotten: begin("forgotten")
        case .withheld: begin("withheld")
        case .guards(let counts):
            begin("guards")
            add("local", counts.local)
            add("remote", counts.remote)
            if counts.edits > 0 { add("edits", counts.edits) }
        case .head(let head):
            begin("head")
            add("branch", head.branch)
            add("commit", head.commit)
            if let length = head.logLength { add("log", length) }
            add("last", head.lastLogLine)
            add("stash", head.stash)
            add("branches", head.branches) { writer, name in JSON.write(name, to: &writer.bytes) }
        case .undoes(let operation):
            begin("undoes")
            add("operation", operation)
        case .distrusted(let ids):
            begin("distrusted")
            add("ids", ids) { writer, id in JSON.write(id.string, to: &writer.bytes) }
        case .doubted(let versions):
            begin("doubted")
            let sorted = versions.sorted { ($0.id, $0.version.string) < ($1.id, $1.version.string) }
            add("versions", sorted) { writer, doubted in
                writer.object {
                    $0.add("id", doubted.id.string)
                    $0.add("version", doubted.version.string)
                }
            }
        case .lastAccepted(let accepted):
            begin("lastAccepted")
            add("operation", accepted.operationID)
            add("version", accepted.version.string)
        }
    }

    private mutating func begin(_ kind: String, _ id: TodoID? = nil) {
        add("record", kind)
        add("id", id?.string)
    }

    private mutating func add(_ change: TodoChange) {
        add("id", change.id.string)
        add("path", change.path)
        add("change", change.change.rawValue)
        add("state", change.state.rawValue)
    }

    /// Adds a state of the remote.
    ///
    /// - Parameter recorded: A text to leave out because the record already contains it.
    private mutating func add(_ key: StaticString, _ remote: RemoteState?, besides recorded: [UInt8]? = nil) {
        switch remote {
        case nil: break
        case .deleted(let version):
            add(key) {
                $0.add("version", version?.string)
                $0.add("deleted", if: true)
            }
        case .todo(let todo):
            add(key) {
                $0.add("version", todo.version.string)
                $0.add("path", todo.path)
                $0.add("device", todo.device)
                if todo.bytes != recorded { $0.add("text", text: todo.bytes) }
            }
        }
    }

    private mutating func add(_ edit: AnnouncedEdit) {
        add("from", edit.from)
        add("to", edit.to)
        add("text", text: edit.bytes)
        add("replaced", text: edit.replaced)
        add("remote", edit.remote, besides: edit.bytes)
        switch edit.conflict {
        case .none: break
        case .opens(let conflict): add("opens", conflict)
        case .closes: add("closes", if: true)
        case .aborts: add("aborts", if: true)
        case .reopens(let conflict, let base):
            add("reopens", conflict)
            add("base", base)
        }
        add("displaced", if: edit.isPathLocalOnly)
        add("purges", if: edit.purges)
        if !edit.choices.isEmpty { add(edit.choices) }
    }

    private mutating func add(_ choices: [LoggedChoice]) {
        add("choices", choices) { writer, choice in
            writer.object {
                $0.add("by", choice.chooser.rawValue)
                $0.add("fields", choice.fields) { writer, field in JSON.write(field, to: &writer.bytes) }
            }
        }
    }

    private mutating func add(_ origin: FileOrigin?) {
        guard let origin else { return }
        add("origin") {
            switch origin {
            case .command(let mark): $0.add("command", mark.description)
            case .removedByCommand: $0.add("command", if: true)
            case .deleted: $0.add("deleted", if: true)
            case .edited(let file):
                $0.add("edited", file.mark.description)
                $0.add("base", text: file.basis?.bytes)
                $0.add("path", file.basis?.path)
                $0.add("asked", file.basis?.asked ?? []) { writer, field in
                    JSON.write(field, to: &writer.bytes)
                }
            case .held(let file):
                $0.add("held", file.reason.rawValue)
                $0.add("mark", file.mark?.description)
                $0.add("home", file.home)
                $0.add("version", file.version?.description)
            case .notKept: $0.add("purged", if: true)
            }
        }
    }

    private mutating func add(_ sent: SentOperation) {
        add("operation", sent.operationID)
        add("text", text: sent.bytes)
        add("path", sent.path)
        add("place", sent.localPath)
    }

    /// Adds the state of a todo, except an unfinished edit, because there isn't one when this record is
    /// written.
    private mutating func add(_ todo: TodoState) {
        add("base", todo.base)
        add("place", todo.localPath)
        add("formerPlace", todo.formerLocalPath)
        add("held", todo.held)
        add("displaced", if: todo.isPathLocalOnly)
        add(todo.origin)
        if let sent = todo.sent { add("sent") { $0.add(sent) } }
        if let conflict = todo.conflict {
            add("conflict", conflict)
            add("remote", conflict.remote)
        }
    }

    /// Adds a conflict without its remote state, which the record itself contains.
    private mutating func add(_ key: StaticString, _ conflict: OpenConflict) {
        add(key) {
            $0.add("kind", conflict.kind.rawValue)
            $0.add("fields", conflict.fields) { writer, field in JSON.write(field, to: &writer.bytes) }
            $0.add("localPath", conflict.localPath)
            $0.add("local", text: conflict.local)
            $0.add("obstacle", conflict.obstacle)
        }
    }
}
