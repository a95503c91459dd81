/// The names by which devices are known where a conflict is shown.
package enum DeviceName {
    /// The most Unicode scalars that a name has.
    package static let maximumLength = 64

    /// Returns a name that can stand in parentheses on a line of its own; nil if nothing is left of it.
    ///
    /// Letters, digits, emoji and `-_.'’+&@/` stay. All else becomes a space: so no name ends the line or
    /// the parentheses, looks like a marker or like two names, or turns the direction of the line.
    package static func cleaned(_ name: String) -> String? {
        var cleaned = ""
        var length = 0
        var hasGap = false
        for scalar in name.unicodeScalars {
            guard isShown(scalar) else {
                hasGap = !cleaned.isEmpty
                continue
            }
            length += hasGap ? 2 : 1
            if length > maximumLength { break }
            if hasGap { cleaned.unicodeScalars.append(" ") }
            hasGap = false
            cleaned.unicodeScalars.append(scalar)
        }
        return cleaned.isEmpty ? nil : cleaned
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isDefaultIgnorableCodePoint { return false }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .otherNumber, .otherSymbol:
            true
        default: "-_.'\u{2019}+&@/".unicodeScalars.contains(scalar)
        }
    }
}
