/// The reason why a path isn't allowed for a todo.
package enum PathProblem: Error, Sendable, Hashable {
    case empty
    /// The path begins with `/`.
    case absolute
    /// A component is empty: two slashes in a row, or a slash at the end.
    case emptyComponent
    /// A component is `.` or `..`.
    case dotComponent
    /// A component begins with a dot, like `.todosync`.
    case hiddenComponent
    /// The path has a control character, perhaps NUL.
    case controlCharacter
    /// The path ends in neither `.yaml` nor `.yml`, or has nothing before that.
    case notYAML
    /// A component has more than 255 bytes, the limit of most file systems.
    case componentTooLong
    /// The path has more than ``PathRules/maximumLength`` bytes.
    case tooLong
    /// The path has more than ``PathRules/maximumDepth`` nested folders.
    case tooDeep
    /// The path isn't UTF-8. Only a file found in a folder has this problem.
    case notUTF8
}

extension PathProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the path is empty"
        case .absolute: "the path is absolute"
        case .emptyComponent: "the path has an empty component"
        case .dotComponent: "the path has a component \".\" or \"..\""
        case .hiddenComponent: "the path has a hidden component"
        case .controlCharacter: "the path has a control character"
        case .notYAML: "the path does not end in .yaml or .yml"
        case .componentTooLong: "a component of the path is longer than 255 bytes"
        case .tooLong: "the path is longer than \(PathRules.maximumLength) bytes"
        case .tooDeep: "the path is more than \(PathRules.maximumDepth) folders deep"
        case .notUTF8: "the path is not UTF-8"
        }
    }
}

/// The rules for relative paths of todos, whether they come from a remote, a user or a folder's listing.
package enum PathRules {
    /// The maximum length in bytes: the operating system's limit without the NUL.
    package static let maximumLength = 4095
    /// The maximum length of a component in bytes.
    package static let maximumComponentLength = 255
    /// The maximum number of nested folders, which limits the number of open folders.
    package static let maximumDepth = 100

    /// Returns the first problem with a path whose separator is `/`; nil if the path is allowed for a todo.
    package static func problem(with path: String) -> PathProblem? {
        var path = path
        return path.withUTF8 { bytes in
            if bytes.isEmpty { return .empty }
            if bytes.count > maximumLength { return .tooLong }
            if bytes.first == slash { return .absolute }
            let components = bytes.split(separator: slash, omittingEmptySubsequences: false)
            if components.count > maximumDepth + 1 { return .tooDeep }
            for component in components {
                if let problem = self.problem(withComponent: component) { return problem }
            }
            guard let name = components.last, isYAML(name) else { return .notYAML }
            return nil
        }
    }

    /// Returns the first problem with the name of a file or folder, in UTF-8.
    static func problem(withComponent component: some Collection<UInt8>) -> PathProblem? {
        if component.isEmpty { return .emptyComponent }
        if component.first == dot {
            let isDots = component.count <= 2 && component.allSatisfy { $0 == dot }
            return isDots ? .dotComponent : .hiddenComponent
        }
        if component.count > maximumComponentLength { return .componentTooLong }
        if hasControlCharacter(component) { return .controlCharacter }
        return nil
    }

    /// Returns the first problem with a name found in a folder, which can have any bytes.
    static func problem(withFound name: ArraySlice<UInt8>) -> PathProblem? {
        var isASCII = true
        for byte in name where byte < 0x20 || byte >= 0x7F {
            if byte < 0x80 { return .controlCharacter }
            isASCII = false
        }
        if isASCII { return nil }
        if String(validating: name, as: UTF8.self) == nil { return .notUTF8 }
        return hasControlCharacter(name) ? .controlCharacter : nil
    }

    /// Returns whether a name ends in `.yaml` or `.yml`, in lowercase, with something before it.
    static func isYAML(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        ends(name, in: ".yaml", ==) || ends(name, in: ".yml", ==)
    }

    /// Returns whether a name ends in `.yaml` or `.yml`, in any case, with something before it.
    static func isYAMLInAnyCase(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        func areAlike(_ byte: UInt8, _ lowercase: UInt8) -> Bool {
            byte == lowercase || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte && byte | 0x20 == lowercase
        }
        return ends(name, in: ".yaml", areAlike) || ends(name, in: ".yml", areAlike)
    }

    private static func ends(
        _ name: some BidirectionalCollection<UInt8>, in suffix: StaticString,
        _ areAlike: (UInt8, UInt8) -> Bool
    ) -> Bool {
        suffix.withUTF8Buffer { suffix in
            name.count > suffix.count && name.suffix(suffix.count).elementsEqual(suffix, by: areAlike)
        }
    }

    /// Returns whether UTF-8 text contains one of U+0000 to U+001F or U+007F to U+009F.
    private static func hasControlCharacter(_ bytes: some Collection<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F { return true }
            if previous == 0xC2, byte < 0xA0 { return true }
            previous = byte
        }
        return false
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")
}

/// A path that ``PathRules`` allows, split into folder and name.
struct TodoPath: Sendable {
    let string: String
    /// The folder's path; empty for the root.
    let folder: Substring
    let name: FileName

    /// A placeholder for a refused path.
    static let refused = TodoPath(string: "", folder: "", name: ".")

    private init(string: String, folder: Substring, name: FileName) {
        self.string = string
        self.folder = folder
        self.name = name
    }

    init(_ path: String) throws(PathProblem) {
        if let problem = PathRules.problem(with: path) { throw problem }
        string = path
        if let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
            folder = path[..<slash]
            name = FileName(path[path.utf8.index(after: slash)...])
        } else {
            folder = ""
            name = FileName(path)
        }
    }
}

extension PathRules {
    /// Returns the stem of a file name for a todo's text: `Buy milk, now!` becomes `buy-milk-now`.
    ///
    /// Letters and digits of any script stay, in lowercase; everything else becomes a single `-`. The slug
    /// has at most 60 characters and 200 bytes, and is `todo` if nothing is left. Names that Windows reserves
    /// get the suffix `-todo`, so folders can be copied to Windows.
    package static func slug(of text: String) -> String {
        var slug = ""
        var length = 0
        var needsHyphen = false
        for character in text {
            if length >= maximumSlugLength || slug.utf8.count >= maximumSlugBytes { break }
            let kept = keptScalars(of: character)
            if kept.isEmpty {
                needsHyphen = !slug.isEmpty
                continue
            }
            let part = (needsHyphen ? "-" : "") + kept
            if slug.utf8.count + part.utf8.count > maximumSlugBytes { break }
            length += needsHyphen ? 2 : 1
            if length > maximumSlugLength { break }
            slug += part
            needsHyphen = false
        }
        if slug.isEmpty { return "todo" }
        return isReservedByWindows(slug) ? slug + "-todo" : slug
    }

    /// Returns the letters, their marks and the digits of a character in lowercase; empty for any other
    /// character.
    private static func keptScalars(of character: Character) -> String {
        guard let first = character.unicodeScalars.first, isLetterOrDigit(first) else { return "" }
        var kept = String.UnicodeScalarView()
        for scalar in character.lowercased().unicodeScalars where isLetterOrDigit(scalar) || isMark(scalar) {
            kept.append(scalar)
        }
        return String(kept)
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber,
            .letterNumber:
            true
        default: false
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    private static func isReservedByWindows(_ slug: String) -> Bool {
        if ["con", "prn", "aux", "nul"].contains(slug) { return true }
        let bytes = Array(slug.utf8)
        return bytes.count == 4 && (slug.hasPrefix("com") || slug.hasPrefix("lpt"))
            && UInt8(ascii: "1")...UInt8(ascii: "9") ~= bytes[3]
    }

    private static let maximumSlugLength = 60
    private static let maximumSlugBytes = 200
}
