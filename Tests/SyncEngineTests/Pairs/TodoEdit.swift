/// One edit of a todo: a field in a different state, or a different layout of the same values.
struct TodoEdit: Sendable {
    enum Subject: Hashable, Sendable {
        case field(Int)
        case layout
    }

    let name: String
    let subject: Subject
    private let state: Int

    /// All edits of all subjects.
    static let all =
        FieldKind.all.enumerated().flatMap { number, kind in
            kind.states.indices.dropFirst().map { state in
                TodoEdit(
                    name: "\(kind.name) \(kind.states[state].name)", subject: .field(number), state: state)
            }
        }
        + layouts.enumerated().map { number, layout in
            TodoEdit(name: layout.name, subject: .layout, state: number)
        }

    /// Returns an edit that doesn't change the subject.
    static func none(_ subject: Subject) -> TodoEdit { TodoEdit(name: "none", subject: subject, state: 0) }

    private static let layouts: [(name: String, edit: @Sendable (String) -> String)] = [
        ("none", { $0 }),
        ("comment added above", { "# a new one\n" + $0 }),
        ("comment added below", { $0 + "# a last one\n" }),
        ("comment added inside", { $0.replacing("after:", with: "# for after\nafter:") }),
        ("comment changed", { $0.replacing("# the comment stays", with: "# the comment changes") }),
        ("comment removed", { $0.replacing("# the comment stays\n", with: "") }),
        ("remark changed", { $0.replacing("# kept", with: "# new") }),
        ("blank lines", { $0.replacing("after:", with: "\n\nafter:") }),
        ("fields reordered", { $0.replacing("text: milk\n", with: "") + "text: milk\n" }),
        ("carriage returns", { $0.replacing("\n", with: "\r\n") }),
        ("no last line break", { String($0.dropLast()) }),
        ("byte order mark", { "\u{FEFF}" + $0 }),
        ("document start", { "---\n" + $0 }),
    ]

    /// Returns the text of a todo with the fields of two edits, after only this edit was made.
    func text(beside other: TodoEdit) -> [UInt8] {
        let subjects: [Subject] = other.subject == subject ? [subject] : [subject, other.subject]
        let fields = subjects.compactMap { if case .field(let number) = $0 { number } else { nil } }
            .sorted().flatMap { number in
                FieldKind.all[number].states[subject == .field(number) ? state : 0].lines ?? []
            }
        let hasText = subjects.contains(.field(Self.textKind))
        var text =
            (["# the comment stays", "id: 7c1e"] + (hasText ? [] : ["text: milk"])
            + ["before:  1   # kept"] + fields + ["after: [x,  y]", "# the end", ""]).joined(separator: "\n")
        if subject == .layout { text = Self.layouts[state].edit(text) }
        return Array(text.utf8)
    }

    private static let textKind = FieldKind.all.firstIndex { $0.name == "text" } ?? 0

    /// All edits of the same subject, including this one.
    var alternatives: [TodoEdit] { [.none(subject)] + Self.all.filter { $0.subject == subject } }
}
