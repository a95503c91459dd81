/// Columns that fit the terminal; if it is too narrow, the less important columns are left out.
struct FittedTable {
    struct Column {
        var cells: [Table.Cell]
        /// Whether the column is shortened after the less important columns are left out.
        var isFlexible = false
        /// Columns with a smaller rank are left out first; nil if the column is never left out.
        var rank: Int?

        init(_ cells: [Table.Cell], isFlexible: Bool = false, dropped rank: Int? = nil) {
            self.cells = cells
            self.isFlexible = isFlexible
            self.rank = rank
        }

        fileprivate var width: Int {
            cells.reduce(0) { max($0, displayWidth($1.text) + $1.tail.utf8.count) }
        }
    }

    var columns: [Column]

    /// The last rank that is left out to give the flexible column half of the terminal's width.
    ///
    /// Higher ranks are left out only if that column would be narrower than ``leastWidth``.
    private static let lastExpendableRank = 4
    private static let leastWidth = 16

    /// Returns whether all columns fit a width, with half of it or more for a flexible column that needs it.
    func fits(_ width: Int) -> Bool {
        let shown = columns.filter { $0.width > 0 }
        return Self.rest(of: shown, in: width) >= Self.needed(by: shown, max(Self.leastWidth, width / 2))
    }

    /// Returns the width that is left for the flexible columns.
    private static func rest(of shown: [Column], in width: Int) -> Int {
        let others = shown.reduce(0) { $0 + ($1.isFlexible ? 0 : $1.width) }
        return width - others - Table.gap * max(0, shown.count - 1)
    }

    /// Returns the width that the flexible columns need, at most `least`.
    private static func needed(by shown: [Column], _ least: Int) -> Int {
        min(shown.filter(\.isFlexible).map(\.width).max() ?? 0, least)
    }

    /// Returns the rows, each at most as wide as the terminal.
    func render(_ style: Style) -> String {
        guard let width = style.width else { return table(columns).render(style) }
        var shown = columns.filter { $0.width > 0 }
        var rest = 0
        while true {
            rest = Self.rest(of: shown, in: width)
            guard let next = shown.compactMap(\.rank).min() else { break }
            let least = next > Self.lastExpendableRank ? Self.leastWidth : max(Self.leastWidth, width / 2)
            if rest >= Self.needed(by: shown, least) { break }
            shown.removeAll { $0.rank == next }
        }
        for index in shown.indices where shown[index].isFlexible {
            for row in shown[index].cells.indices {
                let text = shown[index].cells[row].text
                shown[index].cells[row].text = rest < 1 ? "" : shortened(text, toWidth: rest)
            }
        }
        return table(shown).render(style)
    }

    private func table(_ columns: [Column]) -> Table {
        let count = columns.first?.cells.count ?? 0
        return Table(rows: (0..<count).map { row in columns.map { $0.cells[row] } })
    }
}
