/// The lines of a text that are worth comparing.
///
/// Lines that the other text lacks are set aside. So are lines that occur often in the other text, if most of
/// the lines around them are set aside: matching them would tie the difference to positions where nothing
/// else matches.
struct ComparedLines {
    /// The numbers of the lines to compare.
    private(set) var numbers: [Int32] = []
    private(set) var positions: [Int] = []
    /// The positions of the lines that count as changed without being compared.
    private(set) var setAside: [Int] = []

    private enum Frequency {
        case absent, few, many
    }

    private static let mostTimesForFew = 1024
    /// The number of lines to examine on each side of a line.
    private static let window = 100

    init(_ lines: [Int32], within range: Range<Int>, other: [Int32]) {
        var counts: [Int32] = Array(repeating: 0, count: Int(max(lines.max() ?? -1, other.max() ?? -1) + 1))
        for number in other { counts[Int(number)] += 1 }
        let many = min(Self.roughSquareRoot(of: lines.count), Self.mostTimesForFew)
        let frequencies = range.map { position -> Frequency in
            switch Int(counts[Int(lines[position])]) {
            case 0: .absent
            case ..<many: .few
            default: .many
            }
        }
        for (offset, frequency) in frequencies.enumerated() {
            let position = range.lowerBound + offset
            if frequency == .absent || frequency == .many && Self.isAmongAbsent(offset, frequencies) {
                setAside.append(position)
            } else {
                numbers.append(lines[position])
                positions.append(position)
            }
        }
    }

    /// Returns whether a frequent line is in a run that consists mostly of absent lines, with some on each
    /// side.
    private static func isAmongAbsent(_ position: Int, _ frequencies: [Frequency]) -> Bool {
        func run(_ neighbors: some Sequence<Int>) -> (absent: Int, many: Int) {
            var absent = 0
            var many = 1
            for neighbor in neighbors {
                switch frequencies[neighbor] {
                case .absent: absent += 1
                case .many: many += 1
                case .few: return (absent, many)
                }
            }
            return (absent, many)
        }
        let before = run((max(0, position - window)..<position).reversed())
        guard before.absent > 0 else { return false }
        let after = run(position + 1..<min(frequencies.count, position + window + 1))
        guard after.absent > 0 else { return false }
        let many = before.many + after.many
        return many * 4 < many + before.absent + after.absent
    }

    /// Returns a power of two near the square root of a number.
    private static func roughSquareRoot(of number: Int) -> Int {
        let bits = Int.bitWidth - number.leadingZeroBitCount
        return 1 << ((bits + 1) / 2)
    }
}
