/// The layout of a text, for new lines to follow.
struct Layout {
    /// The first line break of the text, or LF if there isn't one.
    let lineBreak: [UInt8]
    /// The number of columns that nested mappings are indented by; 2 if the text has no nested mapping.
    let step: Int
    /// Whether the text seems to be JSON, because all its keys are in double quotes between braces.
    ///
    /// Then new keys and strings are in double quotes, too.
    let isJSON: Bool

    init(_ document: Document) {
        if let first = document.bytes.firstIndex(where: \.isLineBreak) {
            let isPair =
                document.bytes[first] == .carriageReturn
                && document.bytes.dropFirst(first + 1).first == .lineFeed
            lineBreak = isPair ? [.carriageReturn, .lineFeed] : [document.bytes[first]]
        } else {
            lineBreak = [.lineFeed]
        }
        // An indentation indicator has only one digit.
        let step = Self.step(of: document.root) ?? 2
        self.step = (1...9).contains(step) ? step : 2
        if case .mapping(.flow, let entries) = document.root.shape {
            isJSON =
                !entries.isEmpty
                && entries.allSatisfy { document.bytes[$0.keyRange.lowerBound] == UInt8(ascii: "\"") }
        } else {
            isJSON = false
        }
    }

    private static func step(of root: Node) -> Int? {
        guard case .mapping(.block, let entries) = root.shape else { return nil }
        for entry in entries {
            guard case .mapping(.block, let nested) = entry.value.shape, let first = nested.first else {
                continue
            }
            return first.indentation - entry.indentation
        }
        return nil
    }
}
