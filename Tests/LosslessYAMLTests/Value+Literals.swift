package import LosslessYAML

extension Value: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { self = .string(value) }

    /// A number of JSON's.
    static func json(_ spelling: String) -> Value {
        Number(json: spelling).map { .number($0) } ?? .string("no number: \(spelling)")
    }
}
