/// The checksum and the length of a text, which identify a file's content.
package struct ContentMark: Hashable, Sendable, CustomStringConvertible {
    private let checksum: UInt32
    private let count: Int

    package init(of bytes: [UInt8]) {
        checksum = Checksum.of(bytes)
        count = bytes.count
    }

    /// Creates the mark of a text, ignoring line endings.
    package init(ofLines bytes: [UInt8]) {
        let carriageReturn = UInt8(ascii: "\r")
        guard bytes.contains(carriageReturn) else {
            self.init(of: bytes)
            return
        }
        let next = bytes.dropFirst() + [0]
        self.init(
            of: zip(bytes, next).filter { $0 != carriageReturn || $1 != UInt8(ascii: "\n") }.map(\.0))
    }

    /// Creates the mark of a path instead of a text.
    package init(ofPath path: some StringProtocol) { self.init(of: Array(path.utf8)) }

    /// Creates a mark from its ``description``; nil if the text isn't valid.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let checksum = UInt32(parts[0], radix: 16), let count = Int(parts[1]) else {
            return nil
        }
        self.checksum = checksum
        self.count = count
    }

    /// The mark in the form `9a3b2c1d-345`: the checksum in hexadecimal digits, and the number of bytes.
    package var description: String { "\(String(checksum, radix: 16))-\(count)" }
}
