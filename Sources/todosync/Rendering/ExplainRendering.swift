internal import LosslessYAML
internal import SyncEngine
internal import ThreeWayMerge
internal import TodoModel
internal import Values
internal import WorkingCopy

/// Returns the outcome of a todo's merges by one operation, as human-readable text.
func render(_ explanation: Explanation, _ style: Style) -> String {
    (explanation.earlier + [explanation]).map { renderOne($0, style) }.joined(separator: "\n")
}

private func renderOne(_ explanation: Explanation, _ style: Style) -> String {
    let path = style.path(explanation.path)
    guard let operation = explanation.operation, let outcome = explanation.outcome else { return "" }
    let copy = explanation.copy.map { ", with the copy \(style.path($0)) as the remote side" } ?? ""
    let head =
        "\(path): \(outcome.words) by \(visible(operation.command)) "
        + "(\(visible(String(operation.operation.prefix(8)))))\(copy)\n"
    let fields = explanation.fields.map { field in
        let decision = field.decision
        var rows = [
            row("base", decision.base), row("local", decision.local), row("remote", decision.remote),
        ]
        var rule = decision.rule.words
        if !decision.hasConflict {
            if [.max, .min].contains(decision.rule), let side = field.side {
                rule += ", the \(side.rawValue) one"
            }
            rows.append(row("result", field.result))
        } else if outcome == .conflict, field.chooser == nil {
            rows.append([
                Table.Cell("result"),
                explanation.isOpen
                    ? Table.Cell("in conflict", .removed) : Table.Cell("in conflict, resolved since"),
            ])
        } else {
            let value = field.side.map { "the \($0.rawValue) value" } ?? "another value"
            rule += "; \(words(field.chooser)) chose \(value)"
            rows.append(row("result", field.result))
        }
        return "\n" + style.paint(visible(decision.field), .heading) + ": \(rule)\n"
            + Table(rows: rows, indentation: 2).render(style)
    }
    if let side = explanation.deletingSide {
        return head + "\n" + words(side, outcome, explanation.choice) + "\n"
    }
    let comments = explanation.comments.isEmpty ? "" : render(explanation.comments, style)
    let relocations = explanation.relocations.isEmpty ? "" : render(explanation.relocations, style)
    return head + (fields.isEmpty ? "no fields differed\n" : fields.joined()) + relocations + comments
}

private func render(_ relocations: [Relocation], _ style: Style) -> String {
    let rows = relocations.map { relocation in
        [
            Table.Cell(visible(relocation.from.joined(separator: "."))),
            Table.Cell(visible(relocation.words), .quiet, keeping: .start),
        ]
    }
    return "\n" + style.paint("renamed or moved", .heading) + ":\n"
        + Table(rows: rows, indentation: 2).render(style)
}

private func render(_ comments: [ExplainedComment], _ style: Style) -> String {
    let rows = comments.map { comment in
        [Table.Cell(visible(comment.change.comment), keeping: .start), Table.Cell(comment.words, .quiet)]
    }
    return "\n" + style.paint("comments", .heading) + ":\n"
        + Table(rows: rows, indentation: 2).render(style)
}

/// Returns what happened to a todo that one side deleted.
private func words(
    _ side: Side, _ outcome: Explanation.Outcome, _ choice: ExplainedChoice?
) -> String {
    let sides = ["the local side", "the remote"]
    let (deleting, other) = side == .local ? (sides[0], sides[1]) : (sides[1], sides[0])
    if let choice {
        let verb = "\(words(choice.chooser)) chose the \(choice.side.rawValue) version"
        return "\(deleting) deleted it and \(other) changed it; \(verb)"
    }
    return switch outcome {
    case .deleted: "\(deleting) deleted it, so it was deleted"
    case .conflict: "\(deleting) deleted it and \(other) changed it: a conflict, because no rule can choose"
    case .pulled, .merged: "\(deleting) deleted it and \(other) changed it, so the changed todo was kept"
    }
}

private func row(_ name: String, _ value: Value?) -> [Table.Cell] {
    let text = value.map { visible(String(decoding: JSON.write($0), as: UTF8.self)) }
    return [Table.Cell(name), Table.Cell(text ?? "–", text == nil ? .quiet : nil)]
}

/// Returns the chooser of a conflict's resolution; nil if the rules decided it and have changed since.
private func words(_ chooser: LoggedChoice.Chooser?) -> String {
    switch chooser {
    case nil: "a former rule"
    case .handler: "merge.handler"
    case .program: "a program"
    case .option: "--on-conflict"
    case .memory: "merge.remember"
    case .user: "you"
    case .rule: "merge.fields"
    }
}

extension Relocation {
    fileprivate var words: String {
        let side = side == .local ? "the local side" : "the remote"
        let verb = from.dropLast() == to.dropLast() ? "renamed" : "moved"
        return "\(side) \(verb) it to \(to.joined(separator: ".")), and the other side's edit followed"
    }
}

extension ExplainedComment {
    fileprivate var words: String {
        let words =
            switch change.kind {
            case .addedLocally: "the local side added it"
            case .addedRemotely: "the remote added it"
            case .addedAlike: "both sides added it"
            case .removedLocally: "the local side removed it"
            case .removedRemotely: "the remote removed it"
            case .removedAlike: "both sides removed it"
            }
        if change.kind.isAddition == isKept { return words }
        return words + (isKept ? ", but it stayed" : ", but it was not kept")
    }
}

extension Explanation.Outcome {
    fileprivate var words: String {
        switch self {
        case .pulled: "taken from the remote"
        case .merged: "merged"
        case .conflict: "left in conflict"
        case .deleted: "deleted"
        }
    }
}
