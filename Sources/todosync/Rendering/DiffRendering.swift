/// Returns a unified diff with visible control characters, in color if the style has color.
func render(diff: [UInt8], _ style: Style) -> String {
    let text = visibleLines(diff)
    guard style.hasColor else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        style.paint(String(line), paint(line))
    }.joined(separator: "\n")
}

private func paint(_ line: Substring) -> Style.Paint? {
    if line.hasPrefix("+++") || line.hasPrefix("---") || line.hasPrefix("diff ") { return .heading }
    return switch line.first {
    case "+": .added
    case "-": .removed
    case "@": .place
    default: nil
    }
}
