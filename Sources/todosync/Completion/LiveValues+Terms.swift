internal import LosslessYAML
internal import TodoModel

extension LiveValues {
    static let dates = ["today", "tomorrow", "mon", "tue", "wed", "thu", "fri", "sat", "sun", "+1w"].map {
        Candidate(value: $0)
    }
    static let priorities = Priority.allCases.reversed().map { Candidate(value: $0.rawValue) }

    /// Returns the terms of a filter that can complete a word: only their beginnings, until the word has an
    /// operator.
    func terms(completing word: String) -> [Candidate] {
        if word.hasPrefix(Filter.negation) {
            return terms(completing: String(word.dropFirst(Filter.negation.count)))
                .map { Candidate(value: Filter.negation + $0.value, description: $0.description) }
        }
        if word.hasPrefix("@") { return savedFilters }
        guard let end = word.firstIndex(where: { ":<>".contains($0) }) else {
            return Self.beginnings + savedFilters
        }
        let rest = word[end...].prefix { ":<>=".contains($0) }
        let beginning = word[..<end] + rest
        return values(ofField: String(word[..<end])).map {
            Candidate(value: beginning + $0.value, description: $0.description)
        }
    }

    private static let beginnings = [
        Candidate(value: "tag:", description: "with a tag"),
        Candidate(value: "due:", description: "due on a date"),
        Candidate(value: "due<", description: "due before a date"),
        Candidate(value: "overdue", description: "due before today or now"),
        Candidate(value: "priority:", description: "with a priority"),
        Candidate(value: "is:", description: "in a given state"),
        Candidate(value: "path:", description: "in a folder"),
        Candidate(value: "text:", description: "with a word"),
        Candidate(value: "notes:", description: "with a word in the notes"),
    ]

    private func values(ofField field: String) -> [Candidate] {
        let none = [Candidate(value: "none")]
        switch field {
        case "tag", FieldName.tags: return tags + none
        case FieldName.due: return Self.dates + none
        case FieldName.priority: return Self.priorities + none
        case "is": return FilterState.allCases.map { Candidate(value: $0.rawValue) }
        case "path": return folders.map { Candidate(value: $0) }
        default: return []
        }
    }

    /// Returns the assignments that can complete a word: fields with their operators, or a field with its
    /// values if the word has an operator.
    func assignments(completing word: String) -> [Candidate] {
        guard let end = word.firstIndex(of: "=") else {
            let isSetting = command.name == ["set"]
            return fieldNames.flatMap { name -> [Candidate] in
                guard isSetting else { return [Candidate(value: name + "=")] }
                switch name {
                case FieldName.tags: return ["=", "+=", "-="].map { Candidate(value: name + $0) }
                case FieldName.notes: return ["=", "+="].map { Candidate(value: name + $0) }
                default: return [Candidate(value: name + "=")]
                }
            }
        }
        let field = word[..<end].filter { $0 != "+" && $0 != "-" }
        let values: [Candidate] =
            switch field {
            case FieldName.due: Self.dates
            case FieldName.priority: Self.priorities
            case FieldName.complete: ["true", "false"].map { Candidate(value: $0) }
            case FieldName.tags: tags
            case FieldName.every: ["day", "week", "month", "year", "weekday"].map { Candidate(value: $0) }
            default: []
            }
        // A list continues after a comma.
        let start = word.lastIndex { $0 == "=" || $0 == "," && field == FieldName.tags } ?? end
        return values.map { Candidate(value: word[...start] + $0.value) }
    }
}
