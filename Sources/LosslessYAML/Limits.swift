/// The limits of what a document can contain.
enum Limits {
    static let bytes = 1 << 20
    static let depth = 64
    static let expandedNodes = 100_000
    static let keyLength = 1...255
    /// Directives before a document; libyaml compares each one with all the previous ones.
    static let directives = 16
    /// Digits of a hexadecimal or octal integer; the time to convert them grows with the square of their
    /// number.
    static let radixDigits = 10_000
}
