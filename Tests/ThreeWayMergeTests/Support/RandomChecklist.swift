import LosslessYAML
import TestSupport

/// A random checklist whose items have a known identity.
struct RandomChecklist {
    struct Item: Hashable {
        /// The item's identity, whatever its name.
        var number: Int
        /// The number, followed by the name of the side that renamed it, if any.
        var name: String
        var isDone = false
        var note: String?
    }

    /// The name of the field that identifies items, or `item`, which the merge doesn't recognize.
    var key: String
    var hasIDs: Bool
    /// Whether the list is on one line.
    var isFlow: Bool
    var isNested: Bool
    var items: [Item]

    var bytes: [UInt8] {
        let lines = items.map { fields(of: $0).map { "\($0): \($1)" } }
        let indentation = isNested ? "    " : "  "
        let list =
            if isFlow || items.isEmpty {
                " [" + lines.map { "{\($0.joined(separator: ", "))}" }.joined(separator: ", ") + "]\n"
            } else {
                "\n"
                    + lines.map { "\(indentation)- \($0.joined(separator: "\n\(indentation)  "))\n" }.joined()
            }
        let head = isNested ? "plan:\n  steps:" : "steps:"
        return Array("id: a\ntext: t\n\(head)\(list)end: 1\n".utf8)
    }

    private func fields(of item: Item) -> [(String, String)] {
        (hasIDs ? [("id", "\(item.number)")] : []) + [(key, item.name), ("done", "\(item.isDone)")]
            + (item.note.map { [("note", $0)] } ?? [])
    }

    /// Returns the number of the item in a merged value; nil if it is not an item.
    func number(of value: Value) -> Int? {
        guard case .mapping(let mapping) = value, case .string(let name)? = mapping[key] else { return nil }
        return Self.numbers(in: name).first
    }

    /// Returns the numbers of the items in a text.
    static func numbers(in text: String) -> Set<Int> {
        Set(
            text.matches(of: /n([0-9]+)\b|n([0-9]+)(?=[lr])/).compactMap { match in
                (match.1 ?? match.2).flatMap { Int($0) }
            })
    }
}

extension SplitMix64 {
    mutating func checklist() -> RandomChecklist {
        let keys = ["text", "name", "task", "item", "item"]
        let items = (0..<Int.random(in: 0...6, using: &self)).map { number in
            RandomChecklist.Item(
                number: number, name: "n\(number)", isDone: chance(0.2),
                note: chance(0.2) ? "x\(next() % 3)" : nil)
        }
        return RandomChecklist(
            key: keys.randomElement(using: &self) ?? "text", hasIDs: chance(0.3), isFlow: chance(0.3),
            isNested: chance(0.2), items: items)
    }

    /// Returns the list after a few edits by one side.
    ///
    /// Without ids, renaming an item and replacing it look the same, so a side does only one of the two.
    mutating func edited(_ list: RandomChecklist, by side: String) -> RandomChecklist {
        var list = list
        let removes = list.hasIDs || chance(0.5)
        let renames = list.hasIDs || !removes && chance(0.5)
        for edit in 0..<Int.random(in: 0...4, using: &self) {
            let position = Int.random(in: 0...list.items.count, using: &self)
            switch Int.random(in: 0..<8, using: &self) {
            case 0 where list.hasIDs || !removes:
                let number = 100 * (side == "l" ? 1 : 2) + edit
                list.items.insert(RandomChecklist.Item(number: number, name: "n\(number)"), at: position)
            case 1 where !list.hasIDs && !removes && !renames && list.key != "item":
                // Both sides add the same item.
                guard !list.items.contains(where: { $0.number == 300 }) else { break }
                list.items.insert(
                    RandomChecklist.Item(number: 300, name: "n300", isDone: chance(0.5)), at: position)
            case 2 where removes && position < list.items.count: list.items.remove(at: position)
            case 3 where renames && position < list.items.count,
                4 where renames && !list.hasIDs && position < list.items.count:
                // Without ids, most of a name must stay if the field is meant for names.
                let mayChangeMore = list.hasIDs || list.key == "item"
                let suffix = mayChangeMore && chance(0.7) ? side + "onger" : side
                for item in position..<min(position + (chance(0.5) ? 2 : 1), list.items.count) {
                    list.items[item].name = "n\(list.items[item].number)\(suffix)"
                }
            case 4 where position < list.items.count:
                let item = list.items.remove(at: position)
                list.items.insert(item, at: Int.random(in: 0...list.items.count, using: &self))
            case 5 where position < list.items.count: list.items[position].note = "x\(next() % 3)"
            default: if position < list.items.count { list.items[position].isDone = true }
            }
        }
        return list
    }
}
