internal import Values

/// The secret of a key, which a client sends.
struct KeySecret {
    let string: String

    /// The number of random bytes in a secret.
    static let size = 32

    /// Creates a secret.
    ///
    /// - Parameter random: ``size`` random bytes.
    init(random: [UInt8]) { string = "todosync_" + random.hexadecimal }

    /// Creates a secret from a string that a client sent.
    init(_ string: String) { self.string = string }

    /// The secret's SHA-256, which is stored instead of the secret.
    ///
    /// Salt and stretching are unnecessary: unlike passwords, secrets of 256 random bits can't be guessed.
    var digest: [UInt8] { Array(string.utf8).sha256 }
}
