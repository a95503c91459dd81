/// Assigns numbers to lines: two lines have the same number if their bytes are equal, including the line
/// break.
///
/// Long texts can be compared quickly, because only the numbers are compared and counted.
struct LineTable {
    private var bytes: [UInt8] = []
    /// The range of each numbered line in `bytes`.
    private var lines: [Range<Int>] = []
    private var hashes: [Int] = []
    /// A hash table with open addressing, whose size is a power of two; -1 means that a slot is free.
    private var places: [Int32] = Array(repeating: -1, count: 64)

    /// Returns the numbers of a text's lines.
    mutating func numbers(of text: [UInt8]) -> [Int32] {
        let offset = bytes.count
        bytes += text
        return lineRanges(text).map { number(of: $0.lowerBound + offset..<$0.upperBound + offset) }
    }

    private mutating func number(of line: Range<Int>) -> Int32 {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[line])) }
        let hash = hasher.finalize()
        var place = hash & (places.count - 1)
        while places[place] >= 0 {
            let number = Int(places[place])
            if hashes[number] == hash, isSame(lines[number], line) { return Int32(number) }
            place = (place + 1) & (places.count - 1)
        }
        places[place] = Int32(lines.count)
        lines.append(line)
        hashes.append(hash)
        if lines.count * 2 > places.count { grow() }
        return Int32(lines.count - 1)
    }

    private func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.count == right.count
            && bytes.withUnsafeBufferPointer { bytes in
                zip(left, right).allSatisfy { bytes[$0] == bytes[$1] }
            }
    }

    private mutating func grow() {
        places = Array(repeating: -1, count: places.count * 2)
        for number in lines.indices {
            var place = hashes[number] & (places.count - 1)
            while places[place] >= 0 { place = (place + 1) & (places.count - 1) }
            places[place] = Int32(number)
        }
    }
}
