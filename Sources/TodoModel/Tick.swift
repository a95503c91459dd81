package import LosslessYAML

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
