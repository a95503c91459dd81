package import LosslessYAML

/// A value that both sides changed, and no rule can choose.
///
/// It is the whole of the first value on its path that is not a mapping on both sides.
package struct ValueConflict: Sendable, Hashable {
    /// The keys that lead to the value, the top-level field's first.
    package var path: [String]
    /// The base's value; nil if the base has none.
    package var base: Value?
    /// Local's value; nil if local has none.
    package var local: Value?
    /// The remote's value; nil if the remote has none.
    package var remote: Value?
}

/// The value that resolves a conflict.
package struct SettledValue: Sendable, Hashable {
    /// The value; nil to have none.
    package var value: Value?

    /// Creates the answer to a conflict.
    package init(_ value: Value?) { self.value = value }
}

extension Mapping {
    /// Returns the value that keys lead to; the first is a key of this mapping.
    package func value(at path: some Collection<String>) -> Value? {
        Value.mapping(self).value(at: path.map { FieldStep.key(ByteKey($0)) })
    }
}

extension MergedMapping {
    /// Returns the mapping with the values that resolve its conflicts, and the conflicts that remain.
    ///
    /// A field that is a mapping on both sides can be resolved as a whole; otherwise its values are.
    ///
    /// - Parameters:
    ///   - fields: the mapping at the top, as each side has it.
    ///   - path: the keys that lead here.
    func settling(
        in fields: Sides<Mapping?>, at path: [String] = [], by settle: (ValueConflict) -> SettledValue?
    ) -> (mapping: MergedMapping, left: [ValueConflict]) {
        var settled = self
        var left: [ValueConflict] = []
        for (index, entry) in entries.enumerated() where entry.value.hasConflict {
            let isField = path.isEmpty
            let path = path + [entry.key]
            let values = fields.map { $0?.value(at: path) }
            let conflict = ValueConflict(
                path: path, base: values.base, local: values.local, remote: values.remote)
            if case .mapping(let mapping) = entry.value {
                if isField, let answer = settle(conflict) {
                    settled.entries[index].value = .agreed(answer.value)
                    continue
                }
                let (mapping, others) = mapping.settling(in: fields, at: path, by: settle)
                settled.entries[index].value = .mapping(mapping)
                left += others
                continue
            }
            if let answer = settle(conflict) {
                settled.entries[index].value = .agreed(answer.value)
            } else {
                left.append(conflict)
            }
        }
        return (settled, left)
    }
}
