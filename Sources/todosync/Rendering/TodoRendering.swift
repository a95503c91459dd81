internal import SyncEngine
internal import TodoModel

// How people read which todo a line is about: by its handle, its text and its path.

/// Returns the first line of a text, with an ellipsis if there are more.
func firstLine(_ text: String) -> String {
    let lines = text.split(maxSplits: 1, omittingEmptySubsequences: true, whereSeparator: \.isNewline)
    guard let first = lines.first else { return "" }
    return visible(String(first)) + (lines.count > 1 ? " …" : "")
}

extension NamedTodo {
    /// The todo in a sentence: its text in quotes and its path.
    var words: String {
        guard let text, !text.isEmpty else { return visible(path) }
        return "\"\(shortened(firstLine(text), toWidth: 60))\" (\(visible(path)))"
    }
}

/// Returns a line for each of several todos, for messages.
func lines(naming todos: [NamedTodo]) -> [String] {
    let text = Table.limited(todos, indentation: 2, Style()) { todo in
        [
            Table.Cell(visible(todo.handle ?? "")),
            Table.Cell(shortened(firstLine(todo.text ?? ""), toWidth: 60)), Table.Cell(visible(todo.path)),
        ]
    }
    return text.split(separator: "\n").map(String.init)
}

extension TodoNames {
    /// Returns the cells that name a todo in a report: its handle, its text and its path.
    ///
    /// - Parameters:
    ///   - path: the todo's path in the working directory.
    ///   - shownPath: what is printed for it, if it isn't just the path.
    func cells(_ id: TodoID?, _ path: String, shownPath: String? = nil, _ style: Style) -> [Table.Cell] {
        let text = text(of: id, at: path).map { text in
            shortened(firstLine(text), toWidth: style.width == nil ? Self.textWidth : .max)
        }
        // Without a text, nothing is known about the todo that its handle would be the name of.
        let handle = text == nil ? nil : handle(of: id)
        return [
            Table.Cell(visible(handle ?? ""), .heading), Table.Cell(text ?? "", keeping: .start),
            Table.Cell(shownPath ?? style.path(path), .place, keeping: .end),
        ]
    }

    /// The width of the longest text where no terminal limits it, in columns.
    private static let textWidth = 40
}
