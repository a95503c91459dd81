/// Replacements of ranges in a text; the ranges must not overlap.
struct Splices {
    private var splices: [(range: Range<Int>, text: [UInt8])] = []

    var isEmpty: Bool { splices.isEmpty }

    /// Replaces a range.
    ///
    /// Texts for the same offset keep the order of the calls.
    mutating func replace(_ range: Range<Int>, with text: [UInt8]) {
        if !range.isEmpty || !text.isEmpty { splices.append((range, text)) }
    }

    mutating func insert(_ text: [UInt8], at position: Int) {
        replace(position..<position, with: text)
    }

    mutating func delete(_ range: Range<Int>) {
        replace(range, with: [])
    }

    /// Returns whether a replacement ends at an offset.
    func reach(_ end: Int) -> Bool {
        splices.contains { $0.range.upperBound == end }
    }

    /// Returns the text after all replacements; nil if any of them overlap.
    func applied(to bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let order = splices.indices.sorted { left, right in
            let (first, second) = (splices[left].range, splices[right].range)
            return (first.lowerBound, first.upperBound, left) < (second.lowerBound, second.upperBound, right)
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = 0
        for index in order {
            let (range, text) = splices[index]
            guard range.lowerBound >= position else { return nil }
            result += bytes[position..<range.lowerBound]
            result += text
            position = range.upperBound
        }
        result += bytes[position...]
        return result
    }
}
