internal import LosslessYAML
internal import SyncEngine
internal import TodoModel
internal import Values
internal import WorkingCopy

/// Returns open conflicts with the values of both sides, as human-readable text.
func render(_ conflicts: [Conflict], _ style: Style) -> String {
    if conflicts.isEmpty { return "no conflicts\n" }
    return conflicts.map { conflict in
        let title = [
            Table.Cell(visible(conflict.handle ?? ""), .heading),
            Table.Cell(firstLine(conflict.title), keeping: .start),
            Table.Cell(style.path(conflict.path), .place, keeping: .end),
            Table.Cell(
                "(\(conflict.kind.words)\(conflict.hasMovedOn ? ConflictedTodo.movedOn : ""))"),
        ]
        return Table(rows: [title]).render(style)
            + conflict.fields.map { field($0, of: conflict, style) }.joined()
    }
    .joined(separator: "\n")
}

private func field(_ name: String, of conflict: Conflict, _ style: Style) -> String {
    let rows = [("base", conflict.base), ("local", conflict.local), ("remote", conflict.remote)].map {
        side, text in
        let missing = side == "base" ? "(none)" : "(deleted)"
        var value = text.map { cell($0, name) } ?? Table.Cell(missing, .quiet)
        if let device = text?.device { value.tail = "  " + visible(device) }
        return [Table.Cell(side), value]
    }
    return "  " + style.paint(visible(name), .heading) + "\n"
        + Table(rows: rows, indentation: 4).render(style)
}

/// Returns the value of a field in one version of a todo.
private func cell(_ text: Conflict.Text, _ field: String) -> Table.Cell {
    guard let value = text.fields[field] else { return Table.Cell("–", .quiet) }
    // The user chooses between the values, so none is cut.
    return Table.Cell(visible(String(decoding: JSON.write(value), as: UTF8.self)))
}

extension Conflict {
    /// The todo's text in the local version, or else in the remote version.
    fileprivate var title: String {
        for version in [local, remote] {
            if case .string(let text)? = version?.fields["text"] { return text }
        }
        return id.string
    }
}
