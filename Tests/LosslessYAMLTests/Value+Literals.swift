package import LosslessYAML

extension Value: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }

    /// Returns a number in JSON's notation.
    static func json(_ spelling: String) -> Value {
        Number(json: spelling).map { .number($0) } ?? .string("no number: \(spelling)")
    }
}
