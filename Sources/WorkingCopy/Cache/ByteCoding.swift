/// Writes a sequence of numbers and bytes.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// Writes a number as LEB128: seven bits per byte, lowest first.
    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func write(_ count: Int) { write(UInt64(count)) }

    /// Writes a signed number so that small absolute values take few bytes.
    mutating func write(signed number: Int64) { write(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    mutating func write(bytes slice: some Collection<UInt8>) { bytes.append(contentsOf: slice) }

    /// Writes bytes, preceded by their count.
    mutating func write(counted slice: some Collection<UInt8>) {
        write(slice.count)
        bytes.append(contentsOf: slice)
    }
}

/// Reads the output of a ``ByteWriter``.
///
/// On invalid input, it returns zeros and sets ``isGood`` to false.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    private(set) var isGood = true

    init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Whether the input was valid and has been read to its end.
    var isAtEnd: Bool { isGood && offset == bytes.count }

    @inline(__always)
    mutating func number() -> UInt64 {
        // Most numbers are small.
        if offset < bytes.count, bytes[offset] < 0x80 {
            offset += 1
            return UInt64(bytes[offset - 1])
        }
        return longNumber()
    }

    private mutating func longNumber() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count, shift < 64 {
            let byte = bytes[offset]
            offset += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        isGood = false
        return 0
    }

    mutating func signedNumber() -> Int64 {
        let number = number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// Reads a count.
    ///
    /// A count that is too large for any file sets ``isGood`` to false.
    mutating func count() -> Int {
        let number = number()
        if number > UInt64(UInt32.max) << 16 { isGood = false }
        return isGood ? Int(number) : 0
    }

    mutating func byte() -> UInt8 {
        guard offset < bytes.count else {
            isGood = false
            return 0
        }
        offset += 1
        return bytes[offset - 1]
    }

    /// Skips the next bytes and returns their range.
    mutating func range(of count: Int) -> Range<Int> {
        guard count <= bytes.count - offset else {
            isGood = false
            return offset..<offset
        }
        offset += count
        return offset - count..<offset
    }

    mutating func countedRange() -> Range<Int> { range(of: count()) }

    mutating func string() -> String {
        String(decoding: bytes[countedRange()], as: UTF8.self)
    }
}
