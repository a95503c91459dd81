import LosslessYAML

/// The elements that one side replaced in a list of numbers or times.
struct ListReplacements {
    /// The new elements for each replaced element of the base.
    private var new: [Int: ArraySlice<Value>] = [:]

    /// Returns whether both sides replaced the same number or time with different ones.
    static func conflict(in lists: Sides<[Value]>) -> Bool {
        guard [lists.base, lists.local, lists.remote].joined().allSatisfy(\.isNumberOrTime) else {
            return false
        }
        let local = ListReplacements(in: lists.local, of: lists.base)
        let remote = ListReplacements(in: lists.remote, of: lists.base)
        return local.new.contains { place, new in remote.new[place].map { $0 != new } ?? false }
    }

    /// Finds the elements between the same neighbors that were removed and added.
    ///
    /// If their numbers differ, each removed element counts as replaced with all added ones.
    private init(in list: [Value], of base: [Value]) {
        var numbers = ValueNumbers()
        let (old, new) = (numbers.numbers(of: base), numbers.numbers(of: list))
        let (before, after) = (Set(old), Set(new))
        for change in LineDifference(from: old, to: new).changes {
            let removed = change.old.filter { !after.contains(old[$0]) }
            let added = change.new.filter { !before.contains(new[$0]) }.map { list[$0] }
            if added.isEmpty { continue }
            for (number, place) in removed.enumerated() {
                self.new[place] = removed.count == added.count ? added[number...number] : added[...]
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
