internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A change to a todo's file that no command made: an editor or a shell made it between two moments when the
/// log has the file's text.
struct EditorEdit {
    /// The file before the change.
    var before: FileText
    /// The file after the change; nil if it was deleted.
    var after: FileText?
}

/// What editors changed in a todo, and an operation sent to the remote.
struct SentEdits {
    var id: TodoID
    /// The file without the changes that are in what was sent; nil if an editor created the todo.
    var before: FileText?
    /// What was sent; nil for a delete.
    var after: FileText?

    /// Whether an editor created the todo.
    var createsTodo: Bool { before == nil }
}

/// What each todo's file was, and what editors did to it, found out by replaying the operation log.
///
/// The log has a file's text when a command changes or sends the file. If that isn't the text that the
/// command before it left, an editor or a shell made the difference.
struct FileReplay {
    /// A todo's file at one time.
    struct File {
        /// The file's text; nil if there was none.
        var text: FileText?
        /// Whether the path applied to this folder only.
        var isDisplaced = false
        /// Whether the todo had this text, and wasn't kept in the folder.
        var isNotKept = false
    }

    /// The files as commands left them or last saw them; a todo is missing if the log doesn't show its file.
    private(set) var files: [TodoID: File]
    /// The editors' changes that the remote hasn't accepted yet.
    private var edits: [TodoID: [EditorEdit]] = [:]
    /// The todos that editors created and the remote doesn't have yet.
    private var created: Set<TodoID> = []
    /// How many of these changes are in the operation that was sent last.
    private var sentCounts: [TodoID: Int] = [:]
    /// What was sent last.
    private var sent: [TodoID: FileText?] = [:]
    private var conflicted: Set<TodoID> = []
    private let rules: FieldRules

    init(_ history: History, rules: FieldRules) {
        files = history.remembered.mapValues { File(text: $0) }
        for id in history.notKept { files[id]?.isNotKept = true }
        self.rules = rules
    }

    /// Replays the next event.
    ///
    /// - Returns: the editors' changes that the remote accepted with it.
    mutating func replay(_ event: LoggedEvent) -> SentEdits? {
        let id = event.id
        switch event {
        case .change(let change): replay(change)
        case .seen(_, let text):
            observe(id, text)
            sentCounts[id] = edits[id]?.count
            sent[id] = .some(text)
        case .rejected: sentCounts[id] = nil
        case .pushed(let change): return accept(id, isInsert: change.change == .insert)
        case .linked(let link):
            created.remove(id)
            let merge = RemoteMerge(id, link.baseBefore, link.remote, rules)
            carry(id, over: merge)
            files[id] = File(
                text: files[id].map { merge.carrying($0.text) } ?? link.text,
                isDisplaced: files[id]?.isDisplaced ?? false, isNotKept: files[id]?.isNotKept ?? false)
        case .distrusted: (files[id], edits[id]) = (nil, nil)
        case .kept, .givenUp: break
        }
        return nil
    }

    private mutating func replay(_ change: LoggedChange) {
        let id = change.id
        // A file that wasn't kept wasn't deleted by an editor.
        if !change.lacksTextBefore, !change.wasNotKept || change.before != nil {
            observe(id, change.before)
        }
        if change.remote != nil || change.after == nil { created.remove(id) }
        switch change.conflict {
        case .none: if let merge = RemoteMerge(change, rules) { carry(id, over: merge) }
        case .opens, .reopens: conflicted.insert(id)
        case .closes:
            conflicted.remove(id)
            // The user chose what becomes of them.
            edits[id] = nil
        case .aborts: conflicted.remove(id)
        }
        files[id] =
            change.purges
            ? File(text: change.before, isDisplaced: change.wasDisplaced, isNotKept: true)
            : File(text: change.after, isDisplaced: change.isDisplaced)
    }

    /// Compares a file that a command found with what is known of it.
    private mutating func observe(_ id: TodoID, _ text: FileText?) {
        // Text between conflict markers isn't part of the todo.
        if conflicted.contains(id) { return }
        defer { files[id] = File(text: text, isDisplaced: files[id]?.isDisplaced ?? false) }
        guard let before = files[id]?.text else {
            guard let text else { return }
            if var edit = edits[id]?.popLast() {
                // An editor that saves may have removed the file for a moment.
                edit.after = edit.after ?? text
                edits[id]?.append(edit)
            } else {
                created.insert(id)
            }
            return
        }
        if before.isSame(as: text) { return }
        edits[id, default: []].append(EditorEdit(before: before, after: text))
    }

    /// Adds a change of the remote to both sides of the edits that it was merged with, so that what others
    /// changed isn't undone with them.
    private mutating func carry(_ id: TodoID, over merge: RemoteMerge) {
        edits[id] = edits[id]?.compactMap { edit in
            let after = merge.carrying(edit.after)
            // Otherwise the remote deleted the todo as well.
            return merge.carrying(edit.before).map { EditorEdit(before: $0, after: after) }
        }
    }

    /// Returns the edits that were sent; nil if nothing of them was.
    ///
    /// - Parameter isInsert: Whether the remote didn't have the todo.
    private mutating func accept(_ id: TodoID, isInsert: Bool) -> SentEdits? {
        guard let text = sent.removeValue(forKey: id) else { return nil }
        let (count, all) = (sentCounts.removeValue(forKey: id) ?? 0, edits[id] ?? [])
        edits[id] = count < all.count ? Array(all.dropFirst(count)) : nil
        if created.remove(id) != nil, isInsert { return SentEdits(id: id, before: nil, after: text) }
        var accepted = Array(all.prefix(count))
        if text == nil {
            // A command may have deleted a file that was edited before.
            guard let last = accepted.last, last.after == nil else { return nil }
        } else if let deletion = accepted.lastIndex(where: { $0.after == nil }) {
            accepted.removeSubrange(...deletion)
        }
        // What a command changed again isn't an editor's.
        let before = accepted.reversed().reduce(text) { text, edit in
            merged(text, id, from: edit.after, to: edit.before, preferring: .local, rules)
        }
        guard let before, !before.isSame(as: text) else { return nil }
        return SentEdits(id: id, before: before, after: text)
    }
}

extension History {
    /// Returns the editors' changes that each operation sent.
    func sentEdits(rules: FieldRules) -> [[SentEdits]] {
        var replay = FileReplay(self, rules: rules)
        return operations.map { operation in
            var all: [SentEdits] = []
            var indices: [TodoID: Int] = [:]
            for sent in operation.events.compactMap({ replay.replay($0) }) {
                // After a lost answer, a run sends what was edited since as well.
                if let index = indices[sent.id] {
                    let first = all[index]
                    let before = first.before.map { old in
                        merged(sent.before, sent.id, from: first.after, to: old, preferring: .local, rules)
                            ?? old
                    }
                    all[index] = SentEdits(id: sent.id, before: before, after: sent.after)
                } else {
                    indices[sent.id] = all.count
                    all.append(sent)
                }
            }
            return all
        }
    }

    /// Returns the files as they were just before an operation, as far as the log shows.
    ///
    /// What the log shows only later was made later. If it isn't certain that a todo had a file, the todo is
    /// missing.
    func files(before index: Int, rules: FieldRules) -> [TodoID: FileReplay.File] {
        typealias File = FileReplay.File
        var replay = FileReplay(self, rules: rules)
        for operation in operations[..<index] {
            for event in operation.events { _ = replay.replay(event) }
        }
        var files = replay.files
        var found: Set<TodoID> = []
        for (number, operation) in operations[index...].enumerated() {
            let isFirst = number == 0
            var linked: Set<TodoID> = []
            for event in operation.events where !found.contains(event.id) {
                let id = event.id
                switch event {
                case .change(let change):
                    found.insert(id)
                    // Of a todo that wasn't kept, the replay has the text.
                    if isFirst, change.wasNotKept, change.before == nil { continue }
                    if isFirst, !change.lacksTextBefore {
                        files[id] = File(text: change.before, isDisplaced: change.wasDisplaced)
                    } else if files[id] == nil, change.before == nil, !change.wasKnown {
                        files[id] = File()
                    }
                case .seen(_, let text):
                    found.insert(id)
                    if isFirst {
                        files[id] = File(text: text, isDisplaced: files[id]?.isDisplaced ?? false)
                    } else if files[id] == nil {
                        files[id] = File()
                    }
                case .linked: linked.insert(id)
                case .distrusted:
                    if isFirst { files[id] = nil }
                    linked.insert(id)
                case .pushed, .rejected, .kept, .givenUp: break
                }
            }
            // These files existed, and the operation may show their texts only further on.
            found.formUnion(linked)
        }
        return files
    }
}
