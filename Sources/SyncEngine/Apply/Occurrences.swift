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
    func edits(with edits: [PlannedEdit]) throws -> [PlannedEdit] {
        try edits.flatMap { edit -> [PlannedEdit] in
            guard let after = edit.after, after.bytes.mightHaveEvery,
                let todo = try? Todo(parsing: after.bytes), todo.recurrence != nil,
                let before = edit.before.flatMap({ try? Todo(parsing: $0.bytes) })
            else { return [] }
            // An editor might have completed the todo before this command.
            let wasOpen = !before.isComplete || snapshot.tracked.todos[edit.id]?.base?.todo?.isOpen == true
            if todo.isComplete { return wasOpen ? try self.edits(after: [after]) : [] }
            return before.isComplete ? removal(of: before).map { [$0] } ?? [] : []
        }
    }

    /// Returns the edits that create the next occurrences of completed todos.
    ///
    /// A deleted todo isn't created again, even if another device deleted it.
    func edits(after completed: [FileText]) throws -> [PlannedEdit] {
        var planned: [PlannedEdit] = []
        for file in completed {
            guard let todo = try? Todo(parsing: file.bytes), let today = today,
                let next = NextOccurrence(after: todo, completedOn: today, in: zone),
                let parent = todo.id, !hasOccurrence(after: todo), try isNew(next.id, after: parent),
                let path = path(for: next.day, after: file.path, besides: planned.map(\.path))
            else { continue }
            let bytes = next.text(after: todo)
            if let problem = todoProblem(in: bytes) {
                // The new id or due date can be longer than the old one.
                locked.surroundings.notice(
                    "warning: \(file.path): the next todo can't be created: \(problem.message)")
                continue
            }
            planned.append(
                PlannedEdit(id: next.id, before: nil, after: FileText(path: path, bytes: bytes)))
        }
        return planned
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
                && snapshot.tracked.todos[id]?.base?.todo?.isOpen == true
                && snapshot.pendingOperation(id) != nil && !isByCommand(file)
        }.values.sorted(byBytesOf: \.path).map { FileText(path: $0.path, bytes: $0.bytesWithID) }
        let edits = try edits(after: completed)
        log(edits, try locked.apply(edits))
        return edits.map(\.id)
    }

    /// Returns whether a command completed a todo without a due date, and created its next occurrence.
    ///
    /// The day of the completion isn't known later.
    private func isByCommand(_ file: LocalTodo) -> Bool {
        guard let id = file.id, file.todo.dueDay == nil else { return false }
        return snapshot.tracked.todos[id]?.origin == .command(ContentMark(of: file.bytes))
    }

    /// Returns whether the folder has an occurrence after a completed todo without a due date.
    private func hasOccurrence(after completed: Todo) -> Bool {
        guard let parent = completed.id, completed.dueDay == nil else { return false }
        return possibleDays(after: completed).contains { day in
            snapshot.folder.hasFile(of: NextOccurrence.id(on: day, after: parent))
        }
    }

    /// Records the edits that succeeded in the operation log.
    func log(_ edits: some Sequence<PlannedEdit>, _ outcomes: some Sequence<FileChangeOutcome>) {
        for (edit, outcome) in zip(edits, outcomes) where outcome == .done {
            locked.log(edit.id, edit.path, edit.after == nil ? .delete : .insert, .pending)
        }
    }

    /// Returns whether the next occurrence of a todo can be created.
    ///
    /// It can't if it exists or was ever tracked, unless it was removed because the todo was reopened.
    private func isNew(_ id: TodoID, after parent: TodoID) throws -> Bool {
        if snapshot.folder.hasFile(of: id) { return false }
        if case .deleted? = snapshot.tracked.todos[id]?.base { return false }
        guard let last = try locked.workspace.directory.lastTouch(id) else {
            return snapshot.tracked.todos[id] == nil
        }
        return last.isRemoval && last.others.contains(parent)
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
    /// Returns whether a todo is the occurrence after a completed todo in the folder, unchanged since
    /// todosync created it.
    static func isUntouched(_ todo: Todo, in folder: Folder, _ zone: LocalZone) -> Bool {
        guard let id = todo.id, todo.recurrence != nil, let day = todo.dueDay else { return false }
        return folder.todos.loaded.values.contains { file in
            guard file.hasEvery, let parent = file.id,
                NextOccurrence.id(on: day, after: parent) == id,
                let next = NextOccurrence(after: file.todoWithID, on: day, in: zone)
            else { return false }
            return todo.bytes == next.text(after: file.todoWithID)
        }
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
