/// The bounds of what a document may hold.
enum Limits {
    static let bytes = 1 << 20
    static let depth = 64
    static let expandedNodes = 100_000
    static let keyLength = 1...255
    /// Directives before a document; libyaml compares each one with all before it.
    static let directives = 16
    /// Digits of a hexadecimal or octal integer, whose conversion takes time by the square of their number.
    static let radixDigits = 10_000
}
