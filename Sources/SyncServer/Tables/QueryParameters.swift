internal import Remotes

/// The decoded parameters of a query, in order.
struct QueryParameters: Sendable {
    struct Parameter: Sendable {
        let name: String
        let value: String
    }

    private(set) var all: [Parameter] = []
    /// The maximum number of parameters in a query; clients send at most ten.
    private static let maximumCount = 100

    init(_ query: String) throws(Refusal) {
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            guard all.count < Self.maximumCount else {
                throw .malformed("The query has more than \(Self.maximumCount) parameters.")
            }
            let sides = part.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
            ).map(Substring.init)
            guard let name = PercentEncoding.decoded(sides[0], plusIsSpace: true),
                let value = PercentEncoding.decoded(sides.dropFirst().first ?? "", plusIsSpace: true)
            else {
                throw .malformed("The query's parameter \(all.count + 1) is not percent-encoded UTF-8.")
            }
            all.append(Parameter(name: name, value: value))
        }
    }

    /// Returns the value of the parameter whose name matches; nil if there isn't one.
    func value(where matches: (String) -> Bool) throws(Refusal) -> String? {
        let found = all.filter { matches($0.name) }
        guard found.count <= 1 else {
            throw .malformed("The query has \(found[0].name.shortened) more than once.")
        }
        return found.first?.value
    }

    func value(_ name: String) throws(Refusal) -> String? {
        try value { $0.utf8.elementsEqual(name.utf8) }
    }

    /// Returns the value of a parameter, ignoring the name's case; nil if there isn't one.
    func value(anyCase name: String) throws(Refusal) -> String? {
        try value { $0.lowercased() == name.lowercased() }
    }

    /// Returns the encoded query with some parameters set and the others unchanged.
    func replacing(_ changed: [Parameter]) -> String {
        let kept = all.filter { parameter in !changed.contains { $0.name == parameter.name } }
        return (kept + changed).map {
            "\(PercentEncoding.ofLink($0.name))=\(PercentEncoding.ofLink($0.value))"
        }.joined(separator: "&")
    }
}
