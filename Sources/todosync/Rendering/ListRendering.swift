internal import LosslessYAML
internal import SyncEngine
internal import TodoModel

/// The options for printing a list.
struct ListForm: Sendable {
    /// Whether done todos are marked, because the list also has open ones.
    var marksDone = false
    /// Whether pending todos are marked; without a remote, all todos are pending.
    var marksPending = true
    /// Whether the list shows paths, and who created and changed the todos.
    var isLong = false
    var present: Present
    /// Who created and changed the todos; needed for a long list.
    var authors: [TodoID: Authorship] = [:]
}

/// Returns a list for people: each todo's handle, text and as many other fields as fit the terminal.
func render(_ entries: [ListEntry], _ form: ListForm, _ style: Style) -> String {
    let handleWidth = entries.map { $0.todo.handle?.utf8.count ?? 0 }.max() ?? 0
    var table = FittedTable(
        columns: [
            .init(entries.map { handleCell($0.todo, handleWidth, style) }),
            .init(entries.map { textCell($0, form) }, isFlexible: true),
            .init(entries.map { dueCell($0, form) }, dropped: 6),
            .init(entries.map { priorityCell($0) }, dropped: 5),
            .init(
                entries.map { Table.Cell($0.tags.map(visible).joined(separator: ", "), .quiet) }, dropped: 2),
            .init(entries.map { markCell($0, form) }, dropped: 7),
        ])
    if form.isLong {
        let short = table
        for (part, rank) in [(\Authorship.created, 4), (\.changed, 3)] {
            let cells = entries.map { entry in
                Table.Cell(author(of: entry.todo, part, form).map { $0.words(form.present) } ?? "", .quiet)
            }
            table.columns.append(.init(cells, dropped: rank))
        }
        let paths = entries.map { Table.Cell(style.path($0.todo.path, toWidth: 40), .path) }
        table.columns.append(.init(paths, dropped: 1))
        if let width = style.width, !table.fits(width) {
            let rows = short.render(style).split(separator: "\n", omittingEmptySubsequences: false)
            return zip(rows, entries).map { row, entry in
                "\(row)\n"
                    + details(
                        of: entry.todo, width,
                        indentation: Table.gap + (style.hasColor ? max(handleWidth, 4) : handleWidth), form,
                        style)
            }.joined()
        }
    }
    return table.render(style)
}

/// Returns the lines below a todo in a long list that is too wide for one line per todo: its path, and who
/// created and changed it.
private func details(
    of todo: ListedTodo, _ width: Int, indentation: Int, _ form: ListForm, _ style: Style
) -> String {
    let room = max(1, width - indentation)
    let authors = [("created", \Authorship.created), ("changed", \.changed)].compactMap { word, part in
        author(of: todo, part, form).map { "\(word) \($0.words(form.present))" }
    }
    let parts = [
        Table.Cell(style.path(todo.path, toWidth: room), .path),
        Table.Cell(shortened(authors.joined(separator: ", "), toWidth: room), .quiet),
    ].filter { !$0.text.isEmpty }
    let isOneLine = parts.reduce(Table.gap) { $0 + displayWidth($1.text) } <= room
    let rows = isOneLine ? [parts] : parts.map { [$0] }
    return rows.map { Table(rows: [$0], indentation: indentation).render(style) }.joined()
}

/// Returns a list for programs: a line for each todo, with tab-separated columns.
///
/// The columns are the handle, the text, the due date as in the file, the priority, the comma-separated tags
/// and states, and the path. A long list adds the times and devices of the creation and of the last change.
func tabSeparated(_ entries: [ListEntry], _ form: ListForm, _ style: Style) -> String {
    var lines = ""
    for entry in entries {
        var columns = [
            entry.todo.handle ?? "", entry.text, entry.dueText, entry.priority ?? "",
            entry.tags.joined(separator: ","), entry.states(form).joined(separator: ","),
        ].map(visible)
        columns.append(style.typedPath(entry.todo.path))
        if form.isLong {
            for part in [\Authorship.created, \.changed] {
                let author = author(of: entry.todo, part, form)
                columns += [author?.time ?? "", author?.device.name ?? ""].map(visible)
            }
        }
        lines += columns.joined(separator: "\t")
        lines += "\n"
    }
    return lines
}

private func handleCell(_ todo: ListedTodo, _ width: Int, _ style: Style) -> Table.Cell {
    let handle = todo.handle ?? ""
    var cell = Table.Cell(visible(handle), .heading)
    // The rest of the id shows that the user can type more of it; without color, it would hide the handle.
    if style.hasColor, let id = todo.id?.string, id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
        cell.tail = String(id.dropFirst(handle.count).prefix(max(0, max(width, 4) - handle.count)))
    }
    return cell
}

private func textCell(_ entry: ListEntry, _ form: ListForm) -> Table.Cell {
    let mark = form.marksDone ? (entry.isComplete ? "[x] " : "[ ] ") : ""
    return Table.Cell(mark + firstLine(entry.text), entry.isComplete ? .quiet : nil)
}

private func dueCell(_ entry: ListEntry, _ form: ListForm) -> Table.Cell {
    guard let due = entry.due, !entry.isComplete else { return Table.Cell(visible(entry.dueText), .quiet) }
    let words = form.isLong ? form.present.longWords(due) : form.present.words(due)
    return switch form.present.nearness(of: due) {
    case .overdue: Table.Cell(words, .removed)
    case .today: Table.Cell(words, .heading)
    case .soon: Table.Cell(words, .changed)
    case .later: Table.Cell(words)
    }
}

private func markCell(_ entry: ListEntry, _ form: ListForm) -> Table.Cell {
    let mark = entry.todo.mark(form)
    guard mark.isEmpty, entry.isWaiting(form.present), let start = entry.start else {
        return Table.Cell(mark, .removed)
    }
    return Table.Cell("starts " + form.present.words(start), .quiet)
}

private func priorityCell(_ entry: ListEntry) -> Table.Cell {
    Table.Cell(entry.priority ?? "", entry.priority == "high" ? .heading : .quiet)
}

private func author(
    of todo: ListedTodo, _ part: KeyPath<Authorship, Author?>, _ form: ListForm
) -> Author? {
    todo.id.flatMap { form.authors[$0] }?[keyPath: part]
}

extension ListEntry {
    /// Returns the todo's states, as words for programs; `open` or `done` comes first.
    fileprivate func states(_ form: ListForm) -> [String] {
        var states = [isComplete ? "done" : "open"]
        if let word = nearness(form.present)?.word { states.append(word) }
        if isWaiting(form.present) { states.append("waiting") }
        if todo.isPending { states.append("pending") }
        if todo.isConflicted { states.append("conflict") }
        if todo.isBehind { states.append("behind") }
        if todo.isHeld { states.append("held") }
        return states
    }
}

extension ListedTodo {
    /// Returns the word for the todo's unusual state; a todo in conflict is also pending.
    fileprivate func mark(_ form: ListForm) -> String {
        if isConflicted { return "conflict" }
        if isBehind || isHeld { return isBehind ? "behind" : "held" }
        return isPending && form.marksPending ? "pending" : ""
    }
}

extension Author {
    fileprivate func words(_ present: Present) -> String {
        present.localTime(time) + (device.name.isEmpty ? "" : " " + visible(device.name))
    }
}

extension Author.Device {
    /// The device's name; `here` for this working directory, empty if unknown.
    fileprivate var name: String {
        switch self {
        case .here: "here"
        case .other(let name): name ?? ""
        }
    }
}

/// Returns what `next` prints: each todo's handle, text, reasons, points and path, without columns that don't
/// fit the terminal.
func render(_ todos: [RankedEntry], _ style: Style) -> String {
    let reasons = todos.map { todo in
        let reasons = todo.urgency.reasons
        let isLate = reasons.contains { $0.kind == .overdue || $0.kind == .dueToday }
        return Table.Cell(reasons.map(\.words).joined(separator: ", "), isLate ? .removed : .changed)
    }
    return FittedTable(
        columns: [
            .init(todos.map { Table.Cell(visible($0.entry.todo.handle ?? ""), .heading) }),
            .init(todos.map { Table.Cell(firstLine($0.entry.text)) }, isFlexible: true),
            .init(reasons),
            .init(todos.map { Table.Cell("(\($0.urgency.points))", .quiet) }, dropped: 2),
            .init(todos.map { Table.Cell(style.path($0.entry.todo.path), .path) }, dropped: 1),
        ]
    ).render(style)
}
