extension [UInt8] {
    /// The bytes in hexadecimal digits, in lower case.
    var hexadecimal: String {
        map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
