/// The names of devices, as conflict markers and prompts show them.
package enum DeviceName {
    /// The maximum length of a name, in Unicode scalars.
    package static let maximumLength = 64

    /// Returns a name that is safe in parentheses after a conflict marker; nil if nothing of it is left.
    ///
    /// Letters, digits, emoji and `-_.'’+&@/` stay; anything else becomes a space. So no name ends the line
    /// or the parentheses, looks like a marker or like two names, or changes the direction of the line.
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
