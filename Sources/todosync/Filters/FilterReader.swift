internal import LosslessYAML
internal import TodoModel
internal import Values

/// Reads the words of a filter.
struct FilterReader {
    let dates: DateReader

    /// Reads words as terms that must all hold.
    ///
    /// - Parameter saved: Returns the saved filter with a name.
    /// - Throws: A ``Failure`` for a value that a term doesn't accept.
    func read(_ words: [String], saved: (_ name: String) throws -> SavedFilter) throws -> Filter {
        Filter(
            terms: try words.map { word in
                let (isNegated, rest) = Filter.splitNegation(word)
                var term = try term(rest, saved)
                term.isNegated = isNegated
                return term
            })
    }

    private func term(_ word: String, _ saved: (String) throws -> SavedFilter) throws -> Filter.Term {
        if word == Filter.overdue { return Filter.Term(condition: .state(.overdue)) }
        if word.utf8.first == UInt8(ascii: "@"), word.utf8.count > 1 {
            return Filter.Term(condition: .saved(try saved(String(word.dropFirst()))))
        }
        try checkSpelling(of: word)
        guard let form = FilterForm(word) else {
            return Filter.Term(condition: .word(SearchForm(word)))
        }
        guard !form.value.isEmpty else {
            let advice =
                switch form.field {
                case "is": "type a state, such as is:open or is:overdue"
                case "not": "type a term, such as not:tag:work"
                default: "use \(visible(form.field)):none to find todos without it"
                }
            throw Failure(
                .usage, "'\(visible(word))' has no value",
                hint: "\(advice), or text:\(visible(word)) to find the word")
        }
        return try term(form, word)
    }

    /// The fields whose terms have a meaning of their own.
    private static let fieldNames = [
        "text", FieldName.notes, "tag", FieldName.tags, "path", "is", FieldName.complete, FieldName.priority,
        FieldName.due, FieldName.start, FieldName.every, FieldName.id,
    ]

    /// Refuses misspellings such as `due=fri`, `due!=fri` and `Tag:home`, which would silently find nothing.
    private func checkSpelling(of word: String) throws {
        let name = String(word.prefix { !"=:<>!".contains($0) })
        let rest = word.dropFirst(name.count)
        guard let field = Self.fieldNames.first(where: { $0 == name.lowercased() }), let sign = rest.first
        else { return }
        let term =
            switch sign {
            case "!": rest.hasPrefix("!=") ? "-\(field):\(rest.dropFirst(2))" : word
            case "=": "\(field):\(rest.dropFirst())"
            default: field + rest
            }
        guard term != word else { return }
        throw Failure(
            .usage, "'\(visible(word))' is not a term of a filter",
            hint: "type \(visible(shellQuoted(term))), or \(visible(shellQuoted("text:" + word))) "
                + "to find the word")
    }

    private func term(_ form: FilterForm, _ word: String) throws -> Filter.Term {
        let sought = SearchForm(form.value)
        switch (form.field, form.comparison) {
        case ("text", .equal): return Filter.Term(condition: .word(sought))
        case (FieldName.notes, .equal): return Filter.Term(condition: .notes(sought))
        case ("tag", .equal) where form.value == "none", (FieldName.tags, .equal) where form.value == "none":
            return Filter.Term(condition: .none(field: FieldName.tags))
        case ("tag", .equal), (FieldName.tags, .equal):
            return Filter.Term(condition: .tag(sought))
        case ("path", .equal): return Filter.Term(condition: .path(sought))
        case (FieldName.id, _):
            throw Failure(.usage, "a filter can't ask for an id", hint: "type the id itself to name the todo")
        case ("is", .equal): return Filter.Term(condition: .state(try state(form.value)))
        case (_, .equal) where form.value == "none": return Filter.Term(condition: .none(field: form.field))
        case (FieldName.complete, .equal):
            return Filter.Term(condition: .state(form.value == "true" ? .done : .open))
        case (FieldName.priority, _):
            return Filter.Term(condition: .priority(form.comparison, try priority(form.value)))
        case (FieldName.due, _), (FieldName.start, _): return try dateTerm(form, word)
        case (_, .equal): return Filter.Term(condition: .value(field: form.field, form.value))
        case ("text", _), (FieldName.notes, _), ("tag", _), (FieldName.tags, _), ("path", _), ("is", _):
            throw Failure(
                .usage,
                "\(form.field) has no order, so it takes a colon: \(form.field):\(visible(form.value))")
        default: return try comparisonTerm(form, word)
        }
    }

    /// Returns the term that compares a field of the user's own with a number or a date.
    private func comparisonTerm(_ form: FilterForm, _ word: String) throws -> Filter.Term {
        if let number = Number(yaml: form.value) {
            return Filter.Term(condition: .number(field: form.field, form.comparison, number))
        }
        do {
            return try dateTerm(form, word)
        } catch DateProblem.notUnderstood {
            throw Failure(
                .usage, "'\(visible(form.value))' is neither a number nor a date",
                hint:
                    "\(visible(form.field))\(form.comparison.rawValue) compares numbers and dates, such as 5 or "
                    + "2026-12-01")
        }
    }

    private func dateTerm(_ form: FilterForm, _ word: String) throws -> Filter.Term {
        let date = try dates.read(form.value)
        let isUnderstood = date.stored.isSameBytes(as: form.value)
        return Filter.Term(
            condition: .date(field: form.field, form.comparison, date.due),
            understood: isUnderstood ? nil : "\(visible(word))  \(date.words)")
    }

    private func state(_ value: String) throws -> FilterState {
        guard let state = FilterState(rawValue: value) else {
            throw Failure(
                .usage, "there is no state '\(visible(value))'",
                hint: "use is: with \(enumeration(FilterState.allCases.map(\.rawValue), "or"))")
        }
        return state
    }

    private func priority(_ value: String) throws -> Priority {
        guard let priority = Priority(rawValue: value.lowercased()) else {
            throw Failure(.usage, "there is no priority '\(visible(value))'; it is high, medium, low or none")
        }
        return priority
    }
}

/// The parts of a term: a field, an operator and a value, such as `tag:home` or `due<fri`.
struct FilterForm {
    let field: String
    let comparison: Comparison
    let value: String

    /// Creates the parts of a term; nil for a word in a different form.
    ///
    /// A field begins with a letter and continues with letters, digits, `-`, `_` and `.`, so `12:30` is a
    /// word. A URL is a word too.
    init?(_ word: String) {
        let bytes = word.utf8
        guard let first = bytes.first, Self.isLetter(first) else { return nil }
        let name = bytes.prefix { Self.isLetter($0) || Self.isDigit($0) || "-_.".utf8.contains($0) }
        var rest = bytes.dropFirst(name.count)
        switch rest.popFirst() {
        case UInt8(ascii: ":"):
            if rest.starts(with: "//".utf8) { return nil }
            comparison = .equal
        case UInt8(ascii: "<"): comparison = Self.takeEqualsSign(&rest) ? .lessOrEqual : .less
        case UInt8(ascii: ">"): comparison = Self.takeEqualsSign(&rest) ? .greaterOrEqual : .greater
        default: return nil
        }
        field = String(decoding: name, as: UTF8.self)
        value = String(decoding: rest, as: UTF8.self)
    }

    private static func takeEqualsSign(_ rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: "=") else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns whether a byte belongs to a letter; every byte outside ASCII counts as one.
    private static func isLetter(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

extension Filter {
    static let overdue = "overdue"
    /// An alternative to the `-` before a term; it can't be mistaken for an option.
    static let negation = "not:"

    /// Returns whether a word is negated, and the word without the sign.
    static func splitNegation(_ word: String) -> (isNegated: Bool, rest: String) {
        for sign in ["-", negation]
        where word.utf8.starts(with: sign.utf8) && word.utf8.count > sign.utf8.count {
            return (true, String(decoding: word.utf8.dropFirst(sign.utf8.count), as: UTF8.self))
        }
        return (false, word)
    }

    /// Returns whether an argument is a term, not the name of a todo or a word to look for.
    static func isTerm(_ argument: String) -> Bool {
        let rest = splitNegation(argument).rest
        return rest == overdue || rest.utf8.first == UInt8(ascii: "@") && rest.utf8.count > 1
            || FilterForm(rest) != nil
    }
}
