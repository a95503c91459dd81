/// One of the three versions in a merge.
package enum Side: String, Sendable, CaseIterable {
    /// The version that both sides are derived from.
    case base
    /// The version in the local file.
    case local
    /// The version from the remote.
    case remote
}

/// A value for each side.
struct Sides<Element> {
    var base: Element
    var local: Element
    var remote: Element

    subscript(side: Side) -> Element {
        get {
            switch side {
            case .base: base
            case .local: local
            case .remote: remote
            }
        }
        set {
            switch side {
            case .base: base = newValue
            case .local: local = newValue
            case .remote: remote = newValue
            }
        }
    }

    func map<Other>(_ transform: (Element) throws -> Other) rethrows -> Sides<Other> {
        Sides<Other>(base: try transform(base), local: try transform(local), remote: try transform(remote))
    }
}

extension Sides: Sendable where Element: Sendable {}
extension Sides: Equatable where Element: Equatable {}
extension Sides: Hashable where Element: Hashable {}
