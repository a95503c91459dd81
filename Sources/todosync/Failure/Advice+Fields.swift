internal import TodoModel
internal import Values

extension FieldAssignmentProblem {
    var code: FailureCode { if case .noEqualsSign = self { .usage } else { .badValue } }

    /// What to type instead; nil if the message is enough.
    var hint: String? {
        switch self {
        case .endsInSign: "KEY+=VALUE adds to a list and KEY-=VALUE removes from it, only in \"todosync set\""
        case .hasOuterSpaces: "write KEY=VALUE without spaces around the = or around dots"
        case .emptyPart: "a dot leads into a field: address.city=Bonn"
        case .takesOneValue(FieldName.due):
            "run \"todosync set TODO due=+3d\" for a date three days from today, or due=DATE for any other"
        case .takesOneValue(let name): "run \"todosync set TODO \(name)=VALUE\" to replace it"
        case .noEqualsSign: "name a field and its value, such as due=fri"
        case .emptyText, .identity, .reserved, .badName, .wrongKind, .badValue: nil
        }
    }
}

extension FieldChangeProblem {
    var code: FailureCode { isAboutFile ? .unsuitableField : .badValue }

    /// What to type instead; nil if the message is enough.
    var hint: String? {
        switch self {
        case .name(let problem): problem.hint
        case .noParent(let parent, _):
            "run \"todosync set TODO \(shellQuoted("\(visible(parent))={KEY: VALUE}"))\" to create it as a mapping"
        case .hasNoParts(let name, _, _) where ConventionalField.determines(name):
            "run \"todosync set TODO \(name)=VALUE\" to replace it"
        case .hasNoParts(let name, _, let part):
            "name \(visible(name)) to set or remove all of it, "
                + "or set \(shellQuoted("\(visible(name))={\(visible(part)): VALUE}")) to make it a mapping"
        case .noNumber(_, let list): "use \(visible(list)).1 for its first item"
        case .noItem: "items count from 1"
        case .isMissing(let name):
            "run \"todosync set TODO \(shellQuoted("\(visible(name))=[VALUE]"))\" to create a list; "
                + "+= adds a line only to notes"
        case .notAList: "+= and -= change lists, and += adds a line to notes; KEY=VALUE replaces any value"
        case .itemsAreMappings(let name):
            "run \"todosync set TODO \(shellQuoted("\(visible(name))+={text: …}"))\" to add one, "
                + "or \"todosync unset TODO \(shellQuoted("\(visible(name)).1"))\" to remove the first"
        case .noChecklist, .unclearTick:
            "give each item of a checklist a text, such as {text: Buy milk, done: false}"
        case .doesNotRecur: "run \"todosync set TODO every='2 weeks'\" to make it recur"
        case .isDone: "name the open todo, or run \"todosync reopen TODO\" first"
        case .hasNext(let path):
            "run \"todosync skip \(shellQuoted(visible(path)))\" to skip that one, or \"todosync rm TODO\" to remove this one"
        case .severalChecklists(let names): "name the list, too: \(visible(names.first ?? "checklist")).1"
        case .wrongKind: nil
        }
    }
}
