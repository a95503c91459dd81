internal import LosslessYAML
internal import SyncEngine
internal import ThreeWayMerge
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
            Table.Cell(style.path(conflict.path), .path, keeping: .end),
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

/// Returns the prompt for a conflict as human-readable text, with the lines of each version.
///
/// Words that differ are colored; without color, a line below marks them.
func render(_ question: ConflictQuestion, _ style: Style) -> String {
    var lines: [String] = []
    switch question.changed {
    case .remote: lines.append("The remote has changed again; this is its new value.")
    case .local, .base:
        lines.append("The todo has changed here since you answered; this is its conflict now.")
    case nil: break
    }
    switch question.problem {
    case .markersLeft: lines.append("Your text still has conflict markers; [e]dit opens it again.")
    case .invalid(let reason): lines.append("The edit can't be used: \(visible(reason))")
    case nil: break
    }
    let (number, count) = question.todo
    let position = count > 1 ? " (\(number) of \(count))" : ""
    let title = question.title.isEmpty ? "" : ": \(visible(question.title))"
    lines.append(style.paint("Conflict\(position) in \(visible(question.path))\(title)", .heading))
    let part = question.count > 1 ? ", part \(question.number) of \(question.count)" : ""
    lines.append(question.kind.words + part)
    let (local, remote) = question.labels?.sides ?? ("local", "remote")
    let block = question.block
    if let base = block.base {
        lines += ["base:"] + (base.isEmpty ? [indentation + "(nothing)"] : shown(base))
    }
    lines += ["\(local):"] + shown(block.local, besides: block.base ?? block.remote, .added, style)
    lines += ["\(remote):"] + shown(block.remote, besides: block.base ?? block.local, .changed, style)
    if let remembered = question.remembered { lines += ["as before:"] + shown(remembered) }
    return lines.joined(separator: "\n")
}

private let indentation = "    "

/// Returns the lines of a version.
///
/// - Parameter other: The version to compare with; nil to mark nothing.
private func shown(
    _ version: [UInt8], besides other: [UInt8]? = nil, _ paint: Style.Paint? = nil, _ style: Style = Style()
) -> [String] {
    guard !version.isEmpty else { return [indentation + "(deleted)"] }
    let words = MarkedWords(visibleLines(version), besides: other.map { visibleLines($0) })
    return words.lines.flatMap { line -> [String] in
        if style.hasColor {
            return [indentation + line.map { style.paint($0.text, $0.differs ? paint : nil) }.joined()]
        }
        let text = indentation + line.map(\.text).joined()
        let marks = line.map { word in
            String(repeating: word.differs ? "~" : " ", count: displayWidth(word.text))
        }
        let mark = indentation + marks.joined()
        let isWide = style.width.map { displayWidth(text) > $0 } ?? false
        guard !isWide, mark.utf8.contains(UInt8(ascii: "~")) else { return [text] }
        return [text, String(mark.reversed().drop { $0 == " " }.reversed())]
    }
}

/// The words of a text, with marks on those that a different version doesn't have in the same order.
struct MarkedWords {
    struct Word: Equatable {
        var text: String
        var differs: Bool
    }

    /// The words of each line, with the spaces between them.
    let lines: [[Word]]

    /// The largest number of words to compare; more could be slow.
    private static let limit = 2000

    /// - Parameter other: The other version; nil or an empty text to mark nothing.
    init(_ text: String, besides other: String?) {
        var words = Self.words(of: text).map { Word(text: $0, differs: false) }
        if let other, !other.isEmpty {
            let others = Self.words(of: other)
            if words.count <= Self.limit, others.count <= Self.limit {
                for change in words.map(\.text).difference(from: others).insertions {
                    guard case .insert(let offset, let element, _) = change else { continue }
                    words[offset].differs = !element.allSatisfy(\.isWhitespace)
                }
            }
        }
        var lines = words.split(omittingEmptySubsequences: false) { $0.text == "\n" }.map(Array.init)
        if lines.last == [] { lines.removeLast() }
        self.lines = lines
    }

    /// Returns the words of a text; each run of spaces and each line feed is a word of its own.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var isSpace: Bool?
        for character in text {
            if character == "\n" {
                words.append("\n")
                isSpace = nil
            } else if isSpace == character.isWhitespace {
                words[words.count - 1].append(character)
            } else {
                words.append(String(character))
                isSpace = character.isWhitespace
            }
        }
        return words
    }
}
