internal import Platform
@_spi(_Unicode) internal import Swift

/// A text in the form in which people search it: without differences in letter case and Unicode form.
///
/// `É` as one character equals `e` followed by an accent (Unicode's form NFC), and `STRASSE` equals `Straße`.
package struct SearchForm: Sendable, Hashable {
    /// The form's UTF-8.
    package let bytes: [UInt8]

    package init(_ text: some StringProtocol) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            let (first, last) = (UInt8(ascii: "A"), UInt8(ascii: "Z"))
            bytes = text.utf8.map { (first...last).contains($0) ? $0 | 0x20 : $0 }
        } else {
            // Some letters differ in only one of the two cases, such as the two small sigmas.
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: text.uppercased().lowercased()._nfc)
            bytes = Array(String(scalars).utf8)
        }
    }

    /// Returns whether a word occurs in the text.
    ///
    /// The worst case takes time proportional to the product of both lengths, but people type short words.
    package func contains(_ word: SearchForm) -> Bool {
        word.bytes.isEmpty || bytes[...].contains(word.bytes)
    }

    package func hasPrefix(_ beginning: SearchForm) -> Bool { bytes.starts(with: beginning.bytes) }
}
