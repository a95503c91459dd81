internal import TodoModel

/// The version a store gives to a record with each write: a growing counter and random bits behind it.
///
/// The counter is the write's place in the table's change feed. The random bits tell it from the version that
/// another history of the table gives at the same place, as after a backup was put back.
struct RecordVersion: Hashable {
    /// The counter in the upper five of eight bytes, the random bits in the lower three.
    let bits: Int64

    init(bits: Int64) { self.bits = bits }

    /// Creates the version of a write.
    ///
    /// - Parameter random: three random bytes.
    init(sequence: Int64, random: some Collection<UInt8>) {
        precondition(sequence < 1 << 39, "the counter has five bytes, the sign left aside")
        bits = random.prefix(3).reduce(sequence) { $0 << 8 | Int64($1) }
    }

    var sequence: Int64 { bits >> 24 }

    /// The largest version that a sequence could have, for finding what comes after it.
    static func last(ofSequence sequence: Int64) -> RecordVersion {
        RecordVersion(sequence: sequence, random: [0xFF, 0xFF, 0xFF])
    }
}

// MARK: - As text

extension RecordVersion {
    /// Reads base64, or returns nil for what no store wrote.
    init?(_ version: Version) {
        guard let bytes = Base64.decode(version.string), bytes.count == 8, bytes[0] < 0x80 else { return nil }
        bits = bytes.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The version in base64, as the tables protocol's clients know versions.
    var version: Version {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        return Version(Base64.encode(bytes))
    }
}
