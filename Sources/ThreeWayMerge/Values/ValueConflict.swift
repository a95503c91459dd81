package import LosslessYAML

/// A value that both sides changed, and that no rule can merge.
///
/// The value is the first one on its path that isn't a mapping on both sides.
package struct ValueConflict: Sendable, Hashable {
    /// The path of keys to the value, beginning with the top-level field.
    package var path: [String]
    /// The base's value; nil if there isn't one.
    package var base: Value?
    /// The local value; nil if there isn't one.
    package var local: Value?
    /// The remote value; nil if there isn't one.
    package var remote: Value?
}

/// The value that resolves a conflict.
package struct SettledValue: Sendable, Hashable {
    /// The value; nil to remove it.
    package var value: Value?

    /// Creates a resolution with a value.
    package init(_ value: Value?) { self.value = value }
}

extension Mapping {
    /// Returns the value at a path of keys; nil if there isn't one.
    package func value(at path: some Collection<String>) -> Value? {
        Value.mapping(self).value(at: path.map { FieldStep.key(ByteKey($0)) })
    }
}

extension MergedMapping {
    /// Returns the mapping with some conflicts resolved, and the conflicts that remain.
    ///
    /// A field that is a mapping on both sides can be resolved as a whole, or else value by value.
    ///
    /// - Parameters:
    ///   - fields: Each side's top-level fields.
    ///   - path: The path of keys to this mapping.
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
