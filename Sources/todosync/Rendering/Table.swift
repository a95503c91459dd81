/// Rows of cells that are printed in aligned columns; empty columns are left out.
struct Table {
    struct Cell {
        var text: String
        var paint: Style.Paint?
        /// Text that follows quietly, where there is colour; it is never shortened.
        var tail = ""

        init(_ text: String, _ paint: Style.Paint? = nil) {
            self.text = text
            self.paint = paint
        }
    }

    var rows: [[Cell]] = []
    var indentation = 0
    /// The column that is shortened if a row is wider than the terminal.
    var flexibleColumn: Int?

    static let gap = 2
    private static let narrowest = 10

    /// Returns the rows, each with a line feed; no row ends in spaces.
    func render(_ style: Style) -> String {
        let widths = columnWidths(style)
        return rows.map { row in
            var line = String(repeating: " ", count: indentation)
            var missing = 0
            for (column, cell) in row.enumerated() where widths[column] > 0 {
                let text = shortened(cell.text, toWidth: widths[column])
                if !text.isEmpty {
                    line += String(repeating: " ", count: missing) + style.paint(text, cell.paint)
                    line += style.paint(cell.tail, .quiet)
                    missing = 0
                }
                missing += widths[column] - displayWidth(text) - cell.tail.utf8.count + Self.gap
            }
            return line + "\n"
        }.joined()
    }

    private func columnWidths(_ style: Style) -> [Int] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], displayWidth(cell.text) + cell.tail.utf8.count)
            }
        }
        if let width = style.width, let flexibleColumn, widths.indices.contains(flexibleColumn) {
            let gaps = Self.gap * max(0, widths.count { $0 > 0 } - 1)
            let excess = widths.reduce(0, +) + gaps + indentation - width
            if excess > 0 {
                widths[flexibleColumn] = max(
                    min(widths[flexibleColumn], Self.narrowest), widths[flexibleColumn] - excess)
            }
        }
        return widths
    }

    /// How many entries are listed unless the user asked for all.
    private static let shownAtMost = 20

    /// Returns a row for each entry: for the first ones, and how many more there are, unless the user asked
    /// for all.
    static func limited<Entry>(
        _ entries: [Entry], indentation: Int = 0, flexibleColumn: Int? = nil, _ style: Style,
        row: (Entry) -> [Cell]
    ) -> String {
        let shown = style.isVerbose || entries.count <= shownAtMost + 1 ? entries.count : shownAtMost
        let rows = entries.prefix(shown).map(row)
        let text = Table(rows: rows, indentation: indentation, flexibleColumn: flexibleColumn).render(style)
        if shown == entries.count { return text }
        return text + String(repeating: " ", count: indentation)
            + "… and \(grouped(entries.count - shown)) more\n"
    }
}
