internal import Remotes
internal import TodoModel

extension EntityTag {
    /// What a header field with entity tags says.
    enum List: Hashable {
        /// `*`
        case any
        case versions([Version])
    }

    /// Reads a comma list of entity tags, or `*`; nil if it is neither.
    ///
    /// - Parameter takesWeak: whether a tag may be weak; it is read as the strong one.
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
    /// Reads the `If-Match` of a request.
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
    /// Returns whether `If-None-Match` says that the client has this version.
    ///
    /// The comparison is the weak one (RFC 9110, section 13.1.2): a proxy that compresses weakens tags.
    func ifNoneMatchHas(_ version: Version) throws(Refusal) -> Bool {
        let values = values("if-none-match")
        guard !values.isEmpty else { return false }
        switch EntityTag.list(values.joined(separator: ","), takesWeak: true) {
        case .any?: return true
        case .versions(let versions)?: return versions.contains(version)
        case nil:
            throw .malformed("Invalid 'if-none-match' header: it takes versions in quotation marks, or *.")
        }
    }
}

extension Substring.UTF8View {
    fileprivate mutating func skipBlanks() {
        self = drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Takes what stands from one quotation mark to the next that has no `\` before it.
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
    /// The text without blanks at its ends.
    var trimmedOfBlanks: String {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var rest = utf8.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return String(Substring(rest))
    }
}
