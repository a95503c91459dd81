import LosslessYAML

extension ValueMerge {
    /// Rule 3: matches the mappings of lists and merges each.
    static func mergeElements(_ lists: Sides<[Value]>) -> MergedValue {
        let keys = elementKeys(lists)
        let elements = Sides(
            base: Dictionary(zip(keys.base, lists.base)) { first, _ in first },
            local: Dictionary(zip(keys.local, lists.local)) { first, _ in first },
            remote: Dictionary(zip(keys.remote, lists.remote)) { first, _ in first })
        var merged: [ElementKey: MergedValue] = [:]
        for key in keys.local + keys.remote where merged[key] == nil {
            merged[key] = merge(elements.map { $0[key] }).value
        }
        func isKept(_ key: ElementKey) -> Bool {
            if case .agreed(nil)? = merged[key] { false } else { true }
        }
        let order = MergedOrder.merge(keys, isKept: isKept)
        return .elements(order.compactMap { merged[$0] }.map { .one($0) })
    }

    /// What elements are matched by: the value of their `id` or `text`, or their whole content.
    private struct ElementKey: Hashable {
        var value: Value
        /// How many equal elements stand before it in its list.
        var occurrence = 0
    }

    /// Matches by `id` if every element has one of its own, else by `text` likewise, else by equal content.
    private static func elementKeys(_ lists: Sides<[Value]>) -> Sides<[ElementKey]> {
        for name in ["id", "text"] {
            let keys = lists.map { ownValues(of: name, in: $0) }
            if let base = keys.base, let local = keys.local, let remote = keys.remote {
                return Sides(base: base, local: local, remote: remote)
            }
        }
        return lists.map { list in
            var counts: [Value: Int] = [:]
            return list.map { value in
                let occurrence = counts[value, default: 0]
                counts[value] = occurrence + 1
                return ElementKey(value: value, occurrence: occurrence)
            }
        }
    }

    private static func ownValues(of name: String, in list: [Value]) -> [ElementKey]? {
        var keys: [ElementKey] = []
        for case .mapping(let mapping) in list {
            switch mapping[name] {
            case .bool(let bool)?: keys.append(ElementKey(value: .bool(bool)))
            case .number(let number)?: keys.append(ElementKey(value: .number(number)))
            case .string(let string)?: keys.append(ElementKey(value: .string(string)))
            default: return nil
            }
        }
        return Set(keys).count == keys.count ? keys : nil
    }
}
