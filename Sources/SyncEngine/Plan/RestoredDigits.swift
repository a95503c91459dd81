internal import LosslessYAML

// Restores numbers that were rounded to binary floating point, which many clients and servers use.

extension Mapping {
    /// Returns the mapping with numbers from an older mapping in place of their 64-bit roundings.
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
    /// Returns whether this is how software that stores numbers in 64 bits (IEEE 754's binary64) writes a
    /// number: with the shortest digits that give the same bits.
    fileprivate func isRounded(from old: Number) -> Bool {
        guard self != old, let bits = Double(old.json), bits.isFinite else { return false }
        return Number(json: "\(bits)") == self
    }
}
