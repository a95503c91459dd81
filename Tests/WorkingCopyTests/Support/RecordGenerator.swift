import TestSupport
import TodoModel

@testable import WorkingCopy

/// Generates journal records with random content.
struct RecordGenerator {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    /// Returns a record of each kind.
    mutating func oneOfEach() -> [JournalRecord] {
        var records: [JournalRecord] = [
            .format(number(below: 100)), .begin(operation: string(), time: string(), command: string()),
            .end(operation: string(), changes: [change(), change()]), .end(operation: string(), changes: []),
            .finished(id: id()), .abandoned(id: id()),
            .confirmed(
                id: id(), remote(), localPath: optional { $0.string() },
                kept: optional { KeptSide(text: $0.optional { $0.bytes() }, choices: [$0.choice()]) }),
            .found(id: id(), path: string()), .dropped(id: id()), .sent(id: id(), sent()),
            .accepted(id: id(), version()), .rejected(id: id()), .held(id: id(), remote()),
            .kept(id: id(), path: string(), bytes: bytes()),
            .cursor(Cursor(string()), isMidway: .random(using: &random)),
            .identity(RemoteIdentity(string()), url: string()), .forgotten, .undoes(operation: string()),
            .withheld, .guards(WithheldCounts(local: 12, remote: 3, edits: 30)), .distrusted([id(), id()]),
            .doubted([DoubtedVersion(id: id(), version: version())]),
            .remembered(id: id(), remembered()),
            .lastAccepted(AcceptedOperation(operationID: string(), version: version())),
            .origin(id: id(), optional { $0.origin() }),
            .past(id: id(), past()),
            .head(
                RecordedHead(
                    branch: optional { $0.string() }, commit: optional { $0.string() },
                    logLength: number(below: 1000), lastLogLine: string(),
                    stash: optional { $0.string() }, branches: [string()])),
        ]
        for _ in 0..<4 { records.append(.announced(announced())) }
        return records
    }

    /// Returns records about a few todos in a possible order.
    mutating func history(count: Int) -> [JournalRecord] {
        var records: [JournalRecord] = []
        while records.count < count {
            if let record = oneOfEach().filter({ if case .format = $0 { false } else { true } })
                .randomElement(using: &random)
            {
                records.append(record)
            }
        }
        return records
    }

    mutating func id() -> TodoID {
        let ids = ["a", "B", "ä", "7c1e0f0a-9a0e-4b5b-8f39-0d0f6a4b1c11", "with space"].compactMap {
            TodoID($0)
        }
        return ids[number(below: ids.count)]
    }

    mutating func origin() -> FileOrigin {
        switch number(below: 6) {
        case 0: .command(ContentMark(of: bytes()))
        case 1: .removedByCommand
        case 2: .deleted
        case 3: .notKept
        case 4:
            .edited(
                EditedFile(
                    mark: ContentMark(of: bytes()),
                    basis: optional {
                        EditBasis(bytes: $0.bytes(), path: $0.optional { $0.string() }, asked: [$0.string()])
                    }))
        default:
            .held(
                HeldFile(
                    reason: .notSentYet, mark: optional { ContentMark(of: $0.bytes()) },
                    home: optional { $0.string() }, version: optional { ContentMark(of: $0.bytes()) }))
        }
    }

    mutating func past() -> RecordedPast {
        var past = RecordedPast()
        (past.texts, past.marks) = ([bytes(), bytes()], [ContentMark(of: bytes())])
        (past.synced, past.unsent) = ([ContentMark(of: bytes())], [ContentMark(of: bytes())])
        past.paths = [string()]
        return past
    }

    mutating func remote() -> RemoteState {
        random.chance(0.3)
            ? .deleted(optional { _ in Version("9") })
            : .todo(
                RemoteTodo(
                    version: version(), path: optional { $0.string() }, bytes: bytes(),
                    device: optional { $0.string() }))
    }

    mutating func announced() -> AnnouncedEdit {
        let bytes = optional { $0.bytes() }
        var remote = optional { $0.remote() }
        // The text is written once if both are equal.
        if let bytes, random.chance(0.5) {
            remote = .todo(RemoteTodo(version: version(), path: optional { $0.string() }, bytes: bytes))
        }
        var conflict: AnnouncedEdit.ConflictChange = [.none, .closes, .aborts][number(below: 3)]
        if let remote, random.chance(0.4) {
            let open = openConflict(with: remote)
            conflict = random.chance(0.7) ? .opens(open) : .reopens(open, base: optional { $0.remote() })
        }
        return AnnouncedEdit(
            id: id(), from: optional { $0.string() }, to: optional { $0.string() }, bytes: bytes,
            isPathLocalOnly: random.chance(0.3), replaced: optional { $0.bytes() }, remote: remote,
            conflict: conflict, purges: random.chance(0.2), choices: random.chance(0.3) ? [choice()] : [])
    }

    private mutating func choice() -> LoggedChoice {
        let choosers: [LoggedChoice.Chooser] = [.handler, .program, .option, .memory, .user]
        return LoggedChoice(choosers[number(below: choosers.count)], [string()])
    }

    private mutating func openConflict(with remote: RemoteState) -> OpenConflict {
        OpenConflict(
            kind: [.editEdit, .editDelete, .deleteEdit, .insertInsert][number(below: 4)],
            fields: (0..<number(below: 3)).map { _ in string() }, local: optional { $0.bytes() },
            localPath: string(), remote: remote)
    }

    /// Returns a todo's state at a time when no change is in progress.
    private mutating func remembered() -> TodoState {
        var todo = TodoState()
        todo.base = optional { $0.remote() }
        todo.localPath = optional { $0.string() }
        todo.isPathLocalOnly = random.chance(0.3)
        todo.held = optional { $0.remote() }
        todo.sent = optional { $0.sent() }
        if random.chance(0.3) { todo.conflict = openConflict(with: remote()) }
        todo.origin = optional { $0.origin() }
        return todo
    }

    private mutating func sent() -> SentOperation {
        SentOperation(
            operationID: string(), bytes: optional { $0.bytes() }, path: optional { $0.string() },
            localPath: string())
    }

    private mutating func change() -> TodoChange {
        let states: [TodoChange.State] = [
            .pending, .pushed, .pulled, .merged, .conflict, .resolved, .cancelled, .undone, .purged,
        ]
        return TodoChange(
            id: id(), path: string(), change: [.insert, .update, .delete][number(below: 3)],
            state: states[number(below: states.count)])
    }

    private mutating func version() -> Version { Version(string()) }

    private mutating func optional<Content>(_ make: (inout Self) -> Content) -> Content? {
        random.chance(0.3) ? nil : make(&self)
    }

    private mutating func string() -> String {
        let parts = [
            "a", "", "\n", "\"", "\\", "ä", "e\u{301}", "\u{0}", "\u{1B}", "🛒", "\u{2028}", "/", "é", " ",
        ]
        return (0..<number(below: 6)).map { _ in parts[number(below: parts.count)] }.joined()
    }

    /// Returns a text, or bytes that are not UTF-8.
    private mutating func bytes() -> [UInt8] {
        random.chance(0.8)
            ? Array(string().utf8)
            : (0..<number(below: 9)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}

extension State {
    /// Creates the state from records.
    init(_ records: [JournalRecord]) {
        self.init()
        for record in records { apply(record) }
    }
}
