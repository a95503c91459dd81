internal import SyncEngine
internal import TodoModel

// In text for people, a line names a todo by its handle, text and path.

/// Returns the first line of a text, with an ellipsis if more lines follow.
func firstLine(_ text: String) -> String {
    if text.isPrintableASCII { return text }
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

/// Returns a line for each todo, for messages.
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
    ///   - path: The todo's path in the working directory.
    ///   - shownPath: The text to print in place of the path; nil for the path itself.
    func cells(_ id: TodoID?, _ path: String, shownPath: String? = nil, _ style: Style) -> [Table.Cell] {
        let text = text(of: id, at: path).map { text in
            shortened(firstLine(text), toWidth: style.width == nil ? Self.textWidth : .max)
        }
        // A handle helps only beside the todo's text.
        let handle = text == nil ? nil : handle(of: id)
        return [
            Table.Cell(visible(handle ?? ""), .heading), Table.Cell(text ?? "", keeping: .start),
            Table.Cell(shownPath ?? style.path(path), .path, keeping: .end),
        ]
    }

    /// The maximum width of a text in columns, if no terminal limits it.
    private static let textWidth = 40
}
