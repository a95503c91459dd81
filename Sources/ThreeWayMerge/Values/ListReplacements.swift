import LosslessYAML

/// The elements that one side replaced in a list of numbers or times.
struct ListReplacements {
    /// The new elements for each replaced element of the base, without those that the other side also has.
    private var new: [Int: Set<Value>] = [:]

    /// Returns whether both sides replaced the same number or time with different ones.
    static func conflict(in lists: Sides<[Value]>) -> Bool {
        guard [lists.base, lists.local, lists.remote].joined().allSatisfy(\.isNumberOrTime) else {
            return false
        }
        let local = ListReplacements(of: lists.base, by: lists.local, beside: lists.remote)
        let remote = ListReplacements(of: lists.base, by: lists.remote, beside: lists.local)
        return local.new.contains { place, new in !new.isEmpty && remote.new[place]?.isEmpty == false }
    }

    /// Finds the elements between the same neighbors that were removed and added.
    ///
    /// If their numbers differ, each removed element counts as replaced with all added ones.
    private init(of base: [Value], by list: [Value], beside other: [Value]) {
        var numbers = ValueNumbers()
        let (old, new) = (numbers.numbers(of: base), numbers.numbers(of: list))
        let (before, after, others) = (Set(base), Set(list), Set(other))
        for change in LineDifference(from: old, to: new).changes {
            let removed = change.old.filter { !after.contains(base[$0]) }
            let added = change.new.map { list[$0] }.filter { !before.contains($0) }
            for (number, place) in removed.enumerated() {
                let replacements = removed.count == added.count ? added[number...number] : added[...]
                self.new[place] = Set(replacements).subtracting(others)
            }
        }
    }
}

extension Value {
    /// Whether the scalar is a number, or a string that begins like a date or a time of day.
    fileprivate var isNumberOrTime: Bool {
        switch self {
        case .number: return true
        case .string(let string):
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            let shape = string.utf8.map { digits.contains($0) ? UInt8(ascii: "0") : $0 }
            return ["0000-00-00", "00:00", "0:00"].contains { shape.starts(with: $0.utf8) }
        case .null, .bool, .list, .mapping: return false
        }
    }
}
