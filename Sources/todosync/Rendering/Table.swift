internal import SyncEngine

/// Rows of cells in aligned columns; empty columns are left out.
struct Table {
    struct Cell {
        var text: String
        var paint: Style.Paint?
        /// The end of the text that remains if a row is wider than the terminal; nil if the text is never
        /// cut.
        var kept: KeptEnd?
        /// Text that follows in a quiet color; it is never cut.
        var tail = ""

        init(_ text: String, _ paint: Style.Paint? = nil, keeping kept: KeptEnd? = nil) {
            self.text = text
            self.paint = paint
            self.kept = kept
        }
    }

    var rows: [[Cell]] = []
    var indentation = 0

    static let gap = 2
    /// The minimum widths of cut columns, tried in this order.
    private static let leastWidths = [24, 12, 8]

    /// Returns the rows, each with a line feed; no row ends in spaces.
    func render(_ style: Style) -> String { lines(style).joined() }

    /// Returns a line for each row, with its line feed.
    func lines(_ style: Style) -> [String] {
        let widths = columnWidths(style)
        return rows.map { row in
            var line = String(repeating: " ", count: indentation)
            var missing = 0
            for (column, cell) in row.enumerated() where widths[column] > 0 {
                let text = shortened(cell.text, toWidth: widths[column], keeping: cell.kept ?? .start)
                if !text.isEmpty {
                    line += String(repeating: " ", count: missing) + style.paint(text, cell.paint)
                    line += style.paint(cell.tail, .quiet)
                    missing = 0
                }
                missing += widths[column] - displayWidth(text) - cell.tail.utf8.count + Self.gap
            }
            return line + "\n"
        }
    }

    private func columnWidths(_ style: Style) -> [Int] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], displayWidth(cell.text) + cell.tail.utf8.count)
            }
        }
        guard let width = style.width else { return widths }
        let gaps = Self.gap * max(0, widths.count { $0 > 0 } - 1)
        var excess = widths.reduce(0, +) + gaps + indentation - width
        if excess <= 0 { return widths }
        for least in Self.leastWidths {
            // A cut text is more useful than a cut path.
            for kept in [KeptEnd.start, .end] {
                for column in columns(keeping: kept) where excess > 0 {
                    let cut = min(excess, max(0, widths[column] - least))
                    widths[column] -= cut
                    excess -= cut
                }
            }
        }
        return widths
    }

    /// Returns the columns with cells that keep the given end when they are cut.
    private func columns(keeping kept: KeptEnd) -> [Int] {
        Set(rows.flatMap { row in row.indices.filter { row[$0].kept == kept } }).sorted()
    }

    /// The number of a long list's entries to show if the user didn't ask for all.
    private static let shownAtMost = 20

    /// Returns whether a list of entries is cut.
    static func isLimited(_ count: Int, _ style: Style) -> Bool {
        !style.isVerbose && count > shownAtMost + 1
    }

    /// The rows of a list's first entries, or of all entries if the user asked for them.
    struct Limited {
        var rows: [[Cell]]
        /// The number of entries without a row.
        var rest: Int

        init<Entry>(_ entries: [Entry], _ style: Style, row: (Entry) -> [Cell]) {
            rest = isLimited(entries.count, style) ? entries.count - shownAtMost : 0
            rows = entries.dropLast(rest).map(row)
        }
    }

    /// Returns the rows of lists below each other in the same columns; the count of the rest follows each
    /// list that is cut.
    static func limited(_ lists: [Limited], indentation: Int = 0, _ style: Style) -> String {
        var lines = Table(rows: lists.flatMap(\.rows), indentation: indentation).lines(style)[...]
        return lists.map { list in
            var text = lines.prefix(list.rows.count).joined()
            lines = lines.dropFirst(list.rows.count)
            if list.rest > 0 {
                text += String(repeating: " ", count: indentation) + "… and \(list.rest.grouped) more\n"
            }
            return text
        }.joined()
    }

    /// Returns a row for each of the first entries and the count of the rest, or all rows if the user asked
    /// for them.
    static func limited<Entry>(
        _ entries: [Entry], indentation: Int = 0, _ style: Style, row: (Entry) -> [Cell]
    ) -> String {
        limited([Limited(entries, style, row: row)], indentation: indentation, style)
    }
}

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
