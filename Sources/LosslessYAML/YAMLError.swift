/// Why a text is no document, and where.
public struct YAMLError: Error, Sendable, Hashable {
    public let reason: Reason
    /// The line, counted from 1 as an editor does.
    public let line: Int
    /// The column, counted in characters (Unicode scalars) from 1.
    public let column: Int

    /// What is wrong. ``description`` says it in words.
    public enum Reason: Sendable, Hashable {
        /// libyaml's own words, for example "did not find expected ',' or ']'".
        case syntax(String)
        case notUTF8
        case controlCharacter(UInt32)
        case noMapping
        case severalDocuments
        case repeatedKey(String)
        case keyIsNoString
        case badKey(String)
        case tag(String)
        case tooDeep
        case tooLarge
        case aliasesTooLarge
        case notFinite
        case numberTooLarge
    }
}
