internal import LosslessYAML
internal import ThreeWayMerge
internal import TodoModel
internal import WorkingCopy

/// A change that an editor or a shell, not a command, made to a todo's file between two texts in the log.
struct EditorEdit {
    /// The file before the change.
    var before: FileText
    /// The file after the change; nil if it was deleted.
    var after: FileText?
}

/// The editors' changes to a todo that an operation sent to the remote.
struct SentEdits {
    var id: TodoID
    /// The file without the sent changes; nil if an editor created the todo.
    var before: FileText?
    /// The file that was sent; nil for a delete.
    var after: FileText?

    /// Whether an editor created the todo.
    var createsTodo: Bool { before == nil }
}

/// Replays the operation log to find each todo's file and the changes that editors made to it.
///
/// The log has a file's text when a command changes or sends the file. If that isn't the text that the
/// previous command left, an editor or a shell changed it in between.
struct FileReplay {
    /// A todo's file at one time.
    struct File {
        /// The file's text; nil if there was no file.
        var text: FileText?
        /// Whether the path applied to this folder only.
        var isPathLocalOnly = false
        /// Whether the todo had this text but wasn't kept in the folder.
        var isNotKept = false
    }

    /// The files as commands left them or last saw them; a todo is missing if the log doesn't show its file.
    private(set) var files: [TodoID: File]
    /// The editors' changes that the remote hasn't accepted yet.
    private var edits: [TodoID: [EditorEdit]] = [:]
    /// The todos that editors created and the remote doesn't have yet.
    private var created: Set<TodoID> = []
    /// The number of each todo's edits in the operation that was sent last.
    private var sentCounts: [TodoID: Int] = [:]
    /// The files that were sent last.
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
    /// - Returns: The editors' changes that the remote accepted with the event.
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
                isPathLocalOnly: files[id]?.isPathLocalOnly ?? false, isNotKept: files[id]?.isNotKept ?? false
            )
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
            // The user has decided about these edits.
            edits[id] = nil
        case .aborts: conflicted.remove(id)
        }
        files[id] =
            change.purges
            ? File(text: change.before, isPathLocalOnly: change.wasPathLocalOnly, isNotKept: true)
            : File(text: change.after, isPathLocalOnly: change.isPathLocalOnly)
    }

    /// Compares a file that a command found with the file's last recorded text.
    private mutating func observe(_ id: TodoID, _ text: FileText?) {
        // Text between conflict markers isn't part of the todo.
        if conflicted.contains(id) { return }
        defer { files[id] = File(text: text, isPathLocalOnly: files[id]?.isPathLocalOnly ?? false) }
        guard let before = files[id]?.text else {
            guard let text else { return }
            if var edit = edits[id]?.popLast() {
                // An editor might have removed the file for a moment to save it.
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

    /// Adds a remote change to both sides of the edits that it was merged with, so that undoing the edits
    /// doesn't undo what others changed.
    private mutating func carry(_ id: TodoID, over merge: RemoteMerge) {
        edits[id] = edits[id]?.compactMap { edit in
            let after = merge.carrying(edit.after)
            // If this is nil, the remote deleted the todo as well.
            return merge.carrying(edit.before).map { EditorEdit(before: $0, after: after) }
        }
    }

    /// Returns the edits that were sent; nil if none were.
    ///
    /// - Parameter isInsert: Whether the remote didn't have the todo.
    private mutating func accept(_ id: TodoID, isInsert: Bool) -> SentEdits? {
        guard let text = sent.removeValue(forKey: id) else { return nil }
        let (count, all) = (sentCounts.removeValue(forKey: id) ?? 0, edits[id] ?? [])
        edits[id] = count < all.count ? Array(all.dropFirst(count)) : nil
        if created.remove(id) != nil, isInsert { return SentEdits(id: id, before: nil, after: text) }
        var accepted = Array(all.prefix(count))
        if text == nil {
            // A command might have deleted a file that had been edited before.
            guard let last = accepted.last, last.after == nil else { return nil }
        } else if let deletion = accepted.lastIndex(where: { $0.after == nil }) {
            accepted.removeSubrange(...deletion)
        }
        // A value that a command changed again doesn't count as an editor's change.
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
                // After a lost answer, a command also sends later edits.
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
    /// A todo that first appears in the log later had no file yet. If it isn't certain whether a todo had a
    /// file, the todo is missing.
    func files(before index: Int, rules: FieldRules) -> [TodoID: FileReplay.File] {
        typealias File = FileReplay.File
        var replay = FileReplay(self, rules: rules)
        for operation in operations[..<index] {
            for event in operation.events { _ = replay.replay(event) }
        }
        var files = replay.files
        var found: Set<TodoID> = []
        // An editor's changes that the operation sent aren't part of the state before it, but a todo that an
        // editor created is.
        let sent = Set(
            operations[index].events.compactMap { event in
                if case .seen(let id, _) = event, files[id]?.text != nil { id } else { nil }
            })
        for (number, operation) in operations[index...].enumerated() {
            let isFirst = number == 0
            var linked: Set<TodoID> = []
            for event in operation.events where !found.contains(event.id) {
                let id = event.id
                switch event {
                case .change(let change):
                    found.insert(id)
                    // The replay has the text of a todo that wasn't kept.
                    if isFirst, change.wasNotKept && change.before == nil || sent.contains(id) { continue }
                    if isFirst, !change.lacksTextBefore {
                        files[id] = File(text: change.before, isPathLocalOnly: change.wasPathLocalOnly)
                    } else if files[id] == nil, change.before == nil, !change.wasTracked {
                        files[id] = File()
                    }
                case .seen(_, let text):
                    found.insert(id)
                    if sent.contains(id) { continue }
                    if isFirst {
                        files[id] = File(text: text, isPathLocalOnly: files[id]?.isPathLocalOnly ?? false)
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
            // These files existed, and the operation might show their texts only later.
            found.formUnion(linked)
        }
        return files
    }
}
