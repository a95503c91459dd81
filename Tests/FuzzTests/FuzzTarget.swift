import TestSupport

/// A reader of texts from outside of todosync, with laws that hold whatever it reads.
///
/// `Tests/FuzzTests/run` searches for texts that break them; ``CorpusTests`` tests the known ones.
enum FuzzTarget: String, CaseIterable, Sendable {
    /// A todo file: the reader and the editor.
    case yaml
    /// Three texts of one todo, separated by lines with `@@@`: base, local and remote.
    case merge
    /// A text with conflict markers.
    case markers
    /// A journal, or a journal's records without their checksums.
    case journal
    /// A record as a server sends it.
    case json

    /// Returns the law that the result for a text breaks; nil if all laws hold.
    func problem(with bytes: [UInt8]) -> String? {
        do {
            switch self {
            case .yaml: try Self.checkYAML(bytes)
            case .merge: try Self.checkMerge(bytes)
            case .markers: try Self.checkMarkers(bytes)
            case .journal: try Self.checkJournal(bytes)
            case .json: try Self.checkJSON(bytes)
            }
            return nil
        } catch {
            return "\(rawValue): \(error)"
        }
    }

    /// Returns whether a text can be read: the laws require little of other texts.
    func canRead(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .yaml: Self.isYAML(bytes)
        case .merge: Self.todos(in: bytes) != nil
        case .markers: Self.hasMarkers(bytes)
        case .journal: Self.hasRecords(bytes)
        case .json: Self.isJSON(bytes)
        }
    }

    /// A law that does not hold.
    struct BrokenLaw: Error, CustomStringConvertible {
        let description: String
    }

    static func require(_ holds: Bool, _ law: @autoclosure () -> String) throws(BrokenLaw) {
        if !holds { throw BrokenLaw(description: law()) }
    }

    static func require<Wrapped>(_ value: Wrapped?, _ law: @autoclosure () -> String) throws(BrokenLaw)
        -> Wrapped
    {
        guard let value else { throw BrokenLaw(description: law()) }
        return value
    }

    /// Returns a seed that is derived from the text, for random changes to it.
    static func seed(of bytes: [UInt8]) -> UInt64 {
        // Fowler, Noll and Vo's hash.
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
