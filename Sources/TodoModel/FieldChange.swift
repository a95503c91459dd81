package import LosslessYAML

/// A change to a field or to a part of one in the form that users type: `KEY=VALUE`, `KEY+=VALUE` or
/// `KEY-=VALUE`, where KEY is a ``FieldPath``.
package struct FieldChange: Sendable, Hashable {
    package let path: FieldPath
    package let action: Action

    package enum Action: Sendable, Hashable {
        case set(Value)
        /// Adds items to a list, or a line to notes.
        case add(String)
        /// Removes items from a list.
        case remove(String)
        case unset
    }

    /// The fields that can't have an empty value.
    private static let removable = [FieldName.due, FieldName.every, FieldName.priority]

    /// Parses a change.
    ///
    /// The key ends at the first `=`, or at the `+` or `-` before it. `due=`, `every=` and
    /// `priority=` remove the field, because no other value is empty.
    package init(parsing argument: String) throws(FieldAssignmentProblem) {
        let (name, value) = try FieldAssignment.split(argument)
        guard let sign = name.utf8.last, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            let isRemoval = value.isEmpty && Self.removable.contains(name)
            if isRemoval {
                try self.init(unsetting: name)
            } else {
                self.init(try FieldAssignment(parsing: argument))
            }
            return
        }
        let key = String(name.dropLast())
        try FieldAssignment.checkNewName(key)
        if ConventionalField.takesOneValue(key) { throw .takesOneValue(key) }
        self.init(
            path: FieldPath(key), action: sign == UInt8(ascii: "+") ? .add(value) : .remove(value))
    }

    package init(_ assignment: FieldAssignment) {
        self.init(path: FieldPath(assignment.field), action: .set(assignment.value))
    }

    init(path: FieldPath, action: Action) {
        self.path = path
        self.action = action
    }

    /// Creates the change that removes a field or a part of one.
    package init(unsetting name: String) throws(FieldAssignmentProblem) {
        try FieldAssignment.checkName(name)
        self.init(path: FieldPath(name), action: .unset)
    }

    /// Creates the changes that remove several fields or parts of them.
    ///
    /// The last item of a list is removed first, so that the other items' numbers stay valid.
    package static func unsetting(_ names: [String]) throws(FieldAssignmentProblem) -> [FieldChange] {
        var changes: [FieldChange] = []
        for name in names { changes.append(try FieldChange(unsetting: name)) }
        return changes.sorted { $1.path.precedes($0.path) }
    }

    /// Applies the change.
    ///
    /// If the new value equals the current one, the current spelling stays.
    package func apply(to fields: inout Mapping) throws(FieldChangeProblem) {
        var changed = fields
        try path.change(&changed, newValue)
        let field = path.field(in: changed)
        guard CanonicalField.value(field, fields[field]) != CanonicalField.value(field, changed[field])
        else {
            if case .unset = action { fields = changed }
            return
        }
        if let value = changed[field], let expectation = ConventionalField.problem(field, value) {
            throw .wrongKind(expectation)
        }
        fields = changed
    }

    private func newValue(for old: Value?) throws(FieldChangeProblem) -> Value? {
        switch action {
        case .unset: return nil
        case .set(let value): return old == value ? old : value
        case .add(let typed): return try adding(typed, to: old)
        case .remove(let typed):
            switch old {
            case nil, .null: return old
            case .list(let list):
                let removed = try items(typed)
                return .list(list.filter { !removed.contains($0) })
            default: throw .notAList(path.typed)
            }
        }
    }

    private func adding(_ typed: String, to old: Value?) throws(FieldChangeProblem) -> Value {
        let isNotes = path.lastStep == FieldName.notes
        switch old {
        case .list(var list):
            let isOfMappings = !list.isEmpty && list.allSatisfy(\.isMapping)
            for item in try items(typed) where !list.contains(item) {
                if isOfMappings, !item.isMapping { throw .itemsAreMappings(path.typed) }
                list.append(item)
            }
            return .list(list)
        case .string(let text) where isNotes:
            // A block of text ends with a line break, so the new last line needs one, too.
            return .string(text.isEmpty || text.hasSuffix("\n") ? text + typed + "\n" : "\(text)\n\(typed)\n")
        case nil where isNotes, .null where isNotes: return .string(typed)
        case nil where path.lastStep == FieldName.tags, .null where path.lastStep == FieldName.tags:
            return .list(try items(typed))
        case nil where path.hasEmptyStep: throw .name(.emptyPart(path.typed))
        case nil, .null: throw .isMissing(path.typed)
        case .bool, .number, .string, .mapping: throw .notAList(path.typed)
        }
    }

    /// Parses the items to add or to remove: items separated by commas, or YAML in flow style.
    private func items(_ typed: String) throws(FieldChangeProblem) -> [Value] {
        let isFlow = typed.utf8.first == UInt8(ascii: "[") || typed.utf8.first == UInt8(ascii: "{")
        do throws(FieldAssignmentProblem) {
            if isFlow || path.lastStep == FieldName.tags {
                let value = try FieldAssignment.value(of: path.lastStep, typed: typed)
                if case .list(let list) = value { return list }
                return [value]
            }
            return try FieldAssignment.commaList(typed).map { (part) throws(FieldAssignmentProblem) in
                try FieldAssignment.value(of: path.lastStep, typed: part)
            }
        } catch {
            throw .name(error)
        }
    }
}

extension [FieldChange] {
    /// Applies the changes in order.
    package func apply(to fields: inout Mapping) throws(FieldChangeProblem) {
        for change in self { try change.apply(to: &fields) }
    }
}

extension Value {
    var isMapping: Bool { if case .mapping = self { true } else { false } }
}

/// The reason why a todo's fields can't be changed as requested.
package enum FieldChangeProblem: Error, Sendable, Hashable {
    /// The new name or the typed value isn't valid.
    case name(FieldAssignmentProblem)
    /// The path leads through a field that doesn't exist.
    case noParent(String, path: String)
    /// The path leads through a value without parts, such as a string.
    case hasNoParts(String, kind: String, part: String)
    /// An item of a list is identified by something other than a number.
    case noNumber(String, list: String)
    case noItem(Int, list: String, count: Int)
    /// The field or item to add to doesn't exist.
    case isMissing(String)
    /// The value isn't a list, so items can't be added or removed.
    case notAList(String)
    case itemsAreMappings(String)
    /// A conventional field would get a value of the wrong kind.
    case wrongKind(String)
    /// The todo has no checklist.
    case noChecklist
    case severalChecklists([String])
    /// The list's items use several of the fields in ``Tick/names``, or none of them.
    case unclearTick(String)
    /// There is no interval in the field `every`, so there is no next occurrence.
    case doesNotRecur
    /// The todo is done, so it has no occurrence to skip.
    case isDone
    /// The next occurrence already exists, at the given path.
    case hasNext(String)

    /// The reason as a phrase.
    package var message: String {
        switch self {
        case .name(let problem): problem.message
        case .noParent(let parent, let path): "there is no \(parent), so \(path) can't be set"
        case .hasNoParts(let name, let kind, let part): "\(name) is \(kind), so it has no part \(part)"
        case .noNumber(let step, let list): "\(list) is a list, and '\(step)' is not an item number"
        case .noItem(let number, let list, let count):
            "\(list) has no item \(number), only \(count == 1 ? "1 item" : "\(count) items")"
        case .isMissing(let name): "\(name) doesn't exist, so += can't add to it"
        case .notAList(let name): "\(name) is not a list"
        case .itemsAreMappings(let name): "the items of \(name) are mappings"
        case .wrongKind(let expectation): expectation
        case .noChecklist: "no list has items that can be ticked"
        case .severalChecklists(let names):
            "several lists have items that can be ticked: \(names.joined(separator: ", "))"
        case .unclearTick(let list): "it isn't clear which field ticks an item of \(list)"
        case .doesNotRecur: "the todo doesn't recur"
        case .isDone: "the todo is done"
        case .hasNext(let path): "the next occurrence already exists, at \(path)"
        }
    }

    /// Whether the file's content is the cause, and not the user's input.
    package var isAboutFile: Bool {
        switch self {
        case .hasNoParts, .notAList, .noChecklist, .unclearTick: true
        default: false
        }
    }
}

/// A change that ticks or unticks an item of a checklist.
///
/// The change sets the field in ``names`` that the list's items use, or the first of ``names`` if the items
/// have only texts.
package struct Tick: Sendable, Hashable {
    /// The path of the list; nil for the todo's only checklist.
    let list: String?
    /// The item's number, counted from 1.
    let number: Int
    let isTicked: Bool

    /// The names of the fields that can tick an item.
    package static let names = ["done", "complete", "checked"]

    /// Parses an item as users type it: `2`, or with its list, `checklist.2`; nil if it doesn't end in a
    /// number.
    package init?(item typed: String, isTicked: Bool) {
        let parts = typed.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = parts.last, let number = FieldPath.number(last) else { return nil }
        list = parts.count == 1 ? nil : parts.dropLast().joined(separator: ".")
        self.number = number
        self.isTicked = isTicked
    }

    package func apply(to fields: inout Mapping) throws(FieldChangeProblem) {
        let name = if let list { list } else { try Self.onlyChecklist(in: fields) }
        guard case .list(let items)? = try FieldPath(name).value(in: fields) else { throw .notAList(name) }
        let used = Self.names(in: items)
        guard used.count == 1 || used.isEmpty && Self.haveTexts(items) else { throw .unclearTick(name) }
        let key = used.first ?? Self.names[0]
        let box = FieldPath("\(name).\(number).\(key)")
        // An item without the field isn't ticked.
        if try box.value(in: fields) == nil, !isTicked { return }
        let change = FieldChange(path: box, action: .set(.bool(isTicked)))
        try change.apply(to: &fields)
    }

    /// Returns a checklist without ticks; returns any other value unchanged.
    package static func cleared(_ value: Value) -> Value {
        guard case .list(let items) = value else { return value }
        return .list(
            items.map { item in
                guard case .mapping(var parts) = item else { return item }
                for name in names where parts[name] == .bool(true) { parts[name] = .bool(false) }
                return .mapping(parts)
            })
    }

    private static func onlyChecklist(in fields: Mapping) throws(FieldChangeProblem) -> String {
        let lists = fields.entries.compactMap { entry in
            if case .list(let items) = entry.value { (name: entry.key, items: items) } else { nil }
        }
        let ticked = lists.filter { !names(in: $0.items).isEmpty }
        // A list whose items were never ticked is a checklist, too, unless the todo has a list with ticks.
        let checklists = ticked.isEmpty ? lists.filter { haveTexts($0.items) } : ticked
        guard let list = checklists.first else { throw .noChecklist }
        if checklists.count > 1 { throw .severalChecklists(checklists.map(\.name)) }
        return list.name
    }

    /// Returns whether all items are mappings with a text and without any of the fields in ``names``.
    private static func haveTexts(_ items: [Value]) -> Bool {
        !items.isEmpty
            && items.allSatisfy { item in
                guard case .mapping(let parts) = item, case .string? = parts[FieldName.text] else {
                    return false
                }
                return names.allSatisfy { parts[$0] == nil }
            }
    }

    /// Returns the elements of ``names`` that a list's items use as Boolean fields.
    private static func names(in items: [Value]) -> [String] {
        names.filter { name in
            items.contains { item in
                if case .mapping(let parts) = item, case .bool? = parts[name] { true } else { false }
            }
        }
    }
}
