/// The order of strings in filters and lists: by letters regardless of case and accents, then by accents.
enum CaseInsensitiveOrder {
    /// Returns a negative number if `left` comes before `right`, a positive number if it comes after, and
    /// zero if they are equal.
    static func compare(_ left: String, _ right: String) -> Int {
        var (left, right) = (left, right)
        return left.withUTF8 { left in right.withUTF8 { right in compare(left, right) } }
    }

    private static func compare(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Int {
        for index in 0..<min(left.count, right.count) {
            let (first, second) = (left[index], right[index])
            // Converting a letter beyond ASCII to lowercase can change its length.
            guard first < 0x80, second < 0x80 else { return compareLetters(left[index...], right[index...]) }
            let difference = Int(first.lowercasedASCII) - Int(second.lowercasedASCII)
            if difference != 0 { return difference }
        }
        return left.count - right.count
    }

    private static func compareLetters(
        _ left: Slice<UnsafeBufferPointer<UInt8>>, _ right: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Int {
        let left = String(decoding: left, as: UTF8.self).lowercased().unicodeScalars
        let right = String(decoding: right, as: UTF8.self).lowercased().unicodeScalars
        let letters = compare(left.compactMap(withoutAccent), right.compactMap(withoutAccent))
        return letters != 0 ? letters : compare(left, right)
    }

    private static func compare(
        _ left: some Sequence<Unicode.Scalar>, _ right: some Sequence<Unicode.Scalar>
    ) -> Int {
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    /// Returns a letter without its accent; nil for a combining accent.
    private static func withoutAccent(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.isASCII { return scalar }
        return accents.contains(scalar.value) ? nil : plainLetters[scalar] ?? scalar
    }

    private static let accents: ClosedRange<UInt32> = 0x300...0x36F

    /// Maps each letter with an accent to the letter without it.
    ///
    /// A letter's Unicode name contains both parts: LATIN SMALL LETTER E WITH ACUTE.
    private static let plainLetters: [Unicode.Scalar: Unicode.Scalar] = {
        // ASCII; Latin-1 and its extensions; Greek; additional Latin and Greek letters.
        let blocks: [ClosedRange<UInt32>] = [0x61...0x7A, 0xC0...0x24F, 0x370...0x3FF, 0x1E00...0x1FFF]
        var byName: [String: Unicode.Scalar] = [:]
        for scalar in blocks.joined().compactMap(Unicode.Scalar.init) {
            if let name = scalar.properties.name { byName[name] = scalar }
        }
        var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (name, scalar) in byName {
            guard let accent = name.firstRange(of: " WITH ") else { continue }
            letters[scalar] = byName[String(name[..<accent.lowerBound])]
        }
        return letters
    }()
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
