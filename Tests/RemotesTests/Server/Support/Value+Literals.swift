public import LosslessYAML

extension Value: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) {
        self = .mapping(Mapping(elements.map { (key: $0.0, value: $0.1) }))
    }

    public init(stringLiteral value: String) { self = .string(value) }
}
