internal import Remotes
internal import TodoModel

extension EntityTag {
    /// The value of a header that contains entity tags.
    enum List: Hashable {
        /// `*`
        case any
        case versions([Version])
    }

    /// Parses a comma-separated list of entity tags, or `*`; nil for other text.
    ///
    /// - Parameter takesWeak: Whether to accept weak tags and treat them as strong tags.
    static func list(_ text: String, takesWeak: Bool = false) -> List? {
        if text.trimmedOfBlanks == "*" { return .any }
        var versions: [Version] = []
        var rest = text.utf8[...]
        while true {
            rest.skipBlanks()
            if takesWeak, rest.starts(with: "W/".utf8) { rest = rest.dropFirst(2) }
            guard let version = rest.takeTag() else { return nil }
            versions.append(version)
            rest.skipBlanks()
            guard let comma = rest.popFirst() else { return .versions(versions) }
            guard comma == UInt8(ascii: ",") else { return nil }
        }
    }
}

extension RecordWrite.Condition {
    /// Parses a request's `If-Match` header.
    init(_ headers: Headers) throws(Refusal) {
        let values = headers.values("if-match")
        guard let value = values.first else {
            self = .none
            return
        }
        switch EntityTag.list(value) {
        case .any? where values.count == 1: self = .exists
        case .versions(let versions)? where versions.count == 1 && values.count == 1:
            self = .version(versions[0])
        default:
            throw .malformed("Invalid 'if-match' header: it takes one version in quotation marks, or *.")
        }
    }
}

extension Headers {
    /// Returns whether `If-None-Match` includes a version, which the client then already has.
    ///
    /// The comparison is weak (RFC 9110, section 13.1.2), because a proxy that compresses responses makes
    /// tags weak.
    func ifNoneMatchHas(_ version: Version) throws(Refusal) -> Bool {
        let values = values("if-none-match")
        guard !values.isEmpty else { return false }
        switch EntityTag.list(values.joined(separator: ","), takesWeak: true) {
        case .any?: return true
        case .versions(let versions)?: return versions.contains(version)
        case nil:
            throw .malformed("Invalid 'if-none-match' header: use quoted versions, or *.")
        }
    }
}

extension Substring.UTF8View {
    fileprivate mutating func skipBlanks() {
        self = drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Removes a quoted tag from the beginning; returns nil for other text.
    ///
    /// In the tag, `\"` stands for a quotation mark.
    fileprivate mutating func takeTag() -> Version? {
        guard popFirst() == UInt8(ascii: "\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = popFirst() {
            if byte == UInt8(ascii: "\"") { return Version(String(decoding: bytes, as: UTF8.self)) }
            if byte == UInt8(ascii: "\\"), first == UInt8(ascii: "\"") {
                removeFirst()
                bytes.append(UInt8(ascii: "\""))
            } else {
                bytes.append(byte)
            }
        }
        return nil
    }
}

extension String {
    /// The text without leading and trailing spaces and tabs.
    var trimmedOfBlanks: String {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var rest = utf8.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return String(Substring(rest))
    }
}
