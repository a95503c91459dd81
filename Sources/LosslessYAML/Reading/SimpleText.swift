/// A text in the form of most todos, where every entry can be read separately (see ``SimpleReader``).
///
/// This makes `status` with many edited todos a fifth faster, because the lines that both texts begin or end
/// with aren't read.
package struct SimpleText: Sendable {
    private let bytes: [UInt8]

    /// Creates the text of a document; nil if the document needed the full parser.
    package init?(_ document: Document) {
        guard document.isSimple else { return nil }
        bytes = document.bytes
    }

    /// Returns top-level entries of another valid text and of this text, including all entries that differ.
    ///
    /// Lines that both texts begin or end with aren't read. Returns nil if the entries can't be found without
    /// parsing both texts in full.
    package func entriesThatDiffer(from old: [UInt8]) -> (old: Mapping, new: Mapping)? {
        old.withUnsafeBufferPointer { old in
            bytes.withUnsafeBufferPointer { new in
                let (start, end) = Self.differingLines(old, new)
                guard let old = Self.entries(of: old[start..<(old.count - end)]),
                    let new = Self.entries(of: new[start..<(new.count - end)])
                else { return nil }
                return (old, new)
            }
        }
    }

    /// Returns the entries in a range of lines that begins and ends between entries.
    private static func entries(of lines: Slice<UnsafeBufferPointer<UInt8>>) -> Mapping? {
        let bytes = UnsafeBufferPointer(rebasing: lines)
        guard bytes.contains(where: { !$0.isLineBreak }) else { return Mapping() }
        guard let scan = try? TextScan(bytes),
            case .mapping(let mapping)? = SimpleReader.read(bytes, scan)?.value
        else { return nil }
        return mapping
    }

    /// Returns the number of bytes that both texts share before and after the entries that can differ.
    private static func differingLines(
        _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>
    ) -> (start: Int, end: Int) {
        let count = min(old.count, new.count)
        var start = new.commonCount(old, atMost: count)
        var end = 0
        while end < count - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        // In either text, a line that doesn't begin with a letter can belong to the entry above it.
        while start > 0, !(isStart(start, of: old) && isStart(start, of: new)) { start -= 1 }
        while end > 0, !(isStart(old.count - end, of: old) && isStart(new.count - end, of: new)) { end -= 1 }
        return (start, end)
    }

    /// Returns whether an entry begins at an offset.
    private static func isStart(_ place: Int, of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        place < bytes.count && bytes[place].isLetter && (place == 0 || bytes[place - 1] == .lineFeed)
    }
}
