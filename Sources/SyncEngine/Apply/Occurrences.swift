internal import LosslessYAML
internal import Platform
internal import TodoModel
internal import Values
internal import WorkingCopy

/// Creates the occurrences that follow completed todos, and removes them when a todo is reopened.
struct Occurrences {
    let locked: LockedWorkspace
    private var snapshot: Snapshot { locked.snapshot }
    private var zone: LocalZone { locked.surroundings.zone }

    /// Returns the edits of other todos that some edits require: completing a todo creates its next
    /// occurrence, and reopening the todo removes it.
    ///
    /// - Returns: The edits, and notes about completed todos whose next occurrence isn't created or might be
    ///   due at a different time.
    func edits(with edits: [PlannedEdit]) throws -> (edits: [PlannedEdit], notes: [String]) {
        var completed: [FileText] = []
        var removals: [PlannedEdit] = []
        for edit in edits {
            guard let after = edit.after, after.bytes.mightHaveEvery,
                let todo = try? Todo(parsing: after.bytes), todo.recurrence != nil,
                let before = edit.before.flatMap({ try? Todo(parsing: $0.bytes) })
            else { continue }
            if todo.isComplete {
                // An editor might have completed the todo before this command.
                if !before.isComplete || isOpenInBase(edit.id) { completed.append(after) }
            } else if before.isComplete, let removal = removal(of: before) {
                removals.append(removal)
            }
        }
        let (created, notes, missing) = try self.edits(after: completed)
        return (created + removals, notes + missing)
    }

    /// Returns the edits that create the next occurrences of completed todos.
    ///
    /// - Returns: The edits, notes about their due times, and notes about todos whose next occurrence isn't
    ///   created.
    private func edits(
        after completed: [FileText]
    ) throws -> (edits: [PlannedEdit], notes: [String], missing: [String]) {
        var planned: [PlannedEdit] = []
        var (notes, missing): ([String], [String]) = ([], [])
        for file in completed {
            guard let todo = try? Todo(parsing: file.bytes), let today = today, let parent = todo.id,
                let next = NextOccurrence(after: todo, completedOn: today, in: zone)
            else { continue }
            if let path = existing(next.id, after: todo) {
                missing.append("note: the next occurrence of \(file.path) already exists, at \(path)")
            } else if try wasDeleted(next.id, after: parent) {
                missing.append(
                    "note: the next occurrence of \(file.path), due \(next.day.text), was deleted, so it isn't "
                        + "created again")
            } else if let path = path(for: next.day, after: file.path, besides: planned.map(\.path)) {
                let bytes = next.text(after: todo)
                if let problem = todoProblem(in: bytes) {
                    // The new id or due date can be longer than the old one.
                    notes.append(
                        "warning: \(file.path): the next todo can't be created: \(problem.message)")
                    continue
                }
                if let note = Self.noteAboutOffset(of: todo.due, path, zone) { notes.append(note) }
                planned.append(
                    PlannedEdit(id: next.id, before: nil, after: FileText(path: path, bytes: bytes)))
            }
        }
        return (planned, notes, missing)
    }

    /// Returns a note for the next occurrence after a due time with an offset other than the zone's; nil for
    /// any other date.
    static func noteAboutOffset(of due: String?, _ path: String, _ zone: LocalZone) -> String? {
        guard let due, let offset = NextOccurrence.otherOffset(of: due, in: zone) else { return nil }
        return "note: \(path): the time keeps its offset, \(offset), because that isn't the offset of this "
            + "device's time zone; check it if the clocks change there"
    }

    /// Creates the next occurrences of todos that were completed with an editor, before they are pushed.
    ///
    /// A todo that another device completed isn't pending here, so only that device creates the next one.
    ///
    /// - Parameter selected: The todos to push; nil for all.
    /// - Returns: The todos that were created.
    func createForEditors(_ selected: Set<TodoID>?) throws -> [TodoID] {
        let completed = snapshot.folder.todos.loaded.filter { [snapshot] id, file in
            file.hasEvery && selected?.contains(id) ?? true
                && file.todo.isComplete && file.todo.recurrence != nil
                && isOpenInBase(id) && snapshot.condition(of: id).operation != nil && !isByCommand(file)
        }.values.sorted(byBytesOf: \.path).map { FileText(path: $0.path, bytes: $0.bytesWithID) }
        let (edits, notes, _) = try edits(after: completed)
        log(edits, try locked.apply(edits))
        notes.forEach(locked.surroundings.notice)
        return edits.map(\.id)
    }

    /// Returns whether a command completed a todo without a due date, and created its next occurrence.
    ///
    /// The day of the completion isn't known later.
    private func isByCommand(_ file: LocalTodo) -> Bool {
        guard let id = file.id, file.todo.dueDay == nil else { return false }
        return snapshot.tracked.todos[id]?.origin == .command(ContentMark(of: file.bytes))
    }

    private func isOpenInBase(_ id: TodoID) -> Bool { snapshot.tracked.todos[id]?.base?.todo?.isOpen == true }

    /// Returns the path of the occurrence after a completed todo; nil if the folder doesn't have it.
    ///
    /// Without a due date, it might have been created on another day.
    private func existing(_ id: TodoID, after completed: Todo) -> String? {
        if let path = snapshot.folder.path(of: id) { return path }
        guard let parent = completed.id, completed.dueDay == nil else { return nil }
        return possibleDays(after: completed).lazy.compactMap { day in
            snapshot.folder.path(of: NextOccurrence.id(on: day, after: parent))
        }.first
    }

    /// Records the edits that succeeded in the operation log.
    func log(_ edits: some Sequence<PlannedEdit>, _ outcomes: some Sequence<FileChangeOutcome>) {
        for (edit, outcome) in zip(edits, outcomes) where outcome == .done {
            locked.log(edit.id, edit.path, edit.after == nil ? .delete : .insert, .pending)
        }
    }

    /// Returns whether a missing occurrence was deleted for good.
    ///
    /// An occurrence that was removed because its parent was reopened comes back with the next completion.
    /// The same applies if another device removed it, unless the parent is done on the remote.
    private func wasDeleted(_ id: TodoID, after parent: TodoID) throws -> Bool {
        let todo = snapshot.tracked.todos[id]
        let isDoneOnRemote = snapshot.tracked.todos[parent]?.base?.todo?.isOpen == false
        var isDeletedOnRemote = false
        if case .deleted? = todo?.base { isDeletedOnRemote = true }
        guard let last = try locked.workspace.directory.lastTouch(id) else {
            return todo != nil && (isDoneOnRemote || !isDeletedOnRemote)
        }
        guard last.isRemoval, last.isFromRemote || last.others.contains(parent) else { return true }
        return isDoneOnRemote && (isDeletedOnRemote || last.isFromRemote)
    }

    /// Returns the edit that removes the occurrence after a completed todo; nil if there isn't one, or if the
    /// user has changed it.
    private func removal(of completed: Todo) -> PlannedEdit? {
        for day in possibleDays(after: completed) {
            guard let next = NextOccurrence(after: completed, on: day, in: zone),
                let file = snapshot.folder.todos[next.id]
            else { continue }
            guard file.bytes == next.text(after: completed) else { return nil }
            return PlannedEdit(id: next.id, before: file.fileText, after: nil)
        }
        return nil
    }

    /// Returns the possible due days of the occurrence after a completed todo.
    ///
    /// Without a due date, they depend on the day of completion, which the file doesn't contain.
    private func possibleDays(after completed: Todo) -> [CivilDay] {
        guard let today else { return [] }
        return (0...366).compactMap { daysAgo in
            NextOccurrence(after: completed, completedOn: today.adding(days: -daysAgo), in: zone)?.day
        }.reduce(into: []) { days, day in if days.last != day { days.append(day) } }
    }

    /// Today on the user's calendar.
    private var today: CivilDay? {
        Instant(locked.surroundings.now()).map { zone.wallTime(at: $0.seconds).day }
    }

    /// Returns a path without its extension and final day; all occurrences of a series share this stem.
    static func stem(of path: String) -> String {
        let stem = path[..<(path.lastIndex(of: ".") ?? path.endIndex)]
        guard stem.count > 11, stem.dropLast(10).last == "-", CivilDay(String(stem.suffix(10))) != nil else {
            return String(stem)
        }
        return String(stem.dropLast(11))
    }

    /// Returns a free path for the occurrence on a day: the previous todo's path, with the day at its end.
    private func path(for day: CivilDay, after path: String, besides taken: [String]) -> String? {
        let dot = path.lastIndex(of: ".") ?? path.endIndex
        let stem = Self.stem(of: path)
        return (1..<1000).lazy.map { "\(stem)-\(day.text)\($0 == 1 ? "" : "-\($0)")\(path[dot...])" }
            .first { path in
                !snapshot.folder.hasFile(at: path) && snapshot.isUsable(path) && !taken.contains(path)
            }
    }
}

extension NextOccurrence {
    /// Returns the completed todo in the folder that a todo is the occurrence after, unchanged since todosync
    /// created it; nil for any other todo.
    static func parent(ofUntouched todo: Todo, in folder: Folder, _ zone: LocalZone) -> TodoID? {
        guard let id = todo.id, todo.recurrence != nil, let day = todo.dueDay else { return nil }
        return folder.todos.loaded.values.first { file in
            guard file.hasEvery, let parent = file.id,
                NextOccurrence.id(on: day, after: parent) == id,
                let next = NextOccurrence(after: file.todoWithID, on: day, in: zone)
            else { return false }
            return todo.bytes == next.text(after: file.todoWithID)
        }?.id
    }
}

extension [UInt8] {
    /// Whether a file's text might have the field `every`; this check is faster than parsing the text.
    ///
    /// A backslash can begin an escaped letter of the name.
    fileprivate var mightHaveEvery: Bool {
        self[...].contains(Array(FieldName.every.utf8)) || contains(UInt8(ascii: "\\"))
    }
}
