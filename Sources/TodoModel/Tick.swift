package import LosslessYAML

/// A change that ticks or unticks an item of a checklist.
///
/// The field is the one in ``names`` that the list's items use.
package struct Tick: Sendable, Hashable {
    /// The path of the list; nil for the todo's only checklist.
    let list: String?
    /// The item's number, counted from 1.
    let number: Int
    let isTicked: Bool

    /// The names of fields that people tick items with.
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
        guard case .list(let items)? = try FieldPath(name).value(in: fields) else { throw .isNoList(name) }
        let used = Self.names(in: items)
        guard used.count == 1, let key = used.first else { throw .unclearTick(name) }
        let box = FieldPath("\(name).\(number).\(key)")
        // An item without the field isn't ticked.
        if try box.value(in: fields) == nil, !isTicked { return }
        let change = FieldChange(path: box, action: .set(.bool(isTicked)))
        try change.apply(to: &fields)
    }

    /// Returns a checklist without ticks; any other value as it is.
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
        let lists = fields.entries.filter { entry in
            if case .list(let items) = entry.value { !names(in: items).isEmpty } else { false }
        }
        guard let list = lists.first else { throw .noChecklist }
        if lists.count > 1 { throw .severalChecklists(lists.map(\.key)) }
        return list.key
    }

    /// Returns the names that a list's items use for a Boolean.
    private static func names(in items: [Value]) -> [String] {
        names.filter { name in
            items.contains { item in
                if case .mapping(let parts) = item, case .bool? = parts[name] { true } else { false }
            }
        }
    }
}
