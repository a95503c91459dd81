/// A text as lists are ordered by it: without regard to case and, unless all else is equal, to accents.
struct CollatedText {
    private let lowercased: String

    init(_ bytes: Slice<UnsafeRawBufferPointer>) {
        lowercased = String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// Returns a negative number, zero or a positive one for two texts in or out of their order.
    func order(_ other: CollatedText) -> CInt {
        let letters = Self.order(withoutAccents, other.withoutAccents)
        return letters != 0 ? letters : Self.order(lowercased.unicodeScalars, other.lowercased.unicodeScalars)
    }

    private static func order(
        _ left: some Sequence<Unicode.Scalar>, _ right: some Sequence<Unicode.Scalar>
    ) -> CInt {
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    private var withoutAccents: [Unicode.Scalar] {
        lowercased.unicodeScalars.compactMap { scalar in
            if scalar.isASCII { return scalar }
            return Self.accents.contains(scalar.value) ? nil : Self.plainLetters[scalar] ?? scalar
        }
    }

    /// The accents that stand behind their letter as scalars of their own.
    private static let accents: ClosedRange<UInt32> = 0x300...0x36F

    /// The letters without their accents, by those with them.
    ///
    /// What a letter is made of is in its name: LATIN SMALL LETTER E WITH ACUTE.
    private static let plainLetters: [Unicode.Scalar: Unicode.Scalar] = {
        // ASCII; Latin, its extensions, and Greek; more of these.
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
