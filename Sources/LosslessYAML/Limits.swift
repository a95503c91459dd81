/// The limits of a document.
enum Limits {
    static let bytes = 1 << 20
    static let depth = 64
    static let expandedNodes = 100_000
    static let keyLength = 1...255
    /// The maximum number of directives before a document, because libyaml compares each directive with all
    /// the others.
    static let directives = 16
    /// The maximum number of digits in a hexadecimal or octal integer, because converting them takes
    /// quadratic time.
    static let radixDigits = 10_000
}
