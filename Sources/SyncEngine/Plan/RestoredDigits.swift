internal import LosslessYAML

// Numbers that went through binary floating point, in which many clients and servers keep them.

extension Mapping {
    /// Returns the mapping with the numbers of an older one where its own are what 64 bits keep of these.
    func restoringDigits(of old: Mapping) -> Mapping {
        var restored = self
        for (key, value) in entries {
            if let old = old[key] { restored[key] = value.restoringDigits(of: old) }
        }
        return restored
    }
}

extension Value {
    fileprivate func restoringDigits(of old: Value) -> Value {
        switch (self, old) {
        case (.number(let new), .number(let old)): .number(new.isRounded(from: old) ? old : new)
        case (.mapping(let new), .mapping(let old)): .mapping(new.restoringDigits(of: old))
        case (.list(let new), .list(let old)) where new.count == old.count:
            .list(zip(new, old).map { $0.restoringDigits(of: $1) })
        default: self
        }
    }
}

extension Number {
    /// Whether this is how a number is written by those who keep 64 bits of it (IEEE 754's binary64): the
    /// shortest digits that lead back to the same bits.
    fileprivate func isRounded(from old: Number) -> Bool {
        guard self != old, let bits = Double(old.json), bits.isFinite else { return false }
        return Number(json: "\(bits)") == self
    }
}
