internal import Values

/// What a client sends to show that it has a key.
struct KeySecret {
    let string: String

    /// The random bytes in a secret.
    static let size = 32

    /// Creates a secret.
    ///
    /// - Parameter random: ``size`` random bytes.
    init(random: [UInt8]) { string = "todosync_" + random.hexadecimal }

    /// Takes what a client sent for a secret.
    init(_ string: String) { self.string = string }

    /// The secret's SHA-256, which is stored in its place.
    ///
    /// Neither salt nor stretching: nobody can try 2^256 secrets, as one can the passwords of people.
    var digest: [UInt8] { Array(string.utf8).sha256 }
}

extension [UInt8] {
    /// Returns whether the bytes are the same, in a time that does not tell how many of them are.
    func isSameInConstantTime(as other: [UInt8]) -> Bool {
        guard count == other.count else { return false }
        return zip(self, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
