internal import TodoModel

/// The version that a store assigns to a record with each write: an increasing counter followed by random
/// bits.
///
/// The counter is the write's position in the table's change feed. The random bits distinguish the version
/// from the version at the same position in a different history of the table, such as after restoring a
/// backup.
struct RecordVersion: Hashable {
    /// The counter in the upper five bytes, the random bits in the lower three.
    let bits: Int64

    init(bits: Int64) { self.bits = bits }

    /// Creates the version of a write.
    ///
    /// - Parameter random: Three random bytes.
    init(sequence: Int64, random: some Collection<UInt8>) {
        precondition(sequence < 1 << 39, "the counter has five bytes, less the sign bit")
        bits = random.prefix(3).reduce(sequence) { $0 << 8 | Int64($1) }
    }

    var sequence: Int64 { bits >> 24 }

    /// Returns the largest possible version of a sequence, used to find the versions after it.
    static func last(ofSequence sequence: Int64) -> RecordVersion {
        RecordVersion(sequence: sequence, random: [0xFF, 0xFF, 0xFF])
    }
}

// MARK: - As text

extension RecordVersion {
    /// Parses base64; nil for a version that no store created.
    init?(_ version: Version) {
        guard let bytes = Base64.decode(version.string), bytes.count == 8, bytes[0] < 0x80 else { return nil }
        bits = bytes.reduce(0) { $0 << 8 | Int64($1) }
    }

    /// The version in base64, which is the form that clients of the tables protocol expect.
    var version: Version {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        return Version(Base64.encode(bytes))
    }
}
