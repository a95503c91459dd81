/// A text of the form that most todos have, of which every entry can be read by itself: see ``SimpleReader``.
package struct SimpleText: Sendable {
    private let bytes: [UInt8]

    /// Creates the text of a document; nil if it is of another form.
    package init?(_ document: Document) {
        guard document.isSimple else { return nil }
        bytes = document.bytes
    }

    /// Returns, of another valid text and this one, top-level entries among which are all that are not the
    /// same in both; nil where that can't be told without reading both texts.
    ///
    /// What both texts begin and end with is not read.
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

    /// Returns the entries of some lines that begin and end where entries do.
    private static func entries(of lines: Slice<UnsafeBufferPointer<UInt8>>) -> Mapping? {
        let bytes = UnsafeBufferPointer(rebasing: lines)
        guard bytes.contains(where: { !$0.isLineBreak }) else { return Mapping() }
        guard let scan = try? TextScan(bytes),
            case .mapping(let mapping)? = SimpleReader.read(bytes, scan)?.value
        else { return nil }
        return mapping
    }

    /// Returns how many bytes both texts have before the entries that may differ, and how many behind them.
    private static func differingLines(
        _ old: UnsafeBufferPointer<UInt8>, _ new: UnsafeBufferPointer<UInt8>
    ) -> (start: Int, end: Int) {
        let count = min(old.count, new.count)
        var start = new.commonCount(old, atMost: count)
        var end = 0
        while end < count - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
        // A line without a letter at its beginning may belong to the entry above it, in one text or in both.
        while start > 0, !(isStart(start, of: old) && isStart(start, of: new)) { start -= 1 }
        while end > 0, !(isStart(old.count - end, of: old) && isStart(new.count - end, of: new)) { end -= 1 }
        return (start, end)
    }

    /// Whether an entry begins at a place.
    private static func isStart(_ place: Int, of bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        place < bytes.count && bytes[place].isLetter && (place == 0 || bytes[place - 1] == .lineFeed)
    }
}
