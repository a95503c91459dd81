/// The four lines that mark a conflict, as git writes them.
enum ConflictMarker: CaseIterable {
    case local, base, separator, remote

    static let length = 7
    /// The minimum length of a marker; shorter runs of these characters are too common to be markers.
    static let shortestLength = 4

    var byte: UInt8 {
        switch self {
        case .local: UInt8(ascii: "<")
        case .base: UInt8(ascii: "|")
        case .separator: UInt8(ascii: "=")
        case .remote: UInt8(ascii: ">")
        }
    }

    /// Returns the marker's line, without its line break.
    func line(_ labels: MarkerLabels) -> [UInt8] {
        let run = [UInt8](repeating: byte, count: Self.length)
        return switch self {
        case .local: run + Array(" local".utf8) + labels.local.inParentheses
        case .base: run + Array(" base".utf8) + labels.base.inParentheses
        case .separator: run
        case .remote: run + Array(" remote".utf8) + labels.remote.inParentheses
        }
    }

    /// Parses a line with a marker: seven equal characters, then the end of the line, or a space and any
    /// text; nil for any other line.
    init?(line: ArraySlice<UInt8>) {
        guard let (marker, length) = Self.ofAnyLength(line: line), length == Self.length else { return nil }
        self = marker
    }

    /// Parses a line with a marker of at least ``shortestLength`` characters; nil for any other line.
    static func ofAnyLength(line: ArraySlice<UInt8>) -> (marker: ConflictMarker, length: Int)? {
        guard let first = line.first, let marker = allCases.first(where: { $0.byte == first }) else {
            return nil
        }
        let rest = line.drop { $0 == first }
        let length = line.count - rest.count
        guard length >= shortestLength, rest.isEmpty || rest.first == UInt8(ascii: " ") else { return nil }
        return (marker, length)
    }
}

extension String? {
    /// A space and the text in parentheses; empty if the text is nil.
    fileprivate var inParentheses: [UInt8] { map { Array(" (\($0))".utf8) } ?? [] }
}
