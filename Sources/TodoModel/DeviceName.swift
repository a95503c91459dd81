/// The names of devices, as conflict markers and prompts show them.
package enum DeviceName {
    /// The maximum length of a name, in Unicode scalars.
    package static let maximumLength = 64

    /// Returns a name that is safe in the label of a conflict marker; nil if nothing remains.
    ///
    /// Letters, digits, emoji and `-_.'’+&@/` stay; anything else becomes a space. So a name can't end the
    /// line or the parentheses, look like a marker or like two names, or change the direction of the text.
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
