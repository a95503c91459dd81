/// Returns a unified diff of two texts in git's format; empty if the texts are equal.
///
/// `patch` and `git apply` accept the diff. The names follow `---` and `+++`, quoted as git does; `context`
/// is the number of unchanged lines around each change.
package func unifiedDiff(
    from old: [UInt8], to new: [UInt8], fromName: String, toName: String, context: Int = 3
) -> [UInt8] {
    var table = LineTable()
    let changes = LineDifference(from: table.numbers(of: old), to: table.numbers(of: new)).changes
    if changes.isEmpty { return [] }
    let texts = UnifiedDiffTexts(old: old, new: new)
    var result = Array("--- \(fromName.asDiffName)\n+++ \(toName.asDiffName)\n".utf8)
    var hunk: [LineDifference.Change] = []
    for change in changes {
        if let last = hunk.last, change.old.lowerBound - last.old.upperBound > 2 * context {
            texts.append(hunk, context: context, to: &result)
            hunk = []
        }
        hunk.append(change)
    }
    texts.append(hunk, context: context, to: &result)
    return result
}

private struct UnifiedDiffTexts {
    private let old: [UInt8]
    private let new: [UInt8]
    private let oldLines: [Range<Int>]
    private let newLines: [Range<Int>]

    init(old: [UInt8], new: [UInt8]) {
        self.old = old
        self.new = new
        oldLines = lineRanges(old)
        newLines = lineRanges(new)
    }

    func append(_ hunk: [LineDifference.Change], context: Int, to result: inout [UInt8]) {
        guard let first = hunk.first, let last = hunk.last else { return }
        let before = min(context, first.old.lowerBound)
        let after = min(context, oldLines.count - last.old.upperBound)
        let oldRange = first.old.lowerBound - before..<last.old.upperBound + after
        let newRange = first.new.lowerBound - before..<last.new.upperBound + after
        result += "@@ -\(rangeText(oldRange)) +\(rangeText(newRange)) @@\n".utf8
        var position = oldRange.lowerBound
        for change in hunk {
            append(" ", old, oldLines[position..<change.old.lowerBound], to: &result)
            append("-", old, oldLines[change.old], to: &result)
            append("+", new, newLines[change.new], to: &result)
            position = change.old.upperBound
        }
        append(" ", old, oldLines[position..<oldRange.upperBound], to: &result)
    }

    /// Returns the line numbers for a hunk's header: the first line and, unless it is 1, the count; for an
    /// empty range, the line before it.
    private func rangeText(_ lines: Range<Int>) -> String {
        switch lines.count {
        case 0: "\(lines.lowerBound),0"
        case 1: "\(lines.lowerBound + 1)"
        default: "\(lines.lowerBound + 1),\(lines.count)"
        }
    }

    private func append(
        _ sign: Unicode.Scalar, _ text: [UInt8], _ lines: ArraySlice<Range<Int>>, to result: inout [UInt8]
    ) {
        for line in lines {
            result.append(UInt8(ascii: sign))
            result += text[line]
            if text[line.upperBound - 1] != LineEnding.lf {
                result += "\n\\ No newline at end of file\n".utf8
            }
        }
    }
}

extension String {
    /// The name as git writes it in a diff.
    ///
    /// A name with control characters, quotes or backslashes is quoted. A name with spaces is followed by a
    /// tab, so that the end of the name isn't read as a date.
    fileprivate var asDiffName: String {
        let needsQuotes = unicodeScalars.contains {
            $0.value < 0x20 || $0.value == 0x7F || $0 == "\"" || $0 == "\\"
        }
        guard needsQuotes else { return unicodeScalars.contains(" ") ? self + "\t" : self }
        var quoted = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let octal = String(scalar.value, radix: 8)
                quoted += "\\" + String(repeating: "0", count: 3 - octal.count) + octal
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
