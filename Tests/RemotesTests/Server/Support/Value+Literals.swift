package import LosslessYAML

extension Value: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
    package init(dictionaryLiteral elements: (String, Value)...) {
        self = .mapping(Mapping(elements.map { (key: $0.0, value: $0.1) }))
    }

    package init(stringLiteral value: String) { self = .string(value) }
}
